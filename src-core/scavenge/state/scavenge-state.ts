/**
 * The scavenge state as the phases see it: streams by name or by hash (it knows which of the two is right),
 * chunks, and the checkpoint. Changes and checkpoint commit together where a phase asks for a transaction.
 */
import { assert } from '../../assert.ts';
import type { StreamHash, StreamHasher } from '../../index/stream-hash.ts';
import { hashStream, hashStreamOf, type NamedRecord } from '../../index/stream-hash.ts';
import {
  decodeScavengeCheckpoint,
  encodeScavengeCheckpoint,
  type ScavengeCheckpoint
} from './scavenge-checkpoint.ts';
import type { ScavengeTrace } from '../scavenge-trace.ts';
import { StreamCollisions, type CollisionResult } from '../decisions/stream-collisions.ts';
import { isMetastreamName, type StreamHandle } from '../decisions/stream-handle.ts';
import { KnownNames, type NameBytes } from './known-names.ts';
import type {
  ClaimTables,
  HashUserTable,
  MetastreamTable,
  OriginalTable,
  StateStorage,
  StateTables,
  TimeRangeTable,
  WeightTable
} from './state-tables.ts';

export const DEFAULT_HASH_USERS_CACHE_CAPACITY = 100_000;

export interface ScavengeStateOptions {
  store: StateStorage;
  hasher: StreamHasher;
  hashUsersCacheCapacity?: number;
  trace?: ScavengeTrace;
}

export class ScavengeState {
  readonly collisions: StreamCollisions;
  /** Names that are remembered at least. */
  readonly hashUsersCacheCapacity: number;
  /** Names that needed no second look, and those that did. */
  cacheHits = 0;
  cacheMisses = 0;
  #tables: StateTables;
  readonly #names: KnownNames;
  #store: StateStorage;
  readonly #hasher: StreamHasher;
  readonly #trace: ScavengeTrace | undefined;
  readonly #hash: StreamHash = { high: 0, low: 0 };

  constructor({ store, hasher, hashUsersCacheCapacity, trace }: ScavengeStateOptions) {
    this.#store = store;
    this.#hasher = hasher;
    this.#trace = trace;
    const tables = store.openTables();
    this.#tables = tables;
    this.hashUsersCacheCapacity = hashUsersCacheCapacity ?? DEFAULT_HASH_USERS_CACHE_CAPACITY;
    this.#names = new KnownNames(this.hashUsersCacheCapacity);
    this.collisions = new StreamCollisions(tables.hashUsers, tables.collisions, (stream) =>
      hasher(stream, { high: 0, low: 0 })
    );
  }

  /** Streams are known by the server's hash. */
  get hasServerHashes(): boolean {
    return this.#hasher === hashStream;
  }

  /** The file behind it, for further connections. */
  get path(): string {
    return this.#store.path;
  }

  close(): void {
    this.#store.close();
  }

  /** Where the tables lie. */
  get storage(): StateStorage {
    return this.#store;
  }

  get originals(): OriginalTable {
    return this.#whole.originals;
  }

  get metastreams(): MetastreamTable {
    return this.#whole.metastreams;
  }

  get weights(): WeightTable {
    return this.#whole.weights;
  }

  get timeRanges(): TimeRangeTable {
    return this.#whole.timeRanges;
  }

  get hashUsers(): HashUserTable {
    return this.#whole.hashUsers;
  }

  get claims(): ClaimTables {
    return this.#whole.claims;
  }

  get #whole(): StateTables {
    assert(!this.#store.isHalfChanged, 'a scavenge state is not asked after a transaction of it was lost');
    return this.#tables;
  }

  get checkpoint(): ScavengeCheckpoint | undefined {
    const text = this.#store.checkpointText;
    return text === undefined ? undefined : decodeScavengeCheckpoint(text);
  }

  /** Stores a checkpoint, in the open transaction or for itself. */
  setCheckpoint(checkpoint: ScavengeCheckpoint): void {
    this.#store.checkpointText = encodeScavengeCheckpoint(checkpoint);
    this.#trace?.entry?.({ kind: 'checkpoint', checkpoint });
    this.#trace?.checkpointing?.(checkpoint);
  }

  /** Begins a transaction; end it with `commit`, or `rollback` when anything failed. */
  begin(): void {
    this.#store.begin();
  }

  commit(): void {
    this.settleNames();
    this.hashUsers.flush();
    this.#store.commit();
    const outgrown = this.#store.outgrown?.();
    if (outgrown === undefined) return;
    this.#store = outgrown.store;
    this.#tables = outgrown.tables;
    this.collisions.moveTo(outgrown.tables.hashUsers, outgrown.tables.collisions);
  }

  /** From now on all of it is what lies there. */
  moveTo(store: StateStorage): void {
    this.#store.close();
    this.#store = store;
    this.#tables = store.openTables();
    this.collisions.moveTo(this.#tables.hashUsers, this.#tables.collisions);
    this.collisions.reload();
  }

  /** Returns once everything committed is on the disk, which a commit by itself does not promise. */
  flush(): void {
    this.#store.flush();
  }

  /** Its rows were read into memory: they are hardly asked for any more. */
  releaseRows(): void {
    this.#store.releaseMemory?.();
  }

  /** Undoes the open transaction, and whatever memory has learned from it. */
  rollback(): void {
    if (!this.#store.isInTransaction) return;
    this.#store.rollback();
    this.#trace?.entry?.({ kind: 'rollback' });
    if (this.#store.isHalfChanged) return;
    this.collisions.reload();
    this.hashUsers.forget();
    this.#names.forget();
    this.timeRanges.reload();
  }

  /**
   * Until then it may be open whether streams that were met in this transaction share their hash; before anything is
   * stored under a hash it must be known.
   */
  settleNames(): void {
    for (const stream of this.hashUsers.takeDiffering?.() ?? []) this.detectCollision(stream);
  }

  /**
   * Takes note of the stream of a record. Nothing is allocated for a name that was met before. True when it is
   * certain that no stream with this hash was ever met, in a state that was empty when it was opened.
   */
  detectCollisionOf(record: NamedRecord & NameBytes): boolean {
    if (this.#isKnownName(record)) return false;
    return this.#takeUp(record, hashStreamOf(record, this.#hasher, this.#hash));
  }

  /** Names that were asked about in the same chunk, which a run finds among the known ones. */
  countKnownNames(count: number): void {
    this.cacheHits += count;
  }

  /** The same, and in any case the hash of the stream. */
  detectAndHash(record: NamedRecord & NameBytes, into: StreamHash): boolean {
    hashStreamOf(record, this.#hasher, into);
    return !this.#isKnownName(record) && this.#takeUp(record, into);
  }

  /**
   * Takes note of a stream that no record was read for: it counts as neither hit nor miss. True when the streams that
   * were met up to now are known to share its hash; its own question may be open.
   */
  detectUncounted(name: NamedRecord & NameBytes, into: StreamHash): boolean {
    const { high, low } = hashStreamOf(name, this.#hasher, into);
    if (!this.#names.has(name)) this.#takeUp(name, into);
    if (this.hashUsers.isOtherDoubted?.(high, low, name) === true) this.settleNames();
    return this.collisions.isCollidingHash(high, low);
  }

  /** This very name was asked about before: there is nothing more to find out. */
  #isKnownName(name: NameBytes): boolean {
    if (this.#names.has(name)) {
      this.cacheHits++;
      return true;
    }
    this.cacheMisses++;
    return false;
  }

  #takeUp(record: NamedRecord & NameBytes, { high, low }: StreamHash): boolean {
    const { hashUsers } = this;
    const isNew = hashUsers.isNew(high, low);
    const { isInTransaction } = this.#store;
    if (isNew && isInTransaction) hashUsers.putBytes(high, low, record);
    else if (!isInTransaction || hashUsers.doubt?.(high, low, record) !== true)
      this.#detect(record.stream, high, low);
    this.#names.remember(record);
    return isNew;
  }

  /** All streams are taken note of: what only that needs makes room for what follows. */
  forgetNames(): void {
    this.#names.forget();
    this.hashUsers.release?.();
  }

  /** Takes note of a stream by name. */
  detectCollision(stream: string): CollisionResult {
    const { high, low } = this.#hasher(stream, this.#hash);
    return this.#detect(stream, high, low);
  }

  #detect(stream: string, high: number, low: number): CollisionResult {
    const result = this.collisions.detect(stream, high, low);
    if (result.kind === 'new') {
      // What was stored under the hash belongs to its first user; from now on it is found by that name.
      this.metastreams.moveToCollisions(high, low, result.collidesWith);
      this.originals.moveToCollisions(high, low, result.collidesWith);
    }
    return result;
  }

  /** How a stream is named in the tables. */
  handleOf(stream: string): StreamHandle {
    if (this.collisions.isColliding(stream)) return { kind: 'id', stream };
    const { high, low } = this.#hasher(stream, this.#hash);
    return { kind: 'hash', high, low };
  }

  hashOf(stream: string, into: StreamHash): StreamHash {
    return this.#hasher(stream, into);
  }

  isMetastream(stream: string): boolean {
    return isMetastreamName(stream);
  }
}
