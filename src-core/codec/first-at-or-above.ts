/** Place of the first value at or above this one in a column of rising values; its length when all are below. */
export function firstAtOrAbove(rising: Uint32Array, value: number): number {
  let from = 0;
  let to = rising.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (rising[middle]! < value) from = middle + 1;
    else to = middle;
  }
  return from;
}
