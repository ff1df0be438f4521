/**
 * What a reader that passes through a file in order asks the system to read before it gets there. A disk that answers
 * at once needs no asking: the system's own reading ahead keeps up, and in larger pieces of memory than what is asked
 * for. A reader that has to wait asks for more and more, as long as that helps: many requests at once is what networks,
 * arrays and flash need to be fast. What did not help is not tried again in the same file: the time went elsewhere, such as
 * to other processes, or the disk gives no more.
 */

/** Smaller reads tell nothing about the disk: most are answered from what the system has read ahead. */
const LEAST_TIMED_BYTES = 256 * 1024;
/** From memory 0.2 ms, from a fast disk 1 ms: a reader waits when a MiB takes longer than this. */
const WAITING_MS_PER_MIB = 4;
const MIB = 1024 * 1024;
/** One slow read may have been a busy processor: the mean over so much decides, and over all that is asked for at once. */
const LEAST_JUDGED_BYTES = 2 * MIB;
const FIRST_DEPTH_BYTES = 8 * MIB;
const LARGEST_DEPTH_BYTES = 32 * MIB;
/** Asking for twice as much is worth while if reads take at most this part of the time they took. */
const WORTH_WHILE = 0.8;

export interface TimedRead {
  position: number;
  /** Bytes that were read. */
  count: number;
  tookMs: number;
}

export class ReadAhead {
  /** Bytes that shall be under way before the reader; 0 as long as it does not wait. */
  #depthBytes = 0;
  #askedTo = 0;
  /** Since the depth was judged last. */
  #bytes = 0;
  #tookMs = 0;
  /** With the depth before this one. */
  #msPerMibBefore = Infinity;
  #isSettled = false;

  /** True if the time of a read of so many bytes is wanted. */
  static times(length: number): boolean {
    return length >= LEAST_TIMED_BYTES;
  }

  /** After a read of a reader that goes through the file in order: what to ask for, if anything. */
  after({ position, count, tookMs }: TimedRead): { from: number; length: number } | undefined {
    if (!ReadAhead.times(count)) return undefined;
    this.#judge(count, tookMs);
    const depth = this.#depthBytes;
    if (depth === 0) return undefined;
    const here = position + count;
    const from = Math.max(here, this.#askedTo);
    const to = here + depth;
    // A call for each read would be many, and requests of a quarter of the depth are still several at once.
    if (to - from < depth / 4) return undefined;
    this.#askedTo = to;
    return { from, length: to - from };
  }

  /** Asking took so long: where no more requests fit, the system waits there and not in the reads. */
  waited(ms: number): void {
    this.#tookMs += ms;
  }

  /** The reader has gone elsewhere. */
  moved(): void {
    this.#askedTo = 0;
  }

  #judge(count: number, tookMs: number): void {
    this.#bytes += count;
    this.#tookMs += tookMs;
    if (this.#bytes < Math.max(LEAST_JUDGED_BYTES, this.#depthBytes)) return;
    this.#choose((this.#tookMs * MIB) / this.#bytes);
    this.#bytes = 0;
    this.#tookMs = 0;
  }

  #choose(msPerMib: number): void {
    if (this.#isSettled) return;
    const depth = this.#depthBytes;
    if (depth > 0 && msPerMib > this.#msPerMibBefore * WORTH_WHILE) {
      this.#depthBytes = depth === FIRST_DEPTH_BYTES ? 0 : depth / 2;
      this.#isSettled = true;
    } else if (msPerMib > WAITING_MS_PER_MIB) {
      this.#depthBytes = Math.min(LARGEST_DEPTH_BYTES, Math.max(FIRST_DEPTH_BYTES, depth * 2));
      this.#isSettled = this.#depthBytes === depth;
      this.#msPerMibBefore = msPerMib;
    }
  }
}
