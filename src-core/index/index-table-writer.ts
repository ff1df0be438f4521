/**
 * Writes one table and its filter under their final names. Nothing refers to them until the index map does, so a
 * cut leaves an orphan that the next start removes; `abort` removes it at once.
 *
 * Entries must come in table order. Version 4 unless the table replaces an older one: table versions are not
 * raised unasked. The filter is exact: it holds each distinct hash of the table. Both files are flushed when
 * `complete` returns; the code that then replaces the map flushes the directory.
 */
import type { AtNumber, AtPosition } from '../units/of-unit.ts';
import { createHash } from 'node:crypto';
import { assert } from '../assert.ts';
import { requireUnchanged } from '../storage/unchanged-file.ts';
import type { FileSystem, OpenFile } from '../storage/file-system.ts';
import { BloomFilter, tableFilterSizeBytes } from './bloom-filter.ts';
import { compareEntries, EntryBlock, emptyEntry, type SortedEntries } from './index-entry.ts';
import {
  DEFAULT_MIDPOINT_DEPTH,
  encodeEntry,
  encodeTableFooter,
  encodeTableHeader,
  entrySizeBytes,
  hasMidpoints,
  HEADER_SIZE_BYTES,
  MD5_SIZE_BYTES,
  MIDPOINT_SIZE_BYTES,
  midpointEntryIndex,
  requiredMidpointCount,
  type TableVersion
} from './index-table.ts';
import { filterNameOf } from './index-table-reader.ts';

const BUFFER_ENTRIES = 16384;
/** Also where fewer are expected: there may be more. */
const LEAST_BUFFER_ENTRIES = 1024;
/** The server makes tables read-only; filters are left as they are created. */
const TABLE_MODE = 0o444;

/** Owner and permissions of a file that the new one replaces. */
export interface FileOwner {
  mode: number;
  uid: number;
  gid: number;
}

export interface CreateTable {
  fileSystem: FileSystem;
  directory: string;
  /** A new GUID in lower case. */
  name: string;
  /** Entries expected, or those of the table that is copied: the filter's size follows from it. */
  expectedEntryCount: number;
  version?: TableVersion;
  midpointDepth?: number;
  tableOwner?: FileOwner;
  filterOwner?: FileOwner;
}

export interface WrittenTable {
  name: string;
  entryCount: number;
  sizeBytes: number;
  filterSizeBytes: number;
}

export class IndexTableWriter {
  readonly #options: CreateTable;
  readonly #version: TableVersion;
  readonly #path: string;
  readonly #filterPath: string;
  readonly #file: OpenFile;
  readonly #filter: BloomFilter;
  readonly #md5 = createHash('md5');
  readonly #words: Uint32Array;
  readonly #bytes: Uint8Array;
  readonly #entrySize: number;
  /** Entries that the buffer takes. */
  readonly #capacity: number;
  #buffered = 0;
  #flushed = 0;
  #size = 0;
  #lastHigh = -1;
  #lastLow = -1;

  private constructor(options: CreateTable) {
    const { fileSystem, directory, name } = options;
    this.#options = options;
    this.#version = options.version ?? 4;
    assert(this.#version >= 2, 'tables of version 1 are never written');
    this.#entrySize = entrySizeBytes(this.#version);
    const expected = Math.ceil(options.expectedEntryCount);
    this.#capacity = Math.max(LEAST_BUFFER_ENTRIES, Math.min(BUFFER_ENTRIES, expected));
    this.#words = new Uint32Array((this.#capacity * this.#entrySize) / 4);
    this.#bytes = new Uint8Array(this.#words.buffer);
    this.#filter = BloomFilter.empty(tableFilterSizeBytes(options.expectedEntryCount));
    this.#path = fileSystem.join(directory, name);
    this.#filterPath = fileSystem.join(directory, filterNameOf(name));
    this.#file = fileSystem.open(this.#path, 'createNew');
  }

  static create(options: CreateTable): IndexTableWriter {
    const writer = new IndexTableWriter(options);
    try {
      writer.#write(encodeTableHeader(writer.#version));
      return writer;
    } catch (error) {
      writer.abort();
      throw error;
    }
  }

  get entryCount(): number {
    return this.#flushed + this.#buffered;
  }

  append(hashHigh: number, hashLow: number, number: AtNumber, position: AtPosition): void {
    if (hashHigh !== this.#lastHigh || hashLow !== this.#lastLow) {
      this.#filter.add(hashHigh, hashLow);
      this.#lastHigh = hashHigh;
      this.#lastLow = hashLow;
    }
    if (this.#buffered === this.#capacity) this.#flush();
    const w = (this.#buffered * this.#entrySize) / 4;
    encodeEntry(this.#version, this.#words, w, hashHigh, hashLow, number, position);
    this.#buffered++;
  }

  /** Midpoints, footer, checksum and filter; both files are on the disk afterwards. */
  complete(): WrittenTable {
    this.#flush();
    const entryCount = this.#flushed;
    if (hasMidpoints(this.#version)) {
      const midpointCount = requiredMidpointCount(entryCount, this.#version, this.#midpointDepth);
      this.#writeMidpoints(midpointCount);
      this.#write(encodeTableFooter(this.#version, midpointCount));
    }
    const md5 = this.#md5.digest();
    this.#file.write(md5, 0, MD5_SIZE_BYTES, this.#size);
    const sizeBytes = this.#size + MD5_SIZE_BYTES;
    this.#file.sync();
    this.#file.close();
    const { fileSystem, tableOwner, filterOwner, name } = this.#options;
    this.#own(this.#path, tableOwner);
    fileSystem.changeMode(this.#path, tableOwner ? tableOwner.mode & 0o777 : TABLE_MODE);
    const filterBytes = this.#filter.encode();
    const filterFile = fileSystem.open(this.#filterPath, 'createNew');
    try {
      filterFile.write(filterBytes, 0, filterBytes.length, 0);
      filterFile.sync();
    } finally {
      filterFile.close();
    }
    this.#own(this.#filterPath, filterOwner ?? tableOwner);
    if (filterOwner) fileSystem.changeMode(this.#filterPath, filterOwner.mode & 0o777);
    return { name, entryCount, sizeBytes, filterSizeBytes: filterBytes.length };
  }

  /** Removes what was written. Harmless after `complete`, as long as no map names the table. */
  abort(): void {
    this.#file.close();
    this.#options.fileSystem.remove(this.#path);
    this.#options.fileSystem.remove(this.#filterPath);
  }

  get #midpointDepth(): number {
    return this.#options.midpointDepth ?? DEFAULT_MIDPOINT_DEPTH;
  }

  #own(path: string, owner: FileOwner | undefined): void {
    if (owner) this.#options.fileSystem.changeOwner(path, owner.uid, owner.gid);
  }

  #write(bytes: Uint8Array): void {
    this.#file.write(bytes, 0, bytes.length, this.#size);
    this.#md5.update(bytes);
    this.#size += bytes.length;
  }

  #flush(): void {
    if (this.#buffered === 0) return;
    this.#write(this.#bytes.subarray(0, this.#buffered * this.#entrySize));
    this.#flushed += this.#buffered;
    this.#buffered = 0;
  }

  /**
   * Which entries are sampled depends on how many there are in the end, so they are read back: from the cache of
   * the operating system, as they were written a moment ago.
   */
  #writeMidpoints(midpointCount: number): void {
    const entryCount = this.#flushed;
    const entryWords = this.#entrySize / 4;
    const out = new Uint32Array((Math.min(BUFFER_ENTRIES, midpointCount) * MIDPOINT_SIZE_BYTES) / 4);
    const outBytes = new Uint8Array(out.buffer);
    let start = 0;
    let end = 0;
    let filled = 0;
    for (let k = 0; k < midpointCount; k++) {
      const index = midpointEntryIndex(k, entryCount, midpointCount);
      if (index >= end) {
        start = index;
        end = Math.min(entryCount, start + this.#capacity);
        const length = (end - start) * this.#entrySize;
        const found = this.#file.read(this.#bytes, 0, length, HEADER_SIZE_BYTES + start * this.#entrySize);
        requireUnchanged(found === length, this.#file.path, 'entries that were written are not there');
      }
      const from = (index - start) * entryWords;
      // Number and hash as they are, the index in place of the position.
      for (let i = 0; i < 4; i++) out[filled + i] = this.#words[from + i]!;
      out[filled + 4] = index % 4294967296;
      out[filled + 5] = index / 4294967296;
      filled += 6;
      if (filled === out.length) {
        this.#write(outBytes.subarray(0, filled * 4));
        filled = 0;
      }
    }
    if (filled > 0) this.#write(outBytes.subarray(0, filled * 4));
  }
}

/** A whole table at once, from entries that are sorted already. */
export function writeIndexTable(
  options: Omit<CreateTable, 'expectedEntryCount'>,
  entries: SortedEntries
): WrittenTable {
  const writer = IndexTableWriter.create({ ...options, expectedEntryCount: entries.count });
  const block = new EntryBlock(Math.min(BUFFER_ENTRIES, entries.count));
  const previous = emptyEntry();
  const first = emptyEntry();
  try {
    for (let index = 0; index < entries.count; index += block.count) {
      entries.readEntries(index, block);
      block.get(0, first);
      if (index > 0) assert(compareEntries(previous, first) >= 0, 'entries to write are sorted');
      for (let i = 0; i < block.count; i++) {
        writer.append(block.hashHigh[i]!, block.hashLow[i]!, block.number[i]!, block.position[i]!);
      }
      block.get(block.count - 1, previous);
    }
    return writer.complete();
  } catch (error) {
    writer.abort();
    throw error;
  }
}
