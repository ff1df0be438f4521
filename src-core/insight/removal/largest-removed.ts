/**
 * The names of which most is removed, from rows that come one after the other; what is left out stays in the sum, so that
 * all items together are always the total.
 */
import { OTHERS_ITEM } from '../usage/usage-items.ts';
import type { RemovedItem, RemovedItems } from './removal.ts';
import { addRemoved, bytesOf, itemOf, SUM_COLUMNS } from './removed-row.ts';

interface Row {
  name: string;
  bytes: number;
  values: Float64Array;
}

export class LargestRemoved {
  readonly #most: number;
  /** At most twice as many as are wanted. */
  #rows: Row[] = [];
  #least = -1;
  #count = 0;
  readonly #others = new Float64Array(SUM_COLUMNS);
  #otherCount = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** `name`: asked for only where the row may be one of the largest. */
  add(values: Float64Array, row: number, name: () => string): void {
    this.#count++;
    const bytes = bytesOf(values, row);
    if (bytes < this.#least) {
      this.#putAside(values, row);
      return;
    }
    this.#rows.push({ name: name(), bytes, values: values.slice(row, row + SUM_COLUMNS) });
    if (this.#rows.length >= 2 * this.#most) this.#cut();
  }

  /** What has no name of its own any more. */
  addToOthers(values: Float64Array, row: number): void {
    this.#count++;
    this.#putAside(values, row);
  }

  items(): RemovedItems {
    this.#cut();
    const items: RemovedItem[] = this.#rows.map(({ name, values }) => itemOf(name, values, 0));
    if (this.#otherCount > 0) items.push(itemOf(OTHERS_ITEM, this.#others, 0));
    return { items, itemCount: this.#count };
  }

  #putAside(values: Float64Array, row: number): void {
    this.#otherCount++;
    addRemoved(this.#others, 0, values, row);
  }

  #cut(): void {
    this.#rows.sort((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    for (const { values } of this.#rows.splice(this.#most)) this.#putAside(values, 0);
    if (this.#rows.length === this.#most) this.#least = this.#rows.at(-1)!.bytes;
  }
}
