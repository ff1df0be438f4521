/**
 * The streams of which the stored state says anything that a scavenge would act on, in pages: limits, discard points,
 * tombstones. Only reads. Both tables of a kind are gone through, that of the names first.
 */
import type { StatementSync } from 'node:sqlite';
import { hashFromHalves, signedHash, type StreamHandle } from '../decisions/stream-handle.ts';
import type { StateStore } from './state-store.ts';
import {
  HASH_HALVES,
  METASTREAM_TABLES,
  METASTREAM_VALUES,
  metastreamOfRow,
  ORIGINAL_TABLES,
  ORIGINAL_VALUES,
  originalOfRow,
  type MetastreamData,
  type OriginalStreamData
} from './stream-tables.ts';

export interface Claim<T> {
  handle: StreamHandle;
  data: T;
}

type Row = Record<string, unknown>;

const SAYS_NOTHING_OF_METASTREAM = 'isTombstoned = 0 AND ifnull(discardPoint, 0) = 0';
const DISCARDS_NOTHING = 'isTombstoned = 0 AND discardPoint = 0 AND maybeDiscardPoint = 0';
const SAYS_NOTHING_OF_ORIGINAL = `${DISCARDS_NOTHING} AND maxAge IS NULL AND maxCount IS NULL AND truncateBefore IS NULL`;
/** Below every signed hash. */
const BEFORE_ALL_HASHES = -(2 ** 64);

export class ClaimPages<T> {
  readonly #store: StateStore;
  readonly #firstNames: StatementSync;
  readonly #names: StatementSync;
  readonly #hashes: StatementSync;
  readonly #dataOf: (row: Row) => T;

  constructor(
    store: StateStore,
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

  /** At most `limit` streams after one, null: from the first. None: the end. */
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
    const bound = after?.kind === 'hash' ? signedHash(after.hash) : BEFORE_ALL_HASHES;
    return this.#store
      .guarded(() => this.#hashes.all(bound, limit))
      .map((row) => ({
        handle: { kind: 'hash', hash: hashFromHalves(Number(row['high']), Number(row['low'])) },
        data: this.#dataOf(row)
      }));
  }
}

export class ClaimedStreams {
  readonly metastreams: ClaimPages<MetastreamData>;
  readonly #originals: ClaimPages<OriginalStreamData>;
  readonly #actingOriginals: ClaimPages<OriginalStreamData>;

  constructor(store: StateStore) {
    const tables = ORIGINAL_TABLES;
    const original = { tables, values: ORIGINAL_VALUES, dataOf: originalOfRow };
    this.#originals = new ClaimPages(store, { ...original, saysNothing: SAYS_NOTHING_OF_ORIGINAL });
    this.#actingOriginals = new ClaimPages(store, { ...original, saysNothing: DISCARDS_NOTHING });
    this.metastreams = new ClaimPages(store, {
      tables: METASTREAM_TABLES,
      values: METASTREAM_VALUES,
      saysNothing: SAYS_NOTHING_OF_METASTREAM,
      dataOf: metastreamOfRow
    });
  }

  /** `isActing`: only those of which something goes by what is stored now, not by what limits would come to. */
  originals(isActing: boolean): ClaimPages<OriginalStreamData> {
    return isActing ? this.#actingOriginals : this.#originals;
  }
}
