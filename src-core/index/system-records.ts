/** The records that questions about streams of the server itself need: it names them with a dollar sign. */
import { HashSieve } from './hash-sieve.ts';
import type { AskedRecords } from './log-entries.ts';

const DOLLAR = 0x24;

/**
 * Of all streams of the system, and whatever shares a hash with one of `streams`, which a look-up counts as a collision. Reading a
 * log for them keeps next to nothing and sorts nothing.
 */
export function systemRecords(streams: Iterable<string>): AskedRecords {
  const sieve = HashSieve.of(streams);
  return ({ bytes, streamStart }, { high }) => bytes[streamStart] === DOLLAR || sieve.mayHold(high);
}
