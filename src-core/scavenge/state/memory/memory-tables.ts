/** The tables of a scavenge state in memory. */
import type { CollisionStore } from '../../decisions/stream-collisions.ts';
import { ChunkTimes } from '../chunk-times.ts';
import type { StateTables } from '../state-tables.ts';
import { MemoryClaimTables } from './memory-claims.ts';
import { MemoryMetastreams } from './memory-metastreams.ts';
import { MemoryOriginals } from './memory-originals.ts';
import { MemoryHashUsers } from './memory-users.ts';
import { MemoryWeights } from './memory-weights.ts';

class MemoryCollisions implements CollisionStore {
  readonly #names = new Set<string>();

  add(stream: string): void {
    this.#names.add(stream);
  }

  all(): string[] {
    return [...this.#names];
  }
}

export class MemoryTables implements StateTables {
  readonly originals = new MemoryOriginals();
  readonly metastreams = new MemoryMetastreams();
  readonly weights = new MemoryWeights();
  readonly timeRanges = new ChunkTimes();
  readonly hashUsers = new MemoryHashUsers();
  readonly collisions: CollisionStore = new MemoryCollisions();
  readonly claims = new MemoryClaimTables(this.originals, this.metastreams);

  /** What the rows take of memory. */
  get bytes(): number {
    return this.originals.bytes + this.metastreams.bytes + this.hashUsers.bytes;
  }
}
