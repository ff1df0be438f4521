/**
 * What the scavenge remembers of chunks, by logical chunk number: the weight (about twice the number of records
 * that can go) and the earliest and latest time of its prepares.
 */
import type { ChunkNumber, ChunkWeight } from '../../units/of-unit.ts';
import type { StatementSync } from 'node:sqlite';
import { ChunkTimes } from './chunk-times.ts';
import type { StateConnection } from './state-connection.ts';
import type { WeightTable } from './state-tables.ts';

export class ChunkWeightTable implements WeightTable {
  readonly #store: StateConnection;
  readonly #add: StatementSync;
  readonly #get: StatementSync;
  readonly #sum: StatementSync;
  readonly #reset: StatementSync;
  readonly #anyNonZero: StatementSync;
  readonly #last: StatementSync;

  constructor(store: StateConnection) {
    this.#store = store;
    this.#add = store.prepare(
      'INSERT INTO ChunkWeights (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = value + excluded.value'
    );
    this.#get = store.prepare('SELECT value FROM ChunkWeights WHERE key = ?');
    this.#sum = store.prepare('SELECT TOTAL(value) AS sum FROM ChunkWeights WHERE key BETWEEN ? AND ?');
    this.#reset = store.prepare('DELETE FROM ChunkWeights WHERE key BETWEEN ? AND ?');
    this.#last = store.prepare('SELECT key FROM ChunkWeights ORDER BY key DESC LIMIT 1');
    this.#anyNonZero = store.prepare('SELECT 1 FROM ChunkWeights WHERE value <> 0 LIMIT 1');
  }

  add(chunkNumber: ChunkNumber, weight: ChunkWeight): void {
    this.#store.guarded(() => this.#add.run(chunkNumber, weight));
  }

  get(chunkNumber: ChunkNumber): ChunkWeight | undefined {
    const row = this.#store.guarded(() => this.#get.get(chunkNumber));
    return row === undefined ? undefined : Number(row['value']);
  }

  sum(first: ChunkNumber, last: ChunkNumber): ChunkWeight {
    // Of no rows the sum is null, which is 0.
    return Number(this.#store.guarded(() => this.#sum.get(first, last))!['sum']);
  }

  get lastChunk(): number {
    return Number(this.#store.guarded(() => this.#last.get())?.['key'] ?? -1);
  }

  reset(first: ChunkNumber, last: ChunkNumber): void {
    this.#store.guarded(() => this.#reset.run(first, last));
  }

  get areAllZero(): boolean {
    return this.#store.guarded(() => this.#anyNonZero.get()) === undefined;
  }
}

/** Time ranges that are stored too. */
export class ChunkTimeRanges extends ChunkTimes {
  readonly #store: StateConnection;
  readonly #put: StatementSync;
  readonly #all: StatementSync;

  constructor(store: StateConnection) {
    super();
    this.#store = store;
    this.#put = store.prepare(
      'INSERT INTO ChunkTimeStampRanges (key, min, max) VALUES (?, ?, ?) ' +
        'ON CONFLICT (key) DO UPDATE SET min = excluded.min, max = excluded.max'
    );
    this.#all = store.prepare(
      'SELECT key, (min >> 32) AS minHigh, (min & 4294967295) AS minLow, ' +
        '(max >> 32) AS maxHigh, (max & 4294967295) AS maxLow FROM ChunkTimeStampRanges'
    );
    this.reload();
  }

  override reload(): void {
    this.clear();
    for (const row of this.#store.guarded(() => this.#all.all())) {
      const value = (name: string) => Number(row[name]);
      this.keep(value('key'), value('minHigh'), value('minLow'), value('maxHigh'), value('maxLow'));
    }
  }

  override put(chunkNumber: ChunkNumber, min: bigint, max: bigint): void {
    this.#store.guarded(() => this.#put.run(chunkNumber, min, max));
    super.put(chunkNumber, min, max);
  }
}
