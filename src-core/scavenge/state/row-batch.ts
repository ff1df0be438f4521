/**
 * Rows of one kind that are stored many at once: a statement costs as much as the row that it stores. They wait for
 * each other only within a transaction, and never longer than until anything else is asked of the file.
 */
import type { SQLInputValue, StatementSync } from 'node:sqlite';

const ROWS = 32;

export interface RowBatchSql {
  /** INSERT INTO … VALUES */
  into: string;
  /** The values of one row, in brackets, with a ? for each that is given. */
  row: string;
  /** ON CONFLICT … */
  conflict: string;
}

export class RowBatch {
  readonly #prepare: (sql: string) => StatementSync;
  readonly #sql: RowBatchSql;
  #one: StatementSync | undefined;
  #many: StatementSync | undefined;
  #values: SQLInputValue[] = [];
  #count = 0;

  constructor(prepare: (sql: string) => StatementSync, sql: RowBatchSql) {
    this.#prepare = prepare;
    this.#sql = sql;
  }

  /** True when it should be written. */
  add(values: readonly SQLInputValue[]): boolean {
    for (const value of values) this.#values.push(value);
    return ++this.#count === ROWS;
  }

  write(): void {
    const [values, count] = [this.#values, this.#count];
    this.clear();
    if (count === ROWS) {
      (this.#many ??= this.#statement(ROWS)).run(...values);
      return;
    }
    const one = (this.#one ??= this.#statement(1));
    const width = values.length / count;
    for (let at = 0; at < values.length; at += width) one.run(...values.slice(at, at + width));
  }

  clear(): void {
    this.#values = [];
    this.#count = 0;
  }

  #statement(rows: number): StatementSync {
    const { into, row, conflict } = this.#sql;
    return this.#prepare(`${into} ${Array.from({ length: rows }, () => row).join()} ${conflict}`);
  }
}
