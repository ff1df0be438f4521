/**
 * Keeps one copy below a number of bytes for each second, and lets others have a turn. A rest is as long as the bytes may take: what
 * the copy itself took comes on top, so the limit holds.
 */

/** Rests shorter than this are saved up. */
const SHORTEST_REST_MS = 20;
/** A rest is slept in pieces, so that a request to stop is noticed: a block at 10 KiB a second takes minutes. */
const REST_PIECE_MS = 100;

export class CopyPace {
  readonly #bytesPerSecond: number;
  readonly #throwIfStopped: () => void;
  #owedMs = 0;

  /** `bytesPerSecond`: 0 for no limit. `throwIfStopped`: asked before and during a rest. */
  constructor(bytesPerSecond: number, throwIfStopped: () => void) {
    this.#bytesPerSecond = bytesPerSecond;
    this.#throwIfStopped = throwIfStopped;
  }

  /** So many bytes were copied. */
  async after(count: number): Promise<void> {
    if (this.#bytesPerSecond > 0) this.#owedMs += (count / this.#bytesPerSecond) * 1000;
    if (this.#owedMs < SHORTEST_REST_MS) {
      await new Promise((resolve) => setImmediate(resolve));
      return;
    }
    while (this.#owedMs > 0) {
      this.#throwIfStopped();
      const pieceMs = Math.min(this.#owedMs, REST_PIECE_MS);
      this.#owedMs -= pieceMs;
      await new Promise((resolve) => setTimeout(resolve, pieceMs));
    }
  }
}
