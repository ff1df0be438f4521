/**
 * The index of a bundle: for each table one with the same entries under the hashes of the new names, in the order of those,
 * with the same name, version, level, number of midpoints and size of its filter.
 *
 * An entry says only hash, number and position. So all entries are sorted by position, the records of the bundle are walked
 * beside them, and each entry goes to its table again with the hash of the stream that its record names: two streams that
 * shared a hash part here. Of an entry whose record is gone the record of another entry of the same hash says the stream, or
 * the state of scavenges; if none is left the key makes up a hash. Memory stays bounded (entry-sorter.ts).
 */
import { SalvageChunk } from '../repair/salvage-chunk.ts';
import type { OperationControl } from '../database/operation-control.ts';
import { isFileGone, requireFault, requireFaultBut } from '../errors.ts';
import { LINE_SIZE_BYTES, type DecodedFilter } from '../index/bloom-filter.ts';
import { readFilterSize } from '../index/filter-file.ts';
import { IndexTableReader, filterNameOf, type OpenTable } from '../index/index-table-reader.ts';
import { IndexTableWriter } from '../index/index-table-writer.ts';
import { hasMidpoints, MD5_SIZE_BYTES, requiredMidpointCount } from '../index/index-table.ts';
import { emptyEntry } from '../index/index-entry.ts';
import { EntrySorter, ENTRIES_PER_RUN } from '../index/rebuild/entry-sorter.ts';
import { hashStream, hashStreamOf, hashText } from '../index/stream-hash.ts';
import { readTableChecksum } from '../index/table-checksum.ts';
import { TableScan } from '../index/table-scan.ts';
import type { LogReader } from '../log/log-reader.ts';
import type { LogRecord } from '../records/log-record.ts';
import type { FileSystem } from '../storage/file-system.ts';
import type { NameMap } from './name-map.ts';

export interface BundleTables {
  fileSystem: FileSystem;
  /** Of the source. */
  sourceDirectory: string;
  /** Readable tables of the source, by name. */
  tables: readonly string[];
  /** Of the bundle, where the tables go. */
  directory: string;
  /** What a table is called there. */
  targetName: (name: string) => string;
  /** Of the bundle: names are the new ones. */
  log: LogReader;
  names: NameMap;
  /** The stream that a hash of the source stands for, where somebody knows it. */
  nameOf: (hashHigh: number, hashLow: number) => string | undefined;
  newGuid: () => string;
  control: OperationControl;
}

const TWO_32 = 4294967296;
/** Entries are sorted by what is missing up to here: greatest first is then lowest position first. */
const HIGHEST = Number.MAX_SAFE_INTEGER;
/** A table and an index in it, as one number. */
const TABLE_STRIDE = 2 ** 40;
const MOST_KNOWN_HASHES = 100_000;
/** Entries of one hash that are tried for a record that is still there. */
const MOST_TRIES = 64;
const LARGEST_DEPTH = 28;
/** A line of a filter that is all this has a wrong checksum. */
const NO_LINE = 0x55;

interface OpenedTable {
  reader: IndexTableReader;
  sorter: EntrySorter;
}

/** The order of its entries and midpoints holds: damage within a table shows only when all of it is read. */
export async function examineTable(
  {
    fileSystem,
    sourceDirectory: directory,
    control
  }: Pick<BundleTables, 'fileSystem' | 'sourceDirectory' | 'control'>,
  name: string
): Promise<'readable' | 'damaged' | 'gone'> {
  let reader: IndexTableReader | undefined;
  try {
    reader = openIfThere({ fileSystem, directory, name });
    if (!reader) return 'gone';
    reader.firstAtOrBelow(0, 0, Infinity); // asks the midpoints
    for (const scan = new TableScan(reader); scan.next();) if (control.isDue) await control.breathe();
    return 'readable';
  } catch (error) {
    requireFault(error, 'IndexCorrupt', 'UnsupportedFormat');
    return 'damaged';
  } finally {
    reader?.close();
  }
}

/** undefined: it is gone since its directory was read. */
function openIfThere(table: OpenTable): IndexTableReader | undefined {
  try {
    return IndexTableReader.open(table);
  } catch (error) {
    requireFault(error);
    if (isFileGone(error)) return undefined;
    if (table.fileSystem.describe(table.fileSystem.join(table.directory, table.name)) === undefined)
      return undefined;
    throw error;
  }
}

export interface WrittenTables {
  entries: number;
  /** Entries whose record is gone. */
  dangling: number;
  /** The first table that is not there any more; then none is written. */
  gone: string | undefined;
}

export async function writeBundleTables(parts: BundleTables): Promise<WrittenTables> {
  const { fileSystem, sourceDirectory, directory, tables, newGuid, control } = parts;
  const opened: OpenedTable[] = [];
  const entriesPerRun = Math.max(65536, Math.floor(ENTRIES_PER_RUN / (tables.length + 1)));
  const byPosition = new EntrySorter({ fileSystem, directory, newGuid, entriesPerRun });
  const join = new Join(parts, opened);
  try {
    for (const name of tables) {
      const reader = openIfThere({ fileSystem, directory: sourceDirectory, name });
      if (!reader) return { entries: 0, dangling: 0, gone: name };
      opened.push({ reader, sorter: new EntrySorter({ fileSystem, directory, newGuid, entriesPerRun }) });
    }
    for (const [table, { reader }] of opened.entries()) {
      const scan = new TableScan(reader);
      while (scan.next()) {
        const { number, position, count } = scan.block;
        for (let i = 0; i < count; i++) {
          const key = HIGHEST - position[i]!;
          byPosition.add(
            Math.floor(key / TWO_32),
            key % TWO_32,
            number[i]!,
            table * TABLE_STRIDE + scan.start + i
          );
        }
        if (control.isDue) await control.breathe();
      }
    }
    const total = byPosition.count;
    let done = 0;
    await byPosition.drain({
      onEntry: (high, low, number, place) => join.see(HIGHEST - (high * TWO_32 + low), number, place),
      breathe: async (count) => {
        done += count;
        control.report({ phase: 'index', done, total, unit: 'entries' });
        await control.breathe();
      }
    });
    for (const table of opened) await writeTable(parts, table);
    return { entries: total, dangling: join.dangling, gone: undefined };
  } finally {
    join.close();
    byPosition.close();
    for (const { reader, sorter } of opened) {
      sorter.close();
      reader.close();
    }
  }
}

/** Entries in the order of positions beside the records of the log. */
class Join {
  dangling = 0;
  readonly #parts: BundleTables;
  readonly #tables: readonly OpenedTable[];
  readonly #records: RecordWalk;
  readonly #hash = { high: 0, low: 0 };
  /** New hashes by old ones, of entries without a record. */
  readonly #known = new Map<string, { high: number; low: number }>();
  readonly #entry = emptyEntry();

  constructor(parts: BundleTables, tables: readonly OpenedTable[]) {
    this.#parts = parts;
    this.#tables = tables;
    this.#records = new RecordWalk(parts.fileSystem, parts.log);
  }

  see(position: number, number: number, place: number): void {
    const table = Math.floor(place / TABLE_STRIDE);
    const record = this.#records.moveTo(position);
    let hash: { high: number; low: number } = this.#hash;
    if (record) hashStreamOf(record, hashStream, this.#hash);
    else hash = this.#hashWithoutRecord(this.#tables[table]!.reader, place % TABLE_STRIDE);
    this.#tables[table]!.sorter.add(hash.high, hash.low, number, position);
  }

  close(): void {
    this.#records.close();
  }

  #hashWithoutRecord(table: IndexTableReader, index: number): { high: number; low: number } {
    this.dangling++;
    const { hashHigh, hashLow } = table.readEntry(index, this.#entry);
    const old = hashText(hashHigh, hashLow);
    const known = this.#known.get(old);
    if (known) return known;
    const found = this.#hashOfOthers(hashHigh, hashLow) ??
      this.#hashByName(hashHigh, hashLow) ?? { high: 0, low: 0 };
    if (found.high === 0 && found.low === 0) this.#parts.names.hashFor(old, found);
    if (this.#known.size >= MOST_KNOWN_HASHES) this.#known.delete(this.#known.keys().next().value!);
    this.#known.set(old, found);
    return found;
  }

  #hashByName(hashHigh: number, hashLow: number): { high: number; low: number } | undefined {
    const { names, nameOf } = this.#parts;
    const name = nameOf(hashHigh, hashLow);
    return name === undefined ? undefined : hashStream(names.stream(name), { high: 0, low: 0 });
  }

  /** By a record of another entry with the same hash, in whatever table. */
  #hashOfOthers(hashHigh: number, hashLow: number): { high: number; low: number } | undefined {
    let tries = 0;
    for (const { reader } of this.#tables) {
      const first = reader.firstAtOrBelow(hashHigh, hashLow, Infinity);
      for (let index = first; index < reader.count && tries < MOST_TRIES; index++, tries++) {
        const entry = reader.readEntry(index, this.#entry);
        if (entry.hashHigh !== hashHigh || entry.hashLow !== hashLow) break;
        const record = readRecord(this.#parts.log, entry.position);
        if (record?.kind === 'prepare') return hashStreamOf(record, hashStream, { high: 0, low: 0 });
      }
    }
    return undefined;
  }
}

function readRecord(log: LogReader, position: number): LogRecord | undefined {
  try {
    return log.readAt(position);
  } catch (error) {
    requireFaultBut(error, 'StorageFailed');
    return undefined;
  }
}

/** Records that can be read, in order, past damage. */
class RecordWalk {
  readonly #fileSystem: FileSystem;
  readonly #log: LogReader;
  #next = 0;
  #walk: SalvageChunk | undefined;
  #record: LogRecord | undefined;

  constructor(fileSystem: FileSystem, log: LogReader) {
    this.#fileSystem = fileSystem;
    this.#log = log;
  }

  /** The prepare that begins exactly there; undefined when there is none. Positions only rise. */
  moveTo(position: number): LogRecord | undefined {
    while (!this.#record || this.#record.position < position) if (!this.#step(position)) return undefined;
    return this.#record.position === position && this.#record.kind === 'prepare' ? this.#record : undefined;
  }

  close(): void {
    this.#walk?.close();
  }

  #step(position: number): boolean {
    for (;;) {
      const step = this.#walk?.next() ?? 'end';
      if (step === 'record') {
        this.#record = this.#walk!.record;
        return true;
      }
      if (step === 'skipped') continue;
      this.#walk?.close();
      // Chunks that no entry points to are passed over.
      while (this.#next < this.#log.chunks.length && this.#log.chunks[this.#next]!.endPosition <= position)
        this.#next++;
      const chunk = this.#log.chunks[this.#next++];
      if (!chunk) {
        this.#walk = undefined;
        this.#record = undefined;
        return false;
      }
      this.#walk = new SalvageChunk({ fileSystem: this.#fileSystem, chunk });
    }
  }
}

async function writeTable(parts: BundleTables, { reader, sorter }: OpenedTable): Promise<void> {
  const { fileSystem, directory, control } = parts;
  const filterSize = logicalFilterSize(fileSystem, parts.sourceDirectory, reader.name);
  const writer = IndexTableWriter.create({
    fileSystem,
    directory,
    name: parts.targetName(reader.name),
    // The filter has a byte for four entries: so it becomes as large as the old one, which may have been made for more.
    expectedEntryCount: filterSize === undefined ? reader.count : filterSize * 4,
    version: reader.version,
    midpointDepth: depthOf(reader)
  });
  try {
    await sorter.drain({
      onEntry: (high, low, number, position) => writer.append(high, low, number, position),
      breathe: () => control.breathe()
    });
    writer.complete();
  } catch (error) {
    writer.abort();
    throw error;
  }
  const name = parts.targetName(reader.name);
  const filter = fileSystem.join(directory, filterNameOf(name));
  if (reader.hasFilterFile) spoilFilter(fileSystem, filter, reader.filter);
  else fileSystem.remove(filter);
  const { computed, stored } = await readTableChecksum(reader, () => control.breathe());
  if (computed !== stored && reader.count > 0) spoilChecksum(fileSystem, fileSystem.join(directory, name));
}

/** The depth of the server's setting that gives as many midpoints. */
function depthOf(table: IndexTableReader): number {
  const standard = 16;
  if (!hasMidpoints(table.version)) return standard;
  const countAt = (depth: number) => requiredMidpointCount(table.count, table.version, depth);
  if (countAt(standard) === table.midpointCount) return standard;
  for (let depth = 0; depth <= LARGEST_DEPTH; depth++)
    if (countAt(depth) === table.midpointCount) return depth;
  return standard;
}

function logicalFilterSize(fileSystem: FileSystem, directory: string, table: string): number | undefined {
  const size = readFilterSize(fileSystem, fileSystem.join(directory, filterNameOf(table)));
  return typeof size === 'string' ? undefined : size;
}

/** As many lines as were damaged are so here, from the same place on; a filter that is not used is none here. */
function spoilFilter(
  fileSystem: FileSystem,
  path: string,
  { problem, damagedLineCount, firstDamageOffset }: DecodedFilter
): void {
  if (problem === undefined && damagedLineCount === 0) return;
  fileSystem.changeMode(path, 0o644);
  const file = fileSystem.open(path, 'readWrite');
  try {
    if (firstDamageOffset === undefined) file.write(Uint8Array.of(0), 0, 1, 0);
    else {
      const line = new Uint8Array(LINE_SIZE_BYTES).fill(NO_LINE);
      const end = file.size() - LINE_SIZE_BYTES;
      for (let i = 0, at = firstDamageOffset; i < damagedLineCount && at <= end; i++, at += line.length) {
        file.write(line, 0, line.length, at);
      }
    }
    file.sync();
  } finally {
    file.close();
  }
}

function spoilChecksum(fileSystem: FileSystem, path: string): void {
  fileSystem.changeMode(path, 0o644);
  const file = fileSystem.open(path, 'readWrite');
  try {
    const at = file.size() - MD5_SIZE_BYTES;
    const byte = new Uint8Array(1);
    file.read(byte, 0, 1, at);
    byte[0] = byte[0]! ^ 0xff;
    file.write(byte, 0, 1, at);
    file.sync();
  } finally {
    file.close();
  }
}
