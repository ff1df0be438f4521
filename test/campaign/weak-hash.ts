/**
 * A hash with few values, so that streams collide all the time, also streams with metadata streams. Those that a
 * scavenge itself writes to keep their own: among that many collisions a writer gives a stream up.
 */
import type { StreamHasher } from '../../src-core/index/stream-hash.ts';
import { hashStream } from '../../src-core/index/stream-hash.ts';

const VALUES = 9;

export const weakHasher: StreamHasher = (stream, into = { high: 0, low: 0 }) => {
  if (stream.includes('$scavenge')) return hashStream(stream, into);
  let sum = 0;
  for (let i = 0; i < stream.length; i++) sum += stream.charCodeAt(i) * (i + 1);
  into.high = 0x8000_0000 + (sum % 2); // on both sides of the sign
  into.low = sum % VALUES;
  return into;
};

export type HasherName = 'real' | 'weak';

export function hasherOf(name: HasherName): StreamHasher {
  return name === 'real' ? hashStream : weakHasher;
}
