/**
 * What a scavenge would do in a directory, before it is requested: the engine's own decision about the point,
 * after everything that would refuse the run before that.
 */
import {
  foreseeStart,
  isUndoUnfinished,
  latestFor,
  requireCompletedBefore,
  requestedTruncation,
  requireFault,
  type Database,
  type NextScavenge,
  type ScavengeCheckpoint,
  type ScavengePoint,
  type StreamIndex
} from '../../../src-core/index.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import type { Warning } from '../../contract/operations/reports.ts';
import type { ScavengeStateGlance } from './scavenge-state-glance.ts';

export interface ForeseeScavenge {
  database: Database;
  request: CheckedRequestOf<'inspectDatabase'>;
  state: ScavengeStateGlance | undefined;
  /** undefined if the points of the log could not be read. */
  start: StartingPoint | undefined;
  stateWarning: Warning | undefined;
}

/** The newest point as the run sees it, or why it is refused for what it finds there. */
export type StartingPoint = { latest: ScavengePoint | undefined } | { because: string };

export interface PointQuestion {
  database: Database;
  index: StreamIndex;
  request: CheckedRequestOf<'inspectDatabase'>;
  state: ScavengeStateGlance | undefined;
}

export function startingPoint({ database, index, request, state }: PointQuestion): StartingPoint {
  try {
    return { latest: latestFor(request.scavengePoint, checkpointFor(request, state), { database, index }) };
  } catch (error) {
    requireFault(error, 'LogCorrupt');
    return { because: error.message };
  }
}

function checkpointFor(
  { startAfresh }: CheckedRequestOf<'inspectDatabase'>,
  state: ScavengeStateGlance | undefined
): ScavengeCheckpoint | undefined {
  return startAfresh ? undefined : state?.checkpoint;
}

export function foreseeScavenge(question: ForeseeScavenge): NextScavenge {
  const { database, request, state, start } = question;
  const because = refusalOf(question);
  if (because !== undefined) return refused(because);
  if (!start) return refused('The scavenge points of the log cannot be read.');
  if ('because' in start) return refused(start.because);
  const checkpoint = checkpointFor(request, state);
  const next = foreseeStart({
    checkpoint,
    latest: start.latest,
    placement: request.scavengePoint,
    mayWritePoint: request.singleNode === true,
    clusterName: request.clusterName,
    threshold: 0
  });
  const isBegun = next.kind === 'resume';
  const point = isBegun ? checkpoint?.scavengePoint : next.kind === 'existing' ? start.latest : undefined;
  return (point && openChunkRefusal(database, point, isBegun)) ?? next;
}

function openChunkRefusal(
  { log, inUse }: Database,
  { position, number }: ScavengePoint,
  isBegun: boolean
): NextScavenge | undefined {
  try {
    requireCompletedBefore(log, position, { isBegun });
    return undefined;
  } catch (error) {
    requireFault(error, 'LogCorrupt');
    // The server appends the point, then it completes the chunk: in between both look like this.
    const isBeingWritten = inUse !== null && log.chunkAt(position)?.isActive === true;
    return refused(isBeingWritten ? beingWritten(inUse.by, number) : error.message);
  }
}

function beingWritten(by: string, number: number): string {
  return (
    `${by} may be writing scavenge point ${number}: its chunk is not completed yet. Whether a scavenge can use the point ` +
    'is not known before that; inspect again in a moment.'
  );
}

function refused(because: string): NextScavenge {
  return { kind: 'refused', point: null, because };
}

/** Why the run is refused before a point is chosen, as a sentence. */
function refusalOf({ database, request, stateWarning }: ForeseeScavenge): string | undefined {
  const { inUse, unfinishedRestore, checkpoints } = database;
  if (inUse && !request.forPlan) return `The database is open in ${inUse.by}; a scavenge needs it stopped.`;
  if (unfinishedRestore) return 'A restore into this directory is unfinished.';
  if (isUndoUnfinished(database.fileSystem, database.dataDirectory))
    return 'Undoing a scavenge of this directory is unfinished.';
  if (checkpoints.writer === null) return 'writer.chk is missing: nothing says where the log ends.';
  try {
    const truncate = requestedTruncation(checkpoints.truncate);
    if (truncate !== undefined)
      return `truncate.chk requires the log to be cut at position ${truncate} first.`;
    database.requireWhole();
  } catch (error) {
    requireFault(error);
    return error.message;
  }
  return stateWarning && !request.startAfresh ? stateWarning.message : undefined;
}
