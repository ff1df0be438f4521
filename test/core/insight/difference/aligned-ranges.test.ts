import { expect, it } from 'vitest';
import { alignedRanges } from '../../../../src-core/insight/difference/aligned-ranges.ts';
import type { SideChunk } from '../../../../src-core/insight/difference/difference-side.ts';

const chunk = (startNumber: number, endNumber = startNumber): SideChunk =>
  ({ startNumber, endNumber }) as SideChunk;

function rangesOf(one: SideChunk[], other: SideChunk[], chunkCount: number): [number, number, number][] {
  return Array.from(alignedRanges(one, other, chunkCount), (range) => [
    range.startNumber,
    range.endNumber,
    range.one.length + range.other.length
  ]);
}

it('a range ends where no file of either side goes on', () => {
  expect(rangesOf([chunk(0, 1), chunk(2)], [chunk(0), chunk(1, 2), chunk(3)], 4)).toEqual([
    [0, 2, 4],
    [3, 3, 1]
  ]);
});

it('numbers that neither side has a file for are one range, however many a damaged checkpoint makes of them', () => {
  expect(rangesOf([chunk(0), chunk(5)], [chunk(0)], 2 ** 52)).toEqual([
    [0, 0, 2],
    [1, 4, 0],
    [5, 5, 1],
    [6, 2 ** 52 - 1, 0]
  ]);
});
