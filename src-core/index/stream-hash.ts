/**
 * The 64-bit hash under which the index knows a stream. Two streams may share one: the user of an entry reads
 * the record and compares names.
 *
 * In loops a hash is two uint32 halves, at the edges a bigint or 16 hex digits. `high` is the upper half and
 * holds the draft xxHash (called the "low" hash by the server, and the whole hash in version-1 tables); `low` is
 * the lower half and holds Murmur3. Input: the name as UTF-16 little-endian.
 */
import { assert } from '../assert.ts';
import { hashAscii, type StreamHash } from './ascii-hash.ts';
import { murmur3, xxHashDraft } from './hash-functions.ts';

export type { StreamHash };

/**
 * Hash of a stream's name. Writes into `into` and returns it when given, so that loops need not allocate. The
 * index works with any such function, which lets tests force collisions.
 */
export type StreamHasher = (stream: string, into?: StreamHash) => StreamHash;

const SEED = 0xc58f1a7b;

/** UTF-16 bytes of the name being hashed; grows to the longest name seen. Never holds anything between calls. */
let scratch = new Uint8Array(1024);

function hashScratch(length: number, into: StreamHash): StreamHash {
  into.high = xxHashDraft(scratch, 0, length, SEED);
  into.low = murmur3(scratch, 0, length, SEED);
  return into;
}

function needScratch(length: number): void {
  if (scratch.length < length) scratch = new Uint8Array(length * 2);
}

/** The server's hash. */
export const hashStream: StreamHasher = (stream, into = { high: 0, low: 0 }) => {
  const length = stream.length * 2;
  needScratch(length);
  for (let i = 0, at = 0; i < stream.length; i++, at += 2) {
    const unit = stream.charCodeAt(i);
    scratch[at] = unit & 0xff;
    scratch[at + 1] = unit >>> 8;
  }
  return hashScratch(length, into);
};

/** A prepare as far as hashing needs it. */
export interface NamedRecord {
  readonly stream: string;
  readonly bytes: Uint8Array;
  /** Of the same bytes, where there is one: names are hashed faster through it. */
  readonly view?: DataView;
  readonly streamStart: number;
  readonly streamEnd: number;
  /** By the server's hasher, where it is known already. */
  readonly streamHash?: StreamHash;
}

/**
 * Hash of a record's stream. With the server's hasher and a name in ASCII (nearly all are) the name is hashed
 * from the record's own bytes and no string is made.
 */
export function hashStreamOf(record: NamedRecord, hasher: StreamHasher, into: StreamHash): StreamHash {
  if (hasher !== hashStream) return hasher(record.stream, into);
  if (record.streamHash !== undefined) {
    into.high = record.streamHash.high;
    into.low = record.streamHash.low;
    return into;
  }
  const { bytes, view, streamStart, streamEnd } = record;
  if (view !== undefined && hashAscii(view, streamStart, streamEnd - streamStart, SEED, into)) return into;
  const length = (streamEnd - streamStart) * 2;
  needScratch(length);
  for (let i = streamStart, at = 0; i < streamEnd; i++, at += 2) {
    const byte = bytes[i]!;
    if (byte >= 0x80) return hashStream(record.stream, into);
    scratch[at] = byte;
    scratch[at + 1] = 0;
  }
  return hashScratch(length, into);
}

export function hashToBigInt(high: number, low: number): bigint {
  return (BigInt(high) << 32n) | BigInt(low);
}

/** From any 64-bit integer; SQLite hands hashes out as signed ones. */
export function hashFromBigInt(value: bigint, into: StreamHash = { high: 0, low: 0 }): StreamHash {
  into.high = Number(BigInt.asUintN(32, value >> 32n));
  into.low = Number(BigInt.asUintN(32, value));
  return into;
}

/** 16 lower-case hex digits. */
export function hashText(high: number, low: number): string {
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
}

export function hashFromText(text: string): StreamHash {
  assert(/^[0-9a-f]{16}$/.test(text), `"${text}" is a stream hash`);
  return { high: Number.parseInt(text.slice(0, 8), 16), low: Number.parseInt(text.slice(8), 16) };
}
