/** Where any of several byte patterns occurs in a piece of a file, and where zeros end. Pure. */
import type { Pattern } from './erasure-question.ts';

export interface Hit {
  readonly pattern: Pattern;
  /** Offset in the bytes searched. */
  readonly at: number;
}

/** Bytes compared together. */
const BLOCK = 2;

/**
 * Finds all of many patterns in one walk over the bytes (the method of Wu and Manber): the last two bytes of a window
 * as long as the shortest pattern say how far the window may be moved without passing one by. So time hardly grows with
 * the number of names, where a search for each would.
 */
export class PatternSearch {
  /** Of the longest pattern, in bytes. */
  readonly longest: number;
  readonly #single: readonly Pattern[];
  /** Length of the shortest pattern with at least two bytes: the length of the window. */
  readonly #window: number;
  readonly #shifts: Uint8Array;
  /** By the last two bytes of their beginnings: patterns that may end the window there. */
  readonly #ends = new Map<number, Pattern[]>();

  constructor(patterns: readonly Pattern[]) {
    this.longest = longestPattern(patterns);
    this.#single = patterns.filter(({ bytes }) => bytes.length < BLOCK);
    const others = patterns.filter(({ bytes }) => bytes.length >= BLOCK);
    this.#window = others.reduce((least, { bytes }) => Math.min(least, bytes.length), 255);
    this.#shifts = new Uint8Array(65_536).fill(this.#window - BLOCK + 1);
    for (const pattern of others) this.#learn(pattern);
  }

  /** All occurrences that lie wholly in the bytes and begin at `from` or behind it, in the order of their places. */
  find(bytes: Buffer, from: number): Hit[] {
    const hits: Hit[] = [];
    if (this.#ends.size > 0) this.#walk(bytes, from, hits);
    for (const pattern of this.#single) {
      for (let at = bytes.indexOf(pattern.bytes, from); at >= 0; at = bytes.indexOf(pattern.bytes, at + 1)) {
        hits.push({ pattern, at });
      }
    }
    return hits.sort((a, b) => a.at - b.at);
  }

  #learn(pattern: Pattern): void {
    const { bytes } = pattern;
    for (let end = BLOCK; end <= this.#window; end++) {
      const block = (bytes[end - 2]! << 8) | bytes[end - 1]!;
      this.#shifts[block] = Math.min(this.#shifts[block]!, this.#window - end);
      if (end < this.#window) continue;
      const same = this.#ends.get(block);
      if (same) same.push(pattern);
      else this.#ends.set(block, [pattern]);
    }
  }

  #walk(bytes: Buffer, from: number, hits: Hit[]): void {
    const shifts = this.#shifts;
    const reach = this.#window - 1;
    const { length } = bytes;
    let last = from + reach;
    while (last < length) {
      const block = (bytes[last - 1]! << 8) | bytes[last]!;
      const shift = shifts[block]!;
      if (shift > 0) {
        last += shift;
        continue;
      }
      const at = last - reach;
      for (const pattern of this.#ends.get(block) ?? []) {
        if (isAt(bytes, at, pattern.bytes)) hits.push({ pattern, at });
      }
      last++;
    }
  }
}

function isAt(bytes: Buffer, at: number, wanted: Buffer): boolean {
  if (at + wanted.length > bytes.length) return false;
  for (let i = 0; i < wanted.length; i++) if (bytes[at + i] !== wanted[i]) return false;
  return true;
}

function longestPattern(patterns: readonly Pattern[]): number {
  return patterns.reduce((longest, { bytes }) => Math.max(longest, bytes.length), 0);
}

const ZEROS = Buffer.alloc(64 * 1024);

/** Offset of the first byte at or behind `from` that is not zero; `end` when there is none. Fast over zeros. */
export function firstNonZero(window: Buffer, from: number, end: number): number {
  let at = from;
  while (end - at >= ZEROS.length && ZEROS.compare(window, at, at + ZEROS.length) === 0) at += ZEROS.length;
  while (at < end && window[at] === 0) at++;
  return at;
}

/** Offset behind the last byte below `end` that is not zero; `from` when there is none. */
export function lastNonZeroEnd(window: Buffer, from: number, end: number): number {
  let at = end;
  while (at - from >= ZEROS.length && ZEROS.compare(window, at - ZEROS.length, at) === 0) at -= ZEROS.length;
  while (at > from && window[at - 1] === 0) at--;
  return at;
}
