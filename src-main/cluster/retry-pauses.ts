/** When to retry after a failure: after pauses that double, up to a longest one. */
export interface PauseLengths {
  firstMs: number;
  longestMs: number;
}

export const NODE_PAUSES: PauseLengths = { firstMs: 1000, longestMs: 60_000 };

export class RetryPauses {
  readonly #lengths: PauseLengths;
  /** Milliseconds of a monotonic clock. */
  readonly #clock: () => number;
  readonly #failed = new Map<string, { pauseMs: number; untilMs: number }>();

  constructor(lengths: PauseLengths, clock: () => number) {
    this.#lengths = lengths;
    this.#clock = clock;
  }

  isOver(what: string): boolean {
    return this.#clock() >= (this.#failed.get(what)?.untilMs ?? 0);
  }

  failed(what: string): void {
    const { firstMs, longestMs } = this.#lengths;
    const last = this.#failed.get(what);
    const pauseMs = last === undefined ? firstMs : Math.min(2 * last.pauseMs, longestMs);
    this.#failed.set(what, { pauseMs, untilMs: this.#clock() + pauseMs });
  }

  succeeded(what: string): void {
    this.#failed.delete(what);
  }
}

/** Passes on the same message at most once a minute. */
export class RareWords {
  readonly #clock: () => number;
  readonly #saidMs = new Map<string, number>();

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  isNews(sentence: string): boolean {
    const now = this.#clock();
    for (const [said, at] of this.#saidMs) if (now - at >= SILENCE_MS) this.#saidMs.delete(said);
    if (this.#saidMs.has(sentence)) return false;
    this.#saidMs.set(sentence, now);
    return true;
  }
}

const SILENCE_MS = 60_000;
