/**
 * What the scavenge state says of all streams of one kind, by hash, in memory: open addressing, 48 bytes a stream. Chunk
 * and index execution ask for every record and every entry, in no order that a cache could make use of, and each question
 * waits for memory: so all that is known of a stream lies in half a line of the processor's cache. Filled once; nothing is
 * ever added or removed afterwards, and other threads may read it where it lies.
 */
import { assert } from '../../assert.ts';
import type { StreamVerdict } from './should-discard.ts';

const FILLED = 1;
const TOMBSTONED = 2;
const AGED = 4;
/** Slots for each stream: a third stays empty, so that a search ends soon. */
const SLOTS_PER_STREAM = 1.5;
const FEWEST_SLOTS = 16;

/**
 * A slot:
 *
 *   word 0, 1   hash, upper and lower half
 *   word 2      flags; 0: nothing there
 *   word 3      which of the cutoffs
 *   words 4-7   discard point and maybe discard point, as doubles
 */
const SLOT_BYTES = 32;
const WORDS = SLOT_BYTES / Uint32Array.BYTES_PER_ELEMENT;
const DOUBLES = SLOT_BYTES / Float64Array.BYTES_PER_ELEMENT;

/** What is known of streams of one kind, by hash. */
export interface VerdictReader {
  /** False, and `into` says that nothing is known, for a stream that is not in the table. */
  read(high: number, low: number, into: StreamVerdict): boolean;
}

/** What another thread needs to read a table: plain values and memory that both see. */
export interface SharedVerdictTable {
  memory: SharedArrayBuffer;
  isMetastream: boolean;
  cutoffs: { high: number[]; low: number[] };
}

export class VerdictTable implements VerdictReader {
  readonly #isMetastream: boolean;
  readonly #slots: number;
  /** From the 32 bits of a hash to its slot. */
  readonly #scale: number;
  readonly #words: Uint32Array;
  readonly #doubles: Float64Array;
  readonly #cutoffs: Cutoffs;
  #free: number;

  private constructor({ memory, isMetastream, cutoffs }: SharedVerdictTable, free: number) {
    this.#slots = memory.byteLength / SLOT_BYTES;
    this.#scale = this.#slots / 2 ** 32;
    this.#free = free;
    this.#isMetastream = isMetastream;
    this.#cutoffs = new Cutoffs(cutoffs);
    this.#words = new Uint32Array(memory);
    this.#doubles = new Float64Array(memory);
  }

  /** To be filled with `count` streams. */
  static withRoomFor({ count, isMetastream }: { count: number; isMetastream: boolean }): VerdictTable {
    const memory = new SharedArrayBuffer(VerdictTable.bytesFor(count));
    return new VerdictTable({ memory, isMetastream, cutoffs: { high: [], low: [] } }, count);
  }

  /** One that another thread has filled. */
  static over(shared: SharedVerdictTable): VerdictTable {
    return new VerdictTable(shared, 0);
  }

  /** For other threads, once it is filled. */
  get shared(): SharedVerdictTable {
    const { high, low } = this.#cutoffs;
    return {
      memory: this.#words.buffer as SharedArrayBuffer,
      isMetastream: this.#isMetastream,
      cutoffs: { high, low }
    };
  }

  /** What a table of so many streams takes of memory. */
  static bytesFor(count: number): number {
    return VerdictTable.#slotsFor(count) * SLOT_BYTES;
  }

  static #slotsFor(count: number): number {
    return Math.max(FEWEST_SLOTS, Math.ceil(count * SLOTS_PER_STREAM));
  }

  /** A stream that is not in the table yet. */
  add(high: number, low: number, verdict: StreamVerdict): void {
    assert(this.#free > 0, 'the table of verdicts has room for as many streams as it was made for');
    this.#free--;
    const words = this.#words;
    let slot = this.#firstSlot(high, low);
    while (words[slot * WORDS + 2] !== 0) slot = this.#next(slot);
    const at = slot * WORDS;
    words[at] = high;
    words[at + 1] = low;
    words[at + 2] = FILLED | (verdict.isTombstoned ? TOMBSTONED : 0) | (verdict.cutoff.isSet ? AGED : 0);
    words[at + 3] = verdict.cutoff.isSet
      ? this.#cutoffs.numberOf(verdict.cutoff.high, verdict.cutoff.low)
      : 0;
    this.#doubles[slot * DOUBLES + 2] = verdict.discardPoint;
    this.#doubles[slot * DOUBLES + 3] = verdict.maybeDiscardPoint;
  }

  read(high: number, low: number, into: StreamVerdict): boolean {
    const words = this.#words;
    let slot = this.#firstSlot(high, low);
    let at = slot * WORDS;
    let flags = words[at + 2]!;
    while (flags !== 0 && (words[at + 1] !== low || words[at] !== high)) {
      slot = this.#next(slot);
      at = slot * WORDS;
      flags = words[at + 2]!;
    }
    into.isMetastream = this.#isMetastream;
    into.isKnown = flags !== 0;
    into.isTombstoned = (flags & TOMBSTONED) !== 0;
    into.cutoff.isSet = (flags & AGED) !== 0;
    if (flags === 0) return false;
    into.discardPoint = this.#doubles[slot * DOUBLES + 2]!;
    into.maybeDiscardPoint = this.#doubles[slot * DOUBLES + 3]!;
    if ((flags & AGED) === 0) return true;
    into.cutoff.high = this.#cutoffs.high[words[at + 3]!]!;
    into.cutoff.low = this.#cutoffs.low[words[at + 3]!]!;
    return true;
  }

  /** Hashes are spread evenly, so their bits are stretched over the slots. */
  #firstSlot(high: number, low: number): number {
    return Math.floor(((high ^ low) >>> 0) * this.#scale);
  }

  #next(slot: number): number {
    return slot + 1 === this.#slots ? 0 : slot + 1;
  }
}

/** Times before which events expire: as many as there are different maximum ages. */
class Cutoffs {
  readonly high: number[];
  readonly low: number[];
  readonly #numbers = new Map<number, Map<number, number>>();

  constructor({ high, low }: SharedVerdictTable['cutoffs']) {
    this.high = high;
    this.low = low;
  }

  numberOf(high: number, low: number): number {
    const numbers = this.#numbers.get(high) ?? new Map<number, number>();
    this.#numbers.set(high, numbers);
    const known = numbers.get(low);
    if (known !== undefined) return known;
    numbers.set(low, this.high.length);
    this.high.push(high);
    this.low.push(low);
    return this.high.length - 1;
  }
}
