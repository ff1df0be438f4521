/** Checked by the compiler: each line below would compile if a unit were lost, and the expected error would be missing. */
import { expect, test } from 'vitest';
import { ChunkWeights, reachesThreshold } from '../../../src-core/scavenge/decisions/chunk-weights.ts';
import { isPossibleEntry, EntryBlock } from '../../../src-core/index/index-entry.ts';
import type { ChunkReader } from '../../../src-core/chunks/chunk-reader.ts';
import type { ChunkHeader } from '../../../src-core/chunks/chunk-header.ts';
import type { LogRecord } from '../../../src-core/records/log-record.ts';
import type { ScavengePoint } from '../../../src-core/scavenge/points/scavenge-point.ts';
import { chunkNumberOf, chunkStartPosition, logPosition } from '../../../src-core/units/log-position.ts';
import type { ChunkNumber, ChunkWeight, OfUnit, Threshold } from '../../../src-core/units/of-unit.ts';

const position = logPosition(4096);
const chunk: ChunkNumber = 3;
const weight: ChunkWeight = 2;
const threshold: Threshold = 10;

/** Never called: only its types count. */
export function mixUps(
  header: ChunkHeader,
  record: LogRecord,
  point: ScavengePoint,
  reader: ChunkReader
): void {
  const weights = new ChunkWeights();
  weights.add(chunk, weight);
  // @ts-expect-error chunk number and weight
  weights.add(weight, chunk);
  // @ts-expect-error a position is no chunk number
  weights.add(record.position, weight);
  // @ts-expect-error weight and threshold
  reachesThreshold(point.threshold, weight);
  // @ts-expect-error a chunk number is no weight
  reachesThreshold(header.startNumber, point.threshold);
  // @ts-expect-error a chunk number is no position
  chunkNumberOf(header.endNumber, header.chunkSizeBytes);
  // @ts-expect-error a position is no chunk number
  chunkStartPosition(position, header.chunkSizeBytes);
  // @ts-expect-error number and position
  isPossibleEntry(record.position, record.eventNumber);
  // @ts-expect-error number and position
  new EntryBlock(1).set(0, 1, 2, record.position, record.eventNumber);
  // @ts-expect-error a place in the file is no logical offset
  reader.physicalOffset(reader.physicalOffset(0));
  // @ts-expect-error a log position is no place in a file
  reader.readAtPhysical(record.position, record);
}

test('a unit is nothing at run time, and a number without one fits', () => {
  const plain = 7;
  const one: OfUnit<'ChunkNumber'> = plain;
  expect(one).toBe(7);
  expect(reachesThreshold(12, threshold)).toBe(true);
  expect(reachesThreshold(weight, threshold)).toBe(false);
  expect(chunkNumberOf(position, 1024)).toBe(4);
  expect(chunkStartPosition(chunk, 1024)).toBe(3072);
});
