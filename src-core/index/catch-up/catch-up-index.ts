/**
 * What the log holds and the tables do not, as one more table: afterwards a start reads nothing into its index. The
 * server does the same with a full memtable, with the same check points; that such a table has fewer entries than a
 * memtable holds does not matter to it (docs/format/index.md: no size is checked).
 *
 * The order that must hold: runs and table are written beside what is there; table and filter are flushed, then the
 * directory; the map is replaced. Nothing is removed but what no map names. Cut anywhere, the directory holds the old
 * index or the new one.
 *
 * The caller has the database to itself, the log is whole, and the index is one that can be used.
 */
import { readIndexMap, writeIndexMap, type IndexMap } from '../index-map.ts';
import type { TableVersion } from '../index-table.ts';
import type { WrittenTable } from '../index-table-writer.ts';
import { levelOf } from '../rebuild/build-index.ts';
import { EntrySorter } from '../rebuild/entry-sorter.ts';
import { ownerOf, sortLog, writeSortedTable, type SortLog } from '../rebuild/sorted-table.ts';
import { removeRunFiles, removeStrayFiles } from '../stray-files.ts';
import { assert } from '../../assert.ts';

export interface CatchUpIndex extends Omit<SortLog, 'prepareCheckpoint' | 'commitCheckpoint'> {
  /** Of the new table; default: the newest. */
  version?: TableVersion;
  /** Called once the number of entries is known, before the table is written; refuses by throwing. */
  beforeTable?: (entryCount: number) => void;
  /** For tests: entries that are sorted in memory at once. */
  entriesPerRun?: number;
}

export interface CaughtUpIndex {
  /** undefined: the tables held everything already, and nothing was written. */
  table: WrittenTable | undefined;
  map: IndexMap;
}

export async function catchUpIndex(options: CatchUpIndex): Promise<CaughtUpIndex> {
  const { fileSystem, directory, newGuid } = options;
  const old = readIndexMap(fileSystem, directory);
  assert(old !== undefined, 'an index that is caught up has a map');
  removeRunFiles(fileSystem, directory);
  removeStrayFiles(fileSystem, directory, old);
  const sorter = new EntrySorter(options);
  try {
    const checkpoints = await sortLog({ ...options, ...checkpointsOf(old) }, sorter);
    if (sorter.count === 0) return { table: undefined, map: old };
    options.beforeTable?.(sorter.count);
    const table = await writeSortedTable(options, sorter, ownerOf(options, old));
    const map = { ...old, ...checkpoints, tables: withNewest(old, table) };
    // The names of table and filter must be on the disk before a map that needs them.
    fileSystem.syncDirectory(directory);
    writeIndexMap(fileSystem, directory, map, newGuid());
    return { table, map };
  } finally {
    sorter.close();
  }
}

function checkpointsOf({ prepareCheckpoint, commitCheckpoint }: IndexMap) {
  return { prepareCheckpoint, commitCheckpoint };
}

/**
 * The newest table stands below all others. With free levels below them it takes the one to which merges would have
 * brought so many entries; else it follows the newest table of level 0.
 */
function withNewest({ tables, maxAutoMergeLevel }: IndexMap, { name, entryCount }: WrittenTable) {
  const lowest = Math.min(Number.POSITIVE_INFINITY, ...tables.map(({ level }) => level));
  const level = Math.max(0, Math.min(levelOf(entryCount), lowest - 1, maxAutoMergeLevel));
  const position = tables.filter((table) => table.level === level).length;
  return [{ level, position, file: name }, ...tables];
}
