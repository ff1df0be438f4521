/**
 * How many bytes an operation may read and write in a second, all its threads together. Those who move bytes count them
 * here and never wait; the operation rests between its slices until what it moved is paid for (`operation-control.ts`).
 * Time that nobody used is not saved up, so a rate is never exceeded for longer than a moment.
 */

/** Plain values that cross to a worker thread. */
export interface RateSetup {
  /** 1 or more. */
  bytesPerSecond: number;
  /** One 64-bit number: the time, in microseconds, up to which everything moved is paid for. */
  paidUntil: SharedArrayBuffer;
}

export function rateSetup(bytesPerSecond: number): RateSetup {
  return { bytesPerSecond, paidUntil: new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT) };
}

/** Small reads are counted together. */
const COUNTED_TOGETHER = 64 * 1024;
/** Rests shorter than this are saved up. */
const SHORTEST_REST_MS = 20;
const US_PER_MS = 1000;

export class ByteRate {
  readonly #bytesPerSecond: number;
  readonly #paidUntil: BigInt64Array;
  readonly #elapsedMs: () => number;
  #uncounted = 0;
  #owes = false;

  /** `elapsedMs`: the same in all threads. */
  constructor({ bytesPerSecond, paidUntil }: RateSetup, elapsedMs: () => number) {
    this.#bytesPerSecond = bytesPerSecond;
    this.#paidUntil = new BigInt64Array(paidUntil);
    this.#elapsedMs = elapsedMs;
  }

  /** So many bytes were read or written. */
  count(bytes: number): void {
    this.#uncounted += bytes;
    if (this.#uncounted < COUNTED_TOGETHER) return;
    const costUs = BigInt(Math.round((this.#uncounted / this.#bytesPerSecond) * 1e6));
    this.#uncounted = 0;
    const nowUs = BigInt(Math.round(this.#elapsedMs() * US_PER_MS));
    let found = Atomics.load(this.#paidUntil, 0);
    for (;;) {
      const paid = (found > nowUs ? found : nowUs) + costUs;
      const before = Atomics.compareExchange(this.#paidUntil, 0, found, paid);
      if (before === found) {
        this.#owes = Number(paid - nowUs) >= SHORTEST_REST_MS * US_PER_MS;
        return;
      }
      found = before;
    }
  }

  /** True when a rest is due: cheap enough to ask for each record. */
  get owes(): boolean {
    return this.#owes;
  }

  /**
   * Milliseconds until what was moved so far is paid for, by all threads: to rest now, counted as rested. What others move
   * meanwhile is theirs to rest for.
   */
  takeRest(): number {
    this.#owes = false;
    return Number(Atomics.load(this.#paidUntil, 0)) / US_PER_MS - this.#elapsedMs();
  }
}
