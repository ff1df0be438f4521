/**
 * Seeded random numbers: the same seed gives the same sample database, byte for byte. Not for secrets.
 * The generator is sfc32, four 32-bit words of state.
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: number) {
    this.#a = seed | 0;
    this.#b = (seed / 4294967296) | 0;
    this.#c = 0x5eed;
    for (let i = 0; i < 15; i++) this.next();
  }

  /** A whole number from 0 to 2^32-1. */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return sum >>> 0;
  }

  /** A whole number from 0 to `bound` - 1. */
  below(bound: number): number {
    return Math.floor((this.next() / 4294967296) * bound);
  }

  chance(probability: number): boolean {
    return this.next() / 4294967296 < probability;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  /** A GUID in the form of version 4. */
  guid(): string {
    const [a, b, c, d] = [this.next(), this.next(), this.next(), this.next()];
    return (
      `${word(a >>> 16)}${word(a)}-${word(b >>> 16)}-${word((b & 0x0fff) | 0x4000)}-` +
      `${word(((c >>> 16) & 0x3fff) | 0x8000)}-${word(c)}${word(d >>> 16)}${word(d)}`
    );
  }
}

const WORDS = Array.from({ length: 65536 }, (_, value) => value.toString(16).padStart(4, '0'));

/** Four hexadecimal digits of the lower 16 bits. */
function word(value: number): string {
  return WORDS[value & 0xffff]!;
}
