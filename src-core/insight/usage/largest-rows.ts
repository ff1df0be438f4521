/**
 * The rows with the most bytes, from tables that come one after the other. Of rows with as many bytes those with the
 * first names, in the order of their bytes.
 */
import type { GroupTable } from './group-table.ts';
import { Sum, SUM_COUNT } from './usage-sums.ts';

export interface NamedRow {
  name: string;
  /** The sums. */
  values: Float64Array;
}

export class LargestRows {
  /** All rows that were added. */
  count = 0;
  readonly #most: number;
  #rows: NamedRow[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** Does nothing for a row without records. */
  add(name: string, values: Float64Array, row: number): void {
    if (values[row + Sum.records] === 0) return;
    this.count++;
    this.#rows.push({ name, values: values.slice(row, row + SUM_COUNT) });
  }

  addTable(table: GroupTable): void {
    const { count, values, columnCount } = table;
    const least = leastOf(table, this.#most);
    let room = this.#most;
    const equal: number[] = [];
    const put = (at: number): void => {
      this.#rows.push({
        name: table.name(at),
        values: values.slice(at * columnCount, at * columnCount + SUM_COUNT)
      });
    };
    for (let at = 0; at < count; at++) {
      const bytes = values[at * columnCount + Sum.bytes]!;
      if (bytes > least) {
        room--;
        put(at);
      } else if (bytes === least) equal.push(at);
    }
    const { names } = table;
    if (equal.length > room) {
      equal.sort((a, b) =>
        names.compare(names, table.nameStart(b), table.nameEnd(b), table.nameStart(a), table.nameEnd(a))
      );
    }
    for (const at of equal.slice(0, room)) put(at);
    this.count += count;
    if (this.#rows.length > this.#most) this.#cut();
  }

  /** In no order that counts. */
  rows(): readonly NamedRow[] {
    if (this.#rows.length > this.#most) this.#cut();
    return this.#rows;
  }

  #cut(): void {
    const bytesOf = ({ values }: NamedRow) => values[Sum.bytes]!;
    this.#rows.sort(
      (a, b) => bytesOf(b) - bytesOf(a) || Buffer.compare(Buffer.from(a.name), Buffer.from(b.name))
    );
    this.#rows.length = this.#most;
  }
}

/** The least bytes among the so many largest rows; below all when there are no more. */
function leastOf({ count, values, columnCount }: GroupTable, most: number): number {
  if (count <= most) return -1;
  const bytes = new Float64Array(count);
  for (let at = 0; at < count; at++) bytes[at] = values[at * columnCount + Sum.bytes]!;
  return bytes.sort()[count - most]!;
}
