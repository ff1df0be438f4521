/**
 * Random numbers that a seed determines, the same on every machine: a failing test prints its seed and can be run
 * again. Not for secrets.
 */
export class Prng {
  readonly seed: number;
  #state: number;

  constructor(seed: number) {
    this.seed = seed;
    // Neighbouring seeds must not give similar sequences, and the state must never be 0.
    this.#state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ (seed >>> 13)) >>> 0 || 0x6d2b79f5;
    for (let i = 0; i < 4; i++) this.next();
  }

  /** 0 to 2^32-1. */
  next(): number {
    let state = this.#state;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    this.#state = state >>> 0;
    return Math.imul(this.#state, 0x9e3779b1) >>> 0;
  }

  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number {
    return Math.floor((this.next() / 2 ** 32) * limit);
  }

  /** A whole number of the range, both ends included. */
  between({ low, high }: { low: number; high: number }): number {
    return low + this.below(high - low + 1);
  }

  /** True with the given probability. */
  chance(probability: number): boolean {
    return this.next() / 2 ** 32 < probability;
  }

  pick<T>(values: readonly T[]): T {
    const value = values[this.below(values.length)];
    if (value === undefined) throw new Error('There is nothing to pick from.');
    return value;
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.below(256));
  }

  /** A new array of the same values in another order. */
  shuffled<T>(values: readonly T[]): T[] {
    const result = [...values];
    for (let i = result.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [result[i], result[j]] = [result[j]!, result[i]!];
    }
    return result;
  }
}
