/**
 * The scavenge state of a bundle: what the source's says, of the streams by their new names and under the hashes of
 * those, in a file that is made afresh, so that no page holds what once stood in the old one.
 *
 * Streams that shared a hash part in a bundle, so none is known to collide: the state is that of a scavenge that read the
 * log of the bundle. What cannot be said exactly of the bundle is not said: then there is no state, and a reason.
 * The order in which streams are calculated is that of their hashes, which are others here: a run that was cut in the middle of
 * that cannot be continued.
 */
import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { OperationControl } from '../database/operation-control.ts';
import { requireFault } from '../errors.ts';
import { hashStream } from '../index/stream-hash.ts';
import { LAST_HANDLE, type StreamHandle } from '../scavenge/decisions/stream-handle.ts';
import { openStateToRead, type StateReading } from '../scavenge/state/read-state.ts';
import { decodeScavengeCheckpoint, encodeScavengeCheckpoint } from '../scavenge/state/scavenge-checkpoint.ts';
import { STATE_FILE, StateStore } from '../scavenge/state/state-store.ts';
import { stateProblem } from '../scavenge/state/state-error.ts';
import type { FileSystem } from '../storage/file-system.ts';
import type { NameMap } from './name-map.ts';

export interface OpenBundleState {
  fileSystem: FileSystem;
  /** Of the source; it exists. */
  path: string;
  /** Makes an empty directory for a copy; it is removed again. */
  makeScratch: () => string;
}

export interface WriteBundleState {
  /** That of the state in the bundle; missing. */
  directory: string;
  names: NameMap;
  control: OperationControl;
}

const ROWS = 4096;
const HIGH = (key: string): string => `(${key} >> 32)`;
const LOW = (key: string): string => `(${key} & 4294967295)`;
const KEY = '((CAST(? AS INTEGER) << 32) | CAST(? AS INTEGER))';
/** Counts as no checkpoint, as the one of the source does. */
const UNREADABLE = '{}';

const METASTREAM_COLUMNS = ['isTombstoned', 'discardPoint'];
const ORIGINAL_COLUMNS = [
  'isTombstoned',
  'maxAge',
  'maxCount',
  'truncateBefore',
  'discardPoint',
  'maybeDiscardPoint',
  'status'
];

/** Why a state is not carried. */
class NotCarried extends Error {}

export class BundleState {
  readonly #fileSystem: FileSystem;
  readonly #reading: StateReading;
  readonly #nameOf: StatementSync;

  private constructor({ fileSystem }: OpenBundleState, reading: StateReading) {
    this.#fileSystem = fileSystem;
    this.#reading = reading;
    this.#nameOf = reading.database.prepare(`SELECT value FROM HashUsers WHERE key = ${KEY}`);
  }

  /** A text says why it is not carried; undefined: there is none. */
  static open(options: OpenBundleState): BundleState | string | undefined {
    let reading: StateReading | undefined;
    try {
      reading = openStateToRead(options);
    } catch (error) {
      requireFault(error);
      if (error.code === 'DatabaseInUse') return 'it changed while it was read';
      const isBad = error.code === 'UnsupportedFormat' || error.details['reason'] === 'stateInvalid';
      if (!isBad) throw error;
      return 'it is damaged, or of a version that is not known here';
    }
    if (reading?.isComplete === false) {
      reading.close();
      return 'its tables were not all made';
    }
    return reading && new BundleState(options, reading);
  }

  /** The first stream that had this hash in the source. */
  nameOf(high: number, low: number): string | undefined {
    const row = this.#nameOf.get(high | 0, low >>> 0);
    return typeof row?.['value'] === 'string' ? row['value'] : undefined;
  }

  close(): void {
    this.#reading.close();
  }

  /** Writes it; a text says why there is none. All of it is on the disk when this returns. */
  async write({ directory, names, control }: WriteBundleState): Promise<string | undefined> {
    const fileSystem = this.#fileSystem;
    const path = fileSystem.join(directory, STATE_FILE);
    fileSystem.makeDirectory(directory);
    fileSystem.open(path, 'createNew').close();
    try {
      const { database } = this.#reading;
      const pageSizeBytes = Number(database.prepare('PRAGMA page_size').get()?.['page_size']);
      const store = StateStore.open({ path, pageSizeBytes });
      try {
        await new StateRewriter(this.#reading, store, names, control).run();
      } finally {
        store.close();
      }
      if (this.#reading.wasChanged()) throw new NotCarried('it changed while it was read');
      const file = fileSystem.open(path, 'readWrite');
      try {
        file.sync();
      } finally {
        file.close();
      }
      fileSystem.syncDirectory(directory);
      return undefined;
    } catch (error) {
      if (!(error instanceof NotCarried)) throw stateProblem(error, path);
      fileSystem.removeDirectory(directory);
      return error.message;
    }
  }
}

type Row = Record<string, SQLOutputValue>;

/** Rows of a table, `wanted` and the key as `id`. */
interface Pages {
  wanted: string;
  from: string;
  key: string;
  /** The least key there can be. */
  start: SQLInputValue;
  /** Numbers need all of their 64 bits: times, discard points, hashes. */
  isWide: boolean;
}

const ACTIVE = 1;
const LEAST_KEY = -(2n ** 63n);
const LEAST_ID = 0;

class StateRewriter {
  readonly #reading: StateReading;
  readonly #store: StateStore;
  readonly #names: NameMap;
  readonly #control: OperationControl;
  readonly #hash = { high: 0, low: 0 };
  readonly #putUser: StatementSync;
  readonly #userOf: StatementSync;

  constructor(reading: StateReading, store: StateStore, names: NameMap, control: OperationControl) {
    this.#reading = reading;
    this.#store = store;
    this.#names = names;
    this.#control = control;
    this.#putUser = store.prepare(`INSERT OR IGNORE INTO HashUsers (key, value) VALUES (${KEY}, ?)`);
    this.#userOf = store.prepare(`SELECT value FROM HashUsers WHERE key = ${KEY}`);
  }

  async run(): Promise<void> {
    // What cannot be carried is known before the first row is written.
    const checkpoint = this.#checkpoint();
    await this.#users();
    await this.#collidingUsers();
    await this.#streams('MetastreamDatas', METASTREAM_COLUMNS);
    await this.#collidingStreams('MetastreamDataCollisions', 'MetastreamDatas', METASTREAM_COLUMNS);
    await this.#streams('OriginalStreamDatas', ORIGINAL_COLUMNS);
    await this.#collidingStreams('OriginalStreamDataCollisions', 'OriginalStreamDatas', ORIGINAL_COLUMNS);
    await this.#copy('ChunkTimeStampRanges', ['min', 'max']);
    await this.#copy('ChunkWeights', ['value']);
    if (checkpoint !== undefined) this.#store.checkpointText = checkpoint;
    this.#store.flush();
  }

  #checkpoint(): string | undefined {
    const row = this.#reading.database.prepare('SELECT value FROM Checkpoint WHERE key = 0').get();
    if (row === undefined) return undefined;
    const checkpoint = decodeScavengeCheckpoint(String(row['value']));
    if (checkpoint === undefined) return UNREADABLE;
    if (checkpoint.stage === 'calculating' && checkpoint.doneStream !== null) {
      // Here as there nothing is left to calculate.
      if (!this.#isLeftAfter(checkpoint.doneStream))
        return encodeScavengeCheckpoint({ ...checkpoint, doneStream: LAST_HANDLE });
      throw new NotCarried(
        'a scavenge was cut within its calculation, which goes by the order of the old hashes'
      );
    }
    return encodeScavengeCheckpoint(checkpoint);
  }

  /** Streams that share a hash come first, by name, then the others by hash. */
  #isLeftAfter(done: StreamHandle): boolean {
    const { database } = this.#reading;
    const any = (table: string, condition: string, ...values: SQLInputValue[]): boolean =>
      database
        .prepare(`SELECT 1 FROM ${table} WHERE status = ${ACTIVE} ${condition} LIMIT 1`)
        .get(...values) !== undefined;
    return done.kind === 'id'
      ? any('OriginalStreamDataCollisions', 'AND key > ?', done.stream) || any('OriginalStreamDatas', '')
      : any('OriginalStreamDatas', `AND key > ${KEY}`, done.high | 0, done.low >>> 0);
  }

  async #users(): Promise<void> {
    const wanted = `${HIGH('key')} AS high, ${LOW('key')} AS low, value`;
    await this.#pages({ wanted, from: 'HashUsers', key: 'rowid', start: LEAST_ID, isWide: false }, (row) => {
      const name = String(row['value']);
      this.#requireHash(name, row);
      this.#user(name);
    });
  }

  /** The first of those that share a hash is among the users already. */
  async #collidingUsers(): Promise<void> {
    const pages = { wanted: 'key AS name', from: 'HashCollisions', key: 'key', start: '', isWide: false };
    await this.#pages(pages, (row) => this.#user(String(row['name'])));
  }

  #user(name: string): void {
    const replaced = this.#names.stream(name);
    const { high, low } = hashStream(replaced, this.#hash);
    if (this.#putUser.run(high | 0, low, replaced).changes !== 0) return;
    const known = this.#userOf.get(high | 0, low)?.['value'];
    // One in 2^64 pairs.
    if (known !== replaced) throw new NotCarried('two streams share a hash in the bundle only');
  }

  async #streams(table: string, columns: readonly string[]): Promise<void> {
    const data = columns.map((column) => `d.${column} AS ${column}`).join();
    const wanted = `${HIGH('d.key')} AS high, ${LOW('d.key')} AS low, u.value AS name, ${data}`;
    const from = `${table} d LEFT JOIN HashUsers u ON u.key = d.key`;
    const put = this.#putStream(table, columns);
    await this.#pages({ wanted, from, key: 'd.key', start: LEAST_KEY, isWide: true }, (row) => {
      if (typeof row['name'] !== 'string')
        throw new NotCarried('it does not know the names of all its streams');
      this.#requireHash(row['name'], row);
      put(row['name'], row);
    });
  }

  async #collidingStreams(from: string, into: string, columns: readonly string[]): Promise<void> {
    const put = this.#putStream(into, columns);
    const wanted = `key AS name, ${columns.join()}`;
    const pages = { wanted, from, key: 'key', start: '', isWide: true };
    await this.#pages(pages, (row) => put(String(row['name']), row));
  }

  #putStream(table: string, columns: readonly string[]): (name: string, row: Row) => void {
    const put = this.#store.prepare(
      `INSERT OR IGNORE INTO ${table} (key, ${columns.join()}) VALUES (${KEY}, ${columns.map(() => '?').join()})`
    );
    return (name, row) => {
      const { high, low } = hashStream(this.#names.stream(name), this.#hash);
      const { changes } = put.run(high | 0, low, ...columns.map((column) => row[column] ?? null));
      if (changes === 0) throw new NotCarried('it says two things of one stream');
    };
  }

  async #copy(table: string, columns: readonly string[]): Promise<void> {
    const put = this.#store.prepare(
      `INSERT INTO ${table} (key, ${columns.join()}) VALUES (?, ${columns.map(() => '?').join()})`
    );
    const pages = { wanted: columns.join(), from: table, key: 'key', start: LEAST_KEY, isWide: true };
    await this.#pages(pages, (row) => {
      put.run(row['id'] ?? null, ...columns.map((column) => row[column] ?? null));
    });
  }

  /** All rows by rising key, a transaction for each page of them. */
  async #pages({ wanted, from, key, start, isWide }: Pages, visit: (row: Row) => void): Promise<void> {
    const { database } = this.#reading;
    const prepared = (comparison: string): StatementSync => {
      const statement = database.prepare(
        `SELECT ${key} AS id, ${wanted} FROM ${from} WHERE ${key} ${comparison} ? ORDER BY ${key} LIMIT ${ROWS}`
      );
      statement.setReadBigInts(isWide);
      return statement;
    };
    const more = prepared('>');
    for (let rows: Row[] = prepared('>=').all(start); rows.length > 0; rows = more.all(rows.at(-1)!['id']!)) {
      this.#store.begin();
      for (const row of rows) visit(row);
      this.#store.commit();
      this.#control.throwIfStopped();
      if (this.#control.isDue) await this.#control.breathe();
    }
  }

  /** The name must be the one of the hash: of another one the hash of the new name would be a lie. */
  #requireHash(name: string, { high, low }: Row): void {
    const own = hashStream(name, this.#hash);
    if (own.high >>> 0 !== Number(high) >>> 0 || own.low >>> 0 !== Number(low) >>> 0) {
      throw new NotCarried('a name in it is not that of its hash');
    }
  }
}
