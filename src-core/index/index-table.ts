/**
 * Layout of one sorted table of the index. Reader and writer share it; it touches no file.
 *
 *   offset 0        header, 128 bytes: type 1, version, zeros
 *   128             n entries, descending: event number, stream hash, log position
 *   128 + n*e       version 4: m cached midpoints of 24 bytes: event number, stream hash, index of the entry
 *                   version 4: footer, 128 bytes: type 1, version, m, zeros
 *   last 16 bytes   MD5 of everything before
 *
 *   version   entry bytes   event number   hash
 *   1         16            i32            u32 (the upper half of today's hash)
 *   2         20            i32            u64
 *   3 and 4   24            i64            u64
 *
 * n is stored nowhere: it follows from the file's length. Format: docs/format/index.md, "Tables".
 */
import { assert } from '../assert.ts';
import type { EntryBlock } from './index-entry.ts';

export const TABLE_FILE_TYPE = 1;
export const HEADER_SIZE_BYTES = 128;
export const FOOTER_SIZE_BYTES = 128;
export const MD5_SIZE_BYTES = 16;
export const MIDPOINT_SIZE_BYTES = 24;
export const OLDEST_TABLE_VERSION = 1;
export const NEWEST_TABLE_VERSION = 4;
/** The server's option IndexCacheDepth. */
export const DEFAULT_MIDPOINT_DEPTH = 16;
const MAX_MIDPOINT_DEPTH = 28;
const INT64_LIMIT = 2 ** 63;
const TWO_32 = 4294967296;
/** An event number as version 1 and 2 write it has 32 bits; a tombstone of that time has 2^31-1. */
const INT32_MAX = 2147483647;

export type TableVersion = 1 | 2 | 3 | 4;

const ENTRY_SIZE_BYTES: Record<TableVersion, number> = { 1: 16, 2: 20, 3: 24, 4: 24 };

export function isTableVersion(value: number): value is TableVersion {
  return value >= OLDEST_TABLE_VERSION && value <= NEWEST_TABLE_VERSION;
}

export function entrySizeBytes(version: TableVersion): number {
  return ENTRY_SIZE_BYTES[version];
}

export function hasMidpoints(version: TableVersion): boolean {
  return version >= 4;
}

/** Length of a table file. */
export function tableSizeBytes(version: TableVersion, entryCount: number, midpointCount: number): number {
  const tail = hasMidpoints(version) ? midpointCount * MIDPOINT_SIZE_BYTES + FOOTER_SIZE_BYTES : 0;
  return HEADER_SIZE_BYTES + entryCount * ENTRY_SIZE_BYTES[version] + tail + MD5_SIZE_BYTES;
}

/** Number of entries in a file of `sizeBytes`; undefined when the length fits no whole number of them. */
export function entryCountOf(
  version: TableVersion,
  sizeBytes: number,
  midpointCount: number
): number | undefined {
  const count = (sizeBytes - tableSizeBytes(version, 0, midpointCount)) / ENTRY_SIZE_BYTES[version];
  return Number.isInteger(count) && count >= 0 ? count : undefined;
}

/** How many entries a writer samples: about one for each 8 KiB, and at least 2^minDepth. */
export function requiredMidpointCount(
  entryCount: number,
  version: TableVersion = NEWEST_TABLE_VERSION,
  minDepth: number = DEFAULT_MIDPOINT_DEPTH
): number {
  if (entryCount === 0) return 0;
  if (entryCount === 1) return 2;
  const sizeBytes = entryCount * ENTRY_SIZE_BYTES[version];
  let depth = minDepth;
  while (depth < MAX_MIDPOINT_DEPTH && sizeBytes > 2 ** (depth + 13)) depth++;
  return Math.max(2, Math.min(2 ** depth, entryCount));
}

/** Index of the entry that midpoint `k` of `midpointCount` samples. */
export function midpointEntryIndex(k: number, entryCount: number, midpointCount: number): number {
  if (k === 0) return 0;
  if (k === midpointCount - 1) return entryCount - 1;
  const whole = Math.floor((entryCount - 1) / (midpointCount - 1));
  const rest = (entryCount - 1) % (midpointCount - 1);
  // k and rest are below 2^28; above 2^26 their product may leave the exact range of doubles.
  const part =
    midpointCount <= 2 ** 26
      ? Math.floor((k * rest) / (midpointCount - 1))
      : Number((BigInt(k) * BigInt(rest)) / BigInt(midpointCount - 1));
  return k * whole + part;
}

export function encodeTableHeader(version: TableVersion): Uint8Array {
  const bytes = new Uint8Array(HEADER_SIZE_BYTES);
  bytes[0] = TABLE_FILE_TYPE;
  bytes[1] = version;
  return bytes;
}

export function encodeTableFooter(version: TableVersion, midpointCount: number): Uint8Array {
  const bytes = new Uint8Array(FOOTER_SIZE_BYTES);
  bytes[0] = TABLE_FILE_TYPE;
  bytes[1] = version;
  new DataView(bytes.buffer).setUint32(2, midpointCount, true);
  return bytes;
}

/**
 * Decodes `count` entries from the start of `words` into `block` from `at` on. Words, because every entry size
 * is a multiple of four and all machines this runs on are little-endian. A version-1 hash lands in the lower half,
 * as the server shows it.
 */
export function decodeEntries(
  version: TableVersion,
  words: Uint32Array,
  count: number,
  block: EntryBlock,
  at: number
): void {
  const { hashHigh, hashLow, number, position } = block;
  if (version >= 3) {
    for (let i = 0, w = 0; i < count; i++, w += 6) {
      number[at + i] = (words[w + 1]! | 0) * TWO_32 + words[w]!;
      hashLow[at + i] = words[w + 2]!;
      hashHigh[at + i] = words[w + 3]!;
      position[at + i] = (words[w + 5]! | 0) * TWO_32 + words[w + 4]!;
    }
  } else if (version === 2) {
    for (let i = 0, w = 0; i < count; i++, w += 5) {
      number[at + i] = words[w]! | 0;
      hashLow[at + i] = words[w + 1]!;
      hashHigh[at + i] = words[w + 2]!;
      position[at + i] = (words[w + 4]! | 0) * TWO_32 + words[w + 3]!;
    }
  } else {
    for (let i = 0, w = 0; i < count; i++, w += 4) {
      number[at + i] = words[w]! | 0;
      hashLow[at + i] = words[w + 1]!;
      hashHigh[at + i] = 0;
      position[at + i] = (words[w + 3]! | 0) * TWO_32 + words[w + 2]!;
    }
  }
}

/** Writes one entry of version 2, 3 or 4 into `words` from index `w` on. */
export function encodeEntry(
  version: TableVersion,
  words: Uint32Array,
  w: number,
  hashHigh: number,
  hashLow: number,
  number: number,
  position: number
): void {
  let at = w;
  if (version >= 3) {
    if (number >= INT64_LIMIT) {
      words[at] = 0xffffffff;
      words[at + 1] = 0x7fffffff;
    } else {
      const high = Math.floor(number / TWO_32);
      words[at] = number - high * TWO_32;
      words[at + 1] = high;
    }
    at += 2;
  } else {
    assert(number <= INT32_MAX, 'an event number in a version-2 table has 32 bits');
    words[at++] = number;
  }
  words[at] = hashLow;
  words[at + 1] = hashHigh;
  // Not by `%`, which for doubles is a call.
  const high = Math.floor(position / TWO_32);
  words[at + 2] = position - high * TWO_32;
  words[at + 3] = high;
}
