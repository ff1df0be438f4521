/**
 * What the scavenge remembers of chunks, by logical chunk number: the weight (about twice the number of records
 * that can go) and the earliest and latest time of its prepares.
 */
import type { ChunkNumber, ChunkWeight } from '../../units/of-unit.ts';
import type { StatementSync } from 'node:sqlite';
import { ticksFromHalves } from '../../units/ticks.ts';
import { halvesOfTicks } from '../decisions/tick-halves.ts';
import type { StateStore } from './state-store.ts';

export class ChunkWeightTable {
  readonly #store: StateStore;
  readonly #add: StatementSync;
  readonly #get: StatementSync;
  readonly #sum: StatementSync;
  readonly #reset: StatementSync;
  readonly #anyNonZero: StatementSync;
  readonly #last: StatementSync;

  constructor(store: StateStore) {
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

  /** undefined when nothing is stored, which weighs nothing. */
  get(chunkNumber: ChunkNumber): ChunkWeight | undefined {
    const row = this.#store.guarded(() => this.#get.get(chunkNumber));
    return row === undefined ? undefined : Number(row['value']);
  }

  /** Weight of the logical chunks `first` … `last`, both included. */
  sum(first: ChunkNumber, last: ChunkNumber): ChunkWeight {
    return Number(this.#store.guarded(() => this.#sum.get(first, last))?.['sum'] ?? 0);
  }

  /** Number of the last chunk with a weight, -1 when there is none. */
  get lastChunk(): number {
    return Number(this.#store.guarded(() => this.#last.get())?.['key'] ?? -1);
  }

  reset(first: ChunkNumber, last: ChunkNumber): void {
    this.#store.guarded(() => this.#reset.run(first, last));
  }

  /** Each for itself: weights that merely add up to zero do not count. */
  get areAllZero(): boolean {
    return this.#store.guarded(() => this.#anyNonZero.get()) === undefined;
  }
}

/**
 * Time ranges, held in memory as halves of their ticks: a scavenge compares every event with an age against
 * them. A chunk without prepares has none.
 */
export class ChunkTimeRanges {
  readonly #store: StateStore;
  readonly #put: StatementSync;
  readonly #all: StatementSync;
  #minHigh = new Int32Array(0);
  #minLow = new Uint32Array(0);
  #maxHigh = new Int32Array(0);
  #maxLow = new Uint32Array(0);
  #isKnown = new Uint8Array(0);

  constructor(store: StateStore) {
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

  /** Reads all rows again: at the start, and after a transaction was undone. */
  reload(): void {
    this.#isKnown.fill(0);
    for (const row of this.#store.guarded(() => this.#all.all())) {
      const value = (name: string) => Number(row[name]);
      this.#keep(value('key'), value('minHigh'), value('minLow'), value('maxHigh'), value('maxLow'));
    }
  }

  put(chunkNumber: ChunkNumber, min: bigint, max: bigint): void {
    this.#store.guarded(() => this.#put.run(chunkNumber, min, max));
    const earliest = halvesOfTicks(min);
    const latest = halvesOfTicks(max);
    this.#keep(chunkNumber, earliest.high, earliest.low, latest.high, latest.low);
  }

  has(chunkNumber: ChunkNumber): boolean {
    return this.#isKnown[chunkNumber] === 1;
  }

  /** The range of a chunk, undefined when there is none. */
  get(chunkNumber: ChunkNumber): { min: bigint; max: bigint } | undefined {
    if (!this.has(chunkNumber)) return undefined;
    return {
      min: ticksFromHalves(this.#minHigh[chunkNumber]!, this.#minLow[chunkNumber]!),
      max: ticksFromHalves(this.#maxHigh[chunkNumber]!, this.#maxLow[chunkNumber]!)
    };
  }

  /** Number of the last chunk with a range, -1 when there is none. */
  get lastChunk(): number {
    return this.#isKnown.lastIndexOf(1);
  }

  /** Every prepare of the chunk is at or after the time. */
  isAllSince(chunkNumber: ChunkNumber, high: number, low: number): boolean {
    const minHigh = this.#minHigh[chunkNumber]!;
    return high !== minHigh ? high < minHigh : low <= this.#minLow[chunkNumber]!;
  }

  /** Every prepare of the chunk is before the time. */
  isAllBefore(chunkNumber: ChunkNumber, high: number, low: number): boolean {
    const maxHigh = this.#maxHigh[chunkNumber]!;
    return high !== maxHigh ? maxHigh < high : this.#maxLow[chunkNumber]! < low;
  }

  #keep(chunkNumber: ChunkNumber, minHigh: number, minLow: number, maxHigh: number, maxLow: number): void {
    if (chunkNumber >= this.#isKnown.length) this.#grow(chunkNumber + 1);
    this.#isKnown[chunkNumber] = 1;
    this.#minHigh[chunkNumber] = minHigh;
    this.#minLow[chunkNumber] = minLow;
    this.#maxHigh[chunkNumber] = maxHigh;
    this.#maxLow[chunkNumber] = maxLow;
  }

  #grow(needed: number): void {
    const length = Math.max(64, needed, this.#isKnown.length * 2);
    const copy = <T extends Int32Array | Uint32Array | Uint8Array>(larger: T, old: T): T => {
      larger.set(old);
      return larger;
    };
    this.#isKnown = copy(new Uint8Array(length), this.#isKnown);
    this.#minHigh = copy(new Int32Array(length), this.#minHigh);
    this.#minLow = copy(new Uint32Array(length), this.#minLow);
    this.#maxHigh = copy(new Int32Array(length), this.#maxHigh);
    this.#maxLow = copy(new Uint32Array(length), this.#maxLow);
  }
}
