/**
 * The index again from the log: all of its entries in one table, a filter, a map with the check points of the last
 * entry. The server takes it at its next start and goes on from there (what lies behind the check points it reads
 * from the log, as always).
 *
 * The order that must hold: runs and table are written beside what is there; table and filter are flushed, then the
 * directory; the map is replaced; only then old tables and the filter of existing streams are removed. Cut anywhere,
 * the directory holds what it held before or the new index, and perhaps files that no map names.
 *
 * The caller has the database to itself and has made sure that the log is whole.
 */
import { requireFault } from '../../errors.ts';
import type { FileSystem } from '../../storage/file-system.ts';
import { entriesByName, removeEntry } from '../../storage/remove-entry.ts';
import {
  EXISTENCE_FILTER_DIRECTORY,
  EXISTENCE_FILTER_NAME,
  removeExistenceFilter
} from '../existence-filter.ts';
import {
  emptyIndexMap,
  INDEX_MAP_NAME,
  readIndexMap,
  UNLIMITED_AUTO_MERGE_LEVEL,
  writeIndexMap,
  type IndexMap
} from '../index-map.ts';
import { filterNameOf } from '../index-table-reader.ts';
import type { WrittenTable } from '../index-table-writer.ts';
import { removeRunFiles, removeStrayFiles } from '../stray-files.ts';
import { EntrySorter } from './entry-sorter.ts';
import { ownerOf, sortLog, writeSortedTable, type SortLog } from './sorted-table.ts';

/** The server's default of MaxMemTableSize: entries of a table of level 0. */
const ENTRIES_OF_LEVEL_0 = 1_000_000;

export interface BuildIndex extends Omit<SortLog, 'prepareCheckpoint' | 'commitCheckpoint'> {
  /** Called once the number of entries is known, before the table is written; refuses by throwing. */
  beforeTable?: (entryCount: number) => void;
  /** For tests: entries that are sorted in memory at once. */
  entriesPerRun?: number;
}

export interface BuiltIndex {
  map: IndexMap;
  /** undefined: the log has no entries, and the map no table. */
  table: WrittenTable | undefined;
  entryCount: number;
  /** Names in the index directory, `stream-existence/…` for the filter of existing streams. */
  removed: string[];
}

export async function buildIndex(options: BuildIndex): Promise<BuiltIndex> {
  const { fileSystem, directory, newGuid } = options;
  const old = readMapIfSound(fileSystem, directory);
  removeRunFiles(fileSystem, directory);
  if (old) removeStrayFiles(fileSystem, directory, old);
  const sorter = new EntrySorter(options);
  let table: WrittenTable | undefined;
  let checkpoints: { prepareCheckpoint: number; commitCheckpoint: number };
  try {
    checkpoints = await sortLog({ ...options, prepareCheckpoint: -1, commitCheckpoint: -1 }, sorter);
    options.beforeTable?.(sorter.count);
    if (sorter.count > 0) table = await writeSortedTable(options, sorter, ownerOf(options, old));
  } finally {
    sorter.close();
  }
  const level = Math.min(levelOf(sorter.count), old?.maxAutoMergeLevel ?? UNLIMITED_AUTO_MERGE_LEVEL);
  const map = {
    ...emptyIndexMap(),
    ...checkpoints,
    tables: table ? [{ level, position: 0, file: table.name }] : []
  };
  // The names of table and filter must be on the disk before a map that needs them.
  fileSystem.syncDirectory(directory);
  writeIndexMap(fileSystem, directory, map, newGuid());
  const owner = fileSystem.describe(directory);
  if (!old && owner) {
    fileSystem.changeOwner(fileSystem.join(directory, INDEX_MAP_NAME), owner.uid, owner.gid);
  }
  return { map, table, entryCount: sorter.count, removed: removeOld(options, old, map) };
}

/** The level to which merges of tables from a memtable of default size would have brought so many entries. */
export function levelOf(entryCount: number): number {
  return Math.max(0, Math.floor(Math.log2(entryCount / ENTRIES_OF_LEVEL_0)));
}

/** What is wrong with the old index is the reason to be here. */
function readMapIfSound(fileSystem: FileSystem, directory: string): IndexMap | undefined {
  try {
    return readIndexMap(fileSystem, directory);
  } catch (error) {
    requireFault(error, 'IndexCorrupt');
    return undefined;
  }
}

/**
 * The old tables, and files that no map names. The filter of existing streams goes because nobody has held it
 * against the log: the server makes it again from the new index.
 */
function removeOld(
  { fileSystem, directory }: BuildIndex,
  old: IndexMap | undefined,
  map: IndexMap
): string[] {
  const removed: string[] = [];
  const isNew = new Set(map.tables.flatMap(({ file }) => [file, filterNameOf(file)]));
  const entries = entriesByName(fileSystem, directory);
  for (const { file } of old?.tables ?? []) {
    for (const name of [file, filterNameOf(file)]) {
      if (!isNew.has(name) && removeEntry(fileSystem, directory, entries.get(name))) removed.push(name);
    }
  }
  removed.push(...removeStrayFiles(fileSystem, directory, map));
  if (removeExistenceFilter(fileSystem, directory))
    removed.push(`${EXISTENCE_FILTER_DIRECTORY}/${EXISTENCE_FILTER_NAME}`);
  fileSystem.syncDirectory(directory);
  return removed;
}
