/** When chunks were written, as the engine tells it, looked up by chunk. Pure. */
import type { ChunkTimes } from '../../src-main/contract/verbs/workbench-contract.ts';
import { msOfTime } from '../format/time.ts';

export type TimesByChunk = ReadonlyMap<number, ChunkTimes>;

/** By first chunk number. */
export function timesByChunk(chunks: readonly ChunkTimes[]): TimesByChunk {
  return new Map(chunks.map((times) => [times.chunkStart, times]));
}

/** Milliseconds since 1970 of a chunk's last record; undefined: not known. */
export function lastMs(times: ChunkTimes | undefined): number | undefined {
  return times?.last == null ? undefined : msOfTime(times.last);
}
