/**
 * Entries in memory that come in the order of the log and leave in that of a table. Each is kept as a table of
 * version 4 has it, 24 bytes side by side, so that putting it at its place touches memory once.
 *
 * Sorting moves keys, not entries: they are dealt into buckets by the upper bits of the hash, in one pass; each bucket
 * is then sorted, looked through and handed out while the processor's cache holds it. Within a hash entries start out
 * newest first, which nearly always is their order by number; a run where it is not is sorted by comparison.
 *
 *   memory   24 bytes an entry, and 12 more while they are sorted
 */
import type { AtNumber, AtPosition } from '../../units/of-unit.ts';
import { assert } from '../../assert.ts';
import type { EntryBlock } from '../index-entry.ts';
import { decodeEntries, encodeEntry, entrySizeBytes, NEWEST_TABLE_VERSION } from '../index-table.ts';
import type { EntryStream } from '../merge-streams.ts';

const ENTRY_WORDS = entrySizeBytes(NEWEST_TABLE_VERSION) / 4;
const HASH_LOW = 2;
const HASH_HIGH = 3;
const TWO_32 = 4294967296;
/** Entries a bucket should have, if hashes lie evenly. */
const ENTRIES_PER_BUCKET = 16;
const MOST_BUCKET_BITS = 17;
/** Above, moving entries one by one takes longer than comparing them in order of magnitude. */
const MOST_TO_INSERT = 96;

export class EntryBuffer {
  readonly capacity: number;
  readonly words: Uint32Array;
  count = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.words = new Uint32Array(capacity * ENTRY_WORDS);
  }

  add(hashHigh: number, hashLow: number, number: AtNumber, position: AtPosition): void {
    assert(this.count < this.capacity, 'a full buffer takes no entry');
    encodeEntry(
      NEWEST_TABLE_VERSION,
      this.words,
      this.count++ * ENTRY_WORDS,
      hashHigh,
      hashLow,
      number,
      position
    );
  }

  /** A buffer with the same entries and more room. */
  withCapacity(capacity: number): EntryBuffer {
    const larger = new EntryBuffer(capacity);
    larger.words.set(this.words.subarray(0, this.count * ENTRY_WORDS));
    larger.count = this.count;
    return larger;
  }
}

/** The entries of a buffer in table order, once. The buffer must not change meanwhile. */
export class SortedBuffer implements EntryStream {
  readonly block: EntryBlock;
  readonly #buffer: EntryBuffer;
  /** Index in the buffer of the entry at each place, and what of its hash the bucket does not tell. */
  readonly #order: Uint32Array;
  readonly #keys: Float64Array;
  /** Where each bucket ends. Buckets run from the greatest hash down. */
  readonly #ends: Uint32Array;
  readonly #words: Uint32Array;
  #bucket = 0;
  /** Places before this one are sorted, and before `#at` handed out. */
  #sortedTo = 0;
  #at = 0;

  constructor(buffer: EntryBuffer, block: EntryBlock) {
    this.block = block;
    this.#buffer = buffer;
    this.#words = new Uint32Array(block.capacity * ENTRY_WORDS);
    this.#order = new Uint32Array(buffer.count);
    this.#keys = new Float64Array(buffer.count);
    this.#ends = this.#deal();
  }

  next(): boolean {
    this.block.count = this.nextWords(this.#words);
    decodeEntries(NEWEST_TABLE_VERSION, this.#words, this.block.count, this.block, 0);
    return this.block.count > 0;
  }

  close(): void {
    this.#at = this.#buffer.count;
  }

  /** Fills `into` with the entries that follow; gives how many. */
  nextWords(into: Uint32Array): number {
    const { words, count } = this.#buffer;
    const wanted = Math.min(Math.floor(into.length / ENTRY_WORDS), count - this.#at);
    for (let done = 0; done < wanted;) {
      if (this.#sortedTo === this.#at) this.#sortNextBucket();
      const part = Math.min(wanted - done, this.#sortedTo - this.#at);
      for (let i = 0; i < part; i++) {
        const from = this.#order[this.#at + i]! * ENTRY_WORDS;
        const to = (done + i) * ENTRY_WORDS;
        for (let word = 0; word < ENTRY_WORDS; word++) into[to + word] = words[from + word]!;
      }
      this.#at += part;
      done += part;
    }
    return wanted;
  }

  /** Deals all entries into buckets, newest first in each. */
  #deal(): Uint32Array {
    const { words, count } = this.#buffer;
    const bits = Math.min(MOST_BUCKET_BITS, Math.max(1, Math.ceil(Math.log2(count / ENTRIES_PER_BUCKET))));
    const shift = 32 - bits;
    const rest = 2 ** shift - 1;
    const last = 2 ** bits - 1;
    const places = new Uint32Array(last + 1);
    for (let w = HASH_HIGH; w < count * ENTRY_WORDS; w += ENTRY_WORDS)
      places[last - (words[w]! >>> shift)]!++;
    let start = 0;
    for (let bucket = 0; bucket <= last; bucket++) {
      const size = places[bucket]!;
      places[bucket] = start;
      start += size;
    }
    for (let i = count - 1; i >= 0; i--) {
      const high = words[i * ENTRY_WORDS + HASH_HIGH]!;
      const at = places[last - (high >>> shift)]!++;
      this.#order[at] = i;
      this.#keys[at] = (high & rest) * TWO_32 + words[i * ENTRY_WORDS + HASH_LOW]!;
    }
    // Each place has moved on to the end of its bucket.
    return places;
  }

  #sortNextBucket(): void {
    const from = this.#sortedTo;
    while (this.#ends[this.#bucket] === from) this.#bucket++;
    const to = this.#ends[this.#bucket++]!;
    if (to - from > MOST_TO_INSERT && !this.#isOneHash(from, to)) {
      this.#order.subarray(from, to).sort((a, b) => this.#descending(a, b));
    } else {
      this.#insert(from, to);
      this.#sortRuns(from, to);
    }
    this.#sortedTo = to;
  }

  #isOneHash(from: number, to: number): boolean {
    const keys = this.#keys;
    for (let i = from + 1; i < to; i++) if (keys[i] !== keys[from]) return false;
    return true;
  }

  /** Stable: entries of one hash stay as they are. */
  #insert(from: number, to: number): void {
    const keys = this.#keys;
    const order = this.#order;
    for (let i = from + 1; i < to; i++) {
      const key = keys[i]!;
      if (key <= keys[i - 1]!) continue;
      const entry = order[i]!;
      let at = i;
      for (; at > from && keys[at - 1]! < key; at--) {
        keys[at] = keys[at - 1]!;
        order[at] = order[at - 1]!;
      }
      keys[at] = key;
      order[at] = entry;
    }
  }

  /** Entries of one hash are in order already, as a rule; a run of them that is not is sorted. */
  #sortRuns(from: number, to: number): void {
    const keys = this.#keys;
    const order = this.#order;
    let start = from;
    let isOrdered = true;
    for (let i = from + 1; i < to; i++) {
      if (keys[i] !== keys[i - 1]) {
        if (!isOrdered) this.#sortRun(start, i);
        start = i;
        isOrdered = true;
      } else if (isOrdered && this.#descendingInHash(order[i - 1]!, order[i]!) > 0) {
        isOrdered = false;
      }
    }
    if (!isOrdered) this.#sortRun(start, to);
  }

  #sortRun(from: number, to: number): void {
    this.#order.subarray(from, to).sort((a, b) => this.#descendingInHash(a, b));
  }

  #descending(a: number, b: number): number {
    const { words } = this.#buffer;
    const x = a * ENTRY_WORDS;
    const y = b * ENTRY_WORDS;
    return (
      words[y + HASH_HIGH]! - words[x + HASH_HIGH]! ||
      words[y + HASH_LOW]! - words[x + HASH_LOW]! ||
      this.#descendingInHash(a, b)
    );
  }

  /** By number and position, which are never negative; as halves, since they may reach 2^63. */
  #descendingInHash(a: number, b: number): number {
    const { words } = this.#buffer;
    const x = a * ENTRY_WORDS;
    const y = b * ENTRY_WORDS;
    return (
      words[y + 1]! - words[x + 1]! ||
      words[y]! - words[x]! ||
      words[y + 5]! - words[x + 5]! ||
      words[y + 4]! - words[x + 4]!
    );
  }
}
