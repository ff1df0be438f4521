/** Chosen rows of a list of any length: half-open ranges of indices, ascending, apart from each other. Pure. */
export type RowRange = readonly [from: number, end: number];
export type RowRanges = readonly RowRange[];

export function holds(ranges: RowRanges, index: number): boolean {
  return ranges.some(([from, end]) => from <= index && index < end);
}

export function countOf(ranges: RowRanges): number {
  return ranges.reduce((sum, [from, end]) => sum + end - from, 0);
}

/** Both ends included, in either order. */
export function rangeBetween(one: number, other: number): RowRange {
  return [Math.min(one, other), Math.max(one, other) + 1];
}

export function withRange(ranges: RowRanges, added: RowRange): RowRanges {
  const apart = ranges.filter(([from, end]) => end < added[0] || from > added[1]);
  const joined = ranges.filter((range) => !apart.includes(range));
  const from = Math.min(added[0], ...joined.map((range) => range[0]));
  const end = Math.max(added[1], ...joined.map((range) => range[1]));
  return [...apart, [from, end] as const].sort((a, b) => a[0] - b[0]);
}

export function toggled(ranges: RowRanges, index: number): RowRanges {
  if (!holds(ranges, index)) return withRange(ranges, [index, index + 1]);
  return ranges.flatMap<RowRange>(([from, end]) => {
    if (index < from || end <= index) return [[from, end]];
    const parts: RowRange[] = [
      [from, index],
      [index + 1, end]
    ];
    return parts.filter(([partFrom, partEnd]) => partFrom < partEnd);
  });
}
