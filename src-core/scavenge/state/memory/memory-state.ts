/**
 * A scavenge state in memory, for questions: the same tables as those of the file, and nobody reads it afterwards. A
 * transaction only marks what belongs together; one that is undone leaves the state half changed, so from then on it
 * refuses to be asked (scavenge-state.ts).
 */
import { assert } from '../../../assert.ts';
import type { CollisionStore } from '../../decisions/stream-collisions.ts';
import { ChunkTimes } from '../chunk-times.ts';
import { MemoryClaimTables } from './memory-claims.ts';
import { MemoryMetastreams } from './memory-metastreams.ts';
import type { StreamsImage } from './memory-streams.ts';
import { MemoryOriginals } from './memory-originals.ts';
import { MemoryHashUsers } from './memory-users.ts';
import { MemoryWeights } from './memory-weights.ts';
import type { StateStorage, StateTables } from '../state-tables.ts';

class MemoryCollisions implements CollisionStore {
  readonly #names = new Set<string>();

  add(stream: string): void {
    this.#names.add(stream);
  }

  all(): string[] {
    return [...this.#names];
  }
}

/** Plain values over memory that all threads share. */
export interface StateImage {
  originals: StreamsImage;
  metastreams: StreamsImage;
  collisions: string[];
}

export class MemoryTables implements StateTables {
  readonly originals = new MemoryOriginals();
  readonly metastreams = new MemoryMetastreams();
  readonly weights = new MemoryWeights();
  readonly timeRanges = new ChunkTimes();
  readonly hashUsers = new MemoryHashUsers();
  readonly collisions: CollisionStore = new MemoryCollisions();
  readonly claims = new MemoryClaimTables(this.originals, this.metastreams);

  /** What records and entries are judged by, for other threads, which only read. */
  get image(): StateImage {
    return {
      originals: this.originals.image,
      metastreams: this.metastreams.image,
      collisions: this.collisions.all()
    };
  }

  /** What the rows take of memory. */
  get bytes(): number {
    return this.originals.bytes + this.metastreams.bytes + this.hashUsers.bytes;
  }
}

export class MemoryState implements StateStorage {
  readonly path = ':memory:';
  readonly tables: MemoryTables;
  #isInTransaction = false;
  #isHalfChanged = false;
  #checkpointText: string | undefined;

  constructor(tables = new MemoryTables()) {
    this.tables = tables;
  }

  /** What an image shows. */
  static over({ originals, metastreams, collisions }: StateImage): MemoryState {
    const tables = new MemoryTables();
    tables.originals.image = originals;
    tables.metastreams.image = metastreams;
    for (const stream of collisions) tables.collisions.add(stream);
    return new MemoryState(tables);
  }

  get isInTransaction(): boolean {
    return this.#isInTransaction;
  }

  get isHalfChanged(): boolean {
    return this.#isHalfChanged;
  }

  get checkpointText(): string | undefined {
    this.#requireWhole();
    return this.#checkpointText;
  }

  set checkpointText(text: string | undefined) {
    this.#requireWhole();
    this.#checkpointText = text;
  }

  begin(): void {
    this.#requireWhole();
    assert(!this.#isInTransaction, 'transactions of the scavenge state do not nest');
    this.#isInTransaction = true;
  }

  commit(): void {
    assert(this.#isInTransaction, 'a transaction is open');
    this.#isInTransaction = false;
  }

  rollback(): void {
    this.#isInTransaction = false;
    this.#isHalfChanged = true;
  }

  flush(): void {
    assert(!this.#isInTransaction, 'what is not committed cannot be flushed');
  }

  close(): void {
    // Memory is freed with the last who knows it.
  }

  openTables(): StateTables {
    this.#requireWhole();
    return this.tables;
  }

  #requireWhole(): void {
    assert(!this.#isHalfChanged, 'a scavenge state is not asked after a transaction of it was lost');
  }
}
