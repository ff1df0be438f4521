/**
 * Which stream was first seen with a hash, and which streams are known to share theirs. Every prepare of the log asks
 * here once, so three things stand between the question and the table: names that were asked for before
 * (known-names.ts), hashes that are certainly new (seen-hashes.ts), and users found in the open transaction, which
 * are written when it ends (pending-users.ts).
 *
 * What memory has learned from a transaction that is then undone must be forgotten with it.
 */
import type { StatementSync } from 'node:sqlite';
import { hashFromBigInt } from '../../index/stream-hash.ts';
import { signedHash } from '../decisions/stream-handle.ts';
import { KnownNames, type NameBytes } from './known-names.ts';
import { PendingUsers } from './pending-users.ts';
import { SeenHashes } from './seen-hashes.ts';
import type { StateStore } from './state-store.ts';

export const DEFAULT_HASH_USERS_CACHE_CAPACITY = 100_000;

export class HashUsers {
  readonly #store: StateStore;
  readonly #get: StatementSync;
  readonly #put: StatementSync;
  readonly #putHalves: StatementSync;
  readonly #names: KnownNames;
  readonly #pending = new PendingUsers();
  /** Only if the table was empty at first is its content known. */
  readonly #seen: SeenHashes | undefined;
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
    this.#putHalves = store.prepare(
      'INSERT INTO HashUsers (key, value) VALUES ((CAST(?1 AS INTEGER) << 32) | CAST(?2 AS INTEGER), ?3) ' +
        'ON CONFLICT (key) DO UPDATE SET value = excluded.value'
    );
    this.#names = new KnownNames(cacheCapacity);
    const any = store.prepare('SELECT 1 FROM HashUsers LIMIT 1');
    if (store.guarded(() => any.get()) === undefined) this.#seen = new SeenHashes();
  }

  /** This very name was asked about before: there is nothing more to find out. */
  isKnownName(name: NameBytes): boolean {
    if (this.#names.has(name)) {
      this.cacheHits++;
      return true;
    }
    this.cacheMisses++;
    return false;
  }

  /** The name need not be asked about again. */
  rememberName(name: NameBytes): void {
    this.#names.remember(name);
  }

  /** Certainly no stream with this hash was seen yet. */
  isNew(high: number, low: number): boolean {
    return this.#seen !== undefined && !this.#seen.has(high, low);
  }

  /** First user of a hash. */
  get(high: number, low: number): string | undefined {
    if (this.isNew(high, low)) return undefined;
    const pending = this.#pending.find(high, low);
    if (pending !== undefined) return pending;
    const row = this.#store.guarded(() => this.#get.get(high | 0, low >>> 0));
    return row === undefined ? undefined : String(row['value']);
  }

  put(hash: bigint, stream: string): void {
    if (this.#store.isInTransaction) {
      const { high, low } = hashFromBigInt(hash);
      const bytes = Buffer.from(stream, 'utf8');
      this.putBytes(high, low, { bytes, streamStart: 0, streamEnd: bytes.length });
      return;
    }
    this.#noteSeen(hash);
    this.#store.guarded(() => this.#put.run(signedHash(hash), stream));
  }

  /** The first user of a hash that has none; a transaction is open. */
  putBytes(high: number, low: number, name: Omit<NameBytes, 'view'>): void {
    if (this.#pending.count === PendingUsers.LIMIT) this.flush();
    this.#pending.add(high, low, name);
    this.#seen?.add(high, low);
  }

  /** Writes what waits; before the transaction ends. */
  flush(): void {
    if (this.#pending.count === 0) return;
    this.#store.guarded(() => {
      this.#pending.drain((high, low, name) => this.#putHalves.run(high | 0, low >>> 0, name));
    });
  }

  /** The open transaction was undone. Hashes that it saw stay seen, which only costs a look into the table. */
  forgetCache(): void {
    this.#names.forget();
    this.#pending.clear();
  }

  #noteSeen(hash: bigint): void {
    const { high, low } = hashFromBigInt(hash);
    this.#seen?.add(high, low);
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
