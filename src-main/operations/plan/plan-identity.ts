/**
 * The identity of a plan: its kind, its time, and hashes of where, with which options, and from which state
 * it was made. A run names it; the operation compares it under its lock, before its first write, and refuses
 * anything but exactly that plan. The identity is all that is needed: nothing is stored, so a plan may be made in the
 * window and run on the command line.
 *
 *   scavenge-20260101T0000000000000Z-3f2a9c1b7d-90be11c2a4-…
 *   kind     time (UTC, 100 ns)      where      options    state, part by part
 *
 * Speed, callers and the location of temporary files are not part of it.
 */
import path from 'node:path';
import { EngineError, ticksFromIso, ticksToIso } from '../../../src-core/index.ts';
import { shortHash, type StatePart } from './plan-state.ts';

export type PlanKind =
  | 'scavenge'
  | 'undo'
  | 'rescue'
  | 'redaction'
  | 'backuperasure'
  | 'repair'
  | 'restore'
  | 'rebuild'
  | 'startup'
  | 'prune'
  | 'rekey';

/** The operations that plan and those that run. Some do both, depending on the request. */
const KINDS = {
  planScavenge: 'scavenge',
  runScavenge: 'scavenge',
  planUndoScavenge: 'undo',
  undoScavenge: 'undo',
  planRedaction: 'redaction',
  redactEvents: 'redaction',
  planBackupErasure: 'backuperasure',
  eraseInBackup: 'backuperasure',
  planRescue: 'rescue',
  runRescue: 'rescue',
  repairDatabase: 'repair',
  planRestore: 'restore',
  runRestore: 'restore',
  planIndexRebuild: 'rebuild',
  rebuildIndex: 'rebuild',
  forecastStartup: 'startup',
  prepareStartup: 'startup',
  pruneBackups: 'prune',
  rekeyBackups: 'rekey'
} as const satisfies Record<string, PlanKind>;

export type PlannedOperation = keyof typeof KINDS;

export function isPlannedOperation(name: string): name is PlannedOperation {
  return Object.hasOwn(KINDS, name);
}

const DIRECTORIES = ['dataDirectory', 'indexDirectory', 'target', 's3Endpoint'];

/** Members that do not change what is done, or only how far a run goes. The time is stored separately. */
const NO_OPTIONS: ReadonlySet<string> = new Set([
  ...DIRECTORIES,
  'plan',
  'now',
  'dryRun',
  'assumeStopped',
  'unasked',
  'throttlePercent',
  'bytesPerSecond',
  'scavengeId',
  'breakdown',
  'until',
  'window',
  'pace',
  'nightsFrom',
  'members',
  'stopAfter',
  'scratchDirectory',
  'winnowHome',
  'singleNode',
  'keyFile',
  'verifyKeys',
  'signKey',
  'password'
]);

export interface PlanParts {
  operation: PlannedOperation;
  /** Validated by the table of operations. */
  request: object;
  state: readonly StatePart[];
}

/** `time`: the plan's, ISO 8601. */
export function planIdOf(parts: PlanParts, time: string): string {
  const { operation, request, state } = parts;
  const hashes = [...requestParts(request), ...state].map(([, hash]) => hash);
  return [KINDS[operation], compactTime(time), ...hashes].join('-');
}

/** The time that a plan was made for, ISO 8601. Throws PlanStale if it is not a plan of this operation. */
export function timeOfPlan(planId: string, operation: PlannedOperation): string {
  const { kind, time } = decode(planId);
  if (kind !== KINDS[operation]) throw otherKind(planId, kind, operation);
  return time;
}

/** Throws PlanStale unless the plan was made for this request, whatever the state is now. For callers of operations. */
export function requirePlanOfRequest(planId: string, { operation, request }: Omit<PlanParts, 'state'>): void {
  requireSame(planId, { operation, request, parts: requestParts(request) });
}

/**
 * Throws PlanStale unless the plan was made for this request and this state. For operations, under their lock. A run
 * without a plan is allowed.
 */
export function requirePlan(planId: string | undefined, now: () => PlanParts): void {
  if (planId === undefined) return;
  const { operation, request, state } = now();
  const parts = [...requestParts(request), ...state];
  requireSame(planId, { operation, request, parts });
  if (decode(planId).hashes.length !== parts.length) throw noPlan(planId);
}

function requireSame(
  planId: string,
  {
    operation,
    request,
    parts
  }: { operation: PlannedOperation; request: { now?: unknown }; parts: StatePart[] }
): void {
  const time = timeOfPlan(planId, operation);
  const { hashes } = decode(planId);
  const differing = parts.filter(([, hash], i) => hash !== hashes[i]).map(([name]) => name);
  const { now } = request;
  if (typeof now === 'string' && ticksFromIso(now) !== ticksFromIso(time)) differing.push('time');
  if (differing.length === 0) return;
  const words = differing.join(', ');
  throw stale(
    `This is not what was planned: ${words} ${differing.length === 1 && !/s$/.test(words) ? 'differs' : 'differ'} ` +
      `from what the plan ${planId} was made from.`,
    { differs: words }
  );
}

/** Where, then with which options. */
function requestParts(request: object): StatePart[] {
  const asked = request as Readonly<Record<string, unknown>>;
  const place = (name: string): unknown => {
    const value = asked[name];
    const isPath = typeof value === 'string' && name !== 's3Endpoint' && !value.includes('://');
    return isPath ? path.resolve(value) : value;
  };
  const data = place('dataDirectory');
  const index = place('indexDirectory') ?? (typeof data === 'string' ? path.join(data, 'index') : undefined);
  const where = { data, index, target: place('target'), endpoint: place('s3Endpoint') };
  return [
    ['directory', shortHash(canonical(where))],
    ['options', shortHash(canonical(request, NO_OPTIONS))]
  ];
}

/** JSON with sorted names, without undefined members. Keys are left out: they open a backup but do not choose it. */
function canonical(
  value: unknown,
  without: ReadonlySet<string> = new Set(['keyFile', 'password', 'verifyKeys', 'signKey'])
): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([name, member]) => member !== undefined && !without.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`);
  return `{${members.join(',')}}`;
}

/** `2026-01-01T00:00:00.0000000Z` without its constant characters. */
function compactTime(time: string): string {
  const ticks = ticksFromIso(time);
  if (ticks === undefined) throw new Error(`The time of a plan is ISO 8601, not "${time}".`);
  return ticksToIso(ticks).replaceAll(/[-:.]/g, '');
}

const FORM =
  /^(?<kind>[a-z]+)-(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)T(?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)(?<fraction>\d{7})Z-(?<hashes>[0-9a-f]{10}(?:-[0-9a-f]{10})*)$/;

function decode(planId: string): { kind: string; time: string; hashes: string[] } {
  const groups = FORM.exec(planId)?.groups;
  if (!groups) throw noPlan(planId);
  const { kind, year, month, day, hour, minute, second, fraction, hashes } = groups;
  const time = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction}Z`;
  if (ticksFromIso(time) === undefined) throw noPlan(planId);
  return { kind: kind!, time, hashes: hashes!.split('-') };
}

function noPlan(planId: string): EngineError {
  return stale(`${JSON.stringify(planId)} is not the identity of a plan.`, { differs: 'plan' });
}

function otherKind(planId: string, kind: string, operation: PlannedOperation): EngineError {
  return stale(`The plan ${planId} is a plan of ${kind}, not of ${KINDS[operation]}.`, { differs: 'kind' });
}

function stale(message: string, details: { differs: string }): EngineError {
  return new EngineError({
    code: 'PlanStale',
    message: `${message} Nothing was written.`,
    remedy: 'Make a new plan with the same options as the run, and run that one.',
    details: { field: 'plan', ...details }
  });
}
