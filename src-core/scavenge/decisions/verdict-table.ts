/**
 * What the scavenge state says of all streams of one kind, by hash, in memory: open addressing over typed arrays,
 * some 50 bytes a stream. Chunk and index execution ask for every record and every entry, in no order that a
 * cache could make use of. Filled once; nothing is ever added or removed afterwards.
 */
import { assert } from '../../assert.ts';
import type { StreamVerdict } from './should-discard.ts';

const FILLED = 1;
const TOMBSTONED = 2;
const AGED = 4;
/** Slots for each stream at least: more than a third stays empty, so that a search ends soon. */
const SLOTS_PER_STREAM = 1.5;

/** What is known of streams of one kind, by hash. */
export interface VerdictReader {
  /** False, and `into` says that nothing is known, for a stream that is not in the table. */
  read(high: number, low: number, into: StreamVerdict): boolean;
}

export class VerdictTable implements VerdictReader {
  readonly #mask: number;
  readonly #isMetastream: boolean;
  readonly #high: Uint32Array;
  readonly #low: Uint32Array;
  readonly #flags: Uint8Array;
  readonly #discardPoint: Float64Array;
  readonly #maybeDiscardPoint: Float64Array;
  readonly #cutoffHigh: Int32Array;
  readonly #cutoffLow: Uint32Array;
  #free: number;

  /** Room for `count` streams. */
  constructor({ count, isMetastream }: { count: number; isMetastream: boolean }) {
    let slots = 16;
    while (slots < count * SLOTS_PER_STREAM) slots *= 2;
    this.#mask = slots - 1;
    this.#free = count;
    this.#isMetastream = isMetastream;
    this.#high = new Uint32Array(slots);
    this.#low = new Uint32Array(slots);
    this.#flags = new Uint8Array(slots);
    this.#discardPoint = new Float64Array(slots);
    this.#maybeDiscardPoint = new Float64Array(slots);
    this.#cutoffHigh = new Int32Array(slots);
    this.#cutoffLow = new Uint32Array(slots);
  }

  /** A stream that is not in the table yet. */
  add(high: number, low: number, verdict: StreamVerdict): void {
    assert(this.#free > 0, 'the table of verdicts has room for as many streams as it was made for');
    this.#free--;
    let slot = (high ^ low) & this.#mask;
    while (this.#flags[slot] !== 0) slot = (slot + 1) & this.#mask;
    this.#high[slot] = high;
    this.#low[slot] = low;
    this.#flags[slot] = FILLED | (verdict.isTombstoned ? TOMBSTONED : 0) | (verdict.cutoff.isSet ? AGED : 0);
    this.#discardPoint[slot] = verdict.discardPoint;
    this.#maybeDiscardPoint[slot] = verdict.maybeDiscardPoint;
    this.#cutoffHigh[slot] = verdict.cutoff.high;
    this.#cutoffLow[slot] = verdict.cutoff.low;
  }

  read(high: number, low: number, into: StreamVerdict): boolean {
    let slot = (high ^ low) & this.#mask;
    let flags = this.#flags[slot]!;
    while (flags !== 0 && (this.#low[slot] !== low || this.#high[slot] !== high)) {
      slot = (slot + 1) & this.#mask;
      flags = this.#flags[slot]!;
    }
    into.isMetastream = this.#isMetastream;
    into.isKnown = flags !== 0;
    into.isTombstoned = (flags & TOMBSTONED) !== 0;
    into.cutoff.isSet = (flags & AGED) !== 0;
    if (flags === 0) return false;
    into.discardPoint = this.#discardPoint[slot]!;
    into.maybeDiscardPoint = this.#maybeDiscardPoint[slot]!;
    into.cutoff.high = this.#cutoffHigh[slot]!;
    into.cutoff.low = this.#cutoffLow[slot]!;
    return true;
  }
}
