/**
 * The two hashes of a stream's name straight from the ASCII bytes of a record, four at a time, as if the name had been
 * written out in UTF-16 first: every word of four bytes is two characters. Gives the same as hash-functions.ts over
 * those bytes, at a third of the time; a walk over a log asks once a record. Names in other characters and short ones
 * are left to the caller.
 */
export interface StreamHash {
  /** Upper 32 bits, unsigned. */
  high: number;
  /** Lower 32 bits, unsigned. */
  low: number;
}

const P1 = 2654435761 | 0;
const P2 = 2246822519 | 0;
const P3 = 3266489917 | 0;
const P4 = 668265263;
const C1 = 0xcc9e2d51 | 0;
const C2 = 0x1b873593;
const NOT_ASCII = 0x80808080 | 0;
/** Below, the draft of xxHash works byte by byte (less than 16 bytes of UTF-16). */
const MIN_CHARACTERS = 8;

/**
 * Hash of the `length` bytes at `start`, which lie in `view`, into `into`. False: the name is not of this kind, and
 * `into` is as it was.
 */
export function hashAscii(
  view: DataView,
  start: number,
  length: number,
  seed: number,
  into: StreamHash
): boolean {
  if (length < MIN_CHARACTERS) return false;
  if (!hashWithXx(view, start, length, seed, into)) return false;
  into.low = murmurOf(view, start, length, seed);
  return true;
}

/** The upper half; false when a character is not ASCII. */
function hashWithXx(view: DataView, start: number, length: number, seed: number, into: StreamHash): boolean {
  const last = start + length - 8;
  let a = (seed + P1) | 0;
  let b = (Math.imul(a, P2) + length * 2) | 0;
  let c = Math.imul(b, P3);
  let d = Math.imul(c, P4);
  let met = 0;
  let at = start;
  for (; at < last; at += 8) {
    const low = view.getInt32(at, true);
    const high = view.getInt32(at + 4, true);
    met |= low | high;
    a = (Math.imul((a + rotate(a, 13)) | 0, P1) + firstTwo(low)) | 0;
    b = (Math.imul((b + rotate(b, 11)) | 0, P1) + lastTwo(low)) | 0;
    c = (Math.imul((c + rotate(c, 17)) | 0, P1) + firstTwo(high)) | 0;
    d = (Math.imul((d + rotate(d, 19)) | 0, P1) + lastTwo(high)) | 0;
  }
  // The last eight characters, of which some may have been used already.
  const low = view.getInt32(last, true);
  const high = view.getInt32(last + 4, true);
  met |= low | high;
  if ((met & NOT_ASCII) !== 0) return false;
  a = lastLane(a, firstTwo(low), 17, 11);
  b = lastLane(b, lastTwo(low), 19, 17);
  c = lastLane(c, firstTwo(high), 13, 19);
  d = lastLane(d, lastTwo(high), 11, 13);
  let hash = (a + rotate(b, 3) + rotate(c, 6) + rotate(d, 9)) | 0;
  hash ^= hash >>> 11;
  hash = (hash + Math.imul((P4 + length * 2) | 0, P1)) | 0;
  hash ^= hash >>> 15;
  hash = Math.imul(hash, P2);
  into.high = (hash ^ (hash >>> 13)) >>> 0;
  return true;
}

/** The lower half, of a name that is all ASCII. */
function murmurOf(view: DataView, start: number, length: number, seed: number): number {
  const end = start + length;
  let hash = seed | 0;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    const four = view.getInt32(at, true);
    hash = murmurStep(hash, firstTwo(four));
    hash = murmurStep(hash, lastTwo(four));
  }
  if (at + 2 <= end) {
    hash = murmurStep(hash, view.getUint8(at) | (view.getUint8(at + 1) << 16));
    at += 2;
  }
  if (at < end) hash ^= Math.imul(rotate(Math.imul(view.getUint8(at), C1), 15), C2);
  hash ^= length * 2;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The first two of four characters as a word of UTF-16. */
function firstTwo(four: number): number {
  return (four & 0xff) | ((four & 0xff00) << 8);
}

function lastTwo(four: number): number {
  return ((four >>> 16) & 0xff) | ((four >>> 8) & 0xff0000);
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

function murmurStep(hash: number, word: number): number {
  const mixed = Math.imul(rotate(Math.imul(word, C1), 15), C2);
  return (Math.imul(rotate(hash ^ mixed, 13), 5) + 0xe6546b64) | 0;
}

function lastLane(lane: number, input: number, first: number, second: number): number {
  const mixed = Math.imul((Math.imul((lane + rotate(lane, first)) | 0, P1) + input) | 0, P2);
  return Math.imul((mixed + rotate(mixed, second)) | 0, P3);
}
