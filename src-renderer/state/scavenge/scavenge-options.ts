/** The options of a scavenge as the window edits them, and the requests made of them. */
import type { PointPlacement, ScavengePhase } from '../../../src-core/units/scavenge-terms.ts';
import type {
  InspectReport,
  NodeEntry,
  WindowRequestOf
} from '../../../src-main/contract/verbs/workbench-contract.ts';

export interface ScavengeForm {
  placement: PointPlacement;
  threshold: number;
  threads: number;
  throttlePercent: number;
  merge: boolean;
  unsafeIgnoreHardDeletes: boolean;
  alwaysKeepScavenged: boolean;
  /** Hours and minutes, local; empty: to its end. Belongs to the run, not to the plan. */
  until: string;
  /** Both empty: no maintenance window. Hours and minutes, local. */
  windowFrom: string;
  windowTo: string;
  /** null: the default of the engine, for all of these. */
  mebibytesPerSecond: number | null;
  /** As a field of date and time has it; empty: now. */
  now: string;
  /** Belongs to the run, too. */
  stopAfter: ScavengePhase | '';
  cacheMebibytes: number | null;
  pageKibibytes: number | null;
  hashUsersCacheCapacity: number | null;
  historyMaxAgeDays: number | null;
  /** null: nothing is kept. */
  keepReplacedDays: number | null;
  startAfresh: boolean;
  assumeStopped: boolean;
}

export const DEFAULT_FORM: ScavengeForm = {
  placement: 'auto',
  threshold: 0,
  threads: 1,
  throttlePercent: 100,
  merge: true,
  unsafeIgnoreHardDeletes: false,
  alwaysKeepScavenged: false,
  until: '',
  windowFrom: '',
  windowTo: '',
  mebibytesPerSecond: null,
  now: '',
  stopAfter: '',
  cacheMebibytes: null,
  pageKibibytes: null,
  hashUsersCacheCapacity: null,
  historyMaxAgeDays: null,
  keepReplacedDays: null,
  startAfresh: false,
  assumeStopped: false
};

const MEBIBYTE = 1024 * 1024;
const DAY_MS = 86_400_000;

/**
 * Where the scavenge ends, when the person leaves it to us. A new point is only for single nodes: a member of a
 * cluster, or a node of which nobody knows, goes to a point that is there already, else up to the last completed
 * chunk without one.
 */
export function effectivePlacement(
  placement: PointPlacement,
  node: NodeEntry,
  inspection: InspectReport | null
): PointPlacement {
  if (placement !== 'auto' || mayWritePoint(node)) return placement;
  const kind = inspection?.nextScavenge.kind;
  return kind === 'resume' || kind === 'existing' ? 'existing' : 'detached';
}

export function mayWritePoint(node: NodeEntry): boolean {
  if (node.isSingleNode !== null) return node.isSingleNode;
  return node.clusterSize === 1;
}

/** Whether a configuration or a person has said what this node is. */
export function isNatureKnown(node: NodeEntry): boolean {
  return node.isSingleNode !== null || node.clusterSize !== undefined;
}

/** What is planned; members with the engine's defaults are left out. */
export function requestOf(
  form: ScavengeForm,
  node: NodeEntry,
  inspection: InspectReport | null
): WindowRequestOf<'planScavenge'> {
  const times = (value: number | null, factor: number): number | undefined =>
    value === null ? undefined : Math.round(value * factor);
  return {
    scavengePoint: effectivePlacement(form.placement, node, inspection),
    threshold: form.threshold,
    threads: form.threads,
    throttlePercent: form.threads > 1 ? 100 : form.throttlePercent,
    merge: form.merge,
    unsafeIgnoreHardDeletes: form.unsafeIgnoreHardDeletes,
    alwaysKeepScavenged: form.alwaysKeepScavenged,
    ...given('window', windowOf(form)),
    ...given('bytesPerSecond', times(form.mebibytesPerSecond, MEBIBYTE)),
    ...given('now', form.now === '' ? undefined : new Date(form.now).toISOString()),
    ...given('cacheSizeBytes', times(form.cacheMebibytes, MEBIBYTE)),
    ...given('pageSize', times(form.pageKibibytes, 1)),
    ...given('hashUsersCacheCapacity', times(form.hashUsersCacheCapacity, 1)),
    ...given('scavengeHistoryMaxAgeDays', times(form.historyMaxAgeDays, 1)),
    ...given('keepReplacedMs', times(form.keepReplacedDays, DAY_MS)),
    ...given('startAfresh', form.startAfresh || undefined),
    ...given('assumeStopped', form.assumeStopped || undefined)
  };
}

/** `02:00-04:00`; undefined while a time of it is missing. */
export function windowOf({
  windowFrom,
  windowTo
}: Pick<ScavengeForm, 'windowFrom' | 'windowTo'>): string | undefined {
  return windowFrom === '' || windowTo === '' || windowFrom === windowTo
    ? undefined
    : `${windowFrom}-${windowTo}`;
}

function given<Name extends string, Value>(
  name: Name,
  value: Value | undefined
): { [member in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [member in Name]?: Value });
}

/** How far the run goes: the plan is of all of it. */
export function runMembers({ until, stopAfter }: ScavengeForm, nowMs: number): Record<string, string> {
  return {
    ...given('until', nextTimeOf(until, nowMs)),
    ...given('stopAfter', stopAfter === '' ? undefined : stopAfter)
  };
}

/** The options of a plan, without what it was asked besides. */
export function plannedOptions(request: Readonly<Record<string, unknown>>): string {
  const { breakdown: _, ...options } = request;
  return JSON.stringify(options, Object.keys(options).sort());
}

/** Resumes a run of which only its state in the directory is known: its own point and threshold apply. */
export const RESUME_REQUEST: WindowRequestOf<'planScavenge'> = { scavengePoint: 'existing' };

/** The next time at which it is so late, ISO 8601; undefined for an empty or half-written one. */
export function nextTimeOf(clockTime: string, nowMs: number): string | undefined {
  const [, hours, minutes] = /^(\d{1,2}):(\d\d)$/.exec(clockTime) ?? [];
  if (hours === undefined || minutes === undefined) return undefined;
  const next = new Date(nowMs);
  next.setHours(Number(hours), Number(minutes), 0, 0);
  if (next.getTime() <= nowMs) next.setDate(next.getDate() + 1);
  return next.toISOString();
}
