/**
 * What the scavenge remembers of streams: one table for streams whose hash is unique (by hash), one for those
 * that collide (by name), and the same pair for metastreams. Everything written is an upsert.
 *
 * Numbers of 64 bits come out of SQLite as doubles: exact up to 2^53, and 2^63-1 becomes 2^63, which is how
 * event numbers are held in memory anyway. Look-ups by hash take its two halves, so that hot loops make no BigInt.
 */
import type { SQLInputValue, StatementSync } from 'node:sqlite';
import type { StreamHash } from '../../index/stream-hash.ts';
import { eventNumberToBigInt, INT64_MAX } from '../../units/event-number.ts';
import { signedHash, type StreamHandle } from '../decisions/stream-handle.ts';
import type { HashRow, KeyRange } from './rows-by-hash.ts';
import type { ActiveStreams } from './active-streams.ts';
import type { RowBatch } from './row-batch.ts';
import type { ColumnValue, RowVisitor, StateConnection } from './state-connection.ts';
import type { MetastreamTable, OriginalTable, StreamTable } from './state-tables.ts';
import {
  StreamStatus,
  type DiscardPoints,
  type MetastreamData,
  type OriginalStreamData,
  type StreamLimits
} from './stream-data.ts';

/** The key of a hash from its halves: the high one signed, the low one unsigned, bound as doubles. */
const HASH_KEY = '((CAST(?1 AS INTEGER) << 32) | CAST(?2 AS INTEGER))';
/** And back: the high half comes out signed. */
const HALVES = ['(key >> 32)', '(key & 4294967295)'];
export const HASH_HALVES = '(key >> 32) AS high, (key & 4294967295) AS low';
/** The key of a hash in a row that is stored, from the same halves in turn. */
const HASH_KEY_OF_ROW = '(CAST(? AS INTEGER) << 32) | CAST(? AS INTEGER)';
const NOT_SET = -1;
/** As a bound: the lowest hash is a possible key itself. */
const BELOW_ALL_HASHES = -(2 ** 63) * 2;
const PAGE_ROWS = 1024;

export function keyOf(handle: StreamHandle): SQLInputValue {
  return handle.kind === 'id' ? handle.stream : signedHash(handle.high, handle.low);
}

/** Whole numbers up to 2^53 may be given as doubles; the column makes integers of them. */
function storedNumber(value: number): number | bigint {
  return value <= Number.MAX_SAFE_INTEGER ? value : eventNumberToBigInt(value);
}

/** The statements of one pair of tables for one kind of key. */
interface PairOf<T> {
  hash: T;
  id: T;
}

export const ORIGINAL_TABLES = ['OriginalStreamDatas', 'OriginalStreamDataCollisions'] as const;
export const METASTREAM_TABLES = ['MetastreamDatas', 'MetastreamDataCollisions'] as const;

/** Only 2^63-1 itself may become 2^63, which means deleted; what is rounded up to it otherwise stays below. */
const TRUNCATE_BEFORE =
  'CASE WHEN truncateBefore = 9223372036854775807 THEN 9223372036854775808.0 ' +
  'ELSE CAST(MIN(truncateBefore, 9223372036854774784) AS REAL) END';
const MOST_TRUNCATE_BEFORE = 9223372036854774784n;

/** The limits of a metadata record as the tables give them back once they are stored. */
export function storedLimits({ maxAgeSeconds, maxCount, truncateBefore }: StreamLimits): {
  maxAgeSeconds: number;
  maxCount: number;
  truncateBefore: number;
} {
  const orNotSet = (value: bigint | null) => (value === null ? NOT_SET : Number(value));
  const isCapped =
    truncateBefore !== null && truncateBefore !== INT64_MAX && truncateBefore > MOST_TRUNCATE_BEFORE;
  return {
    maxAgeSeconds: orNotSet(maxAgeSeconds),
    maxCount: orNotSet(maxCount),
    truncateBefore: orNotSet(isCapped ? MOST_TRUNCATE_BEFORE : truncateBefore)
  };
}

/** What is read of a row, by the names under which it is read. */
const ORIGINAL_COLUMNS = {
  isTombstoned: 'isTombstoned',
  maxAge: 'CAST(maxAge AS REAL)',
  maxCount: 'CAST(maxCount AS REAL)',
  truncateBefore: TRUNCATE_BEFORE,
  discardPoint: 'CAST(discardPoint AS REAL)',
  maybeDiscardPoint: 'CAST(maybeDiscardPoint AS REAL)',
  status: 'status'
};
const METASTREAM_COLUMNS = { isTombstoned: 'isTombstoned', discardPoint: 'CAST(discardPoint AS REAL)' };

function valuesOf(columns: Readonly<Record<string, string>>): string {
  return Object.entries(columns)
    .map(([name, value]) => `${value} AS ${name}`)
    .join(', ');
}

export const ORIGINAL_VALUES = valuesOf(ORIGINAL_COLUMNS);
export const METASTREAM_VALUES = valuesOf(METASTREAM_COLUMNS);

type Row = Record<string, unknown>;

export function originalOfRow(row: Row): OriginalStreamData {
  return originalOf(
    row['isTombstoned'],
    row['maxAge'],
    row['maxCount'],
    row['truncateBefore'],
    row['discardPoint'],
    row['maybeDiscardPoint'],
    row['status']
  );
}

/** In the order of ORIGINAL_COLUMNS. */
function originalOf(
  isTombstoned: unknown,
  maxAge: unknown,
  maxCount: unknown,
  truncateBefore: unknown,
  discardPoint: unknown,
  maybeDiscardPoint: unknown,
  status: unknown
): OriginalStreamData {
  const orNotSet = (value: unknown) => (value === null ? NOT_SET : Number(value));
  return {
    status: Number(status),
    isTombstoned: isTombstoned === 1,
    discardPoint: Number(discardPoint),
    maybeDiscardPoint: Number(maybeDiscardPoint),
    maxAgeSeconds: orNotSet(maxAge),
    maxCount: orNotSet(maxCount),
    truncateBefore: orNotSet(truncateBefore)
  };
}

export function metastreamOfRow(row: Row): MetastreamData {
  return metastreamOf(row['isTombstoned'], row['discardPoint']);
}

/** In the order of METASTREAM_COLUMNS. */
function metastreamOf(isTombstoned: unknown, discardPoint: unknown): MetastreamData {
  return { isTombstoned: isTombstoned === 1, discardPoint: Number(discardPoint ?? 0) };
}

/** How the two tables of a kind of stream are named, what is stored and read in them, and how a row reads. */
interface TablesOf<T> {
  tables: readonly [byHash: string, byName: string];
  /** All but the key, as they are stored. */
  columns: string;
  /** The same as they are read, by their names. */
  values: Readonly<Record<string, string>>;
  /** From what was read, in its order. */
  dataOf: (...values: unknown[]) => T;
}

/** What the tables of original streams and those of metastreams are asked alike. */
class StreamTables<T> implements StreamTable<T> {
  protected readonly store: StateConnection;
  readonly #tables: TablesOf<T>['tables'];
  readonly #names: readonly string[];
  readonly #dataOf: TablesOf<T>['dataOf'];
  readonly #byHalves: StatementSync;
  readonly #get: PairOf<StatementSync>;
  readonly #count: PairOf<StatementSync>;
  readonly #all: RowVisitor;
  readonly #downward: StatementSync;
  readonly #move: StatementSync;
  readonly #moveDelete: StatementSync;

  constructor(store: StateConnection, { tables, columns, values: read, dataOf }: TablesOf<T>) {
    this.store = store;
    this.#tables = tables;
    this.#names = Object.keys(read);
    this.#dataOf = dataOf;
    const [byHash, byName] = tables;
    const values = valuesOf(read);
    this.#byHalves = store.prepare(`SELECT ${values} FROM ${byHash} WHERE key = ${HASH_KEY}`);
    this.#get = this.both((table) => `SELECT ${values} FROM ${table} WHERE key = ?`);
    this.#count = this.both((table) => `SELECT COUNT(*) AS count FROM ${table}`);
    this.#all = store.newRowVisitor(`all${byHash}`, {
      columns: [...HALVES, ...Object.values(read)],
      rest: `FROM ${byHash} WHERE key > ? ORDER BY key LIMIT ?`
    });
    this.#downward = store.prepare(
      `SELECT ${HASH_HALVES}, ${values} FROM ${byHash} WHERE key <= ? AND key >= ? ORDER BY key DESC LIMIT ?`
    );
    this.#move = store.prepare(
      `INSERT OR REPLACE INTO ${byName} (key, ${columns}) SELECT ?, ${columns} FROM ${byHash} WHERE key = ?`
    );
    this.#moveDelete = store.prepare(`DELETE FROM ${byHash} WHERE key = ?`);
  }

  #dataOfRow(row: Row): T {
    return this.#dataOf(...this.#names.map((name) => row[name]));
  }

  protected both(sql: (table: string) => string): PairOf<StatementSync> {
    const [byHash, byName] = this.#tables;
    return { hash: this.store.prepare(sql(byHash)), id: this.store.prepare(sql(byName)) };
  }

  /** Rows of some columns, in either table; `row` has a ? for each value that is given. */
  protected batches({ columns, row }: { columns: readonly string[]; row: string }): PairOf<RowBatch> {
    const [byHash, byName] = this.#tables;
    const batch = (table: string, key: string) =>
      this.store.newBatch({
        into: `INSERT INTO ${table} (key, ${columns.join(', ')}) VALUES`,
        row: `(${key}, ${row})`,
        conflict: `ON CONFLICT (key) DO UPDATE SET ${columns.map((name) => `${name} = excluded.${name}`).join(', ')}`
      });
    return { hash: batch(byHash, HASH_KEY_OF_ROW), id: batch(byName, '?') };
  }

  protected putRow(batches: PairOf<RowBatch>, handle: StreamHandle, ...values: SQLInputValue[]): void {
    if (handle.kind === 'id') this.store.put(batches.id, handle.stream, ...values);
    else this.store.put(batches.hash, handle.high | 0, handle.low >>> 0, ...values);
  }

  get(handle: StreamHandle): T | undefined {
    const row = this.store.guarded(() => this.#get[handle.kind].get(keyOf(handle)));
    return row === undefined ? undefined : this.#dataOfRow(row);
  }

  getByHash(high: number, low: number): T | undefined {
    const row = this.store.guarded(() => this.#byHalves.get(high | 0, low >>> 0));
    return row === undefined ? undefined : this.#dataOfRow(row);
  }

  get hashCount(): number {
    return this.#rowsOf(this.#count.hash);
  }

  /** Rows of both tables. */
  get count(): number {
    return this.#rowsOf(this.#count.hash) + this.#rowsOf(this.#count.id);
  }

  #rowsOf(count: StatementSync): number {
    return Number(this.store.guarded(() => count.get())!['count']);
  }

  /** In pages: until a statement ends, Node keeps what it has handed over of every row. */
  forEachHash(visit: (high: number, low: number, data: T) => void): void {
    const dataOf = this.#dataOf;
    const last = { high: 0, low: 0, count: 0 };
    const visitRow = (high: ColumnValue, low: ColumnValue, ...values: ColumnValue[]): void => {
      last.high = Number(high) >>> 0;
      last.low = Number(low);
      last.count++;
      visit(last.high, last.low, dataOf(...values));
    };
    let after: SQLInputValue = BELOW_ALL_HASHES;
    do {
      last.count = 0;
      this.#all(visitRow, after, PAGE_ROWS);
      after = signedHash(last.high, last.low);
    } while (last.count === PAGE_ROWS);
  }

  hashesDownward({ most, least, limit }: KeyRange): HashRow<T>[] {
    const rows = this.store.guarded(() => this.#downward.all(most, least, limit));
    return rows.map((row) => ({
      high: Number(row['high']) >>> 0,
      low: Number(row['low']),
      value: this.#dataOfRow(row)
    }));
  }

  moveToCollisions(high: number, low: number, stream: string): void {
    const hash = signedHash(high, low);
    this.store.guarded(() => {
      this.#move.run(stream, hash);
      this.#moveDelete.run(hash);
    });
  }
}

export class OriginalStreams extends StreamTables<OriginalStreamData> implements OriginalTable {
  readonly #setMetadata: PairOf<RowBatch>;
  readonly #setTombstone: PairOf<RowBatch>;
  readonly #setPoints: PairOf<RowBatch>;
  readonly #delete: PairOf<StatementSync>;
  readonly #activeNames: StatementSync;
  readonly #activeHashes: RowVisitor;
  readonly #firstActiveNames: StatementSync;
  readonly #tombstoned: PairOf<StatementSync>;

  constructor(store: StateConnection) {
    super(store, {
      tables: ORIGINAL_TABLES,
      columns: 'isTombstoned, maxAge, maxCount, truncateBefore, discardPoint, maybeDiscardPoint, status',
      values: ORIGINAL_COLUMNS,
      dataOf: originalOf
    });
    this.#setMetadata = this.batches({
      columns: ['maxAge', 'maxCount', 'truncateBefore', 'status'],
      row: `?, ?, ?, ${StreamStatus.active}`
    });
    this.#setTombstone = this.batches({
      columns: ['isTombstoned', 'status'],
      row: `1, ${StreamStatus.active}`
    });
    this.#setPoints = this.batches({
      columns: ['status', 'discardPoint', 'maybeDiscardPoint'],
      row: '?, ?, ?'
    });
    this.#delete = this.both((table) => `DELETE FROM ${table} WHERE status = ?`);
    const active = (table: string, isAfter = 'key > ?') =>
      `FROM ${table} WHERE status = ${StreamStatus.active} AND ${isAfter} ORDER BY key LIMIT ?`;
    const names = `SELECT key, ${ORIGINAL_VALUES}`;
    // The empty name is a name too: no text lies before it.
    this.#firstActiveNames = store.prepare(`${names} ${active(ORIGINAL_TABLES[1], 'key >= ?')}`);
    this.#activeNames = store.prepare(`${names} ${active(ORIGINAL_TABLES[1])}`);
    this.#activeHashes = store.newRowVisitor('activeStreams', {
      columns: [...HALVES, ...Object.values(ORIGINAL_COLUMNS)],
      rest: active(ORIGINAL_TABLES[0])
    });
    this.#tombstoned = {
      hash: store.prepare(`SELECT ${HASH_HALVES} FROM ${ORIGINAL_TABLES[0]} WHERE isTombstoned = 1`),
      id: store.prepare(`SELECT key FROM ${ORIGINAL_TABLES[1]} WHERE isTombstoned = 1`)
    };
  }

  setMetadata(handle: StreamHandle, limits: StreamLimits): void {
    const { maxAgeSeconds, maxCount, truncateBefore } = limits;
    this.putRow(this.#setMetadata, handle, maxAgeSeconds, maxCount, truncateBefore);
  }

  setTombstone(handle: StreamHandle): void {
    this.putRow(this.#setTombstone, handle);
  }

  setDiscardPoints(handle: StreamHandle, points: DiscardPoints): void {
    const { status, discardPoint, maybeDiscardPoint } = points;
    this.putRow(this.#setPoints, handle, status, storedNumber(discardPoint), storedNumber(maybeDiscardPoint));
  }

  readActive(after: StreamHandle | null, limit: number, into: ActiveStreams): void {
    into.clear();
    if (after === null || after.kind === 'id') {
      const names = after === null ? this.#firstActiveNames : this.#activeNames;
      const rows = this.store.guarded(() => names.all(after?.stream ?? '', limit));
      for (const row of rows) into.add({ kind: 'id', stream: String(row['key']) }, originalOfRow(row));
    }
    if (into.count < limit) {
      // A resume point among the colliding streams leaves all hashes to do. The lowest hash is no possible key
      // to start behind, so "all" is asked for with a bound below every row.
      const isAll = after === null || after.kind === 'id';
      const bound = isAll ? BELOW_ALL_HASHES : signedHash(after.high, after.low);
      const handle = { kind: 'hash' as const, high: 0, low: 0 };
      const dataOf: (...values: ColumnValue[]) => OriginalStreamData = originalOf;
      const add = (high: ColumnValue, low: ColumnValue, ...values: ColumnValue[]) => {
        handle.high = Number(high) >>> 0;
        handle.low = Number(low);
        into.add(handle, dataOf(...values));
      };
      this.#activeHashes(add, bound, limit - into.count);
    }
  }

  tombstonedHashes(hashOf: (stream: string) => StreamHash): StreamHash[] {
    return this.store.guarded(() => [
      ...this.#tombstoned.hash.all().map((row) => ({
        high: Number(row['high']) >>> 0,
        low: Number(row['low'])
      })),
      ...this.#tombstoned.id.all().map((row) => hashOf(String(row['key'])))
    ]);
  }

  get hasTombstoned(): boolean {
    return this.store.guarded(
      () => this.#tombstoned.hash.get() !== undefined || this.#tombstoned.id.get() !== undefined
    );
  }

  deleteWithStatus(status: number): void {
    this.store.guarded(() => {
      this.#delete.hash.run(status);
      this.#delete.id.run(status);
    });
  }
}

export class Metastreams extends StreamTables<MetastreamData> implements MetastreamTable {
  readonly #setTombstone: PairOf<RowBatch>;
  readonly #setPoint: PairOf<RowBatch>;
  readonly #deleteAll: PairOf<StatementSync>;
  readonly #deleteTombstoned: PairOf<StatementSync>;

  constructor(store: StateConnection) {
    super(store, {
      tables: METASTREAM_TABLES,
      columns: 'isTombstoned, discardPoint',
      values: METASTREAM_COLUMNS,
      dataOf: metastreamOf
    });
    this.#setTombstone = this.batches({ columns: ['isTombstoned'], row: '1' });
    this.#setPoint = this.batches({ columns: ['discardPoint'], row: '?' });
    this.#deleteAll = this.both((table) => `DELETE FROM ${table}`);
    this.#deleteTombstoned = this.both((table) => `DELETE FROM ${table} WHERE isTombstoned = 1`);
  }

  setTombstone(handle: StreamHandle): void {
    this.putRow(this.#setTombstone, handle);
  }

  setDiscardPoint(handle: StreamHandle, discardPoint: number): void {
    this.putRow(this.#setPoint, handle, storedNumber(discardPoint));
  }

  deleteAll(): void {
    this.store.guarded(() => {
      this.#deleteAll.hash.run();
      this.#deleteAll.id.run();
    });
  }

  deleteTombstoned(): void {
    this.store.guarded(() => {
      this.#deleteTombstoned.hash.run();
      this.#deleteTombstoned.id.run();
    });
  }
}
