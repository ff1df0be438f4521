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
import type { StateConnection } from './state-connection.ts';
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
export const HASH_HALVES = '(key >> 32) AS high, (key & 4294967295) AS low';
const NOT_SET = -1;

export function keyOf(handle: StreamHandle): SQLInputValue {
  return handle.kind === 'id' ? handle.stream : signedHash(handle.high, handle.low);
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : Number(value);
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

export const ORIGINAL_VALUES =
  'isTombstoned, CAST(maxAge AS REAL) AS maxAge, CAST(maxCount AS REAL) AS maxCount, ' +
  `${TRUNCATE_BEFORE} AS truncateBefore, CAST(discardPoint AS REAL) AS discardPoint, ` +
  'CAST(maybeDiscardPoint AS REAL) AS maybeDiscardPoint, status';

export const METASTREAM_VALUES = 'isTombstoned, CAST(discardPoint AS REAL) AS discardPoint';

type Row = Record<string, unknown>;

export function originalOfRow(row: Row): OriginalStreamData {
  const orNotSet = (value: unknown) => (value === null ? NOT_SET : numberOf(value));
  return {
    status: numberOf(row['status']),
    isTombstoned: row['isTombstoned'] === 1,
    discardPoint: numberOf(row['discardPoint']),
    maybeDiscardPoint: numberOf(row['maybeDiscardPoint']),
    maxAgeSeconds: orNotSet(row['maxAge']),
    maxCount: orNotSet(row['maxCount']),
    truncateBefore: orNotSet(row['truncateBefore'])
  };
}

export function metastreamOfRow(row: Row): MetastreamData {
  return { isTombstoned: row['isTombstoned'] === 1, discardPoint: numberOf(row['discardPoint'] ?? 0) };
}

/** How the two tables of a kind of stream are named, what is stored and read in them, and how a row reads. */
interface TablesOf<T> {
  tables: readonly [byHash: string, byName: string];
  /** All but the key, as they are stored. */
  columns: string;
  /** The same as they are read. */
  values: string;
  dataOf: (row: Row) => T;
}

/** What the tables of original streams and those of metastreams are asked alike. */
class StreamTables<T> implements StreamTable<T> {
  protected readonly store: StateConnection;
  readonly #tables: TablesOf<T>['tables'];
  readonly #dataOf: (row: Row) => T;
  readonly #byHalves: StatementSync;
  readonly #get: PairOf<StatementSync>;
  readonly #count: PairOf<StatementSync>;
  readonly #all: StatementSync;
  readonly #downward: StatementSync;
  readonly #move: StatementSync;
  readonly #moveDelete: StatementSync;

  constructor(store: StateConnection, { tables, columns, values, dataOf }: TablesOf<T>) {
    this.store = store;
    this.#tables = tables;
    this.#dataOf = dataOf;
    const [byHash, byName] = tables;
    this.#byHalves = store.prepare(`SELECT ${values} FROM ${byHash} WHERE key = ${HASH_KEY}`);
    this.#get = this.both((table) => `SELECT ${values} FROM ${table} WHERE key = ?`);
    this.#count = this.both((table) => `SELECT COUNT(*) AS count FROM ${table}`);
    this.#all = store.prepare(`SELECT ${HASH_HALVES}, ${values} FROM ${byHash}`);
    this.#downward = store.prepare(
      `SELECT ${HASH_HALVES}, ${values} FROM ${byHash} WHERE key <= ? AND key >= ? ORDER BY key DESC LIMIT ?`
    );
    this.#move = store.prepare(
      `INSERT OR REPLACE INTO ${byName} (key, ${columns}) SELECT ?, ${columns} FROM ${byHash} WHERE key = ?`
    );
    this.#moveDelete = store.prepare(`DELETE FROM ${byHash} WHERE key = ?`);
  }

  protected both(sql: (table: string) => string): PairOf<StatementSync> {
    const [byHash, byName] = this.#tables;
    return { hash: this.store.prepare(sql(byHash)), id: this.store.prepare(sql(byName)) };
  }

  get(handle: StreamHandle): T | undefined {
    const row = this.store.guarded(() => this.#get[handle.kind].get(keyOf(handle)));
    return row === undefined ? undefined : this.#dataOf(row);
  }

  getByHash(high: number, low: number): T | undefined {
    const row = this.store.guarded(() => this.#byHalves.get(high | 0, low >>> 0));
    return row === undefined ? undefined : this.#dataOf(row);
  }

  get hashCount(): number {
    return this.#rowsOf(this.#count.hash);
  }

  /** Rows of both tables. */
  get count(): number {
    return this.#rowsOf(this.#count.hash) + this.#rowsOf(this.#count.id);
  }

  #rowsOf(count: StatementSync): number {
    return numberOf(this.store.guarded(() => count.get())?.['count'] ?? 0);
  }

  forEachHash(visit: (high: number, low: number, data: T) => void): void {
    this.store.guarded(() => {
      for (const row of this.#all.iterate()) {
        visit(numberOf(row['high']) >>> 0, numberOf(row['low']), this.#dataOf(row));
      }
    });
  }

  hashesDownward({ most, least, limit }: KeyRange): HashRow<T>[] {
    const rows = this.store.guarded(() => this.#downward.all(most, least, limit));
    return rows.map((row) => ({
      high: numberOf(row['high']) >>> 0,
      low: numberOf(row['low']),
      value: this.#dataOf(row)
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
  readonly #setMetadata: PairOf<StatementSync>;
  readonly #setTombstone: PairOf<StatementSync>;
  readonly #setPoints: PairOf<StatementSync>;
  readonly #delete: PairOf<StatementSync>;
  readonly #active: PairOf<StatementSync>;
  readonly #firstActiveNames: StatementSync;
  readonly #tombstoned: PairOf<StatementSync>;

  constructor(store: StateConnection) {
    super(store, {
      tables: ORIGINAL_TABLES,
      columns: 'isTombstoned, maxAge, maxCount, truncateBefore, discardPoint, maybeDiscardPoint, status',
      values: ORIGINAL_VALUES,
      dataOf: originalOfRow
    });
    this.#setMetadata = this.both(
      (table) =>
        `INSERT INTO ${table} (maxAge, maxCount, truncateBefore, status, key) VALUES (?, ?, ?, ${StreamStatus.active}, ?) ` +
        'ON CONFLICT (key) DO UPDATE SET maxAge = excluded.maxAge, maxCount = excluded.maxCount, ' +
        'truncateBefore = excluded.truncateBefore, status = excluded.status'
    );
    this.#setTombstone = this.both(
      (table) =>
        `INSERT INTO ${table} (isTombstoned, status, key) VALUES (1, ${StreamStatus.active}, ?) ` +
        'ON CONFLICT (key) DO UPDATE SET isTombstoned = 1, status = excluded.status'
    );
    this.#setPoints = this.both(
      (table) =>
        `INSERT INTO ${table} (status, discardPoint, maybeDiscardPoint, key) VALUES (?, ?, ?, ?) ` +
        'ON CONFLICT (key) DO UPDATE SET status = excluded.status, discardPoint = excluded.discardPoint, ' +
        'maybeDiscardPoint = excluded.maybeDiscardPoint'
    );
    this.#delete = this.both((table) => `DELETE FROM ${table} WHERE status = ?`);
    const active = (table: string, key: string, isBehind = 'key > ?') =>
      `SELECT ${key}, ${ORIGINAL_VALUES} FROM ${table} ` +
      `WHERE status = ${StreamStatus.active} AND ${isBehind} ORDER BY key LIMIT ?`;
    // The empty name is a name too: no text lies before it.
    this.#firstActiveNames = store.prepare(active(ORIGINAL_TABLES[1], 'key', 'key >= ?'));
    this.#active = {
      hash: store.prepare(active(ORIGINAL_TABLES[0], HASH_HALVES)),
      id: store.prepare(active(ORIGINAL_TABLES[1], 'key'))
    };
    this.#tombstoned = {
      hash: store.prepare(`SELECT ${HASH_HALVES} FROM ${ORIGINAL_TABLES[0]} WHERE isTombstoned = 1`),
      id: store.prepare(`SELECT key FROM ${ORIGINAL_TABLES[1]} WHERE isTombstoned = 1`)
    };
  }

  setMetadata(handle: StreamHandle, limits: StreamLimits): void {
    const { maxAgeSeconds, maxCount, truncateBefore } = limits;
    const statement = this.#setMetadata[handle.kind];
    this.store.guarded(() => statement.run(maxAgeSeconds, maxCount, truncateBefore, keyOf(handle)));
  }

  setTombstone(handle: StreamHandle): void {
    this.store.guarded(() => this.#setTombstone[handle.kind].run(keyOf(handle)));
  }

  setDiscardPoints(handle: StreamHandle, points: DiscardPoints): void {
    const statement = this.#setPoints[handle.kind];
    const discard = eventNumberToBigInt(points.discardPoint);
    const maybe = eventNumberToBigInt(points.maybeDiscardPoint);
    this.store.guarded(() => statement.run(points.status, discard, maybe, keyOf(handle)));
  }

  readActive(after: StreamHandle | null, limit: number, into: ActiveStreams): void {
    into.clear();
    if (after === null || after.kind === 'id') {
      const names = after === null ? this.#firstActiveNames : this.#active.id;
      const rows = this.store.guarded(() => names.all(after?.stream ?? '', limit));
      for (const row of rows) into.add({ kind: 'id', stream: String(row['key']) }, originalOfRow(row));
    }
    if (into.count < limit) {
      // A resume point among the colliding streams leaves all hashes to do. The lowest hash is no possible key
      // to start behind, so "all" is asked for with a bound below every row.
      const isAll = after === null || after.kind === 'id';
      const bound = isAll ? -(2 ** 63) * 2 : signedHash(after.high, after.low);
      const rows = this.store.guarded(() => this.#active.hash.all(bound, limit - into.count));
      for (const row of rows) {
        const high = numberOf(row['high']) >>> 0;
        into.add({ kind: 'hash', high, low: numberOf(row['low']) }, originalOfRow(row));
      }
    }
  }

  tombstonedHashes(hashOf: (stream: string) => StreamHash): StreamHash[] {
    return this.store.guarded(() => [
      ...this.#tombstoned.hash.all().map((row) => ({
        high: numberOf(row['high']) >>> 0,
        low: numberOf(row['low'])
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
  readonly #setTombstone: PairOf<StatementSync>;
  readonly #setPoint: PairOf<StatementSync>;
  readonly #deleteAll: PairOf<StatementSync>;
  readonly #deleteTombstoned: PairOf<StatementSync>;

  constructor(store: StateConnection) {
    super(store, {
      tables: METASTREAM_TABLES,
      columns: 'isTombstoned, discardPoint',
      values: METASTREAM_VALUES,
      dataOf: metastreamOfRow
    });
    this.#setTombstone = this.both(
      (table) =>
        `INSERT INTO ${table} (isTombstoned, key) VALUES (1, ?) ON CONFLICT (key) DO UPDATE SET isTombstoned = 1`
    );
    this.#setPoint = this.both(
      (table) =>
        `INSERT INTO ${table} (discardPoint, key) VALUES (?, ?) ` +
        'ON CONFLICT (key) DO UPDATE SET discardPoint = excluded.discardPoint'
    );
    this.#deleteAll = this.both((table) => `DELETE FROM ${table}`);
    this.#deleteTombstoned = this.both((table) => `DELETE FROM ${table} WHERE isTombstoned = 1`);
  }

  setTombstone(handle: StreamHandle): void {
    this.store.guarded(() => this.#setTombstone[handle.kind].run(keyOf(handle)));
  }

  setDiscardPoint(handle: StreamHandle, discardPoint: number): void {
    const value = eventNumberToBigInt(discardPoint);
    this.store.guarded(() => this.#setPoint[handle.kind].run(value, keyOf(handle)));
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
