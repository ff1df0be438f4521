/**
 * What a run does, as the events in which its history is told: the same ones whether they go into the log or into a
 * history of our own. Pure.
 */
import type { NewEvent } from '../../database/event-appender.ts';
import type { ChunkOutcome, TableOutcome } from '../scavenge-result.ts';
import {
  chunksCompletedEvent,
  indexCompletedEvent,
  mergeCompletedEvent,
  type RunOfNode
} from './history-events.ts';
import { timeTakenFromMs } from './time-taken.ts';

export type OutcomeRow = ChunkOutcome | TableOutcome;

/** undefined: a chunk that stayed as it was, of which a server says nothing either. */
export function eventOfRow(run: RunOfNode, row: OutcomeRow, elapsedMs: number): NewEvent | undefined {
  const timeTaken = timeTakenFromMs(elapsedMs);
  const spaceSavedBytes = row.bytesBefore - row.bytesAfter;
  if ('level' in row) {
    const entriesDeleted = row.entriesBefore - row.entriesAfter;
    const { level, order, entriesAfter: entriesKept } = row;
    return indexCompletedEvent(run, {
      level,
      order,
      timeTaken,
      entriesDeleted,
      entriesKept,
      spaceSavedBytes
    });
  }
  const { chunkStart, chunkEnd, decision } = row;
  if (decision === 'skipped' || decision === 'keptLarger') return undefined;
  const done = { chunkStart, chunkEnd, timeTaken, spaceSavedBytes };
  return decision === 'merged' ? mergeCompletedEvent(run, done) : chunksCompletedEvent(run, done);
}

/** The highest chunk number that was executed, 0 without any: merges do not count, as in the server. */
export function maxChunkScavengedOf(rows: readonly OutcomeRow[]): number {
  return rows.reduce((most, row) => {
    const isExecuted = !('level' in row) && (row.decision === 'rewritten' || row.decision === 'emptied');
    return isExecuted ? Math.max(most, row.chunkEnd) : most;
  }, 0);
}
