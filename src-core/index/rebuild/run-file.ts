/**
 * A sorted run of entries on disk, for sorting more of them than memory should hold. Entries as tables of version 4
 * have them, nothing around them. A run is read back by who wrote it, moments later, and then removed; it is never
 * flushed, because after a cut it is worth nothing. Its name ends in `.run.tmp`: the server removes such files from
 * an index directory at its start, we at our next rebuild.
 */
import type { AtNumber, AtPosition } from '../../units/of-unit.ts';
import { requireUnchanged } from '../../storage/unchanged-file.ts';
import type { FileSystem, OpenFile } from '../../storage/file-system.ts';
import { EntryBlock } from '../index-entry.ts';
import type { EntryStream } from '../merge-streams.ts';
import { decodeEntries, encodeEntry, entrySizeBytes, NEWEST_TABLE_VERSION } from '../index-table.ts';

export const RUN_ENTRY_BYTES = entrySizeBytes(NEWEST_TABLE_VERSION);
const ENTRY_WORDS = RUN_ENTRY_BYTES / 4;
const BUFFER_ENTRIES = 16384;

export function runFileName(id: string): string {
  return `${id}.run.tmp`;
}

export class RunWriter {
  readonly #file: OpenFile;
  readonly #words = new Uint32Array(BUFFER_ENTRIES * ENTRY_WORDS);
  readonly #bytes = new Uint8Array(this.#words.buffer);
  #buffered = 0;
  #written = 0;

  constructor(fileSystem: FileSystem, path: string) {
    this.#file = fileSystem.open(path, 'createNew');
  }

  append(hashHigh: number, hashLow: number, number: AtNumber, position: AtPosition): void {
    if (this.#buffered === BUFFER_ENTRIES) this.#flush();
    const w = this.#buffered++ * ENTRY_WORDS;
    encodeEntry(NEWEST_TABLE_VERSION, this.#words, w, hashHigh, hashLow, number, position);
  }

  /** Lets `fill` put encoded entries into an empty buffer and writes them; gives how many. */
  appendFrom(fill: (words: Uint32Array) => number): number {
    this.#flush();
    const count = fill(this.#words);
    this.#buffered = count;
    return count;
  }

  /** Gives the number of entries. */
  complete(): number {
    this.#flush();
    this.#file.close();
    return this.#written;
  }

  close(): void {
    this.#file.close();
  }

  #flush(): void {
    if (this.#buffered === 0) return;
    const length = this.#buffered * RUN_ENTRY_BYTES;
    this.#file.write(this.#bytes, 0, length, this.#written * RUN_ENTRY_BYTES);
    this.#written += this.#buffered;
    this.#buffered = 0;
  }
}

export class RunReader implements EntryStream {
  readonly block: EntryBlock;
  readonly #file: OpenFile;
  readonly #words: Uint32Array;
  readonly #bytes: Uint8Array;
  readonly #count: number;
  #at = 0;

  constructor(
    fileSystem: FileSystem,
    path: string,
    { count, blockEntries }: { count: number; blockEntries: number }
  ) {
    this.block = new EntryBlock(blockEntries);
    this.#words = new Uint32Array(blockEntries * ENTRY_WORDS);
    this.#bytes = new Uint8Array(this.#words.buffer);
    this.#count = count;
    this.#file = fileSystem.open(path, 'read');
  }

  next(): boolean {
    const count = Math.min(this.block.capacity, this.#count - this.#at);
    const length = count * RUN_ENTRY_BYTES;
    const found = this.#file.read(this.#bytes, 0, length, this.#at * RUN_ENTRY_BYTES);
    requireUnchanged(found === length, this.#file.path, 'entries that were written are not there');
    decodeEntries(NEWEST_TABLE_VERSION, this.#words, count, this.block, 0);
    this.block.count = count;
    this.#at += count;
    return count > 0;
  }

  close(): void {
    this.#file.close();
  }
}
