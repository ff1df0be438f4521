/**
 * Which stream was first seen with a hash, and which streams are known to share theirs. In front of the table
 * lies a cache of names by hash, since every prepare of the log asks here once.
 *
 * A cached name may have been written by a transaction that is then undone, so the cache is emptied with it.
 */
import type { StatementSync } from 'node:sqlite';
import { signedHash } from '../stream-handle.ts';
import type { StateStore } from './state-store.ts';

export const DEFAULT_HASH_USERS_CACHE_CAPACITY = 100_000;
/** Names with the same low bits of the hash that are kept at once; the one used longest ago gives way. */
const WAYS = 4;

/** Where a name's UTF-8 bytes lie; a record of the log fits. */
export interface NameBytes {
  readonly bytes: Buffer;
  readonly streamStart: number;
  readonly streamEnd: number;
}

export class HashUsers {
  readonly #store: StateStore;
  readonly #get: StatementSync;
  readonly #put: StatementSync;
  readonly #mask: number;
  readonly #high: Uint32Array;
  readonly #low: Uint32Array;
  readonly #names: (Buffer | undefined)[];
  cacheHits = 0;
  cacheMisses = 0;

  constructor(store: StateStore, cacheCapacity: number) {
    this.#store = store;
    this.#get = store.prepare(
      'SELECT value FROM HashUsers WHERE key = ((CAST(?1 AS INTEGER) << 32) | CAST(?2 AS INTEGER))'
    );
    this.#put = store.prepare(
      'INSERT INTO HashUsers (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value'
    );
    let sets = 1;
    while (sets * WAYS < cacheCapacity) sets *= 2;
    this.#mask = sets - 1;
    this.#high = new Uint32Array(sets * WAYS);
    this.#low = new Uint32Array(sets * WAYS);
    this.#names = new Array<Buffer | undefined>(sets * WAYS).fill(undefined);
  }

  /** The cache says that exactly this name is the first user of the hash: nothing more to look at. */
  isCachedUser(high: number, low: number, name: NameBytes): boolean {
    const first = (low & this.#mask) * WAYS;
    for (let slot = first; slot < first + WAYS; slot++) {
      const cached = this.#names[slot];
      if (cached === undefined) break;
      if (this.#low[slot] !== low || this.#high[slot] !== high) continue;
      const { bytes, streamStart, streamEnd } = name;
      if (cached.length !== streamEnd - streamStart) return false;
      if (cached.compare(bytes, streamStart, streamEnd) !== 0) return false;
      if (slot !== first) this.#moveToFront(first, slot);
      this.cacheHits++;
      return true;
    }
    return false;
  }

  /** First user of a hash, from the table. */
  get(high: number, low: number): string | undefined {
    this.cacheMisses++;
    const row = this.#store.guarded(() => this.#get.get(high | 0, low >>> 0));
    return row === undefined ? undefined : String(row['value']);
  }

  put(hash: bigint, stream: string): void {
    this.#store.guarded(() => this.#put.run(signedHash(hash), stream));
  }

  /** Remembers the first user of a hash. */
  cache(high: number, low: number, stream: string): void {
    const first = (low & this.#mask) * WAYS;
    this.#moveToFront(first, first + WAYS - 1);
    this.#high[first] = high;
    this.#low[first] = low;
    this.#names[first] = Buffer.from(stream, 'utf8');
  }

  forgetCache(): void {
    this.#names.fill(undefined);
  }

  #moveToFront(first: number, slot: number): void {
    const high = this.#high[slot]!;
    const low = this.#low[slot]!;
    const name = this.#names[slot];
    for (let i = slot; i > first; i--) {
      this.#high[i] = this.#high[i - 1]!;
      this.#low[i] = this.#low[i - 1]!;
      this.#names[i] = this.#names[i - 1];
    }
    this.#high[first] = high;
    this.#low[first] = low;
    this.#names[first] = name;
  }
}

export class HashCollisions {
  readonly #store: StateStore;
  readonly #add: StatementSync;
  readonly #all: StatementSync;

  constructor(store: StateStore) {
    this.#store = store;
    this.#add = store.prepare('INSERT OR IGNORE INTO HashCollisions (key) VALUES (?)');
    this.#all = store.prepare('SELECT key FROM HashCollisions ORDER BY key');
  }

  add(stream: string): void {
    this.#store.guarded(() => this.#add.run(stream));
  }

  all(): string[] {
    return this.#store.guarded(() => this.#all.all()).map((row) => String(row['key']));
  }
}
