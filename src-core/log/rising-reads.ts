/**
 * Records at positions that rise, where it is known beforehand which ones will be asked for: one read serves neighbours. Where
 * they lie far apart each is read by itself, as `LogReader.readAt` does.
 */
import { FRAME_LENGTH, LogRecord } from '../records/log-record.ts';
import { RisingWindow } from '../chunks/rising-window.ts';
import type { Chunk } from '../chunks/chunk.ts';
import type { ChunkReader } from '../chunks/chunk-reader.ts';
import type { AtPosition } from '../units/of-unit.ts';

/** A gap that costs less to read over than another call. */
const MOST_GAP_BYTES = 16 * 1024;
const MOST_WINDOW_BYTES = 256 * 1024;

/** What of a LogReader is used. */
interface ReadersOfChunks {
  readonly end: number;
  chunkAt(position: AtPosition): Chunk | undefined;
  readerOf(chunk: Chunk): ChunkReader;
}

export type ManyReads = [
  positions: readonly AtPosition[],
  found: (index: number, record: LogRecord | undefined) => void,
  failed: (index: number, error: unknown) => void
];

/**
 * Calls `found` for each position in the order of the log, with its index in `positions` and the record there, or undefined as
 * `LogReader.readAt` has it. The record is a view, valid until `found` returns. `failed` gets what `readAt` would throw.
 */
export function readRising(log: ReadersOfChunks, ...[positions, found, failed]: ManyReads): void {
  const order = positions.map((_, i) => i).sort((a, b) => positions[a]! - positions[b]!);
  const window = new RisingWindow();
  const record = new LogRecord();
  for (const [turn, index] of order.entries()) {
    const position = positions[index]!;
    const chunk = position >= 0 && position < log.end ? log.chunkAt(position) : undefined;
    let isThere: boolean;
    try {
      const ahead = () => reach(positions, order, turn);
      isThere = chunk !== undefined && log.readerOf(chunk).readRising(position, ahead, window, record);
    } catch (error) {
      failed(index, error);
      continue;
    }
    found(index, isThere ? record : undefined);
  }
}

/** How far after the position of a turn the next ones lie, as long as they are neighbours. */
function reach(positions: readonly AtPosition[], order: readonly number[], turn: number): number {
  const from = positions[order[turn]!]!;
  let last = from;
  for (let next = turn + 1; next < order.length; next++) {
    const position = positions[order[next]!]!;
    if (position - last > MOST_GAP_BYTES || position - from > MOST_WINDOW_BYTES) break;
    last = position;
  }
  return last === from ? 0 : last - from + FRAME_LENGTH;
}
