/**
 * The streams that the stored state has, in pages: limits, discard points, tombstones. Those of which nothing would go by what is
 * stored can be left out. Only reads. Both tables of a kind are gone through, that of the names first.
 */
import type { StatementSync } from 'node:sqlite';
import { signedHash, type StreamHandle } from '../decisions/stream-handle.ts';
import type { StateConnection } from './state-connection.ts';
import type { Claim, ClaimPages, ClaimTables } from './state-tables.ts';
import type { MetastreamData, OriginalStreamData } from './stream-data.ts';
import {
  HASH_HALVES,
  METASTREAM_TABLES,
  METASTREAM_VALUES,
  metastreamOfRow,
  ORIGINAL_TABLES,
  ORIGINAL_VALUES,
  originalOfRow
} from './stream-tables.ts';

type Row = Record<string, unknown>;

const SAYS_NOTHING_OF_METASTREAM = 'isTombstoned = 0 AND ifnull(discardPoint, 0) = 0';
const DISCARDS_NOTHING = 'isTombstoned = 0 AND discardPoint = 0 AND maybeDiscardPoint = 0';
/** Below every signed hash. */
const BEFORE_ALL_HASHES = -(2 ** 64);

class StoredClaims<T> implements ClaimPages<T> {
  readonly #store: StateConnection;
  readonly #firstNames: StatementSync;
  readonly #names: StatementSync;
  readonly #hashes: StatementSync;
  readonly #dataOf: (row: Row) => T;

  constructor(
    store: StateConnection,
    {
      tables: [byHash, byName],
      values,
      saysNothing,
      dataOf
    }: { tables: readonly [string, string]; values: string; saysNothing: string; dataOf: (row: Row) => T }
  ) {
    const page = (table: string, key: string, after: string) =>
      store.prepare(
        `SELECT ${key}, ${values} FROM ${table} WHERE ${after} AND NOT (${saysNothing}) ORDER BY key LIMIT ?`
      );
    this.#store = store;
    this.#firstNames = page(byName, 'key', 'key >= ?');
    this.#names = page(byName, 'key', 'key > ?');
    this.#hashes = page(byHash, HASH_HALVES, 'key > ?');
    this.#dataOf = dataOf;
  }

  after(after: StreamHandle | null, limit: number): Claim<T>[] {
    if (after?.kind !== 'hash') {
      const statement = after === null ? this.#firstNames : this.#names;
      const rows = this.#store.guarded(() => statement.all(after?.stream ?? '', limit));
      if (rows.length > 0) {
        return rows.map((row) => ({
          handle: { kind: 'id', stream: String(row['key']) },
          data: this.#dataOf(row)
        }));
      }
    }
    const bound = after?.kind === 'hash' ? signedHash(after.high, after.low) : BEFORE_ALL_HASHES;
    return this.#store
      .guarded(() => this.#hashes.all(bound, limit))
      .map((row) => ({
        handle: { kind: 'hash', high: Number(row['high']) >>> 0, low: Number(row['low']) },
        data: this.#dataOf(row)
      }));
  }
}

export class ClaimedStreams implements ClaimTables {
  readonly metastreams: ClaimPages<MetastreamData>;
  readonly #originals: ClaimPages<OriginalStreamData>;
  readonly #actingOriginals: ClaimPages<OriginalStreamData>;

  constructor(store: StateConnection) {
    const tables = ORIGINAL_TABLES;
    const original = { tables, values: ORIGINAL_VALUES, dataOf: originalOfRow };
    this.#originals = new StoredClaims(store, { ...original, saysNothing: 'FALSE' });
    this.#actingOriginals = new StoredClaims(store, { ...original, saysNothing: DISCARDS_NOTHING });
    this.metastreams = new StoredClaims(store, {
      tables: METASTREAM_TABLES,
      values: METASTREAM_VALUES,
      saysNothing: SAYS_NOTHING_OF_METASTREAM,
      dataOf: metastreamOfRow
    });
  }

  originals(isActing: boolean): ClaimPages<OriginalStreamData> {
    return isActing ? this.#actingOriginals : this.#originals;
  }
}
