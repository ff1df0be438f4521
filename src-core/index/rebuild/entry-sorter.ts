/**
 * Sorts entries that come in the order of the log into that of a table, with bounded memory: full buffers go to disk
 * as sorted runs, which are merged in the end. As many entries as one buffer holds never touch the disk.
 *
 *   memory   36 bytes an entry of the buffer (entry-buffer.ts); the read buffers of at most MAX_RUNS runs
 *   disk     24 bytes an entry, twice while runs are merged into one
 */
import type { AtNumber, AtPosition } from '../../units/of-unit.ts';
import type { FileSystem } from '../../storage/file-system.ts';
import { EntryBlock } from '../index-entry.ts';
import type { EntrySink } from '../log-entries.ts';
import { mergeStreams, type EntryStream, type MergeStreams } from '../merge-streams.ts';
import { EntryBuffer, SortedBuffer } from './entry-buffer.ts';
import { RunReader, RunWriter, runFileName } from './run-file.ts';

const FIRST_BUFFER_ENTRIES = 65536;
/** 48 MiB. */
export const ENTRIES_PER_RUN = 2 * 1024 * 1024;
/** So many files are open at once in a merge, with some 50 MB of read buffers. */
const MAX_RUNS = 128;
const RUN_BLOCK_ENTRIES = 8192;

export interface EntrySorterParts {
  fileSystem: FileSystem;
  /** Where runs go. */
  directory: string;
  newGuid: () => string;
  /** For tests. */
  entriesPerRun?: number;
  maxRuns?: number;
}

interface Run {
  path: string;
  count: number;
}

export class EntrySorter implements EntrySink {
  readonly #parts: EntrySorterParts;
  readonly #entriesPerRun: number;
  readonly #maxRuns: number;
  #buffer: EntryBuffer;
  #runs: Run[] = [];
  #count = 0;

  constructor(parts: EntrySorterParts) {
    this.#parts = parts;
    this.#entriesPerRun = parts.entriesPerRun ?? ENTRIES_PER_RUN;
    this.#maxRuns = parts.maxRuns ?? MAX_RUNS;
    this.#buffer = new EntryBuffer(Math.min(FIRST_BUFFER_ENTRIES, this.#entriesPerRun));
  }

  get count(): number {
    return this.#count;
  }

  add(hashHigh: number, hashLow: number, number: AtNumber, position: AtPosition): void {
    if (this.#buffer.count === this.#buffer.capacity) this.#makeRoom();
    this.#buffer.add(hashHigh, hashLow, number, position);
    this.#count++;
  }

  /** Hands out all entries in table order. */
  async drain(parts: Pick<MergeStreams, 'onEntry' | 'breathe'>): Promise<void> {
    while (this.#runs.length > this.#maxRuns) await this.#mergeOldest(parts.breathe);
    const buffered = new SortedBuffer(this.#buffer, new EntryBlock(RUN_BLOCK_ENTRIES));
    await this.#merge(this.#runs, { ...parts, others: [buffered] });
  }

  /** Removes what is on disk. */
  close(): void {
    for (const { path } of this.#runs) this.#parts.fileSystem.remove(path);
    this.#runs = [];
    this.#buffer = new EntryBuffer(0);
  }

  #makeRoom(): void {
    const full = this.#buffer;
    if (full.capacity < this.#entriesPerRun) {
      // All at once: pages that are never written to cost nothing, copying does.
      this.#buffer = full.withCapacity(this.#entriesPerRun);
      return;
    }
    this.#writeRun((writer) => {
      const sorted = new SortedBuffer(full, new EntryBlock(0));
      while (writer.appendFrom((words) => sorted.nextWords(words)) > 0);
    });
    full.count = 0;
  }

  #writeRun(write: (writer: RunWriter) => void): void {
    const { fileSystem, directory, newGuid } = this.#parts;
    const path = fileSystem.join(directory, runFileName(newGuid()));
    const writer = new RunWriter(fileSystem, path);
    // Known before it is written, so that closing removes it whatever happens.
    const run = { path, count: 0 };
    this.#runs.push(run);
    try {
      write(writer);
      run.count = writer.complete();
    } catch (error) {
      writer.close();
      throw error;
    }
  }

  /** The oldest runs, as many as may be open at once, become one. */
  async #mergeOldest(breathe: MergeStreams['breathe']): Promise<void> {
    const { fileSystem, directory, newGuid } = this.#parts;
    const merged = this.#runs.slice(0, this.#maxRuns);
    const path = fileSystem.join(directory, runFileName(newGuid()));
    const writer = new RunWriter(fileSystem, path);
    const run = { path, count: 0 };
    this.#runs.push(run);
    try {
      const onEntry: MergeStreams['onEntry'] = (high, low, number, position) =>
        writer.append(high, low, number, position);
      // These entries are still on their way: they do not count as done.
      await this.#merge(merged, { onEntry, breathe: () => breathe(0), others: [] });
      run.count = writer.complete();
    } catch (error) {
      writer.close();
      throw error;
    }
    for (const old of merged) fileSystem.remove(old.path);
    this.#runs = this.#runs.slice(merged.length);
  }

  async #merge(
    runs: readonly Run[],
    { others, ...parts }: Pick<MergeStreams, 'onEntry' | 'breathe'> & { others: EntryStream[] }
  ): Promise<void> {
    const streams = [...others];
    try {
      for (const { path, count } of runs) {
        streams.push(new RunReader(this.#parts.fileSystem, path, { count, blockEntries: RUN_BLOCK_ENTRIES }));
      }
      await mergeStreams({ ...parts, streams });
    } finally {
      for (const stream of streams) stream.close();
    }
  }
}
