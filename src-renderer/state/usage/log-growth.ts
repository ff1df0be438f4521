/**
 * How fast a log grows, from the times of its chunks: positions never move back, so what lies between two moments was written
 * between them, whatever a scavenge has removed since. Pure.
 */
import type { ChunkRow } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { msOfTime } from '../../format/time.ts';
import type { TimesByChunk } from '../chunk-times.ts';

const DAY_MS = 86_400_000;
/** Of the log's last records, looked back over. */
const LOOK_BACK_MS = 30 * DAY_MS;

export type LogGrowth =
  | { kind: 'known'; bytesPerDay: number; days: number }
  /** Why it is not. */
  | { kind: 'unknown'; reason: 'noTimes' | 'tooShort' };

type Place = Pick<ChunkRow, 'chunkStart' | 'logicalStart' | 'logicalEnd'>;

/** `end`: of the log, where its last record ends. */
export function logGrowth(chunks: readonly Place[], times: TimesByChunk, end: number): LogGrowth {
  const timed = chunks.flatMap((chunk) => {
    const { first, last } = times.get(chunk.chunkStart) ?? {};
    return first == null || last == null ? [] : [{ ...chunk, first: msOfTime(first), last: msOfTime(last) }];
  });
  const newest = timed.at(-1);
  if (!newest) return { kind: 'unknown', reason: 'noTimes' };
  const since = timed.find(({ first }) => first >= newest.last - LOOK_BACK_MS) ?? newest;
  const ms = newest.last - since.first;
  const bytes = end - since.logicalStart;
  if (ms < DAY_MS || bytes <= 0) return { kind: 'unknown', reason: 'tooShort' };
  return { kind: 'known', bytesPerDay: bytes / (ms / DAY_MS), days: ms / DAY_MS };
}

/** When the free space would be taken, at that rate; null: not within a hundred years. */
export function diskFullMs(freeBytes: number, bytesPerDay: number, nowMs: number): number | null {
  const days = freeBytes / bytesPerDay;
  return days > 36_500 ? null : nowMs + days * DAY_MS;
}
