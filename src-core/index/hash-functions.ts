/**
 * The two 32-bit hashes of the index, over bytes in place: no allocation, no BigInt.
 *
 * `xxHashDraft` is a draft of xxHash from before its publication. It is NOT today's XXH32: no library computes
 * it, and its own verification value is 0x56D249B1. `murmur3` is the well-known MurmurHash3 x86 32.
 * Both treat bytes as unsigned and words as little-endian. Format: docs/format/index.md, "Hashes".
 */

const P1 = 2654435761 | 0;
const P2 = 2246822519 | 0;
const P3 = 3266489917 | 0;
const P4 = 668265263;
const P5 = 374761393;

function word(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

/** Draft xxHash of `length` bytes at `start`, as uint32. */
export function xxHashDraft(bytes: Uint8Array, start: number, length: number, seed: number): number {
  return length < 16 ? xxShort(bytes, start, length, seed) : xxLong(bytes, start, length, seed);
}

function xxShort(bytes: Uint8Array, start: number, length: number, seed: number): number {
  const end = start + length;
  let hash = P5;
  let step = (seed + P1) | 0;
  let at = start;
  // Strictly below: the last one to four bytes always go through the loop over single bytes.
  for (; at < end - 4; at += 4) {
    hash = (hash + word(bytes, at) + step) | 0;
    step = (step + 1) | 0;
    hash = (hash + Math.imul(rotate(hash, 17), P4)) | 0;
    hash = Math.imul(hash, P1);
  }
  for (; at < end; at++) {
    hash = (hash + bytes[at]! + step) | 0;
    step = (step + 1) | 0;
    hash = Math.imul(hash, P1);
  }
  hash = (hash + length) | 0;
  hash = Math.imul(hash ^ (hash >>> 15), P2);
  hash = Math.imul(hash ^ (hash >>> 13), P3);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function xxLong(bytes: Uint8Array, start: number, length: number, seed: number): number {
  let a = (seed + P1) | 0;
  let b = (Math.imul(a, P2) + length) | 0;
  let c = Math.imul(b, P3);
  let d = Math.imul(c, P4);
  const last = start + length - 16;
  for (let at = start; at < last; at += 16) {
    a = (Math.imul((a + rotate(a, 13)) | 0, P1) + word(bytes, at)) | 0;
    b = (Math.imul((b + rotate(b, 11)) | 0, P1) + word(bytes, at + 4)) | 0;
    c = (Math.imul((c + rotate(c, 17)) | 0, P1) + word(bytes, at + 8)) | 0;
    d = (Math.imul((d + rotate(d, 19)) | 0, P1) + word(bytes, at + 12)) | 0;
  }
  // The final 16 bytes, which may overlap bytes that were used already.
  a = lastLane(a, word(bytes, last), 17, 11);
  b = lastLane(b, word(bytes, last + 4), 19, 17);
  c = lastLane(c, word(bytes, last + 8), 13, 19);
  d = lastLane(d, word(bytes, last + 12), 11, 13);
  let hash = (a + rotate(b, 3) + rotate(c, 6) + rotate(d, 9)) | 0;
  hash ^= hash >>> 11;
  hash = (hash + Math.imul((P4 + length) | 0, P1)) | 0;
  hash ^= hash >>> 15;
  hash = Math.imul(hash, P2);
  return (hash ^ (hash >>> 13)) >>> 0;
}

function lastLane(lane: number, input: number, first: number, second: number): number {
  const mixed = Math.imul((Math.imul((lane + rotate(lane, first)) | 0, P1) + input) | 0, P2);
  return Math.imul((mixed + rotate(mixed, second)) | 0, P3);
}

const C1 = 0xcc9e2d51 | 0;
const C2 = 0x1b873593;

/** MurmurHash3 x86 32 of `length` bytes at `start`, as uint32. */
export function murmur3(bytes: Uint8Array, start: number, length: number, seed: number): number {
  const end = start + length;
  const wordsEnd = end - (length & 3);
  let hash = seed | 0;
  let at = start;
  for (; at < wordsEnd; at += 4) {
    const mixed = Math.imul(rotate(Math.imul(word(bytes, at), C1), 15), C2);
    hash = (Math.imul(rotate(hash ^ mixed, 13), 5) + 0xe6546b64) | 0;
  }
  if (at < end) {
    let rest = bytes[at]!;
    if (at + 1 < end) rest |= bytes[at + 1]! << 8;
    if (at + 2 < end) rest |= bytes[at + 2]! << 16;
    hash ^= Math.imul(rotate(Math.imul(rest, C1), 15), C2);
  }
  hash ^= length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
