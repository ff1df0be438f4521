/**
 * The durable scavenge state: an SQLite file that the server reads and writes too. This file opens it, keeps
 * its settings and its transactions, and holds the checkpoint; the tables have files of their own beside it.
 *
 * Invariants: settings are set and read back (a difference is an error, never ignored); hashes are stored
 * signed; transactions do not nest. Never repaired: a damaged file is named with the remedy to remove it.
 * Format: docs/format/scavenge-state.md.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { assert } from '../../assert.ts';
import { EngineError } from '../../errors.ts';
import { connectState } from './connect-state.ts';
import { examineState, SCHEMA_VERSION } from './examine-state.ts';
import { RowBatch, type RowBatchSql } from './row-batch.ts';
import type { ColumnValue, RowVisitor, StateConnection } from './state-connection.ts';
import { stateDamaged, stateProblem } from './state-error.ts';
import { ChunkTimeRanges, ChunkWeightTable } from './chunk-tables.ts';
import { ClaimedStreams } from './claimed-streams.ts';
import { HashCollisions, HashUsers } from './hash-users.ts';
import { SCHEMA } from './state-schema.ts';
import type { StateStorage, StateTables } from './state-tables.ts';
import { Metastreams, OriginalStreams } from './stream-tables.ts';
import { WAITING_LIMITS, type WaitingLimits } from './waiting/waiting-limits.ts';

export const STATE_DIRECTORY = 'scavenging';
export const STATE_FILE = 'scavenging.db';
export const DEFAULT_PAGE_SIZE_BYTES = 16384;
export const DEFAULT_CACHE_SIZE_BYTES = 64 * 1024 * 1024;
const SYNCHRONOUS_OFF = 0;
const SYNCHRONOUS_NORMAL = 1;

export interface StateStoreOptions {
  /** Path of the file; its directory exists. `:memory:` keeps the state in memory. */
  path: string;
  /** Page size that is asked for; the one an existing file has is adopted when this is left out. */
  pageSizeBytes?: number;
  cacheSizeBytes?: number;
  /**
   * The state of a plan: nobody else reads it, and it is thrown away whatever becomes of it. All of it is one
   * transaction that is never committed, because a commit for each chunk is most of the work of a plan, and nothing is
   * flushed.
   */
  isThrownAway?: boolean;
  /** For tests. */
  waiting?: WaitingLimits;
}

export class StateStore implements StateConnection, StateStorage {
  readonly path: string;
  readonly isHalfChanged = false;
  readonly #database: DatabaseSync;
  readonly #readCheckpoint: StatementSync;
  readonly #writeCheckpoint: StatementSync;
  readonly #isThrownAway: boolean;
  readonly #limits: WaitingLimits;
  #isInTransaction = false;
  /** Rows of the open transaction that are still to be written. */
  #waiting: RowBatch | undefined;
  /** Of a state that is thrown away: no run ever resumes at it, so it need not be written for each chunk. */
  #thrownAwayText: string | undefined;

  private constructor(
    path: string,
    database: DatabaseSync,
    { isThrownAway = false, waiting = WAITING_LIMITS }: Omit<StateStoreOptions, 'path'> = {}
  ) {
    this.#limits = waiting;
    this.path = path;
    this.#database = database;
    this.#isThrownAway = isThrownAway;
    if (isThrownAway) database.exec('BEGIN IMMEDIATE');
    this.#readCheckpoint = database.prepare('SELECT value FROM Checkpoint WHERE key = 0');
    this.#writeCheckpoint = database.prepare(
      'INSERT INTO Checkpoint (key, value) VALUES (0, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value'
    );
  }

  static open(options: StateStoreOptions): StateStore {
    let database: DatabaseSync | undefined;
    try {
      database = connectState(options.path);
      examineState(database, options.path);
      applySettings(database, options);
      for (const statement of SCHEMA) database.exec(statement);
      database.exec(`INSERT OR IGNORE INTO SchemaVersion (version) VALUES (${SCHEMA_VERSION})`);
      return new StateStore(options.path, database, options);
    } catch (error) {
      database?.close();
      throw stateProblem(error, options.path);
    }
  }

  /** A further connection, which only reads what the first one has examined and committed. */
  static openToRead(options: Pick<StateStoreOptions, 'path' | 'cacheSizeBytes'>): StateStore {
    let database: DatabaseSync | undefined;
    try {
      database = connectState(options.path, { readOnly: true });
      applyCacheSize(database, options);
      return new StateStore(options.path, database);
    } catch (error) {
      database?.close();
      throw stateProblem(error, options.path);
    }
  }

  /** Over a connection that was already opened and examined (read-state.ts); the caller that opened it closes it. */
  static over(database: DatabaseSync, path: string): StateStore {
    try {
      return new StateStore(path, database);
    } catch (error) {
      throw stateProblem(error, path);
    }
  }

  /** Closes the file; SQLite then removes its two companions. */
  close(): void {
    if (!this.#database.isOpen) return;
    if (this.#isInTransaction || this.#isThrownAway) this.rollback();
    this.#database.close();
  }

  openTables(): StateTables {
    return {
      originals: new OriginalStreams(this),
      metastreams: new Metastreams(this),
      weights: new ChunkWeightTable(this),
      timeRanges: new ChunkTimeRanges(this),
      hashUsers: new HashUsers(this, this.#limits),
      collisions: new HashCollisions(this),
      claims: new ClaimedStreams(this)
    };
  }

  prepare(sql: string): StatementSync {
    return this.#database.prepare(sql);
  }

  get isInTransaction(): boolean {
    return this.#isInTransaction;
  }

  begin(): void {
    assert(!this.#isInTransaction, 'transactions of the scavenge state do not nest');
    if (!this.#isThrownAway) this.guarded(() => this.#database.exec('BEGIN IMMEDIATE'));
    this.#isInTransaction = true;
  }

  commit(): void {
    assert(this.#isInTransaction, 'a transaction is open');
    this.guarded(() => {}); // nothing waits any more
    if (!this.#isThrownAway) this.guarded(() => this.#database.exec('COMMIT'));
    this.#isInTransaction = false;
  }

  /**
   * Undoes the open transaction. SQLite may have done so itself, after a full disk for example. Of a state that is
   * thrown away all is undone: a plan that failed in the middle is none.
   */
  rollback(): void {
    this.#waiting?.clear();
    this.#waiting = undefined;
    this.#isInTransaction = false;
    this.#thrownAwayText = undefined;
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
  }

  /**
   * Returns once everything committed is on the disk. Commits alone are not: with the server's settings a power cut
   * may take back any number of the last ones.
   */
  flush(): void {
    assert(!this.#isInTransaction, 'what is not committed cannot be flushed');
    if (this.#isThrownAway) return;
    const row = this.guarded(() => this.#database.prepare('PRAGMA wal_checkpoint(FULL)').get());
    if (row?.['busy'] === 0) return;
    throw new EngineError({
      code: 'DatabaseInUse',
      message: `The scavenge state ${this.path} could not be flushed: another process is reading it.`,
      remedy:
        'Close the program that has the file open, then run the same command again; it resumes where it stopped.',
      details: { file: this.path }
    });
  }

  /** SQLite's pages. */
  releaseMemory(): void {
    this.guarded(() => this.#database.exec('PRAGMA shrink_memory'));
  }

  get checkpointText(): string | undefined {
    if (this.#thrownAwayText !== undefined) return this.#thrownAwayText;
    const row = this.guarded(() => this.#readCheckpoint.get());
    return row === undefined ? undefined : String(row['value']);
  }

  set checkpointText(text: string | undefined) {
    assert(text !== undefined, 'a checkpoint is replaced, never removed');
    if (this.#isThrownAway) this.#thrownAwayText = text;
    else this.guarded(() => this.#writeCheckpoint.run(text));
  }

  guarded<T>(action: () => T): T {
    try {
      this.#writeWaiting();
      return action();
    } catch (error) {
      throw stateProblem(error, this.path);
    }
  }

  newBatch(sql: RowBatchSql): RowBatch {
    return new RowBatch((text) => this.#database.prepare(text), sql);
  }

  put(batch: RowBatch, ...values: SQLInputValue[]): void {
    if (this.#waiting !== batch) {
      this.guarded(() => {}); // rows are written in the order they came in
      this.#waiting = batch;
    }
    if (batch.add(values) || !this.#isInTransaction) this.guarded(() => {});
  }

  #writeWaiting(): void {
    const batch = this.#waiting;
    this.#waiting = undefined;
    batch?.write();
  }

  newRowVisitor(name: string, { columns, rest }: { columns: readonly string[]; rest: string }): RowVisitor {
    let visit: (...row: ColumnValue[]) => void = () => {};
    this.#database.function(name, { varargs: true, directOnly: true }, (...row: ColumnValue[]) => {
      visit(...row);
      return 1;
    });
    const inner = columns.map((column, i) => `${column} AS c${i}`).join();
    const outer = columns.map((_, i) => `c${i}`).join();
    const statement = this.#database.prepare(`SELECT sum(${name}(${outer})) FROM (SELECT ${inner} ${rest})`);
    return (visitor, ...parameters) => {
      visit = visitor;
      this.guarded(() => statement.get(...parameters));
    };
  }
}

function pragma(database: DatabaseSync, name: string): string | number {
  const row = database.prepare(`PRAGMA ${name}`).get();
  const value = row === undefined ? '' : Object.values(row)[0];
  return typeof value === 'number' || typeof value === 'string' ? value : '';
}

/** The page size must be set before the first page is written, and before the journal mode. */
function applySettings(database: DatabaseSync, options: StateStoreOptions): void {
  const hasPages = pragma(database, 'page_count') !== 0;
  const wanted = options.pageSizeBytes ?? (hasPages ? undefined : DEFAULT_PAGE_SIZE_BYTES);
  if (wanted !== undefined) {
    database.exec(`PRAGMA page_size = ${wanted}`);
    const found = pragma(database, 'page_size');
    if (found !== wanted) {
      throw new EngineError({
        code: 'InvalidRequest',
        message: `The scavenge state ${options.path} has pages of ${found} bytes, ${wanted} were requested.`,
        remedy: `Request ${found}, leave the page size out, or set the state aside with "--start-afresh".`,
        details: { file: options.path, field: 'pageSize', expected: wanted, found }
      });
    }
  }
  const isInMemory = options.path === ':memory:';
  if (!isInMemory) {
    database.exec('PRAGMA journal_mode = wal');
    expectSetting(database, options.path, 'journal_mode', 'wal');
  }
  const synchronous = options.isThrownAway ? SYNCHRONOUS_OFF : SYNCHRONOUS_NORMAL;
  database.exec(`PRAGMA synchronous = ${synchronous}`);
  expectSetting(database, options.path, 'synchronous', synchronous);
  applyCacheSize(database, options);
}

/** Negative values are KiB. */
function applyCacheSize(database: DatabaseSync, { path, cacheSizeBytes }: StateStoreOptions): void {
  const cacheKib = -Math.max(1, Math.floor((cacheSizeBytes ?? DEFAULT_CACHE_SIZE_BYTES) / 1024));
  database.exec(`PRAGMA cache_size = ${cacheKib}`);
  expectSetting(database, path, 'cache_size', cacheKib);
}

function expectSetting(database: DatabaseSync, path: string, name: string, expected: string | number): void {
  const found = pragma(database, name);
  if (found === expected) return;
  throw stateDamaged(path, `its setting ${name} stays at ${found} instead of ${expected}`);
}
