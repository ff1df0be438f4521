/**
 * The scavenge state as the phases see it: streams by name or by hash (it knows which of the two is right),
 * chunks, and the checkpoint. Changes and checkpoint commit together where a phase asks for a transaction.
 */
import type { StreamHash, StreamHasher } from '../../index/stream-hash.ts';
import { hashStreamOf, type NamedRecord } from '../../index/stream-hash.ts';
import {
  decodeScavengeCheckpoint,
  encodeScavengeCheckpoint,
  type ScavengeCheckpoint
} from './scavenge-checkpoint.ts';
import type { ScavengeTrace } from '../scavenge-trace.ts';
import { StreamCollisions, type CollisionResult } from '../decisions/stream-collisions.ts';
import { hashFromHalves, isMetastreamName, type StreamHandle } from '../decisions/stream-handle.ts';
import { ChunkTimeRanges, ChunkWeightTable } from './chunk-tables.ts';
import { ClaimedStreams } from './claimed-streams.ts';
import { DEFAULT_HASH_USERS_CACHE_CAPACITY, HashCollisions, HashUsers } from './hash-users.ts';
import type { NameBytes } from './known-names.ts';
import type { StateStore } from './state-store.ts';
import { Metastreams, OriginalStreams } from './stream-tables.ts';

export interface ScavengeStateOptions {
  store: StateStore;
  hasher: StreamHasher;
  hashUsersCacheCapacity?: number;
  trace?: ScavengeTrace;
}

export class ScavengeState {
  readonly originals: OriginalStreams;
  readonly metastreams: Metastreams;
  readonly weights: ChunkWeightTable;
  readonly timeRanges: ChunkTimeRanges;
  readonly collisions: StreamCollisions;
  readonly hashUsers: HashUsers;
  readonly claims: ClaimedStreams;
  readonly #store: StateStore;
  readonly #hasher: StreamHasher;
  readonly #trace: ScavengeTrace | undefined;
  readonly #hash: StreamHash = { high: 0, low: 0 };

  constructor({ store, hasher, hashUsersCacheCapacity, trace }: ScavengeStateOptions) {
    this.#store = store;
    this.#hasher = hasher;
    this.#trace = trace;
    this.originals = new OriginalStreams(store);
    this.metastreams = new Metastreams(store);
    this.weights = new ChunkWeightTable(store);
    this.timeRanges = new ChunkTimeRanges(store);
    this.hashUsers = new HashUsers(store, hashUsersCacheCapacity ?? DEFAULT_HASH_USERS_CACHE_CAPACITY);
    this.claims = new ClaimedStreams(store);
    this.collisions = new StreamCollisions(this.hashUsers, new HashCollisions(store), (stream) =>
      hasher(stream, { high: 0, low: 0 })
    );
  }

  /** The file behind it, for further connections. */
  get path(): string {
    return this.#store.path;
  }

  close(): void {
    this.#store.close();
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
    this.hashUsers.flush();
    this.#store.commit();
  }

  /** Returns once everything committed is on the disk, which a commit by itself does not promise. */
  flush(): void {
    this.#store.flush();
  }

  /** Undoes the open transaction, and whatever memory has learned from it. */
  rollback(): void {
    if (!this.#store.isInTransaction) return;
    this.#store.rollback();
    this.collisions.reload();
    this.hashUsers.forgetCache();
    this.timeRanges.reload();
    this.#trace?.entry?.({ kind: 'rollback' });
  }

  /**
   * Takes note of the stream of a record. Nothing is allocated for a name that was met before. True when it is
   * certain that no stream with this hash was ever met, in a state that was empty when it was opened.
   */
  detectCollisionOf(record: NamedRecord & NameBytes): boolean {
    const { hashUsers } = this;
    if (hashUsers.isKnownName(record)) return false;
    const { high, low } = hashStreamOf(record, this.#hasher, this.#hash);
    const isNew = hashUsers.isNew(high, low);
    if (isNew && this.#store.isInTransaction) hashUsers.putBytes(high, low, record);
    else this.#detect(record.stream, high, low);
    hashUsers.rememberName(record);
    return isNew;
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
      const hash = hashFromHalves(high, low);
      this.metastreams.moveToCollisions(hash, result.collidesWith);
      this.originals.moveToCollisions(hash, result.collidesWith);
    }
    return result;
  }

  /** How a stream is named in the tables. */
  handleOf(stream: string): StreamHandle {
    if (this.collisions.isColliding(stream)) return { kind: 'id', stream };
    const { high, low } = this.#hasher(stream, this.#hash);
    return { kind: 'hash', hash: hashFromHalves(high, low) };
  }

  hashOf(stream: string, into: StreamHash): StreamHash {
    return this.#hasher(stream, into);
  }

  isMetastream(stream: string): boolean {
    return isMetastreamName(stream);
  }
}
