/** The streams of the server itself, which it names with a dollar sign. */
import { HashSieve } from './hash-sieve.ts';
import type { AskedStreams } from './log-entries.ts';

const DOLLAR = 0x24;

/**
 * All of them, and what shares a hash with one of `streams`, which a look-up counts as a collision. Who reads a log for these keeps
 * next to nothing and sorts nothing.
 */
export function systemStreams(streams: Iterable<string>): AskedStreams {
  const sieve = HashSieve.of(streams);
  return ({ bytes, streamStart }, { high }) => bytes[streamStart] === DOLLAR || sieve.mayHold(high);
}
