/**
 * Guards of scavenges that ignore hard deletes. Such a run takes a stream's tombstone away and frees its name: were
 * an event of the stream left in the log, it would come back to life, and were the stream still remembered as deleted,
 * new events of that name would be removed. A run that would end so is refused before it replaces anything.
 */
import { isDecidingStage } from '../../units/scavenge-terms.ts';
import { EngineError, invalidRequest } from '../../errors.ts';
import type { StreamIndex } from '../../index/stream-index.ts';
import type { LogReader } from '../../log/log-reader.ts';
import { DELETED_STREAM_EVENT_NUMBER, LEGACY_DELETED_STREAM_EVENT_NUMBER } from '../../units/event-number.ts';
import { judgeRecords, type Judging } from './judge-records.ts';
import type { ScavengeCheckpoint } from '../state/scavenge-checkpoint.ts';
import type { ScavengedChunk } from '../output/scavenged-chunk.ts';
import type { ScavengeState } from '../state/scavenge-state.ts';
import { counted } from '../../units/counted.ts';

const TOMBSTONE_NUMBERS = [DELETED_STREAM_EVENT_NUMBER, LEGACY_DELETED_STREAM_EVENT_NUMBER];

/** Chunks that would be kept because their new file would not be smaller must hold nothing of a deleted stream. */
export async function refuseKeptLeftovers(
  judging: Judging,
  chunks: readonly ScavengedChunk[],
  formatVersion: number
): Promise<void> {
  for (const { chunk, isCompleted, fileSize, fileName } of chunks) {
    if (!isCompleted || !chunk) continue;
    const kept = await judgeRecords(judging, chunk);
    const isKeptLarger = kept.fileSize(formatVersion) >= fileSize;
    if (!isKeptLarger || kept.hardDeletedCount === 0) continue;
    throw new EngineError({
      code: 'InvalidRequest',
      message:
        `${fileName} holds ${counted(kept.hardDeletedCount, 'record')} of hard-deleted streams and would be kept, because ` +
        'its new file would not be smaller; without their tombstones those streams would come back.',
      remedy: 'Run again with "--always-keep-scavenged", or without "--unsafe-ignore-hard-deletes".',
      details: { file: fileName, field: 'alwaysKeepScavenged' }
    });
  }
}

export interface ResumedScavenge {
  /** With the options of this run. */
  judging: Judging;
  checkpoint: ScavengeCheckpoint;
  log: LogReader;
  index: StreamIndex;
  state: ScavengeState;
}

/** What was begun with hard deletes ignored must go on so, and the other way round. */
export async function refuseOtherHardDeletes(resumed: ResumedScavenge): Promise<void> {
  const { stage } = resumed.checkpoint;
  if (isDecidingStage(stage)) return;
  if (resumed.judging.ignoreHardDeletes) await refusePassedLeftovers(resumed);
  else refuseLostTombstones(resumed);
}

/** Chunks that the resumed scavenge no longer visits must hold nothing of a deleted stream. */
async function refusePassedLeftovers({ judging, checkpoint, log }: ResumedScavenge): Promise<void> {
  const doneChunk = checkpoint.stage === 'executingChunks' ? (checkpoint.doneChunk ?? -1) : Infinity;
  for (const chunk of log.chunks) {
    if (chunk.endNumber > doneChunk || chunk.startPosition >= judging.pointPosition) break;
    const { hardDeletedCount } = await judgeRecords({ ...judging, trace: undefined }, chunk);
    if (hardDeletedCount === 0) continue;
    const records = counted(hardDeletedCount, 'record');
    throw invalidRequest(
      `The scavenge to resume has already kept ${chunk.fileName} with ${records} of hard-deleted streams; without their ` +
        'tombstones those streams would come back.',
      'unsafeIgnoreHardDeletes',
      'Finish this scavenge without "--unsafe-ignore-hard-deletes", then run a new one with it.'
    );
  }
}

/** A stream that is known as deleted has a tombstone, unless a run that ignored hard deletes took it away. */
function refuseLostTombstones({ judging, log, index, state }: ResumedScavenge): void {
  const hashOf = (stream: string) => state.hashOf(stream, { high: 0, low: 0 });
  for (const hash of state.originals.tombstonedHashes(hashOf)) {
    const isThere = TOMBSTONE_NUMBERS.some((number) =>
      index.entries
        .range(hash, number, number)
        .some(
          ({ position }) => position < judging.pointPosition && log.readAt(position)?.isTombstone === true
        )
    );
    if (isThere) continue;
    throw invalidRequest(
      'The scavenge to resume was begun with hard deletes ignored and has already removed tombstones. ' +
        'Without that option it would still record their streams as deleted and remove what is written to them later.',
      'unsafeIgnoreHardDeletes',
      'Run again with "--unsafe-ignore-hard-deletes".'
    );
  }
}
