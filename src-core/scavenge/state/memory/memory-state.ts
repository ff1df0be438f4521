/**
 * A scavenge state in memory, for questions: the same tables as those of the file, and nobody reads it afterwards. A
 * transaction only marks what belongs together; one that is undone leaves the state half changed, so from then on it
 * refuses to be asked (scavenge-state.ts).
 */
import { assert } from '../../../assert.ts';
import type { StateStorage, StateTables } from '../state-tables.ts';
import { MemoryTables } from './memory-tables.ts';
import { writeFromMemory } from './write-from-memory.ts';

/** What rows may take of memory, and the empty file that they move to when they take more. */
export interface MemoryBound {
  bytes: number;
  openFile: () => StateStorage;
}

export class MemoryState implements StateStorage {
  readonly path = ':memory:';
  readonly tables: MemoryTables;
  #isInTransaction = false;
  #isHalfChanged = false;
  #checkpointText: string | undefined;

  readonly #bound: MemoryBound | undefined;

  constructor(tables = new MemoryTables(), bound?: MemoryBound) {
    this.tables = tables;
    this.#bound = bound;
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

  outgrown(): { store: StateStorage; tables: StateTables } | undefined {
    const bound = this.#bound;
    if (bound === undefined || this.tables.bytes <= bound.bytes) return undefined;
    const store = bound.openFile();
    return { store, tables: writeFromMemory(this.tables, this.#checkpointText, store) };
  }

  #requireWhole(): void {
    assert(!this.#isHalfChanged, 'a scavenge state is not asked after a transaction of it was lost');
  }
}
