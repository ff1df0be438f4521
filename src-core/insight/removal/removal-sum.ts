/** The sums of what is removed, in three ways with the same total, from the rows of streams table by table. */
import { REMOVAL_RULES } from '../../units/scavenge-terms.ts';
import { numberOfName } from '../usage/count-digest.ts';
import { GroupTable } from '../usage/group-table.ts';
import { dashIn, NO_CATEGORY } from '../usage/usage-tables.ts';
import { LargestRemoved } from './largest-removed.ts';
import type { Removal, RemovedItems } from './removal.ts';
import { addRemoved, RemovedColumn, rulesOf, STREAM_COLUMNS, SUM_COLUMNS } from './removed-row.ts';

/** No room for this category any more. */
const ELSEWHERE = -1;

export class RemovalSum {
  readonly #top: number;
  readonly #total = new Float64Array(SUM_COLUMNS);
  /** By rule. */
  readonly #streamCounts = new Float64Array(REMOVAL_RULES.length);
  readonly #streams: LargestRemoved;
  readonly #categories: GroupTable;

  /** `top`: streams and categories named at most; the rest is one more item. */
  constructor({ top, mostNames }: { top: number; mostNames?: number | undefined }) {
    this.#top = top;
    this.#streams = new LargestRemoved(top);
    this.#categories = new GroupTable({ columnCount: SUM_COLUMNS, mostNames });
  }

  /** Rows of streams. */
  add(table: GroupTable): void {
    const { values, names } = table;
    for (let at = 0; at < table.count; at++) {
      const row = at * STREAM_COLUMNS;
      addRemoved(this.#total, 0, values, row);
      for (let rule = 0; rule < REMOVAL_RULES.length; rule++) {
        if (values[row + RemovedColumn.records + rule]! > 0) this.#streamCounts[rule]!++;
      }
      this.#streams.add(values, row, () => table.name(at));
      const category = categoryOf(this.#categories, names, table.nameStart(at), table.nameEnd(at));
      if (category !== ELSEWHERE) {
        addRemoved(this.#categories.values, category * SUM_COLUMNS, values, row);
      }
    }
  }

  removal(): Removal {
    const byRule = rulesOf(this.#total, 0).map((sum) => ({
      ...sum,
      streams: this.#streamCounts[REMOVAL_RULES.indexOf(sum.rule)]!
    }));
    return {
      records: byRule.reduce((sum, { records }) => sum + records, 0),
      bytes: byRule.reduce((sum, { bytes }) => sum + bytes, 0),
      byRule,
      byCategory: this.#categoryItems(),
      byStream: this.#streams.items()
    };
  }

  /** A log with more categories than the table holds has those that it gave up in one item: what is left of the total. */
  #categoryItems(): RemovedItems {
    const categories = this.#categories;
    const largest = new LargestRemoved(this.#top);
    const rest = this.#total.slice();
    const { values } = categories;
    for (let row = 0; row < categories.count * SUM_COLUMNS; row += SUM_COLUMNS) {
      largest.add(values, row, () => categories.name(row / SUM_COLUMNS));
      for (let column = 0; column < SUM_COLUMNS; column++) rest[column]! -= values[row + column]!;
    }
    if (rest[RemovedColumn.streams]! > 0) largest.addToOthers(rest, 0);
    return largest.items();
  }
}

/** By what comes before the first `-`. */
function categoryOf(table: GroupTable, names: Buffer, start: number, end: number): number {
  const dash = dashIn(names, start, end);
  const none = Buffer.from(NO_CATEGORY);
  return dash < 0 ? numberOfName(table, none, 0, none.length) : numberOfName(table, names, start, dash);
}
