/**
 * Goes through the bytes of an index table from the first to the last and counts the entries of the streams that
 * were asked for. Works on a stream of bytes, so that tables in backups are read like those on the disk. A table that
 * contradicts its format is told of; its bytes are then searched as bytes only.
 *
 * Entries are sorted descending. The midpoints of version 4 follow them in the same form and begin again with the
 * greatest hash, which marks their start.
 */
import { EntryBlock } from '../../index/index-entry.ts';
import {
  decodeEntries,
  entrySizeBytes,
  FOOTER_SIZE_BYTES,
  hasMidpoints,
  HEADER_SIZE_BYTES,
  isTableVersion,
  MD5_SIZE_BYTES,
  TABLE_FILE_TYPE,
  type TableVersion
} from '../../index/index-table.ts';

const BLOCK_ENTRIES = 4096;

export interface TableEntry {
  hashHigh: number;
  hashLow: number;
  position: number;
  /** Offset in the file. */
  offset: number;
}

export interface WantedHashes {
  /** Upper halves, for a quick no. */
  readonly highs: ReadonlySet<number>;
  onEntry(entry: TableEntry): void;
}

export class EntryScan {
  /** Why the file cannot be read as a table. */
  problem: string | undefined;
  readonly #wanted: WantedHashes;
  readonly #entriesEnd: number;
  readonly #block = new EntryBlock(BLOCK_ENTRIES);
  #version: TableVersion | undefined;
  #rest: Buffer = Buffer.alloc(0);
  #offset = 0;
  #isBehindEntries = false;
  #lastHigh = 0xffffffff;
  #lastLow = 0xffffffff;

  constructor(sizeBytes: number, wanted: WantedHashes) {
    this.#wanted = wanted;
    this.#entriesEnd = sizeBytes - MD5_SIZE_BYTES;
  }

  feed(block: Uint8Array): void {
    if (this.problem !== undefined || this.#isBehindEntries) return;
    this.#rest = Buffer.concat([this.#rest, block]);
    if (this.#version === undefined && !this.#readHeader()) return;
    const size = entrySizeBytes(this.#version!);
    const tail = hasMidpoints(this.#version!) ? FOOTER_SIZE_BYTES : 0;
    const room = Math.min(this.#rest.length, this.#entriesEnd - tail - this.#offset);
    const whole = Math.max(0, Math.floor(room / size));
    for (let done = 0; done < whole; done += BLOCK_ENTRIES) {
      this.#readEntries(done * size, Math.min(BLOCK_ENTRIES, whole - done), size);
    }
    this.#rest = this.#rest.subarray(whole * size);
    this.#offset += whole * size;
  }

  finish(): void {
    if (this.#version === undefined) this.problem ??= 'it ends within its header';
  }

  #readHeader(): boolean {
    if (this.#rest.length < HEADER_SIZE_BYTES) return false;
    const version = this.#rest[1]!;
    if (this.#rest[0] !== TABLE_FILE_TYPE || !isTableVersion(version)) {
      this.problem = 'its header is not that of an index table';
      return false;
    }
    if (version === 1) {
      this.problem = 'version 1 holds only half of each hash';
      return false;
    }
    this.#version = version;
    this.#rest = this.#rest.subarray(HEADER_SIZE_BYTES);
    this.#offset = HEADER_SIZE_BYTES;
    return true;
  }

  #readEntries(from: number, count: number, size: number): void {
    // A copy, because words must lie on multiples of four.
    const words = new Uint32Array(new Uint8Array(this.#rest.subarray(from, from + count * size)).buffer);
    const block = this.#block;
    decodeEntries(this.#version!, words, count, block, 0);
    for (let i = 0; i < count; i++) {
      const high = block.hashHigh[i]!;
      const low = block.hashLow[i]!;
      if (high > this.#lastHigh || (high === this.#lastHigh && low > this.#lastLow)) {
        this.#isBehindEntries = true;
        return;
      }
      this.#lastHigh = high;
      this.#lastLow = low;
      if (!this.#wanted.highs.has(high)) continue;
      const offset = this.#offset + from + i * size;
      this.#wanted.onEntry({ hashHigh: high, hashLow: low, position: block.position[i]!, offset });
    }
  }
}
