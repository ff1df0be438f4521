/** What a database holds, as plain values that tests compare: records, files, index entries. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../src-core/database/database.ts';
import { openStreamIndex, type StreamIndex } from '../../src-core/index/stream-index.ts';
import type { SortedEntries } from '../../src-core/index/index-entry.ts';
import { EntryBlock } from '../../src-core/index/index-entry.ts';
import { hashText } from '../../src-core/index/stream-hash.ts';
import type { Database } from '../../src-core/database/database.ts';
import { NodeFileSystem } from '../../src-core/storage/node-file-system.ts';

export interface DatabaseContent {
  /** `position sha256` of each record, in order. */
  records: string[];
  /** `first-last dataSize fileSize` of each chunk. */
  chunks: string[];
  /** Entries of each table in the order of the map: `hash number position`. */
  tables: string[][];
}

export async function withDatabase<T>(
  dataDirectory: string,
  look: (database: Database, index: StreamIndex) => T | Promise<T>
): Promise<T> {
  const fileSystem = new NodeFileSystem();
  const database = openDatabase({ fileSystem, dataDirectory });
  const { log, indexDirectory } = database;
  const index = await openStreamIndex({ fileSystem, directory: indexDirectory, log });
  try {
    return await look(database, index);
  } finally {
    index.close();
    database.close();
  }
}

export function contentOf(dataDirectory: string): Promise<DatabaseContent> {
  return withDatabase(dataDirectory, ({ log }, index) => {
    const records: string[] = [];
    for (const cursor = log.cursor(); cursor.next();) {
      const { position, payload } = cursor.record;
      records.push(`${position} ${createHash('sha256').update(payload).digest('hex')}`);
    }
    return {
      records,
      chunks: log.chunks.map(
        ({ startNumber, endNumber, dataSize, fileSize }) =>
          `${startNumber}-${endNumber} ${dataSize} ${fileSize}`
      ),
      tables: index.tables.map(entriesOf)
    };
  });
}

export function entriesOf(table: SortedEntries): string[] {
  const block = new EntryBlock(4096);
  const entries: string[] = [];
  for (let at = 0; at < table.count; at += block.count) {
    table.readEntries(at, block);
    for (let i = 0; i < block.count; i++) {
      entries.push(
        `${hashText(block.hashHigh[i]!, block.hashLow[i]!)} ${block.number[i]} ${block.position[i]}`
      );
    }
  }
  return entries;
}

export function positionOf(line: string): number {
  return Number(line.slice(0, line.indexOf(' ')));
}

/** Every file below a directory with its SHA-256; those that `isWanted`, by their path in it. */
export function filesOf(
  directory: string,
  isWanted: (name: string) => boolean = () => true
): Record<string, string> {
  const files: Record<string, string> = {};
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    const path = join(directory, name);
    if (statSync(path).isFile() && isWanted(name))
      files[name] = createHash('sha256').update(readFileSync(path)).digest('hex');
  }
  return files;
}
