/**
 * What a scavenge would do in a directory, before it is requested: the engine's own decision about the point,
 * after everything that would refuse the run before that.
 */
import {
  foreseeStart,
  isUndoUnfinished,
  ticksFromIso,
  type Database,
  type NextScavenge,
  requireFault
} from '../../../src-core/index.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import type { InspectReport, Warning } from '../../contract/operations/reports.ts';
import type { ScavengeStateGlance } from './scavenge-state-glance.ts';

export interface ForeseeScavenge {
  database: Database;
  request: CheckedRequestOf<'inspectDatabase'>;
  state: ScavengeStateGlance | undefined;
  /** The points in the log; undefined if they could not be read. */
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
    mayWritePoint: request.singleNode === true,
    clusterName: request.clusterName,
    threshold: 0
  });
}

/** Why the run is refused before a point is chosen, as a sentence. */
function refusalOf({ database, request, points, stateWarning }: ForeseeScavenge): string | undefined {
  const { inUse, unfinishedRestore, checkpoints } = database;
  if (inUse && !request.forPlan) return `The database is open in ${inUse.by}; a scavenge needs it stopped.`;
  if (unfinishedRestore) return 'A restore into this directory is unfinished.';
  if (isUndoUnfinished(database.fileSystem, database.dataDirectory))
    return 'Undoing a scavenge of this directory is unfinished.';
  if (checkpoints.writer === null) return 'writer.chk is missing: nothing says where the log ends.';
  if (checkpoints.truncate !== null && checkpoints.truncate !== -1) {
    return `truncate.chk requires the log to be cut at position ${checkpoints.truncate} first.`;
  }
  try {
    database.requireWhole();
  } catch (error) {
    requireFault(error);
    return error.message;
  }
  if (stateWarning && !request.startAfresh) return stateWarning.message;
  return points === undefined ? 'The scavenge points of the log cannot be read.' : undefined;
}
