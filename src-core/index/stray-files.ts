/**
 * Files directly in the index directory that belong to nothing: what a cut save of the map, a cut copy of a table or
 * a merge left behind. The server removes them at its start; we may do so while no other process has the database
 * open. Sub-directories are never looked into.
 */
import { entriesIn } from '../storage/directory-entries.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { entriesByName, removeEntry } from '../storage/remove-entry.ts';
import { INDEX_MAP_NAME, type IndexMap } from './index-map.ts';
import type { IndexProblem } from './index-problem.ts';
import { filterNameOf } from './index-table-reader.ts';

/** Marker of the server: verify every table at the next start. */
const FORCE_VERIFY_NAME = '.forceverify';
const STATE_DIRECTORY = 'scavenging';
const STATE_NAME = 'scavenging.db';

/** Files that the server removes at its next start: temporary maps, and whatever the map does not name. */
export function findStrayFiles(
  fileSystem: FileSystem,
  directory: string,
  map: IndexMap | undefined
): IndexProblem[] {
  const known = new Set([INDEX_MAP_NAME, FORCE_VERIFY_NAME]);
  for (const { file } of map?.tables ?? []) {
    known.add(file.toLowerCase());
    known.add(filterNameOf(file).toLowerCase());
  }
  const strays = entriesIn(fileSystem, directory)
    .filter((entry) => !entry.isDirectory && !known.has(entry.name.toLowerCase()))
    .map((entry) => entry.name)
    .sort();
  const tables = map ? [] : strays.filter((name) => GUID_NAME.test(name));
  if (tables.length === 0) return strays.map(strayFile);
  const others = strays.filter(
    (name) => !tables.some((table) => name === table || name === filterNameOf(table))
  );
  return [
    {
      severity: 'damage',
      code: 'indexMapMissing',
      file: INDEX_MAP_NAME,
      offset: null,
      message: `There are files of ${tables.length} index tables but no index map; the server removes them and rebuilds the index.`
    },
    ...others.map(strayFile)
  ];
}

function strayFile(name: string): IndexProblem {
  const isTemporary = name.endsWith('.tmp');
  return {
    severity: 'hint',
    code: isTemporary ? 'temporaryFile' : 'orphanFile',
    file: name,
    offset: null,
    message: isTemporary
      ? `${name} was left by interrupted work: a save of the index map or a rebuild of the index.`
      : `${name} belongs to no table in the index map; the server removes it at its next start.`
  };
}

/**
 * Names of what our own interrupted work leaves: temporary maps, and tables and filters that `map` does not name.
 * Anything with another name is not ours to judge, and nothing is without a map that tells which tables count.
 */
export function ownStrayFiles(
  fileSystem: FileSystem,
  directory: string,
  map: IndexMap | undefined
): string[] {
  if (!map) return [];
  const names = findStrayFiles(fileSystem, directory, map).map((problem) => problem.file);
  return names.filter((name) => OWN_NAME.test(name));
}

/** Removes them: the one sweep of the index, for scavenges, rebuilds and repairs. Returns the names. Needs the database to itself. */
export function removeStrayFiles(
  fileSystem: FileSystem,
  directory: string,
  map: IndexMap | undefined
): string[] {
  const removed = ownStrayFiles(fileSystem, directory, map);
  const entries = removed.length === 0 ? undefined : entriesByName(fileSystem, directory);
  for (const name of removed) removeEntry(fileSystem, directory, entries?.get(name));
  return removed;
}

/** Beside the scavenge state: its journal, which is there while a scavenge runs or was killed, and anything else. */
export function findStateJournals(fileSystem: FileSystem, directory: string): IndexProblem[] {
  return entriesIn(fileSystem, fileSystem.join(directory, STATE_DIRECTORY))
    .filter(({ name }) => name.startsWith(STATE_NAME) && name !== STATE_NAME)
    .map(({ name }) => ({
      severity: 'hint' as const,
      code: 'stateJournal' as const,
      file: `${STATE_DIRECTORY}/${name}`,
      offset: null,
      message: `${name} is beside the scavenge state: a scavenge is running, or was killed.`
    }));
}

/** Removes what a rebuild of the index that was cut has sorted so far. Needs no map. */
export function removeRunFiles(fileSystem: FileSystem, directory: string): void {
  for (const entry of entriesIn(fileSystem, directory)) {
    if (RUN_NAME.test(entry.name)) removeEntry(fileSystem, directory, entry);
  }
}

const GUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const GUID_NAME = new RegExp(`^${GUID}$`, 'i');
const RUN_NAME = new RegExp(`^${GUID}\\.run\\.tmp$`, 'i');
const OWN_NAME = new RegExp(`^(${GUID}(\\.bloomfilter|\\.run\\.tmp)?|indexmap\\..*\\.tmp)$`, 'i');
