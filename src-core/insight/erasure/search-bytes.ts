/** Where any of several byte patterns occurs in a window of a file. Pure. */
import type { Pattern } from './erasure-question.ts';

export interface Hit {
  readonly pattern: Pattern;
  /** Offset in the window. */
  readonly at: number;
}

/** All occurrences that lie wholly in the window and begin at `from` or behind it, in the order of their places. */
export function findHits(window: Buffer, from: number, patterns: readonly Pattern[]): Hit[] {
  const hits: Hit[] = [];
  for (const pattern of patterns) {
    for (let at = window.indexOf(pattern.bytes, from); at >= 0; at = window.indexOf(pattern.bytes, at + 1)) {
      hits.push({ pattern, at });
    }
  }
  return hits.sort((a, b) => a.at - b.at);
}

export function longestPattern(patterns: readonly Pattern[]): number {
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
