/** What the stored tables need of the file they lie in. */
import type { SQLInputValue, StatementSync } from 'node:sqlite';
import type { RowBatch, RowBatchSql } from './row-batch.ts';

/** What SQLite gives for a column of a row. */
export type ColumnValue = SQLInputValue;

export interface StateConnection {
  readonly isInTransaction: boolean;
  prepare(sql: string): StatementSync;
  /** Runs an action on the database; what SQLite says against it becomes an error with file and remedy. */
  guarded<T>(action: () => T): T;
  /** A kind of row that is stored many at once. */
  newBatch(sql: RowBatchSql): RowBatch;
  /** Stores a row; within a transaction it may wait until anything else is asked or the transaction ends. */
  put(batch: RowBatch, ...values: SQLInputValue[]): void;
  /**
   * Hands the columns of each row of `SELECT columns rest` to `visit`, in the order of the rows, without an object for any:
   * five times as fast. `name` is one of its own on this connection.
   */
  newRowVisitor(name: string, sql: { columns: readonly string[]; rest: string }): RowVisitor;
}

export type RowVisitor = (visit: (...row: ColumnValue[]) => void, ...parameters: SQLInputValue[]) => void;
