/**
 * A support bundle: a database of the same shape, without what is in it. Sizes, positions, rules, times, numbers, chunks
 * and tables are those of the source; names are others (name-map.ts), payloads are not there (record-rewriter.ts).
 *
 * It is written into a folder beside its destination, which gets the destination's name when all of it is on the disk: cut
 * anywhere, there is no bundle or a whole one. A run that was cut is continued: chunks that are done are kept as long as
 * source and key are the same. The source is only read.
 */
import { isFileGone } from '../errors.ts';
import { openDatabase, type Database } from '../database/database.ts';
import type { OperationControl } from '../database/operation-control.ts';
import { INDEX_MAP_NAME, writeIndexMap } from '../index/index-map.ts';
import { filterNameOf } from '../index/index-table-reader.ts';
import type { Chunk } from '../chunks/chunk.ts';
import { readCheckpointFile, writeCheckpointFile } from '../log/checkpoint-file.ts';
import type { SkippedRange } from '../repair/salvage-chunk.ts';
import { SalvageChunk } from '../repair/salvage-chunk.ts';
import { STATE_DIRECTORY, STATE_FILE } from '../scavenge/state/state-store.ts';
import { entriesIn } from '../storage/directory-entries.ts';
import { createFile } from '../storage/create-file.ts';
import { sizeOf } from '../storage/file-size.ts';
import { isIrregular, type FileSystem } from '../storage/file-system.ts';
import { checkpointBytes } from './checkpoint-bytes.ts';
import { writeBundleChunk, writeStandIn } from './bundle-chunk.ts';
import { examineTable, writeBundleTables } from './bundle-index.ts';
import {
  BUNDLE_MANIFEST,
  BUNDLE_VERSION,
  encodeBundleManifest,
  type BundleManifest
} from './bundle-manifest.ts';
import { planBundle, stateMark, type BundlePlan } from './bundle-plan.ts';
import { BUNDLE_PROGRESS, BundleProgress, type DoneChunk } from './bundle-progress.ts';
import { BundleState } from './bundle-state.ts';
import { partialPathOf, requireFreeTarget } from './bundle-target.ts';
import { NameMap } from './name-map.ts';
import { RecordRewriter, type RewriteCounts } from './record-rewriter.ts';
import { StreamFilter } from './stream-filter.ts';
import { isRunId } from './system-names.ts';

export interface BundleRequest {
  database: Database;
  /** Of the bundle: missing, or an empty directory. */
  target: string;
  headersOnly: boolean;
  key: Uint8Array;
  /** Now, ISO 8601. */
  madeAt: string;
  newGuid: () => string;
  /** Makes an empty directory for a copy of the state of scavenges, where one is needed; it is removed again. */
  makeScratch: () => string;
  control: OperationControl;
  /** Further files of the bundle, whole: names and content. */
  extras?: { name: string; bytes: Uint8Array }[];
  /** Hears of names as they are met, some of them more than once. */
  onName?: (kind: 'stream' | 'type', name: string, replaced: string) => void;
}

export interface BundleResult {
  manifest: BundleManifest;
  unreadable: SkippedRange[];
  /** Chunks that an earlier run had done. */
  resumedChunks: number;
}

const INDEX = 'index';
/** Kind and version: why a table cannot be read is mostly in them. */
const TABLE_KIND_BYTES = 2;
const CHANGED = 'it changed while it was read';
const GONE = 'it was removed while the bundle was made';
const IN_USE = 'a server has the database open, and may write to it';

export async function runBundle(request: BundleRequest): Promise<BundleResult> {
  const { database, target } = request;
  const { fileSystem } = database;
  requireFreeTarget(fileSystem, target);
  const plan = planBundle(database);
  const partial = partialPathOf(target);
  const run = new BundleRun(request, plan, partial);
  run.begin();
  await run.writeChunks();
  run.writeCheckpoints();
  await run.writeIndex();
  const result = run.writeRest();
  if (fileSystem.describe(target)) fileSystem.removeDirectory(target);
  fileSystem.rename(partial, target);
  fileSystem.syncDirectory(parentOf(fileSystem, target));
  return result;
}

function parentOf(fileSystem: FileSystem, path: string): string {
  return fileSystem.join(path, '..');
}

class BundleRun {
  readonly #request: BundleRequest;
  readonly #plan: BundlePlan;
  readonly #directory: string;
  readonly #progress: BundleProgress;
  readonly #names: NameMap;
  #filter: StreamFilter | undefined;
  readonly #counts: RewriteCounts = { records: 0, payloadBytes: 0, metadataWithoutRights: 0 };
  readonly #skipped: SkippedRange[] = [];
  #resumedChunks = 0;
  #entries = { entries: 0, dangling: 0 };

  constructor(request: BundleRequest, plan: BundlePlan, directory: string) {
    this.#request = request;
    this.#plan = plan;
    this.#directory = directory;
    const { fileSystem, indexDirectory } = request.database;
    this.#progress = new BundleProgress(fileSystem, directory);
    this.#filter = StreamFilter.like(fileSystem, indexDirectory);
    this.#names = new NameMap(request.key, (kind, name, replaced) => {
      if (kind === 'stream') this.#filter?.add(replaced);
      request.onName?.(kind, name, replaced);
    });
  }

  begin(): void {
    const { database, headersOnly } = this.#request;
    const { chunkSizeBytes } = database.chunkSet;
    const key = this.#names.fingerprint;
    this.#progress.begin(JSON.stringify({ bundle: BUNDLE_VERSION, key, headersOnly, chunkSizeBytes }));
  }

  async writeChunks(): Promise<void> {
    const { database, control, headersOnly } = this.#request;
    const { fileSystem, chunkSet } = database;
    const total = chunkSet.chunks.reduce((sum, { dataSize }) => sum + dataSize, 0);
    let done = 0;
    const onBytes = (count: number): void => {
      done += count;
      control.report({ phase: 'log', done, total, unit: 'bytes' });
    };
    for (const chunk of chunkSet.chunks) {
      control.throwIfStopped();
      const target = fileSystem.join(this.#directory, chunk.fileName);
      const before = this.#progress.doneOf(chunk);
      if (before) {
        await this.#takeOver(before, chunk);
        done += chunk.dataSize;
        continue;
      }
      fileSystem.remove(target);
      const rewriter = new RecordRewriter(this.#names, { headersOnly });
      const temporary = `${target}.new`;
      let skipped: SkippedRange[];
      try {
        skipped = await writeBundleChunk({
          fileSystem,
          chunk,
          target: temporary,
          rewriter,
          control,
          onBytes
        });
      } catch (error) {
        if (!isFileGone(error) || fileSystem.describe(chunk.path) !== undefined) throw error;
        fileSystem.remove(temporary);
        this.#leaveChunkOut(chunk);
        continue;
      }
      fileSystem.rename(temporary, target);
      fileSystem.syncDirectory(this.#directory);
      this.#count(rewriter.counts, skipped);
      if (chunk.isLasting) this.#progress.add(chunk, { counts: rewriter.counts, skipped });
    }
  }

  /** A server's scavenge has replaced it since, or somebody has removed it: the bundle has a gap there, and says so. */
  #leaveChunkOut({ fileName: file, fileSize: bytes, startPosition, endPosition }: Chunk): void {
    const to = Math.min(endPosition, this.#request.database.chunkSet.writerPosition);
    this.#plan.chunks--;
    this.#plan.chunkBytes -= bytes;
    this.#plan.leftOut.push({ file, bytes, why: GONE });
    this.#skipped.push({ file, from: startPosition, to, why: GONE });
  }

  /** Before anything reads the log of the bundle: without them nobody knows where it ends. */
  writeCheckpoints(): void {
    const { database } = this.#request;
    const { fileSystem, dataDirectory } = database;
    for (const name of ['writer', 'chaser', 'epoch', 'proposal', 'truncate', 'tag']) {
      const file = `${name}.chk`;
      // As it was when the log was opened; a running server has moved on since.
      const known = (database.checkpoints as Record<string, number | null>)[name];
      const value =
        known === undefined ? readCheckpointFile(fileSystem, fileSystem.join(dataDirectory, file)) : known;
      if (value === null) continue;
      if (Number.isSafeInteger(value))
        writeCheckpointFile(fileSystem, fileSystem.join(this.#directory, file), value);
      else this.#copyCheckpoint(file);
    }
  }

  /** What no position is, is there byte by byte: it is what is wrong. */
  #copyCheckpoint(file: string): void {
    const { fileSystem, dataDirectory } = this.#request.database;
    const bytes = checkpointBytes(fileSystem, fileSystem.join(dataDirectory, file));
    if (bytes) this.#createFile(file, bytes);
  }

  /** A running server merges its tables: what has moved on is left out, and the server of the bundle builds it again. */
  async writeIndex(): Promise<void> {
    const { database, newGuid, control } = this.#request;
    const { fileSystem, indexDirectory } = database;
    const { map, indexStandIns } = this.#plan;
    const directory = fileSystem.join(this.#directory, INDEX);
    if (fileSystem.describe(indexDirectory) === undefined) return;
    fileSystem.makeDirectory(directory);
    const tables: string[] = [];
    for (const name of this.#plan.tables) {
      if (this.#hasIndexMovedOn) break;
      const state = await examineTable({ fileSystem, sourceDirectory: indexDirectory, control }, name);
      if (state === 'readable') tables.push(name);
      else if (state === 'damaged') this.#standInForTable(name);
      else if (!this.#hasIndexMovedOn) this.#leaveTableOut(name);
    }
    if (this.#hasIndexMovedOn) return this.#leaveIndexOut();
    const state = this.#openState();
    const bundle = openDatabase({ fileSystem, dataDirectory: this.#directory });
    try {
      while (tables.length > 0) {
        const { gone, ...entries } = await writeBundleTables({
          fileSystem,
          sourceDirectory: indexDirectory,
          tables,
          directory,
          targetName: (name) => this.#tableName(name),
          log: bundle.log,
          names: this.#names,
          nameOf: (high, low) => state?.nameOf(high, low),
          newGuid,
          control
        });
        this.#entries = entries;
        if (gone === undefined) break;
        if (this.#hasIndexMovedOn) return this.#leaveIndexOut();
        tables.splice(tables.indexOf(gone), 1);
        this.#leaveTableOut(gone);
      }
      for (const file of [...indexStandIns]) {
        const target = fileSystem.join(directory, this.#tableName(file));
        const headBytes = this.#plan.unreadableTables.includes(file) ? TABLE_KIND_BYTES : 0;
        const source = fileSystem.join(indexDirectory, file);
        this.#standIn(indexStandIns, file, {
          source,
          target,
          headBytes,
          name: `${INDEX}/${this.#tableName(file)}`
        });
      }
      if (state) await this.#writeState(state, fileSystem.join(directory, STATE_DIRECTORY));
    } finally {
      bundle.close();
      state?.close();
    }
    if (map) {
      const renamed = map.tables.map((table) => ({ ...table, file: this.#tableName(table.file) }));
      writeIndexMap(fileSystem, directory, { ...map, tables: renamed }, newGuid());
    }
    this.#filter?.write(fileSystem, directory);
    fileSystem.syncDirectory(directory);
  }

  /** Of no running server: one that merges has another index by now, and all of this one is left out. */
  #leaveTableOut(name: string): void {
    const { fileSystem, indexDirectory } = this.#request.database;
    const filter = filterNameOf(name);
    this.#plan.leftOut.push({ file: `${INDEX}/${this.#tableName(name)}`, bytes: 0, why: GONE });
    if (fileSystem.describe(fileSystem.join(indexDirectory, filter))) this.#plan.indexStandIns.push(filter);
  }

  /** A file that is there by name and size only. One that is no file, or not there any more, is left out. */
  #standIn(
    standIns: string[],
    file: string,
    {
      source,
      target,
      name,
      headBytes = 0
    }: { source: string; target: string; name: string; headBytes?: number }
  ): void {
    const { fileSystem } = this.#request.database;
    try {
      writeStandIn(fileSystem, { source, target, headBytes });
    } catch (error) {
      const why = isFileGone(error) ? GONE : isIrregular(error) ? 'it is not a regular file' : undefined;
      if (why === undefined) throw error;
      standIns.splice(standIns.indexOf(file), 1);
      this.#plan.leftOut.push({ file: name, bytes: 0, why });
    }
  }

  /** The map is ahead of the log as it was opened, or a server has merged one of its tables since. */
  get #hasIndexMovedOn(): boolean {
    const { fileSystem, indexDirectory, checkpoints, inUse } = this.#request.database;
    const { map, tables } = this.#plan;
    if (!map || !inUse) return false;
    return (
      map.commitCheckpoint >= (checkpoints.chaser ?? 0) ||
      tables.some((name) => fileSystem.describe(fileSystem.join(indexDirectory, name)) === undefined)
    );
  }

  /** All of it: nothing of the index is in the bundle, not by name either. */
  #leaveIndexOut(): void {
    const why = 'the index moved on while it was read';
    this.#plan.leftOut.push({ file: `${INDEX}/${INDEX_MAP_NAME}`, bytes: 0, why });
    this.#plan.indexStandIns.length = 0;
    if (this.#plan.state) this.#leaveStateOut(IN_USE);
  }

  #standInForTable(name: string): void {
    const { fileSystem, indexDirectory } = this.#request.database;
    const filter = filterNameOf(name);
    this.#plan.unreadableTables.push(name);
    this.#plan.indexStandIns.push(name);
    if (fileSystem.describe(fileSystem.join(indexDirectory, filter))) this.#plan.indexStandIns.push(filter);
  }

  /** The state is of the moment at which the log was opened, or it is left out: a later one would be ahead of its log. */
  #openState(): BundleState | undefined {
    const { database, makeScratch } = this.#request;
    const { fileSystem } = database;
    const { state } = this.#plan;
    if (!state) return undefined;
    const opened = database.inUse
      ? IN_USE
      : stateMark(fileSystem, state.path) !== state.mark
        ? CHANGED
        : BundleState.open({ fileSystem, path: state.path, makeScratch });
    if (typeof opened !== 'string') return opened;
    this.#leaveStateOut(opened);
    return undefined;
  }

  async #writeState(state: BundleState, directory: string): Promise<void> {
    const { control } = this.#request;
    const why = await state.write({ directory, names: this.#names, control });
    if (why !== undefined) this.#leaveStateOut(why);
  }

  #leaveStateOut(why: string): void {
    const { path } = this.#plan.state!;
    const bytes = sizeOf(this.#request.database.fileSystem, path);
    const file = `${INDEX}/${STATE_DIRECTORY}/${STATE_FILE}`;
    if (!this.#plan.leftOut.some((known) => known.file === file))
      this.#plan.leftOut.push({ file, bytes, why });
  }

  writeRest(): BundleResult {
    const { database, extras = [], headersOnly, madeAt } = this.#request;
    const { fileSystem, dataDirectory } = database;
    const { standIns } = this.#plan;
    for (const file of [...standIns]) {
      const target = fileSystem.join(this.#directory, file);
      this.#standIn(standIns, file, { source: fileSystem.join(dataDirectory, file), target, name: file });
    }
    for (const { name, bytes } of extras) this.#createFile(name, bytes);
    const manifest: BundleManifest = {
      bundle: BUNDLE_VERSION,
      ...sizesBelow(fileSystem, this.#directory, (name) => name !== BUNDLE_PROGRESS),
      headersOnly,
      madeAt,
      chunks: this.#plan.chunks,
      records: this.#counts.records,
      sourceBytes: this.#plan.chunkBytes + this.#plan.tableBytes,
      payloadBytes: this.#counts.payloadBytes,
      indexEntries: this.#entries.entries,
      entriesWithoutRecord: this.#entries.dangling,
      metadataWithoutRights: this.#counts.metadataWithoutRights,
      standIns: [
        ...this.#plan.standIns,
        ...this.#plan.indexStandIns.map((file) => `${INDEX}/${this.#tableName(file)}`)
      ],
      unreadable: this.#skipped.map(({ file, from, to }) => ({ file, from, to })),
      leftOut: this.#plan.leftOut
    };
    this.#createFile(BUNDLE_MANIFEST, encodeBundleManifest(manifest));
    this.#progress.end();
    return { manifest, unreadable: this.#skipped, resumedChunks: this.#resumedChunks };
  }

  #createFile(name: string, bytes: Uint8Array): void {
    const { fileSystem } = this.#request.database;
    const temporaryName = `${name}.new`;
    createFile(fileSystem, { directory: this.#directory, name, temporaryName, bytes, mode: 0o644 });
  }

  /** The server names tables at random; a name that somebody chose is a name like others. */
  #tableName(file: string): string {
    const [id = '', ...rest] = file.split('.');
    return [isRunId(id) ? id : this.#names.text(id), ...rest].join('.');
  }

  async #takeOver(before: DoneChunk, chunk: Chunk): Promise<void> {
    this.#resumedChunks++;
    this.#count(before.counts, before.skipped);
    const { database, control } = this.#request;
    if (!this.#filter && !this.#request.onName) return;
    // The names of the source are met again: for the filter of streams and for who wants to know them.
    const { fileSystem } = database;
    const walk = new SalvageChunk({ fileSystem, chunk });
    try {
      for (let step = walk.next(); step !== 'end'; step = walk.next()) {
        if (step === 'skipped' || walk.record.kind !== 'prepare') continue;
        this.#names.stream(walk.record.stream);
        this.#names.eventType(walk.record.eventType);
        if (control.isDue) await control.breathe();
      }
    } finally {
      walk.close();
    }
  }

  #count(counts: RewriteCounts, skipped: readonly SkippedRange[]): void {
    this.#counts.records += counts.records;
    this.#counts.payloadBytes += counts.payloadBytes;
    this.#counts.metadataWithoutRights += counts.metadataWithoutRights;
    this.#skipped.push(...skipped);
  }
}

/** Of the files in a directory and those below it. */
function sizesBelow(
  fileSystem: FileSystem,
  directory: string,
  isCounted: (name: string) => boolean
): { files: number; bytes: number } {
  const sum = { files: 0, bytes: 0 };
  for (const { name, isDirectory } of entriesIn(fileSystem, directory)) {
    const path = fileSystem.join(directory, name);
    if (!isDirectory && !isCounted(name)) continue;
    const { files, bytes } = isDirectory
      ? sizesBelow(fileSystem, path, isCounted)
      : { files: 1, bytes: sizeOf(fileSystem, path) };
    sum.files += files;
    sum.bytes += bytes;
  }
  return sum;
}
