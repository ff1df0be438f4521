/**
 * What a scavenged database holds, on any file system, as plain values: records, chunk ranges and sizes, index
 * entries, names of files, damage. And what a reader must see at any moment of a scavenge: of each logical chunk
 * and of each table the content before or the content after, never less.
 */
import { createHash } from 'node:crypto';
import { requireChunkChecksum } from '../../src-core/chunks/chunk-checksum.ts';
import { openDatabase, type Database } from '../../src-core/database/database.ts';
import { hashStream, type StreamHasher } from '../../src-core/index/stream-hash.ts';
import { openStreamIndex, type StreamIndex } from '../../src-core/index/stream-index.ts';
import { verifyIndex } from '../../src-core/index/verify-index.ts';
import type { LogRecord } from '../../src-core/records/log-record.ts';
import type { FileSystem } from '../../src-core/storage/file-system.ts';
import { chunkNumberOf } from '../../src-core/units/log-position.ts';
import { verifyDatabase } from '../../src-core/verify/verify-database.ts';
import { entriesOf } from './database-content.ts';
import { scavengeEnvironment } from './scavenge-environment.ts';

export interface ScavengedContent {
  /** Records of each logical chunk, `position what`. */
  records: string[][];
  /** `first-last dataSize fileSize` of each physical chunk. */
  chunks: string[];
  /** Entries by `level,position` of the table. */
  tables: Record<string, string[]>;
  /** Each run gives chunks, tables and filters new names; everything else must be the same. */
  names: string[];
  damage: string[];
}

export interface ContentOptions {
  fileSystem: FileSystem;
  dataDirectory: string;
  hasher?: StreamHasher;
  /** Leaves out what runs tell of themselves in the log: each run tells something else. */
  isWithoutHistory?: boolean;
}

export async function scavengedContent(options: ContentOptions): Promise<ScavengedContent> {
  const content = await wholeContent(options);
  if (!options.isWithoutHistory) return content;
  // The history lies behind the scavenge point, which ends its chunk.
  const first =
    content.records.findLastIndex((lines) => lines.some((line) => / \$scavengePoint /.test(line))) + 1;
  if (first === 0) return content;
  const startsBefore = (name: string) => !(Number(/^(?:chunk-)?(\d+)/.exec(name)?.[1] ?? -1) >= first);
  return {
    ...content,
    records: content.records.slice(0, first),
    chunks: content.chunks.filter(startsBefore),
    names: content.names.filter(startsBefore)
  };
}

function isHistory(line: string): boolean {
  return / \$(\$\$)?scavenges/.test(line);
}

function wholeContent(options: ContentOptions): Promise<ScavengedContent> {
  const { fileSystem, dataDirectory } = options;
  return withOpened(options, async (database, index) => ({
    ...seenIn(database, index),
    chunks: database.log.chunks.map(
      ({ startNumber, endNumber, dataSize, fileSize }) =>
        `${startNumber}-${endNumber} ${dataSize} ${fileSize}`
    ),
    names: [dataDirectory, database.indexDirectory].flatMap((directory) => namesIn(fileSystem, directory)),
    damage: await damageIn(database, index, options.hasher)
  }));
}

/** Throws when a reader sees anything else than each chunk and table before or after. */
export async function requireOldOrNew(
  options: ContentOptions,
  { before, after }: { before: ScavengedContent; after: ScavengedContent }
): Promise<void> {
  const { records, tables } = await withOpened(options, (database, index) =>
    Promise.resolve(seenIn(database, index))
  );
  const lastBefore = before.records.length - 1;
  const added = new Set(after.records.slice(lastBefore).flat());
  for (const [number, lines] of records.entries()) {
    if (isSame(lines, before.records[number]) || isSame(lines, after.records[number])) continue;
    // The chunk that was written to may hold what the run has appended so far, and so may those behind it.
    const old = before.records[number] ?? [];
    const isOldAndMore = isSame(lines.slice(0, old.length), old) && number >= lastBefore;
    if (isOldAndMore && lines.slice(old.length).every((line) => added.has(line) || isHistory(line))) continue;
    throw new Error(`chunk ${number} has neither its old nor its new content: ${lines.length} records`);
  }
  if (records.length < before.records.length) throw new Error('chunks are missing at the end of the log');
  for (const place of Object.keys(before.tables)) {
    if (isSame(tables[place], before.tables[place]) || isSame(tables[place], after.tables[place])) continue;
    throw new Error(`table ${place} has neither its old nor its new entries`);
  }
}

function isSame(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  return a !== undefined && b !== undefined && a.length === b.length && a.every((line, i) => line === b[i]);
}

async function withOpened<T>(
  { fileSystem, dataDirectory, hasher }: ContentOptions,
  look: (database: Database, index: StreamIndex) => Promise<T>
): Promise<T> {
  const database = openDatabase({ fileSystem, dataDirectory });
  try {
    database.requireWhole();
    const { log, indexDirectory: directory } = database;
    const index = await openStreamIndex({ fileSystem, directory, log, ...(hasher ? { hasher } : {}) });
    try {
      if (!index.directory.isUsable || !index.directory.map) {
        throw new Error(`the index cannot be used: ${index.directory.problems[0]?.message ?? 'no map'}`);
      }
      return await look(database, index);
    } finally {
      index.close();
    }
  } finally {
    database.close();
  }
}

function seenIn({ log }: Database, index: StreamIndex): Pick<ScavengedContent, 'records' | 'tables'> {
  const records: string[][] = Array.from({ length: Math.ceil(log.end / log.chunkSizeBytes) }, () => []);
  for (const cursor = log.cursor(); cursor.next();) {
    records[chunkNumberOf(cursor.record.position, log.chunkSizeBytes)]!.push(lineOf(cursor.record));
  }
  const tables: Record<string, string[]> = {};
  for (const { level, position, file } of index.directory.map?.tables ?? []) {
    tables[`${level},${position}`] = entriesOf(index.tables.find(({ name }) => name === file)!);
  }
  return { records, tables };
}

/** Without the ids: a scavenge point that is written again has others. */
function lineOf(record: LogRecord): string {
  const { position, kind, flags, stream, eventNumber, timeHigh, timeLow } = record;
  if (kind !== 'prepare') return `${position} ${kind} ${md5(record.payload)}`;
  const facts = [flags, stream, eventNumber, record.eventType, timeHigh, timeLow].join(' ');
  return `${position} ${facts} ${md5(record.data)} ${md5(record.metadata)}`;
}

function md5(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('hex');
}

function namesIn(fileSystem: FileSystem, directory: string): string[] {
  return (fileSystem.list(directory) ?? [])
    .map(({ name }) => name.replace(/^[0-9a-f-]{36}/, 'GUID').replace(/^(chunk-\d+)\.\d+$/, '$1'))
    .sort();
}

/** With made-up hashes an index cannot be held against the log: then it is files against their own hashes only. */
async function damageIn(
  database: Database,
  index: StreamIndex,
  hasher: StreamHasher = hashStream
): Promise<string[]> {
  const isDamage = ({ severity }: { severity: string }) => severity === 'damage';
  if (hasher === hashStream) {
    const control = scavengeEnvironment().operation;
    const { findings } = await verifyDatabase({ database, quick: false, control });
    return findings.filter(isDamage).map(({ message }) => message);
  }
  for (const chunk of database.log.chunks) {
    if (chunk.isCompleted) await requireChunkChecksum(database.fileSystem, chunk, () => Promise.resolve());
  }
  const problems = await verifyIndex(index.directory, { isQuick: false });
  return [...database.problems, ...problems].filter(isDamage).map(({ message }) => message);
}
