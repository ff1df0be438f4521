/**
 * The rows of a table that are chosen. The table's owner knows one row, the lead; here is what is chosen beside it, until the
 * lead, the order or the number of rows changes by other means.
 */
import { countOf, holds, rangeBetween, toggled, withRange, type RowRanges } from './row-ranges.ts';

/** As the owner of the rows says it. */
export interface RowsState {
  lead: number | null;
  count: number;
  order: string | null;
}

interface Chosen extends RowsState {
  ranges: RowRanges;
  /** Where a range begins that Shift extends. */
  anchor: number;
}

export class RowSelection {
  readonly #rows: () => RowsState;
  #chosen = $state.raw<Chosen | null>(null);
  readonly #ranges = $derived.by<RowRanges>(() => {
    const { lead, count, order } = this.#rows();
    const chosen = this.#chosen;
    const isOfThese = chosen?.lead === lead && chosen.count === count && chosen.order === order;
    if (chosen && isOfThese) return chosen.ranges;
    return lead === null || lead >= count ? [] : [[lead, lead + 1]];
  });

  constructor(rows: () => RowsState) {
    this.#rows = rows;
  }

  get ranges(): RowRanges {
    return this.#ranges;
  }
  get count(): number {
    return countOf(this.#ranges);
  }

  holds(index: number): boolean {
    return holds(this.#ranges, index);
  }

  only(index: number): void {
    this.#choose(index, [[index, index + 1]], index);
  }

  /** All between where the last choice began and this row. */
  extendTo(index: number): void {
    const anchor = this.#chosen?.anchor ?? this.#rows().lead ?? index;
    this.#choose(index, [rangeBetween(anchor, index)], anchor);
  }

  toggle(index: number): void {
    this.#choose(index, toggled(this.#ranges, index), index);
  }

  /** The lead moves; what is chosen stays. */
  keepFor(index: number): void {
    this.#choose(index, this.#ranges, index);
  }

  all(): void {
    const { lead, count } = this.#rows();
    if (count > 0) this.#choose(lead, withRange([], [0, count]), lead ?? 0);
  }

  /** Only the lead is left. */
  clear(): void {
    this.#chosen = null;
  }

  #choose(lead: number | null, ranges: RowRanges, anchor: number): void {
    const { count, order } = this.#rows();
    this.#chosen = { lead, count, order, ranges, anchor };
  }
}
