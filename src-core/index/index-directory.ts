/**
 * The files of one index directory: its map and the tables it names, opened. Opening changes nothing and fails
 * only if the disk does: what contradicts the format becomes a problem, and an index with damage is not usable as
 * a whole, as for the server, which rebuilds it then. The caller reads the log instead.
 *
 * Switching a table in: the new files are on the disk already; the map is replaced; only then the old files go. A
 * cut leaves either map with all of its tables, and perhaps a file that no map names.
 */
import { assert } from '../assert.ts';
import { EngineError } from '../errors.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { entriesByName, removeEntry } from '../storage/remove-entry.ts';
import { fitProblem, judgeIndex, type IndexFit } from './index-fit.ts';
import {
  INDEX_MAP_NAME,
  readIndexMap,
  withTableReplaced,
  writeIndexMap,
  type IndexMap
} from './index-map.ts';
import { problemOf, type IndexProblem } from './index-problem.ts';
import { filterNameOf, IndexTableReader } from './index-table-reader.ts';
import type { RecordLog } from './record-source.ts';
import { removeStrayFiles } from './stray-files.ts';
import type { StreamHasher } from './stream-hash.ts';

/** A server cannot merge as often as this while we open a few files. */
const OPEN_ATTEMPTS = 5;

export interface OpenIndex {
  fileSystem: FileSystem;
  directory: string;
  /** Where the log ends (the chaser's check point): an index that reaches as far or farther is not of this log. */
  logEnd: number;
  /** The log with which the index is compared: does it belong to it? Without one there is no check. */
  log?: RecordLog | undefined;
  hasher?: StreamHasher | undefined;
  /** An earlier judgement of the same log, map and tables. Default: they are judged again. */
  knownFits?: KnownFits | undefined;
}

/** Keeps judgements for those who open the same index again and again. */
export interface KnownFits {
  get(map: IndexMap, tables: readonly IndexTableReader[]): IndexFit | undefined;
  keep(map: IndexMap, tables: readonly IndexTableReader[], fit: IndexFit): void;
}

export class IndexDirectory {
  readonly fileSystem: FileSystem;
  readonly directory: string;
  readonly problems: readonly IndexProblem[];
  /** How it fits the log; undefined where no log was given, or faults before made the question idle. */
  readonly fit: IndexFit | undefined;
  #map: IndexMap | undefined;
  #tables: IndexTableReader[];
  #isUsable: boolean;

  private constructor(
    { fileSystem, directory }: OpenIndex,
    found: {
      map: IndexMap | undefined;
      tables: IndexTableReader[];
      problems: IndexProblem[];
      fit: IndexFit | undefined;
    }
  ) {
    this.fileSystem = fileSystem;
    this.directory = directory;
    this.problems = found.problems;
    this.fit = found.fit;
    this.#map = found.map;
    this.#tables = found.tables;
    this.#isUsable = found.problems.every((problem) => problem.severity !== 'damage');
  }

  static open(options: OpenIndex): IndexDirectory {
    for (let attempt = 1; ; attempt++) {
      const problems: IndexProblem[] = [];
      const map = openMap(options, problems);
      const tables = openTables(options, map, problems);
      const fit = judge(options, { map, tables, problems });
      const index = new IndexDirectory(options, { map, tables, problems, fit });
      try {
        if (attempt === OPEN_ATTEMPTS || !index.#changedMeanwhile()) return index;
      } catch (error) {
        index.close();
        throw error;
      }
      index.close();
    }
  }

  /**
   * A running server saves its map by unlink and rename, and removes tables it has merged: a map that is not there,
   * or a table that it names and that is not there, may be a matter of the moment.
   */
  #changedMeanwhile(): boolean {
    const isMapMissing = !this.#map && this.problems.length === 0;
    const isTableMissing = this.problems.some((problem) => problem.code === 'tableMissing');
    if (!isMapMissing && !isTableMissing) return false;
    try {
      const now = readIndexMap(this.fileSystem, this.directory);
      const namesOf = (map: IndexMap | undefined) => map?.tables.map((table) => table.file).join();
      return namesOf(now) !== namesOf(this.#map);
    } catch (error) {
      if (!isFault(error)) throw error;
      return false;
    }
  }

  /** False when the map or a table is damaged, or the index is ahead of the log or of another one. */
  get isUsable(): boolean {
    return this.#isUsable;
  }

  /** As read; undefined when there is none or it is damaged. */
  get map(): IndexMap | undefined {
    return this.#map;
  }

  /** Those that could be opened, newest first. */
  get tables(): readonly IndexTableReader[] {
    return this.#tables;
  }

  /** Up to where the tables reach; -1 and -1 when there are none to be used. */
  get checkpoints(): { prepareCheckpoint: number; commitCheckpoint: number } {
    const { prepareCheckpoint, commitCheckpoint } = (this.#isUsable ? this.#map : undefined) ?? {
      prepareCheckpoint: -1,
      commitCheckpoint: -1
    };
    return { prepareCheckpoint, commitCheckpoint };
  }

  get entryCount(): number {
    return this.#tables.reduce((sum, table) => sum + table.count, 0);
  }

  /** See stray-files.ts: for a caller with exclusive use of the database, before it writes new tables. */
  removeStrayFiles(): string[] {
    return removeStrayFiles(this.fileSystem, this.directory, this.#map);
  }

  /**
   * Puts the table named `newName`, written and flushed, instead of `old`: same level, same position, same
   * check points. `id` is a new GUID. Returns the opened table; `old` is closed and its files are gone.
   */
  switchIn(old: IndexTableReader, newName: string, id: string): IndexTableReader {
    const map = this.#map;
    const at = this.#tables.indexOf(old);
    assert(map !== undefined && at >= 0, `table ${old.name} is one of the index`);
    const table = IndexTableReader.open({
      fileSystem: this.fileSystem,
      directory: this.directory,
      name: newName
    });
    const newMap = withTableReplaced(map, old.name, newName);
    try {
      // A map that is on the disk names tables whose names are on the disk too.
      this.fileSystem.syncDirectory(this.directory);
      writeIndexMap(this.fileSystem, this.directory, newMap, id);
    } catch (error) {
      table.close();
      throw error;
    }
    this.#map = newMap;
    this.#tables[at] = table;
    old.close();
    const entries = entriesByName(this.fileSystem, this.directory);
    removeEntry(this.fileSystem, this.directory, entries.get(old.name));
    const filter = filterNameOf(old.name);
    if (entries.get(filter)?.isDirectory !== true)
      this.fileSystem.remove(this.fileSystem.join(this.directory, filter));
    return table;
  }

  close(): void {
    for (const table of this.#tables) table.close();
    this.#tables = [];
    this.#isUsable = false;
  }
}

function openMap(
  { fileSystem, directory, logEnd }: OpenIndex,
  problems: IndexProblem[]
): IndexMap | undefined {
  try {
    const map = readIndexMap(fileSystem, directory);
    if (map && map.commitCheckpoint >= logEnd) {
      problems.push({
        severity: 'damage',
        code: 'indexAheadOfLog',
        file: INDEX_MAP_NAME,
        offset: null,
        message: `The index reaches to position ${map.commitCheckpoint}, but the log ends at ${logEnd}.`
      });
    }
    return map;
  } catch (error) {
    if (!isFault(error)) throw error;
    problems.push(problemOf(error, 'indexMapInvalid', INDEX_MAP_NAME));
    return undefined;
  }
}

function openTables(
  { fileSystem, directory }: OpenIndex,
  map: IndexMap | undefined,
  problems: IndexProblem[]
): IndexTableReader[] {
  const tables: IndexTableReader[] = [];
  try {
    for (const { file } of map?.tables ?? []) {
      const table = openTable(fileSystem, directory, file, problems);
      if (table) tables.push(table);
    }
    return tables;
  } catch (error) {
    for (const table of tables) table.close();
    throw error;
  }
}

/** Whether a sound index belongs to the log; one that does not cannot be used. */
function judge(
  { log, hasher, knownFits }: OpenIndex,
  {
    map,
    tables,
    problems
  }: { map: IndexMap | undefined; tables: IndexTableReader[]; problems: IndexProblem[] }
): IndexFit | undefined {
  if (!log || !map || problems.some(({ severity }) => severity === 'damage')) return undefined;
  try {
    const known = knownFits?.get(map, tables);
    const fit = known ?? judgeIndex({ log, map, tables, hasher });
    if (!known) knownFits?.keep(map, tables, fit);
    problems.push(...fitProblem(fit));
    return fit;
  } catch (error) {
    // An entry that no table may hold is met here first: the table is at fault, and the log can still be read.
    if (error instanceof EngineError && error.code === 'IndexCorrupt') {
      problems.push(problemOf(error, 'tableInvalid', error.details.file ?? INDEX_MAP_NAME));
      return undefined;
    }
    for (const table of tables) table.close();
    throw error;
  }
}

function openTable(
  fileSystem: FileSystem,
  directory: string,
  name: string,
  problems: IndexProblem[]
): IndexTableReader | undefined {
  if (fileSystem.describe(fileSystem.join(directory, name)) === undefined) {
    problems.push({
      severity: 'damage',
      code: 'tableMissing',
      file: name,
      offset: null,
      message: `Index table ${name} is missing, although the index map names it.`
    });
    return undefined;
  }
  try {
    const table = IndexTableReader.open({ fileSystem, directory, name });
    if (table.version === 1) problems.push(tooOld(name));
    return table;
  } catch (error) {
    if (!isFault(error)) throw error;
    problems.push(problemOf(error, 'tableInvalid', name));
    return undefined;
  }
}

function tooOld(name: string): IndexProblem {
  return {
    severity: 'damage',
    code: 'tableInvalid',
    file: name,
    offset: 1,
    message: `Index table ${name} has version 1, which holds only half of each stream hash; servers since 24.10 rebuild such an index.`
  };
}

/** The content is wrong, as opposed to: the disk or the rights to it. */
function isFault(error: unknown): error is EngineError {
  return (
    error instanceof EngineError && (error.code === 'IndexCorrupt' || error.code === 'UnsupportedFormat')
  );
}
