/**
 * The rows with the most bytes, from tables that come one after the other. Of rows with as many bytes those with the
 * first names, in the order of their bytes. They are kept in columns: there may be a million of them.
 */
import type { GroupRows } from './group-rows.ts';
import { GroupTable, HASH_END } from './group-table.ts';
import { Sum, SUM_COUNT } from './usage-sums.ts';

/** The sums of one name: from `row` on in `values`. Only for as long as it is looked at. */
export interface NamedRow {
  name: string;
  values: Float64Array;
  row: number;
}

/** Where rows and names lie; a table of groups has more columns than the sums, which are the first. */
export type Rows = Pick<GroupTable, 'count' | 'values' | 'columnCount' | 'names' | 'nameStart' | 'nameEnd'>;

const FIRST_ROWS = 16;
const MEAN_NAME_BYTES = 16;

export class LargestRows {
  /** All rows that were added. */
  count = 0;
  readonly #most: number;
  #held = new HeldRows();

  constructor(most: number) {
    this.#most = most;
  }

  /** The `most` largest of rows that are all there are, or the largest of `count`. */
  static of(rows: Rows, { count, most }: { count: number; most: number }): LargestRows {
    const largest = new LargestRows(most);
    putLargest(rows, most, largest.#held);
    largest.count = count;
    return largest;
  }

  /** Those that it holds, to be written. */
  get table(): GroupTable {
    if (this.#held.count > this.#most) this.#cut();
    return GroupTable.over(this.#held.rows, { from: 0, to: HASH_END });
  }

  /** Does nothing for a row without records. */
  add(name: string, values: Float64Array, row: number): void {
    if (values[row + Sum.records] === 0) return;
    this.count++;
    this.#held.put(values, row, Buffer.from(name, 'utf8'));
    this.#cutWhereTwice();
  }

  addTable(table: GroupTable): void {
    this.count += table.count;
    putLargest(table, this.#most, this.#held);
    this.#cutWhereTwice();
  }

  /** Calls `take` for each, in no order that counts. */
  forEach(take: (row: NamedRow) => void): void {
    if (this.#held.count > this.#most) this.#cut();
    this.#held.forEach(take);
  }

  /** Cut now and then, not for each table: it looks at all of them. */
  #cutWhereTwice(): void {
    if (this.#held.count > 2 * this.#most) this.#cut();
  }

  #cut(): void {
    const held = new HeldRows();
    putLargest(this.#held, this.#most, held);
    this.#held = held;
  }
}

/** Puts the largest rows, `most` of them, into `held`. */
function putLargest(rows: Rows, most: number, held: HeldRows): void {
  const { count, values, columnCount, names } = rows;
  const least = leastOf(rows, most);
  const put = (at: number): void =>
    held.put(values, at * columnCount, names, rows.nameStart(at), rows.nameEnd(at));
  let room = most;
  const equal: number[] = [];
  for (let at = 0; at < count; at++) {
    const bytes = values[at * columnCount + Sum.bytes]!;
    if (bytes > least) {
      room--;
      put(at);
    } else if (bytes === least) equal.push(at);
  }
  if (equal.length > room) {
    equal.sort((a, b) =>
      names.compare(names, rows.nameStart(b), rows.nameEnd(b), rows.nameStart(a), rows.nameEnd(a))
    );
  }
  for (let i = 0; i < Math.min(room, equal.length); i++) put(equal[i]!);
}

/** The least bytes among the so many largest rows; below all when there are no more. */
function leastOf({ count, values, columnCount }: Rows, most: number): number {
  if (count <= most) return -1;
  const bytes = new Float64Array(count);
  for (let at = 0; at < count; at++) bytes[at] = values[at * columnCount + Sum.bytes]!;
  return bytes.sort()[count - most]!;
}

/** Rows and names one behind the other. */
class HeldRows implements Rows {
  count = 0;
  readonly columnCount = SUM_COUNT;
  values = new Float64Array(FIRST_ROWS * SUM_COUNT);
  names = Buffer.allocUnsafe(FIRST_ROWS * MEAN_NAME_BYTES);
  #ends = new Float64Array(FIRST_ROWS);

  put(values: Float64Array, row: number, names: Buffer, start = 0, end = names.length): void {
    const at = this.count++;
    if (at === this.#ends.length) this.#grow();
    const into = at * SUM_COUNT;
    for (let column = 0; column < SUM_COUNT; column++) this.values[into + column] = values[row + column]!;
    const from = this.nameStart(at);
    const to = from + end - start;
    if (to > this.names.length) this.#growNames(to);
    names.copy(this.names, from, start, end);
    this.#ends[at] = to;
  }

  /** Without hashes. */
  get rows(): GroupRows {
    const { count, columnCount, names, values } = this;
    const none = new Uint32Array(count);
    return { count, columnCount, high: none, low: none, ends: this.#ends, names, values };
  }

  nameStart(at: number): number {
    return at === 0 ? 0 : this.#ends[at - 1]!;
  }

  nameEnd(at: number): number {
    return this.#ends[at]!;
  }

  forEach(take: (row: NamedRow) => void): void {
    const { values, count } = this;
    for (let at = 0; at < count; at++) {
      // Invalid UTF-8 becomes U+FFFD, as everywhere names are shown.
      const name = this.names.toString('utf8', this.nameStart(at), this.nameEnd(at));
      take({ name, values, row: at * SUM_COUNT });
    }
  }

  #grow(): void {
    const ends = new Float64Array(this.#ends.length * 2);
    ends.set(this.#ends);
    this.#ends = ends;
    const values = new Float64Array(this.values.length * 2);
    values.set(this.values);
    this.values = values;
  }

  #growNames(least: number): void {
    const names = Buffer.allocUnsafe(Math.max(least, this.names.length * 2));
    this.names.copy(names);
    this.names = names;
  }
}
