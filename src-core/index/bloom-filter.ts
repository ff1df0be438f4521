/**
 * Bloom filters: one beside each table (which stream hashes it holds) and one over all streams that ever existed
 * ("stream existence"). "No" is certain, "yes" is not. The format is the same for both:
 *
 *   line 0   64 bytes: version 1, rebuild count, number of bits; no checksum
 *   line k   60 bytes of bits, then X32 of them (zero when the line was never written)
 *
 * A filter that lacks a hash makes that stream's events invisible. So a damaged line is read as all ones, a
 * badly damaged file is not used at all, and a new table gets an exact filter or none.
 * Format: docs/format/index.md, "Filters".
 */
import { assert } from '../assert.ts';
import { murmur3, xxHashDraft } from './hash-functions.ts';

export const LINE_SIZE_BYTES = 64;
const LINE_DATA_BYTES = 60;
const FORMAT_VERSION = 1;
const MIN_LOGICAL_SIZE_BYTES = 10_000;
const MAX_LOGICAL_SIZE_BYTES = 4_000_000_000;
const LINE_SEED = 0xc58f1a7b;
const PROBE_SEED_1 = 0xc0015eed;
const PROBE_SEED_2 = 0x13375eed;
export const PROBE_COUNT = 6;
/** More damaged lines than this share of all and the filter is rejected. */
const MAX_DAMAGED_SHARE = 0.05;
const TWO_32 = 4294967296;

/** Bytes of bits in the filter of a table for which `entryCount` entries were expected. */
export function tableFilterSizeBytes(entryCount: number): number {
  return Math.min(MAX_LOGICAL_SIZE_BYTES, Math.max(MIN_LOGICAL_SIZE_BYTES, Math.floor(entryCount / 4)));
}

function filePositionOf(byte: number): number {
  return LINE_SIZE_BYTES + byte + 4 * Math.floor(byte / LINE_DATA_BYTES);
}

/** Length of the file. One line more than needed when the size is a multiple of 60: the server compares exactly. */
export function filterFileSizeBytes(logicalSizeBytes: number): number {
  return Math.floor(filePositionOf(logicalSizeBytes) / LINE_SIZE_BYTES) * LINE_SIZE_BYTES + LINE_SIZE_BYTES;
}

/** (high * 2^32 + low) mod m for m below 2^35, without leaving the exact range of doubles. */
function moduloOf(high: number, low: number, m: number): number {
  const first = remainder(high, m) * 65536 + (low >>> 16);
  return remainder(remainder(first, m) * 65536 + (low & 0xffff), m);
}

/** What "%" gives, at a fraction of its time beyond 32 bits: the quotient is off by one at most, and then mended. */
function remainder(value: number, m: number): number {
  const rest = value - Math.floor(value / m) * m;
  if (rest < 0) return rest + m;
  return rest < m ? rest : rest - m;
}

/**
 * Bytes of bits that the header of a filter file names, compared with the length of the file; a sentence instead
 * when they cannot be right. Reads only the first line, not gigabytes.
 */
export function decodeFilterHeader(bytes: Uint8Array, fileSizeBytes: number): number | string {
  if (bytes.length < LINE_SIZE_BYTES) return `it has ${bytes.length} bytes and no complete header`;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes[0] !== FORMAT_VERSION) return `its version is ${bytes[0]}, not 1`;
  const bitCount = view.getUint32(12, true) * TWO_32 + view.getUint32(8, true);
  const logicalSizeBytes = bitCount / 8;
  const isSizePossible =
    Number.isInteger(logicalSizeBytes) &&
    logicalSizeBytes >= MIN_LOGICAL_SIZE_BYTES &&
    logicalSizeBytes <= MAX_LOGICAL_SIZE_BYTES;
  if (!isSizePossible) return `its header names ${bitCount} bits, which is impossible`;
  const expected = filterFileSizeBytes(logicalSizeBytes);
  if (fileSizeBytes !== expected) {
    return `it has ${fileSizeBytes} bytes; its ${bitCount} bits need ${expected}`;
  }
  return logicalSizeBytes;
}

export interface DecodedFilter {
  /** Absent when the bytes cannot be used as a filter. */
  filter?: BloomFilter;
  /** Lines whose bits do not fit their checksum. They answer "maybe". */
  damagedLineCount: number;
  /** Byte offset of the first damaged line. */
  firstDamageOffset?: number;
  /** Why there is no filter. */
  problem?: string;
  /** A directory, a pipe, a device or a socket has its name. */
  isIrregular?: boolean;
}

export class BloomFilter {
  readonly logicalSizeBytes: number;
  readonly #bitCount: number;
  readonly #bytes: Uint8Array;
  readonly #item = new Uint8Array(8);
  /** 2^63 mod the number of bits: what a probe loses when it wraps. */
  readonly #wrap: number;
  #probe = 0;
  #probeHigh = 0;
  #probeLow = 0;
  #step = 0;
  #stepHigh = 0;
  #stepLow = 0;

  private constructor(logicalSizeBytes: number, bytes: Uint8Array) {
    this.logicalSizeBytes = logicalSizeBytes;
    this.#bitCount = logicalSizeBytes * 8;
    this.#bytes = bytes;
    this.#wrap = moduloOf(0x80000000, 0, this.#bitCount);
  }

  static empty(logicalSizeBytes: number): BloomFilter {
    assert(logicalSizeBytes >= MIN_LOGICAL_SIZE_BYTES, 'a filter has at least 10,000 bytes');
    assert(logicalSizeBytes <= MAX_LOGICAL_SIZE_BYTES, 'a filter has at most 4,000,000,000 bytes');
    const bytes = new Uint8Array(filterFileSizeBytes(logicalSizeBytes));
    const view = new DataView(bytes.buffer);
    const bitCount = logicalSizeBytes * 8;
    view.setUint8(0, FORMAT_VERSION);
    view.setUint32(8, bitCount % TWO_32, true);
    view.setUint32(12, Math.floor(bitCount / TWO_32), true);
    return new BloomFilter(logicalSizeBytes, bytes);
  }

  /**
   * Takes over the bytes of a filter file. Damaged lines are set to all ones in them, and a line that one wrong
   * bit explains is repaired: the server does both when it opens a filter.
   */
  static decode(bytes: Uint8Array): DecodedFilter {
    const logicalSizeBytes = decodeFilterHeader(bytes, bytes.length);
    if (typeof logicalSizeBytes === 'string') return rejected(logicalSizeBytes);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let damagedLineCount = 0;
    let firstDamageOffset: number | undefined;
    for (let at = LINE_SIZE_BYTES; at < bytes.length; at += LINE_SIZE_BYTES) {
      if (isLineSound(bytes, view, at) || repairLine(bytes, view, at)) continue;
      damagedLineCount++;
      firstDamageOffset ??= at;
      bytes.fill(0xff, at, at + LINE_DATA_BYTES);
    }
    const found =
      firstDamageOffset === undefined ? { damagedLineCount } : { damagedLineCount, firstDamageOffset };
    if (damagedLineCount / (bytes.length / LINE_SIZE_BYTES) > MAX_DAMAGED_SHARE) {
      return { ...found, problem: `${damagedLineCount} of its lines are damaged` };
    }
    return { ...found, filter: new BloomFilter(logicalSizeBytes, bytes) };
  }

  add(hashHigh: number, hashLow: number): void {
    this.#firstProbe(hashHigh, hashLow);
    for (let i = 0; i < PROBE_COUNT; i++) {
      const bit = this.#nextBit();
      const at = filePositionOf(Math.floor(bit / 8));
      this.#bytes[at] = this.#bytes[at]! | (0x80 >>> (bit % 8));
    }
  }

  /** False: the hash was never added. */
  mayContain(hashHigh: number, hashLow: number): boolean {
    this.#firstProbe(hashHigh, hashLow);
    for (let i = 0; i < PROBE_COUNT; i++) {
      const bit = this.#nextBit();
      const at = filePositionOf(Math.floor(bit / 8));
      if ((this.#bytes[at]! & (0x80 >>> (bit % 8))) === 0) return false;
    }
    return true;
  }

  /** The file's bytes, checksums brought up to date. Not a copy. */
  encode(): Uint8Array {
    const bytes = this.#bytes;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let at = LINE_SIZE_BYTES; at < bytes.length; at += LINE_SIZE_BYTES) {
      const fill = lineFill(bytes, at);
      // A line of ones never gets a checksum: it is how a damaged line looks.
      if (fill === 0 || fill === 0xff) continue;
      view.setUint32(at + LINE_DATA_BYTES, xxHashDraft(bytes, at, LINE_DATA_BYTES, LINE_SEED), true);
    }
    return bytes;
  }

  /** The bits that stand for a hash, in the order in which they are asked. For tests and for curious people. */
  bitsOf(hashHigh: number, hashLow: number): number[] {
    this.#firstProbe(hashHigh, hashLow);
    return Array.from({ length: PROBE_COUNT }, () => this.#nextBit());
  }

  #firstProbe(hashHigh: number, hashLow: number): void {
    const item = this.#item;
    item[0] = hashLow;
    item[1] = hashLow >>> 8;
    item[2] = hashLow >>> 16;
    item[3] = hashLow >>> 24;
    item[4] = hashHigh;
    item[5] = hashHigh >>> 8;
    item[6] = hashHigh >>> 16;
    item[7] = hashHigh >>> 24;
    // Sums are taken modulo 2^63, so the top bit of both hashes never matters.
    this.#probeHigh = xxHashDraft(item, 0, 8, PROBE_SEED_1) & 0x7fffffff;
    this.#probeLow = murmur3(item, 0, 8, PROBE_SEED_1);
    this.#stepHigh = xxHashDraft(item, 0, 8, PROBE_SEED_2) & 0x7fffffff;
    this.#stepLow = murmur3(item, 0, 8, PROBE_SEED_2);
    this.#probe = moduloOf(this.#probeHigh, this.#probeLow, this.#bitCount);
    this.#step = moduloOf(this.#stepHigh, this.#stepLow, this.#bitCount);
  }

  /** Adds the step to the probe, in 63 bits and modulo the number of bits at once. */
  #nextBit(): number {
    const low = this.#probeLow + this.#stepLow;
    const high = this.#probeHigh + this.#stepHigh + (low >= TWO_32 ? 1 : 0);
    this.#probeLow = low >>> 0;
    let probe = this.#probe + this.#step;
    if (high >= 0x80000000) {
      this.#probeHigh = high - 0x80000000;
      probe -= this.#wrap;
    } else {
      this.#probeHigh = high;
    }
    if (probe < 0) probe += this.#bitCount;
    else if (probe >= this.#bitCount) probe -= this.#bitCount;
    this.#probe = probe;
    return probe;
  }
}

function rejected(problem: string): DecodedFilter {
  return { damagedLineCount: 0, problem };
}

/** 0 or 0xff when all data bytes of the line are that, otherwise -1. */
function lineFill(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first !== 0 && first !== 0xff) return -1;
  for (let i = 1; i < LINE_DATA_BYTES; i++) if (bytes[at + i] !== first) return -1;
  return first;
}

function isLineSound(bytes: Uint8Array, view: DataView, at: number): boolean {
  const stored = view.getUint32(at + LINE_DATA_BYTES, true);
  const fill = lineFill(bytes, at);
  if (fill === 0xff) return false;
  // Whatever its checksum: the server believes a line of zeros, and hides what had bits in it.
  if (fill === 0) return true;
  return xxHashDraft(bytes, at, LINE_DATA_BYTES, LINE_SEED) === stored;
}

/** Accepts the line if clearing one of its bits explains the checksum. Clearing only: a bit set too much is what a
 * crash between bit and checksum leaves. The bit stays set, which is the safe side. */
function repairLine(bytes: Uint8Array, view: DataView, at: number): boolean {
  if (lineFill(bytes, at) === 0xff) return false;
  const stored = view.getUint32(at + LINE_DATA_BYTES, true);
  for (let i = at; i < at + LINE_DATA_BYTES; i++) {
    const byte = bytes[i]!;
    for (let mask = 0x80; mask > 0; mask >>>= 1) {
      if ((byte & mask) === 0) continue;
      bytes[i] = byte & ~mask;
      const isExplained = xxHashDraft(bytes, at, LINE_DATA_BYTES, LINE_SEED) === stored;
      bytes[i] = byte;
      if (!isExplained) continue;
      view.setUint32(at + LINE_DATA_BYTES, xxHashDraft(bytes, at, LINE_DATA_BYTES, LINE_SEED), true);
      return true;
    }
  }
  return false;
}
