/** The options of a scavenge as the window edits them, and the requests made of them. */
import type {
  InspectReport,
  NodeEntry,
  ScavengeReport,
  WindowRequestOf,
  WorkSnapshot
} from '../../src-main/ipc/contract.ts';

export type Placement = 'auto' | 'existing' | 'detached' | 'new';

export interface ScavengeForm {
  placement: Placement;
  threshold: number;
  threads: number;
  throttlePercent: number;
  merge: boolean;
  unsafeIgnoreHardDeletes: boolean;
  alwaysKeepScavenged: boolean;
}

export const DEFAULT_FORM: ScavengeForm = {
  placement: 'auto',
  threshold: 0,
  threads: 1,
  throttlePercent: 100,
  merge: true,
  unsafeIgnoreHardDeletes: false,
  alwaysKeepScavenged: false
};

/**
 * Where the scavenge ends, when the person leaves it to us. A new point is only for single nodes: a member of a
 * cluster, or a node of which nobody knows, goes to a point that is there already, else up to the last completed
 * chunk without one.
 */
export function effectivePlacement(
  placement: Placement,
  node: NodeEntry,
  inspection: InspectReport | null
): Placement {
  if (placement !== 'auto' || mayWritePoint(node)) return placement;
  return inspection && hasPointToReach(inspection) ? 'existing' : 'detached';
}

/** A scavenge was left unfinished, or the log has a point that none has reached yet. */
function hasPointToReach({ scavengeState, scavengePoints }: InspectReport): boolean {
  if (scavengeState !== null && scavengeState.stage !== 'done') return true;
  const newest = scavengePoints.at(-1);
  return newest !== undefined && newest.number > (scavengeState?.scavengePoint ?? -1);
}

export function mayWritePoint(node: NodeEntry): boolean {
  if (node.isSingleNode !== null) return node.isSingleNode;
  return node.clusterSize === 1;
}

/** Whether a configuration or a person has said what this node is. */
export function isNatureKnown(node: NodeEntry): boolean {
  return node.isSingleNode !== null || node.clusterSize !== undefined;
}

export function requestOf(
  form: ScavengeForm,
  node: NodeEntry,
  inspection: InspectReport | null
): WindowRequestOf<'planScavenge'> {
  return {
    scavengePoint: effectivePlacement(form.placement, node, inspection),
    threshold: form.threshold,
    threads: form.threads,
    throttlePercent: form.threads > 1 ? 100 : form.throttlePercent,
    merge: form.merge,
    unsafeIgnoreHardDeletes: form.unsafeIgnoreHardDeletes,
    alwaysKeepScavenged: form.alwaysKeepScavenged
  };
}

/** The run of exactly this plan: same options, and the same present where the plan made its own point. */
export function runRequest(
  planned: Record<string, unknown>,
  report: ScavengeReport
): WindowRequestOf<'runScavenge'> {
  const point = report.scavengePoint;
  const isOwnPoint = point !== null && point.placement !== 'existing';
  return { ...planned, ...(isOwnPoint ? { now: point.effectiveNow } : {}) };
}

/** Goes on with a run of which only its state in the directory is known: its own point and threshold hold. */
const RESUME_REQUEST: WindowRequestOf<'runScavenge'> = { scavengePoint: 'existing' };

/**
 * Goes on with a run that was stopped or killed. Where it was a run of this window, it keeps its options; one up to
 * the last completed chunk has no point in the log and is found again by the very same request.
 * @param speed Percent, where another speed is wanted than it had.
 */
export function resumeRequest(
  stopped: WorkSnapshot | undefined,
  report: ScavengeReport | undefined,
  speed?: number
): WindowRequestOf<'runScavenge'> {
  if (stopped === undefined || stopped.state !== 'stopped') return RESUME_REQUEST;
  const { now, scavengePoint: _, ...options } = stopped.request;
  const isDetached = report?.scavengePoint?.placement === 'detached';
  return {
    ...options,
    scavengePoint: isDetached ? 'detached' : 'existing',
    ...(isDetached && typeof now === 'string' ? { now } : {}),
    ...(speed === undefined ? {} : { throttlePercent: speed })
  };
}
