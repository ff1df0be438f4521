/** What the stored tables need of the file they lie in. */
import type { StatementSync } from 'node:sqlite';

export interface StateConnection {
  readonly isInTransaction: boolean;
  prepare(sql: string): StatementSync;
  /** Runs an action on the database; what SQLite says against it becomes an error with file and remedy. */
  guarded<T>(action: () => T): T;
}
