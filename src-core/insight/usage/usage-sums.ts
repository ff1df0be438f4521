/** What is added up of streams, categories, types and kinds of links alike, as rows of numbers and as plain sums. */

/** Places in a row. */
export const Sum = {
  records: 0,
  /** Records that have an event number, and so an entry in the index. */
  events: 1,
  bytes: 2,
  discardableRecords: 3,
  discardableBytes: 4,
  /** Logical numbers of the first and the last chunk, both included. */
  firstChunk: 5,
  lastChunk: 6
} as const;
export const SUM_COUNT = 7;

/** Of a name, what lies beyond counts as long. Stream and type are repeated in every record. */
export const LONG_NAME_BYTES = 64;

export interface RecordSum {
  records: number;
  bytes: number;
}

/** Adds what one row holds, from one chunk or several, to another. Nothing is added of a row without records. */
export function addSums(into: Float64Array, row: number, from: Float64Array, other: number): void {
  if (from[other + Sum.records] === 0) return;
  const [first, last] = [from[other + Sum.firstChunk]!, from[other + Sum.lastChunk]!];
  const isNew = into[row + Sum.records] === 0;
  for (let column = Sum.records; column <= Sum.discardableBytes; column++) {
    into[row + column]! += from[other + column]!;
  }
  if (isNew || first < into[row + Sum.firstChunk]!) into[row + Sum.firstChunk] = first;
  if (isNew || last > into[row + Sum.lastChunk]!) into[row + Sum.lastChunk] = last;
}
