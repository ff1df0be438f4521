/**
 * Goes through the bytes of an index table from the first to the last and counts the entries of the streams that
 * were asked for. Works on a stream of bytes, so that tables in backups are read like those on the disk. A table that
 * contradicts its format is told of; its bytes are then searched as bytes only.
 *
 * Entries are sorted descending. The midpoints of version 4 follow them in the same form, and begin again with the
 * greatest key, which marks their start. In a table of one key they do not stand out: what may be either waits for the
 * footer, which says how many of them there are. It says as well whether the order was broken before.
 */
import type { AtNumber, AtPosition } from '../../units/of-unit.ts';
import { EntryBlock } from '../../index/index-entry.ts';
import {
  decodeEntries,
  entryCountOf,
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
const TAIL_BYTES = FOOTER_SIZE_BYTES + MD5_SIZE_BYTES;

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
  readonly #sizeBytes: number;
  readonly #entriesEnd: number;
  readonly #block = new EntryBlock(BLOCK_ENTRIES);
  #version: TableVersion | undefined;
  #rest: Buffer = Buffer.alloc(0);
  #offset = 0;
  /** Of the file that was fed. */
  #bytes = 0;
  #tail: Buffer = Buffer.alloc(0);
  #count = 0;
  #isBehindEntries = false;
  #lastHigh = 0xffffffff;
  #lastLow = 0xffffffff;
  #lastNumber = Infinity;
  #lastPosition = Infinity;
  /** Of the key of the last entry and at position 0, as the first midpoints of a table of one key are. */
  #eitherCount = 0;
  #eitherOffset = 0;

  constructor(sizeBytes: number, wanted: WantedHashes) {
    this.#wanted = wanted;
    this.#sizeBytes = sizeBytes;
    this.#entriesEnd = sizeBytes - MD5_SIZE_BYTES;
  }

  feed(block: Uint8Array): void {
    if (this.problem !== undefined) return;
    this.#bytes += block.length;
    this.#tail = Buffer.from(Buffer.concat([this.#tail, block.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES));
    if (this.#isBehindEntries) return;
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
    if (this.problem !== undefined || !hasMidpoints(this.#version!))
      return this.#tellEither(this.#eitherCount);
    const count = this.#entriesByFooter();
    if (typeof count === 'string') this.problem = count;
    else if (count < this.#count || count > this.#count + this.#eitherCount)
      this.problem = 'its entries are out of order';
    this.#tellEither(typeof count === 'string' ? this.#eitherCount : count - this.#count);
  }

  /** How many entries there are by the footer and the length of the file, or why that cannot be told. */
  #entriesByFooter(): number | string {
    if (this.#bytes !== this.#sizeBytes || this.#tail.length < TAIL_BYTES) return 'it ends before its footer';
    if (this.#tail[0] !== TABLE_FILE_TYPE || this.#tail[1] !== this.#version)
      return 'its footer is not that of an index table';
    const count = entryCountOf(this.#version!, this.#sizeBytes, this.#tail.readUInt32LE(2));
    return count ?? 'its length fits no whole number of entries';
  }

  #tellEither(count: number): void {
    const [hashHigh, hashLow] = [this.#lastHigh, this.#lastLow];
    const size = entrySizeBytes(this.#version!);
    for (let i = 0; i < count && this.#wanted.highs.has(hashHigh); i++)
      this.#wanted.onEntry({ hashHigh, hashLow, position: 0, offset: this.#eitherOffset + i * size });
    this.#eitherCount = 0;
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
    const { hashHigh, hashLow, number, position } = block;
    for (let i = 0; i < count; i++) {
      const high = hashHigh[i]!;
      const place = this.#placeOf(high, hashLow[i]!, number[i]!, position[i]!);
      if (place === 'behind') {
        this.#isBehindEntries = true;
        return;
      }
      const offset = this.#offset + from + i * size;
      if (place === 'either') {
        if (this.#eitherCount++ === 0) this.#eitherOffset = offset;
        continue;
      }
      this.#count += this.#eitherCount + 1;
      if (this.#eitherCount > 0) this.#tellEither(this.#eitherCount);
      this.#lastHigh = high;
      this.#lastLow = hashLow[i]!;
      this.#lastNumber = number[i]!;
      this.#lastPosition = position[i]!;
      if (!this.#wanted.highs.has(high)) continue;
      this.#wanted.onEntry({ hashHigh: high, hashLow: hashLow[i]!, position: position[i]!, offset });
    }
  }

  #placeOf(high: number, low: number, number: AtNumber, position: AtPosition): 'entry' | 'either' | 'behind' {
    if (high !== this.#lastHigh) return high > this.#lastHigh ? 'behind' : 'entry';
    if (low !== this.#lastLow) return low > this.#lastLow ? 'behind' : 'entry';
    // Where no midpoints follow, a wrong order within a stream hides none of its entries.
    if (!hasMidpoints(this.#version!)) return 'entry';
    if (number !== this.#lastNumber) return number > this.#lastNumber ? 'behind' : 'entry';
    if (this.#eitherCount > 0 && position > 0) return 'behind';
    if (position > this.#lastPosition) return 'behind';
    return position === 0 ? 'either' : 'entry';
  }
}
