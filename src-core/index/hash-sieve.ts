/**
 * Which hashes may be among some: a bit for each value of their upper 20 bits. It never holds back one of them, and lets few
 * others through, so that who reads a whole log for some streams keeps hardly more than theirs.
 */
import type { AskedStreams } from './log-entries.ts';
import { hashStream, type StreamHash } from './stream-hash.ts';

const DROPPED_BITS = 12;
const WORDS = 1 << 15;

export class HashSieve {
  readonly #bits = new Int32Array(WORDS);

  static of(streams: Iterable<string>): HashSieve {
    const sieve = new HashSieve();
    for (const stream of streams) sieve.add(hashStream(stream));
    return sieve;
  }

  add({ high }: StreamHash): void {
    const bit = high >>> DROPPED_BITS;
    this.#bits[bit >>> 5]! |= 1 << (bit & 31);
  }

  /** `high`: the upper half of a hash. */
  mayHold(high: number): boolean {
    const bit = high >>> DROPPED_BITS;
    return (this.#bits[bit >>> 5]! & (1 << (bit & 31))) !== 0;
  }

  get streams(): AskedStreams {
    return (_, { high }) => this.mayHold(high);
  }
}
