/**
 * Cuts the log into the smallest ranges that no file of either side reaches across: one chunk where both have it by
 * itself, more where one of them has merged. Pure.
 */
import type { SideChunk } from './difference-side.ts';

export interface AlignedRange {
  /** First and last chunk number, inclusive. */
  startNumber: number;
  endNumber: number;
  one: SideChunk[];
  other: SideChunk[];
}

/**
 * `chunkCount`: numbers from here on are not asked about. Numbers in a row that neither side has a file for are one range: where a
 * checkpoint is damaged there may be more of them than anybody can count.
 */
export function* alignedRanges(
  one: readonly SideChunk[],
  other: readonly SideChunk[],
  chunkCount: number
): Generator<AlignedRange> {
  let i = 0;
  let j = 0;
  for (let start = 0; start < chunkCount;) {
    const next = Math.min(one[i]?.startNumber ?? chunkCount, other[j]?.startNumber ?? chunkCount, chunkCount);
    if (next > start) {
      yield { startNumber: start, endNumber: next - 1, one: [], other: [] };
      start = next;
      continue;
    }
    const range: AlignedRange = { startNumber: start, endNumber: start, one: [], other: [] };
    for (let hasGrown = true; hasGrown;) {
      hasGrown = false;
      for (; i < one.length && one[i]!.startNumber <= range.endNumber; i++, hasGrown = true) {
        range.one.push(one[i]!);
        range.endNumber = Math.max(range.endNumber, one[i]!.endNumber);
      }
      for (; j < other.length && other[j]!.startNumber <= range.endNumber; j++, hasGrown = true) {
        range.other.push(other[j]!);
        range.endNumber = Math.max(range.endNumber, other[j]!.endNumber);
      }
    }
    yield range;
    start = range.endNumber + 1;
  }
}

/** The one file of each side for just this range, with equal hashes: their bytes are the same if the hashes are right. */
export function sameByHash({ one, other, startNumber }: AlignedRange): boolean {
  const [first] = one;
  const [second] = other;
  if (!first || !second || one.length + other.length > 2) return false;
  return (
    first.md5 !== null &&
    first.md5 === second.md5 &&
    first.startNumber === startNumber &&
    first.startNumber === second.startNumber &&
    first.endNumber === second.endNumber &&
    first.fileSize === second.fileSize
  );
}
