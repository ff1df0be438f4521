/**
 * Merges of tables as the server makes them after it has added one: the lowest level with two tables or more becomes
 * one table of the level above, again and again, up to the highest level that is merged automatically. No entry is
 * dropped. At a start this saves nothing; it saves the running node the merge.
 *
 * Each merge: new table and filter, flushed; the map that names it instead of its inputs; then the inputs go. Cut
 * anywhere, one of the two maps is there with all of its tables.
 */
import type { FileSystem } from '../../storage/file-system.ts';
import { entriesByName, removeEntry } from '../../storage/remove-entry.ts';
import { readIndexMap, writeIndexMap, type IndexMap, type IndexMapTable } from '../index-map.ts';
import type { TableVersion } from '../index-table.ts';
import { filterNameOf, IndexTableReader } from '../index-table-reader.ts';
import { IndexTableWriter, type WrittenTable } from '../index-table-writer.ts';
import { mergeStreams, type EntryStream } from '../merge-streams.ts';
import { removeStrayFiles } from '../stray-files.ts';
import { requireTableChecksum } from '../table-checksum.ts';
import { TableScan } from '../table-scan.ts';

/** The server's, without a setting. */
const TABLES_OF_A_LEVEL = 2;
/** Half a hash is not enough to merge by. */
const OLDEST_MERGED_VERSION = 2;

export interface MergeLevels {
  fileSystem: FileSystem;
  /** The index directory. */
  directory: string;
  newGuid: () => string;
  version?: TableVersion;
  breathe: () => Promise<void>;
  onProgress?: (progress: { done: number; total: number }) => void;
}

/** The next level that would be merged, and its tables, oldest first; undefined when all levels are at rest. */
export function nextMerge(map: IndexMap): { level: number; tables: IndexMapTable[] } | undefined {
  const levels = [...new Set(map.tables.map(({ level }) => level))].sort((a, b) => a - b);
  for (const level of levels) {
    const tables = map.tables.filter((table) => table.level === level);
    if (level < map.maxAutoMergeLevel && tables.length >= TABLES_OF_A_LEVEL) {
      return { level, tables: tables.toSorted((a, b) => a.position - b.position) };
    }
  }
  return undefined;
}

/** The map after a merge: one table more above, none left of the level. */
export function mergedMap(map: IndexMap, level: number, file: string): IndexMap {
  const others = map.tables.filter((table) => table.level !== level);
  const above = others.filter((table) => table.level === level + 1).length;
  const tables = [...others, { level: level + 1, position: above, file }];
  return { ...map, tables: tables.toSorted((a, b) => a.level - b.level || b.position - a.position) };
}

/** Merges until all levels are at rest; gives the new tables that are still there. */
export async function mergeLevels(options: MergeLevels): Promise<WrittenTable[]> {
  const { fileSystem, directory } = options;
  let map = readIndexMap(fileSystem, directory);
  const written: WrittenTable[] = [];
  if (map) removeStrayFiles(fileSystem, directory, map);
  for (let next = map && nextMerge(map); map && next; next = nextMerge(map)) {
    const table = await mergeTables(next.tables, options);
    if (!table) break;
    map = mergedMap(map, next.level, table.name);
    // The names of table and filter must be on the disk before a map that needs them.
    fileSystem.syncDirectory(directory);
    writeIndexMap(fileSystem, directory, map, options.newGuid());
    for (const { file } of next.tables) removeTable(options, file);
    fileSystem.syncDirectory(directory);
    written.push(table);
  }
  const names = new Set(map?.tables.map(({ file }) => file));
  return written.filter(({ name }) => names.has(name));
}

/** undefined: a table is too old to be merged. */
async function mergeTables(
  inputs: readonly IndexMapTable[],
  { fileSystem, directory, newGuid, version, breathe, onProgress }: MergeLevels
): Promise<WrittenTable | undefined> {
  const tables: IndexTableReader[] = [];
  try {
    for (const { file } of inputs) tables.push(IndexTableReader.open({ fileSystem, directory, name: file }));
    if (tables.some((table) => table.version < OLDEST_MERGED_VERSION)) return undefined;
    // A copy gets its own checksum: damage would become invisible.
    for (const table of tables) await requireTableChecksum(table, breathe);
    const total = tables.reduce((sum, { count }) => sum + count, 0);
    const newest = tables.at(-1)!;
    const filterOwner = fileSystem.describe(fileSystem.join(directory, filterNameOf(newest.name)));
    const writer = IndexTableWriter.create({
      fileSystem,
      directory,
      name: newGuid(),
      expectedEntryCount: total,
      ...(version === undefined ? {} : { version }),
      tableOwner: newest.facts,
      ...(filterOwner && !filterOwner.isDirectory ? { filterOwner } : {})
    });
    let done = 0;
    try {
      await mergeStreams({
        streams: tables.map((table) => new TableStream(table)),
        onEntry: (hashHigh, hashLow, number, position) => writer.append(hashHigh, hashLow, number, position),
        breathe: async (count) => {
          done += count;
          onProgress?.({ done, total });
          await breathe();
        }
      });
      return writer.complete();
    } catch (error) {
      writer.abort();
      throw error;
    }
  } finally {
    for (const table of tables) table.close();
  }
}

/** A table as one of the streams that are merged. The table is closed by who opened it. */
class TableStream extends TableScan implements EntryStream {
  close(): void {
    // Nothing of its own is open.
  }
}

function removeTable({ fileSystem, directory }: MergeLevels, file: string): void {
  const entries = entriesByName(fileSystem, directory);
  for (const name of [file, filterNameOf(file)]) removeEntry(fileSystem, directory, entries.get(name));
}
