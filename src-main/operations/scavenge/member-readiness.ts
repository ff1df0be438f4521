/** Whether a scavenge point may be written to a stopped member: not if its start, or an unfinished scavenge, must do something first. */
import {
  decideStart,
  EngineError,
  invalidRequest,
  requestedTruncation,
  type Database,
  type StartDecision
} from '../../../src-core/index.ts';
import { glanceAtScavengeState, type ScavengeStateGlance } from './scavenge-state-glance.ts';

/** More than a point needs: with less room left in the chunk it is written to a new one. */
const POINT_BYTES = 4096;

function startOf(state: ScavengeStateGlance | undefined): StartDecision {
  const question = { latest: undefined, placement: 'new', mayWritePoint: true, threshold: 0 } as const;
  return decideStart({ ...question, checkpoint: state?.checkpoint });
}

/** `isHeld`: the logs already end with a point, and an unfinished scavenge may work to it. */
export function refuseUnreadyMember(database: Database, isHeld: boolean): void {
  const { dataDirectory, checkpoints, chunkSet, fileSystem, log } = database;
  const truncate = requestedTruncation(checkpoints.truncate);
  if (truncate !== undefined) {
    throw invalidRequest(
      `The next start of the server cuts the log in ${dataDirectory} at position ${truncate}. Nothing was written.`,
      'NAME',
      'Start the cluster, let its members catch up, and stop it in order.'
    );
  }
  const state = glanceAtScavengeState(database);
  if (state?.problem) throw state.problem;
  if (!isHeld && startOf(state).kind === 'resume') {
    throw invalidRequest(
      `A scavenge of ${dataDirectory} is unfinished. Nothing was written.`,
      'NAME',
      'Finish it first: "winnow cluster scavenge NAME --scavenge-point existing".'
    );
  }
  const used = log.end % chunkSet.chunkSizeBytes;
  const needsChunk = used === 0 || chunkSet.chunkSizeBytes - used < POINT_BYTES;
  const freeBytes = fileSystem.freeBytes(dataDirectory);
  if (!needsChunk || freeBytes >= chunkSet.chunkSizeBytes) return;
  throw new EngineError({
    code: 'StorageFailed',
    message: `A new chunk of ${chunkSet.chunkSizeBytes} bytes does not fit in ${dataDirectory}: ${freeBytes} bytes are free.`,
    remedy: 'Free space there first. Nothing was written.',
    details: { file: dataDirectory }
  });
}
