/**
 * Reads one sorted table of the index. Tables never change once written, so what was read stays true.
 *
 * Opening reads only header, footer and length. A search narrows by the midpoints (loaded when first needed),
 * reads the few KiB between two of them at once and goes on in memory; every key on the way must lie between its
 * neighbours, or the table is refused as corrupt. The MD5 is checked by verify-index.ts alone.
 */
import { indexCorrupt, unsupportedFormat } from '../errors.ts';
import type { FileFacts, FileSystem, OpenFile } from '../storage/file-system.ts';
import type { DecodedFilter } from './bloom-filter.ts';
import { readFilterFile } from './filter-file.ts';
import {
  EntryBlock,
  isPossibleEntry,
  type EntrySpan,
  type IndexEntry,
  type SortedEntries
} from './index-entry.ts';
import {
  decodeEntries,
  entryCountOf,
  entrySizeBytes,
  FOOTER_SIZE_BYTES,
  hasMidpoints,
  HEADER_SIZE_BYTES,
  isTableVersion,
  MD5_SIZE_BYTES,
  NEWEST_TABLE_VERSION,
  TABLE_FILE_TYPE,
  type TableVersion
} from './index-table.ts';
import { BlockOutOfOrder, moveSpanUp } from './span-search.ts';
import { loadMidpoints, type TableMidpoints } from './table-midpoints.ts';
import { counted } from '../units/counted.ts';

/** Entries kept from the last search: 12 KiB of a table, more than lies between two midpoints. */
const WINDOW_ENTRIES = 512;

export interface OpenTable {
  fileSystem: FileSystem;
  directory: string;
  name: string;
}

export function filterNameOf(tableName: string): string {
  return `${tableName}.bloomfilter`;
}

export class IndexTableReader implements SortedEntries {
  readonly name: string;
  readonly path: string;
  readonly version: TableVersion;
  readonly count: number;
  readonly sizeBytes: number;
  readonly midpointCount: number;
  readonly entrySize: number;
  readonly facts: FileFacts;
  readonly #fileSystem: FileSystem;
  readonly #directory: string;
  readonly #file: OpenFile;
  #midpoints: TableMidpoints | undefined;
  #filter: DecodedFilter | undefined;
  readonly #window = new EntryBlock(WINDOW_ENTRIES);
  #windowStart = 0;
  readonly #spanInWindow: EntrySpan = { first: 0, end: 0 };
  #probe: EntryBlock | undefined;
  #words = new Uint32Array(0);
  #bytes = new Uint8Array(this.#words.buffer);

  private constructor(options: OpenTable, file: OpenFile, facts: FileFacts, layout: TableLayout) {
    this.name = options.name;
    this.path = file.path;
    this.#fileSystem = options.fileSystem;
    this.#directory = options.directory;
    this.#file = file;
    this.facts = facts;
    this.version = layout.version;
    this.count = layout.count;
    this.sizeBytes = layout.sizeBytes;
    this.midpointCount = layout.midpointCount;
    this.entrySize = entrySizeBytes(layout.version);
  }

  static open(options: OpenTable): IndexTableReader {
    const { fileSystem, directory, name } = options;
    const path = fileSystem.join(directory, name);
    const facts = fileSystem.describe(path);
    if (facts === undefined || facts.isDirectory) {
      throw indexCorrupt(`Index table ${name} is missing, although the index map names it.`, { file: name });
    }
    const file = fileSystem.open(path, 'read');
    try {
      return new IndexTableReader(options, file, facts, readLayout(file, name));
    } catch (error) {
      file.close();
      throw error;
    }
  }

  close(): void {
    this.#file.close();
  }

  /** The filter beside the table, read when first asked for. `problem` says why there is none. */
  get filter(): DecodedFilter {
    if (this.#filter) return this.#filter;
    const path = this.#fileSystem.join(this.#directory, filterNameOf(this.name));
    this.#filter = readFilterFile(this.#fileSystem, path) ?? {
      damagedLineCount: 0,
      problem: 'it is missing'
    };
    return this.#filter;
  }

  get hasFilterFile(): boolean {
    return (
      this.#fileSystem.describe(this.#fileSystem.join(this.#directory, filterNameOf(this.name))) !== undefined
    );
  }

  mayContain(hashHigh: number, hashLow: number): boolean {
    if (this.count === 0) return false;
    // A version-1 table was written by hashes of half the length; nothing is known about filters of that time.
    const filter = this.version === 1 ? undefined : this.filter.filter;
    return filter === undefined || filter.mayContain(hashHigh, hashLow);
  }

  /** The sampled entries, loaded when first asked for. Throws IndexCorrupt when they are out of order. */
  get midpoints(): TableMidpoints {
    this.#midpoints ??= loadMidpoints({
      file: this.#file,
      name: this.name,
      version: this.version,
      count: this.count,
      midpointCount: this.midpointCount
    });
    return this.#midpoints;
  }

  /** The MD5 that the file ends with, as stored. */
  readStoredMd5(): Uint8Array {
    const bytes = new Uint8Array(MD5_SIZE_BYTES);
    this.#file.read(bytes, 0, MD5_SIZE_BYTES, this.sizeBytes - MD5_SIZE_BYTES);
    return bytes;
  }

  /** Bytes of the file as they are, for checksums. Returns the count. */
  readBytes(target: Uint8Array, length: number, offset: number): number {
    return this.#file.read(target, 0, length, offset);
  }

  offsetOf(index: number): number {
    return HEADER_SIZE_BYTES + index * this.entrySize;
  }

  readEntries(index: number, block: EntryBlock): number {
    const count = Math.max(0, Math.min(block.capacity, this.count - index));
    block.count = count;
    if (count > 0) this.#read(index, count, block);
    return count;
  }

  readEntry(index: number, into: IndexEntry): IndexEntry {
    this.#needWindow(index, Math.max(0, index - WINDOW_ENTRIES / 2));
    return this.#window.get(index - this.#windowStart, into);
  }

  firstAtOrBelow(hashHigh: number, hashLow: number, number: number): number {
    return this.#first(hashHigh, hashLow, number, 0);
  }

  firstBelow(hashHigh: number, hashLow: number, number: number): number {
    return this.#first(hashHigh, hashLow, number, -1);
  }

  /** Looks at what was read last, or at what lies just before it. */
  moveUp(span: EntrySpan, high: number, low: number): boolean {
    if (span.first === 0) {
      span.end = 0;
      return true;
    }
    this.#needWindow(span.first - 1, Math.max(0, span.first - WINDOW_ENTRIES));
    const start = this.#windowStart;
    const inWindow = this.#spanInWindow;
    inWindow.first = span.first - start;
    try {
      if (!moveSpanUp(this.#window, inWindow, { high, low, isWhole: start === 0 })) return false;
    } catch (error) {
      if (error instanceof BlockOutOfOrder) throw this.#outOfOrder(start + error.at);
      throw error;
    }
    span.first = start + inWindow.first;
    span.end = start + inWindow.end;
    return true;
  }

  /** Smallest index whose key compares at most `limit` (0: at or below, -1: below) with the given key. */
  #first(hashHigh: number, hashLow: number, number: number, limit: 0 | -1): number {
    if (this.count === 0) return 0;
    const window = this.#window;
    if (window.count > 1) {
      const isInside =
        window.compareKey(0, hashHigh, hashLow, number) > limit &&
        window.compareKey(window.count - 1, hashHigh, hashLow, number) <= limit;
      if (isInside) {
        const start = this.#windowStart;
        return this.#searchWindow(start, start + window.count - 1, hashHigh, hashLow, number, limit);
      }
    }
    const midpoints = this.midpoints;
    const { sampled } = midpoints;
    const k =
      limit === 0
        ? midpoints.firstAtOrBelow(hashHigh, hashLow, number)
        : midpoints.firstBelow(hashHigh, hashLow, number);
    if (k === 0) return 0;
    if (k === sampled.count) return this.count;
    // The entry at `above` has a greater key, the one at `below` is a hit: the answer lies in between.
    let above = sampled.position[k - 1]!;
    let below = sampled.position[k]!;
    while (below - above > WINDOW_ENTRIES - 1) {
      const probe = (this.#probe ??= new EntryBlock(1));
      const middle = above + Math.floor((below - above) / 2);
      this.#read(middle, 1, probe);
      if (probe.compareKey(0, hashHigh, hashLow, number) <= limit) below = middle;
      else above = middle;
    }
    this.#needWindow(below, Math.max(0, Math.min(above, below - WINDOW_ENTRIES + 64)), above);
    this.#checkSample(k - 1);
    this.#checkSample(k);
    return this.#searchWindow(above, below, hashHigh, hashLow, number, limit);
  }

  /** Search within the window: `above` is known to be above the key, `below` to be a hit. */
  #searchWindow(
    above: number,
    below: number,
    hashHigh: number,
    hashLow: number,
    number: number,
    limit: 0 | -1
  ): number {
    const window = this.#window;
    const start = this.#windowStart;
    let from = above;
    let to = below;
    while (to - from > 1) {
      const middle = from + ((to - from) >>> 1);
      this.#checkBetween(middle - start, from - start, to - start);
      if (window.compareKey(middle - start, hashHigh, hashLow, number) <= limit) to = middle;
      else from = middle;
    }
    return to;
  }

  #checkBetween(middle: number, above: number, below: number): void {
    const window = this.#window;
    const { hashHigh, hashLow, number } = window;
    const isOrdered =
      window.compareKey(middle, hashHigh[above]!, hashLow[above]!, number[above]!) <= 0 &&
      window.compareKey(middle, hashHigh[below]!, hashLow[below]!, number[below]!) >= 0;
    if (!isOrdered) throw this.#outOfOrder(this.#windowStart + middle);
  }

  /** The sampled key must be that of the entry it names, as far as the window shows it. */
  #checkSample(k: number): void {
    const { sampled } = this.midpoints;
    const at = sampled.position[k]! - this.#windowStart;
    if (at < 0 || at >= this.#window.count) return;
    const isSame =
      this.#window.compareKey(at, sampled.hashHigh[k]!, sampled.hashLow[k]!, sampled.number[k]!) === 0;
    if (!isSame) throw this.#outOfOrder(sampled.position[k]!);
  }

  #outOfOrder(index: number): Error {
    const offset = this.offsetOf(index);
    return indexCorrupt(
      `Entry ${index} of index table ${this.name} (offset ${offset}) contradicts the order of the table.`,
      { file: this.name, offset }
    );
  }

  /** Makes the window cover `index` (and `alsoIndex`), starting at `start` unless it does already. */
  #needWindow(index: number, start: number, alsoIndex: number = index): void {
    const first = this.#windowStart;
    const end = first + this.#window.count;
    if (alsoIndex >= first && index < end && index >= first) return;
    const count = Math.min(WINDOW_ENTRIES, this.count - start);
    this.#window.count = 0;
    this.#read(start, count, this.#window);
    this.#windowStart = start;
    this.#checkWindow(start, count);
    this.#window.count = count;
  }

  /** Counting upward from a number that no entry may have would never end. */
  #checkWindow(start: number, count: number): void {
    const { number, position } = this.#window;
    for (let i = 0; i < count; i++) {
      if (isPossibleEntry(number[i]!, position[i]!)) continue;
      const offset = this.offsetOf(start + i);
      throw indexCorrupt(
        `Entry ${start + i} of index table ${this.name} (offset ${offset}) holds an impossible value.`,
        { file: this.name, offset }
      );
    }
  }

  #read(index: number, count: number, block: EntryBlock): void {
    const length = count * this.entrySize;
    if (this.#bytes.length < length) {
      this.#words = new Uint32Array(length / 4);
      this.#bytes = new Uint8Array(this.#words.buffer);
    }
    const offset = this.offsetOf(index);
    const found = this.#file.read(this.#bytes, 0, length, offset);
    if (found !== length) {
      throw indexCorrupt(`Index table ${this.name} ends at ${offset + found}, within its entries.`, {
        file: this.name,
        offset: offset + found
      });
    }
    decodeEntries(this.version, this.#words, count, block, 0);
  }
}

interface TableLayout {
  version: TableVersion;
  count: number;
  midpointCount: number;
  sizeBytes: number;
}

/** Header, footer and the arithmetic between them. */
function readLayout(file: OpenFile, name: string): TableLayout {
  const sizeBytes = file.size();
  const header = new Uint8Array(HEADER_SIZE_BYTES);
  if (file.read(header, 0, HEADER_SIZE_BYTES, 0) < HEADER_SIZE_BYTES) {
    throw indexCorrupt(`Index table ${name} has ${sizeBytes} bytes and no complete header.`, {
      file: name,
      offset: 0
    });
  }
  if (header[0] !== TABLE_FILE_TYPE) {
    throw indexCorrupt(`${name} is not an index table: its type byte is ${header[0]}.`, {
      file: name,
      offset: 0,
      expected: TABLE_FILE_TYPE,
      found: header[0]!
    });
  }
  const version = header[1]!;
  if (!isTableVersion(version)) {
    throw unsupportedFormat(`Index table ${name} has version ${version}; versions 1 to 4 are known.`, {
      file: name,
      offset: 1,
      expected: NEWEST_TABLE_VERSION,
      found: version
    });
  }
  const midpointCount = hasMidpoints(version) ? readFooter(file, name, version, sizeBytes) : 0;
  const count = entryCountOf(version, sizeBytes, midpointCount);
  if (count === undefined) {
    throw indexCorrupt(
      `Index table ${name} has ${sizeBytes} bytes, which does not match a whole number of entries and ${midpointCount} midpoints.`,
      { file: name, found: sizeBytes }
    );
  }
  const isMidpointCountSound =
    midpointCount === 0 || (midpointCount >= 2 && (count < 2 || midpointCount <= count));
  if (!isMidpointCountSound) {
    throw indexCorrupt(
      `Index table ${name} has ${counted(count, 'entry', 'entries')} but ${counted(midpointCount, 'midpoint')}.`,
      {
        file: name,
        found: midpointCount
      }
    );
  }
  return { version, count, midpointCount: count === 0 ? 0 : midpointCount, sizeBytes };
}

function readFooter(file: OpenFile, name: string, version: TableVersion, sizeBytes: number): number {
  const offset = sizeBytes - MD5_SIZE_BYTES - FOOTER_SIZE_BYTES;
  const footer = new Uint8Array(FOOTER_SIZE_BYTES);
  if (offset < HEADER_SIZE_BYTES || file.read(footer, 0, FOOTER_SIZE_BYTES, offset) < FOOTER_SIZE_BYTES) {
    throw indexCorrupt(`Index table ${name} has ${sizeBytes} bytes and no complete footer.`, { file: name });
  }
  if (footer[0] !== TABLE_FILE_TYPE || footer[1] !== version) {
    throw indexCorrupt(`The footer of index table ${name} contradicts its header.`, {
      file: name,
      offset,
      expected: `type ${TABLE_FILE_TYPE}, version ${version}`,
      found: `type ${footer[0]}, version ${footer[1]}`
    });
  }
  return new DataView(footer.buffer).getUint32(2, true);
}
