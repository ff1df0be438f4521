/**
 * Which stream was first seen with a hash, and which streams are known to share theirs. Every prepare of the log asks
 * here once, so four things stand between the question and the table: names that were asked for before
 * (known-names.ts), hashes that are certainly new (seen-hashes.ts), users found in the open transaction, which
 * are written when it ends (pending-users.ts), and questions that can wait for their answer (doubted-names.ts).
 *
 * What memory has learned from a transaction that is then undone must be forgotten with it.
 */
import type { StatementSync } from 'node:sqlite';
import { assert } from '../../assert.ts';
import { signedHash } from '../decisions/stream-handle.ts';
import type { CollisionStore } from '../decisions/stream-collisions.ts';
import { DoubtedNames } from './doubted-names.ts';
import type { NameBytes } from './known-names.ts';
import { PendingUsers } from './pending-users.ts';
import type { RowBatch } from './row-batch.ts';
import { SeenHashes } from './seen-hashes.ts';
import type { StateConnection } from './state-connection.ts';
import type { HashUserTable } from './state-tables.ts';
import { WAITING_LIMITS, type WaitingLimits } from './waiting/waiting-limits.ts';

export class HashUsers implements HashUserTable {
  readonly #store: StateConnection;
  readonly #waiting: WaitingLimits;
  readonly #get: StatementSync;
  readonly #put: StatementSync;
  readonly #users: RowBatch;
  #pending = new PendingUsers();
  #doubted: DoubtedNames;
  /** Only if the table was empty at first is its content known. */
  #seen: SeenHashes | undefined;

  constructor(store: StateConnection, waiting = WAITING_LIMITS) {
    this.#store = store;
    this.#waiting = waiting;
    this.#doubted = this.#newDoubted();
    this.#get = store.prepare(
      'SELECT value FROM HashUsers WHERE key = ((CAST(?1 AS INTEGER) << 32) | CAST(?2 AS INTEGER))'
    );
    this.#put = store.prepare(
      'INSERT INTO HashUsers (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value'
    );
    this.#users = store.newBatch({
      into: 'INSERT INTO HashUsers (key, value) VALUES',
      row: '((CAST(? AS INTEGER) << 32) | CAST(? AS INTEGER), ?)',
      conflict: 'ON CONFLICT (key) DO UPDATE SET value = excluded.value'
    });
    const any = store.prepare('SELECT 1 FROM HashUsers LIMIT 1');
    if (store.guarded(() => any.get()) === undefined) this.#seen = new SeenHashes(waiting.seenSlots);
  }

  #newDoubted(): DoubtedNames {
    const { doubted } = this.#waiting;
    return new DoubtedNames(this.#store, doubted, {
      makeRoom: (names) => this.#makeRoom(names),
      takeUnknown: (high, low, name) => this.#takeUnknown(high, low, name)
    });
  }

  release(): void {
    assert(this.#pending.count === 0, 'what waits is written before its memory is given back');
    this.#pending.release();
    this.#doubted.release();
    this.#seen?.release();
    this.#pending = new PendingUsers();
    this.#doubted = this.#newDoubted();
    this.#seen = undefined;
  }

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

  put(high: number, low: number, stream: string): void {
    if (this.#store.isInTransaction) {
      const bytes = Buffer.from(stream, 'utf8');
      this.putBytes(high, low, { bytes, streamStart: 0, streamEnd: bytes.length });
      return;
    }
    this.#seen?.add(high, low);
    this.#store.guarded(() => this.#put.run(signedHash(high, low), stream));
  }

  putBytes(high: number, low: number, name: Omit<NameBytes, 'view'>): void {
    this.#makeRoom(1);
    this.#pending.add(high, low, name);
    this.#seen?.add(high, low);
  }

  doubt(high: number, low: number, name: Omit<NameBytes, 'view'>): boolean {
    const isUser = this.#pending.isUser(high, low, name);
    if (isUser === undefined) this.#doubted.add(high, low, name);
    return isUser !== false;
  }

  isOtherDoubted(high: number, low: number, name: Omit<NameBytes, 'view'>): boolean {
    return this.#doubted.hasOther(high, low, name);
  }

  takeDiffering(): readonly string[] {
    return this.#doubted.take();
  }

  #makeRoom(names: number): void {
    if (this.#pending.count + names > this.#waiting.users) this.flush();
  }

  /**
   * Its hash is not stored; it may wait to be, for this name or for another one, which has the same answer: none is written in
   * between, or the second one would take the place of the first.
   */
  #takeUnknown(high: number, low: number, stream: string): void {
    const bytes = Buffer.from(stream, 'utf8');
    const name = { bytes, streamStart: 0, streamEnd: bytes.length };
    const isUser = this.#pending.isUser(high, low, name);
    if (isUser === undefined) {
      this.#pending.add(high, low, name);
      this.#seen?.add(high, low);
    } else if (!isUser) {
      this.#doubted.addDiffering(stream);
    }
  }

  flush(): void {
    if (this.#pending.count === 0) return;
    this.#pending.drain((high, low, name) => this.#store.put(this.#users, high | 0, low >>> 0, name));
  }

  /** Hashes that the undone transaction saw stay seen, which only costs a look into the table. */
  forget(): void {
    this.#pending.clear();
    this.#doubted.clear();
  }
}

export class HashCollisions implements CollisionStore {
  readonly #store: StateConnection;
  readonly #add: StatementSync;
  readonly #all: StatementSync;

  constructor(store: StateConnection) {
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
