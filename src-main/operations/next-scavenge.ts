/**
 * What a scavenge would do in a directory, told before anybody asks for it: the engine's own decision about the point,
 * after whatever would refuse the run before that.
 */
import {
  EngineError,
  foreseeStart,
  ticksFromIso,
  type Database,
  type NextScavenge
} from '../../src-core/index.ts';
import type { CheckedRequestOf } from './operation-contract.ts';
import type { InspectReport, Warning } from './reports.ts';
import type { ScavengeStateGlance } from './scavenge-state-glance.ts';

export interface ForeseeScavenge {
  database: Database;
  request: CheckedRequestOf<'inspectDatabase'>;
  state: ScavengeStateGlance | undefined;
  /** Of the log; undefined when they could not be read. */
  points: InspectReport['scavengePoints'] | undefined;
  stateWarning: Warning | undefined;
}

export function foreseeScavenge(question: ForeseeScavenge): NextScavenge {
  const { request, points } = question;
  const because = refusalOf(question);
  if (because !== undefined) return { kind: 'refused', point: null, because };
  const latest = points?.at(-1);
  return foreseeStart({
    checkpoint: request.startAfresh ? undefined : question.state?.checkpoint,
    latest: latest && { ...latest, effectiveNow: ticksFromIso(latest.effectiveNow)! },
    placement: request.scavengePoint,
    mayWritePoint: request.singleNode || request.clusterSize === 1,
    clusterName: request.clusterName,
    threshold: 0
  });
}

/** What refuses the run before a point is chosen, as a sentence. */
function refusalOf({ database, request, points, stateWarning }: ForeseeScavenge): string | undefined {
  const { inUse, unfinishedRestore, checkpoints } = database;
  if (inUse && !request.forPlan) return `The database is open in ${inUse.by}; a scavenge needs it stopped.`;
  if (unfinishedRestore) return 'A restore into this directory has not ended.';
  if (checkpoints.writer === null) return 'writer.chk is missing: nothing says where the log ends.';
  if (checkpoints.truncate !== null && checkpoints.truncate !== -1) {
    return `truncate.chk asks for the log to be cut at position ${checkpoints.truncate}; that comes first.`;
  }
  try {
    database.requireWhole();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return error.message;
  }
  if (stateWarning && !request.startAfresh) return stateWarning.message;
  return points === undefined ? 'The scavenge points of the log cannot be read.' : undefined;
}
