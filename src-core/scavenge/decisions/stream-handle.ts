/**
 * How the scavenge names a stream: by its hash while that is unique, by its name once it is known to collide.
 * The halves of the hash are unsigned.
 */
export type StreamHandle = { kind: 'hash'; high: number; low: number } | { kind: 'id'; stream: string };

/** No stream comes after it: hashes are ordered as signed numbers, and come after names. */
export const LAST_HANDLE = { kind: 'hash', high: 0x7fffffff, low: 0xffffffff } as const;

/** Signed 64-bit form of a hash, as the scavenge state stores and orders it. */
export function signedHash(high: number, low: number): bigint {
  return (BigInt(high | 0) << 32n) | BigInt(low >>> 0);
}

/** A hash from its two halves. */
export function hashFromHalves(high: number, low: number): bigint {
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}

/** Name of the stream that holds the metadata of `stream`. */
export function metastreamOf(stream: string): string {
  return `$$${stream}`;
}

export function isMetastreamName(stream: string): boolean {
  return stream.startsWith('$$');
}
