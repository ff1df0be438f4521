/**
 * From when to when, as the time of a question, something that was judged by records' ages holds: from the question that made
 * it up to the moment before the next record expires. Written as texts, since ticks have 64 bits.
 */
export interface SpanFacts {
  /** The time of a question must not be before the first or after the second, ticks. */
  from: string;
  upTo: string;
}

const TICKS_PER_MS = 10_000n;

export class ValidSpan {
  readonly #from: bigint;
  #upTo: bigint;

  /** Both inclusive, ticks. */
  constructor(from: bigint, upTo: bigint) {
    this.#from = from;
    this.#upTo = upTo;
  }

  static of({ from, upTo }: SpanFacts): ValidSpan {
    return new ValidSpan(BigInt(from), BigInt(upTo));
  }

  holds(now: bigint): boolean {
    return now >= this.#from && now <= this.#upTo;
  }

  /** Ends it so many milliseconds after `since`, unless it ends before. Infinity: never. */
  endAfter(ms: number, since = 0n): void {
    if (ms === Infinity) return;
    const ticks = since + BigInt(ms) * TICKS_PER_MS;
    if (ticks < this.#upTo) this.#upTo = ticks;
  }

  /** As texts; a span that has ended before it began holds at its beginning. */
  get facts(): SpanFacts {
    const upTo = this.#upTo < this.#from ? this.#from : this.#upTo;
    return { from: String(this.#from), upTo: String(upTo) };
  }
}
