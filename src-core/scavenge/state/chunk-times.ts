/**
 * The earliest and latest time of the prepares of each chunk, held in memory as halves of their ticks: a scavenge
 * compares every event with an age against them. A chunk without prepares has none.
 */
import type { ChunkNumber } from '../../units/of-unit.ts';
import { ticksFromHalves } from '../../units/ticks.ts';
import { halvesOfTicks } from '../decisions/tick-halves.ts';
import type { TimeRangeTable } from './state-tables.ts';

export class ChunkTimes implements TimeRangeTable {
  #minHigh = new Int32Array(0);
  #minLow = new Uint32Array(0);
  #maxHigh = new Int32Array(0);
  #maxLow = new Uint32Array(0);
  #isKnown = new Uint8Array(0);

  reload(): void {
    // Nothing else holds them.
  }

  put(chunkNumber: ChunkNumber, min: bigint, max: bigint): void {
    const earliest = halvesOfTicks(min);
    const latest = halvesOfTicks(max);
    this.keep(chunkNumber, earliest.high, earliest.low, latest.high, latest.low);
  }

  has(chunkNumber: ChunkNumber): boolean {
    return this.#isKnown[chunkNumber] === 1;
  }

  get(chunkNumber: ChunkNumber): { min: bigint; max: bigint } | undefined {
    if (!this.has(chunkNumber)) return undefined;
    return {
      min: ticksFromHalves(this.#minHigh[chunkNumber]!, this.#minLow[chunkNumber]!),
      max: ticksFromHalves(this.#maxHigh[chunkNumber]!, this.#maxLow[chunkNumber]!)
    };
  }

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

  protected clear(): void {
    this.#isKnown.fill(0);
  }

  protected keep(
    chunkNumber: ChunkNumber,
    minHigh: number,
    minLow: number,
    maxHigh: number,
    maxLow: number
  ): void {
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
