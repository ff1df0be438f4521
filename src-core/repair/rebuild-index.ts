/**
 * `index rebuild`: the index of a stopped database again from its log. This part decides whether it may be done (nobody
 * else has the database, the log is whole, there is space) and tells what is done; the work and the order of its
 * writes are index/rebuild/build-index.ts. Log, checkpoints and scavenge state are left alone.
 */
import { openDatabase, type Database, type DatabasePlace } from '../database/database.ts';
import type { OperationControl } from '../database/operation-control.ts';
import { requireWriterCheckpoint } from '../database/writer-checkpoint.ts';
import { EngineError, logCorrupt } from '../errors.ts';
import { filterFileSizeBytes, tableFilterSizeBytes } from '../index/bloom-filter.ts';
import { EXISTENCE_FILTER_DIRECTORY, EXISTENCE_FILTER_NAME } from '../index/existence-filter.ts';
import { INDEX_MAP_NAME } from '../index/index-map.ts';
import { IndexDirectory } from '../index/index-directory.ts';
import { filterNameOf } from '../index/index-table-reader.ts';
import { NEWEST_TABLE_VERSION, requiredMidpointCount, tableSizeBytes } from '../index/index-table.ts';
import { buildIndex, type BuiltIndex } from '../index/rebuild/build-index.ts';
import { ENTRIES_PER_RUN } from '../index/rebuild/entry-sorter.ts';
import { RUN_ENTRY_BYTES } from '../index/rebuild/run-file.ts';
import type { StreamHasher } from '../index/stream-hash.ts';
import { lockDirectory } from '../storage/directory-lock.ts';
import { lookBeforeLock } from '../storage/look-before-lock.ts';
import { entriesByName } from '../storage/remove-entry.ts';
import { refuseUnfinishedRestore } from '../storage/restore-marker.ts';
import { estimateEntryCount } from './estimate-entry-count.ts';

export type RebuildActionCode = 'writeTable' | 'replaceIndexMap' | 'removeFile' | 'removeExistenceFilter';

export interface RebuildAction {
  code: RebuildActionCode;
  /** In the index directory; null: a new file whose name is not known yet. */
  file: string | null;
  done: boolean;
}

export interface RebuildReport {
  actions: RebuildAction[];
  /** Of the new index; a plan estimates them. */
  entries: number;
  isEstimate: boolean;
  /** Table and filter. */
  bytes: number;
  /** Needed on the volume of the index while it is written. */
  scratchBytes: number;
  /** Up to where in the log the new index reaches at most, exclusive: the chaser's position. */
  end: number;
}

export interface RebuildIndex extends DatabasePlace {
  control: OperationControl;
  newGuid: () => string;
  /** Go on although a lock cannot be taken because the platform or the share has none. */
  assumeStopped?: boolean;
  /** Called under the lock, before the first write; what it throws ends the rebuild. */
  underLock?: (() => void) | undefined;
  hasher?: StreamHasher;
  /** For tests: entries that are sorted in memory at once. */
  entriesPerRun?: number;
}

/** What a rebuild would do. Changes nothing, and works while a server has the database open. */
export function planIndexRebuild(database: Database): RebuildReport {
  const end = requireRebuildable(database);
  const entries = estimateEntryCount(database, end);
  const actions: RebuildAction[] = [
    ...(entries > 0 ? [{ code: 'writeTable' as const, file: null, done: false }] : []),
    { code: 'replaceIndexMap', file: INDEX_MAP_NAME, done: false },
    ...oldFiles(database).map((file) => removal(file, false))
  ];
  return { actions, entries, isEstimate: true, ...spaceFor(entries), end };
}

/** Rebuilds the index and returns once it is on the disk. A stop leaves the old index. */
export async function rebuildIndex(request: RebuildIndex): Promise<RebuildReport> {
  const { fileSystem, dataDirectory, assumeStopped = false } = request;
  // Checked before taking the lock: without a log there is nothing to lock.
  await lookBeforeLock({ fileSystem, dataDirectory }, () => requireRebuildableOnce(request));
  const unlock = lockDirectory({ fileSystem, dataDirectory, assumeStopped });
  try {
    request.underLock?.();
    // What was read before the lock may have changed until it was held.
    return await rebuildUnderLock(request);
  } finally {
    unlock();
  }
}

/** The same for a caller that holds the lock of the directory. */
export async function rebuildUnderLock(
  request: Omit<RebuildIndex, 'assumeStopped' | 'underLock'>
): Promise<RebuildReport> {
  const { control } = request;
  const database = openDatabase(request);
  try {
    const end = requireRebuildable(database);
    control.report({ phase: 'reading the log', done: 0, total: end, unit: 'bytes' }, true);
    prepareDirectory(database);
    requireSpace(database, spaceFor(estimateEntryCount(database, end)).scratchBytes);
    const built = await buildIndex({
      ...request,
      directory: database.indexDirectory,
      log: database.log,
      end,
      breathe: async () => {
        if (control.isDue) await control.breathe();
      },
      onProgress: (progress) => control.report(progress),
      beforeTable: (count) => requireSpace(database, spaceFor(count).bytes)
    });
    return reportOf(built, end);
  } finally {
    database.close();
  }
}

function requireRebuildableOnce(place: DatabasePlace): void {
  const database = openDatabase(place);
  try {
    requireRebuildable(database);
  } finally {
    database.close();
  }
}

/** Where the new index has to end; throws when no index can be made of this log. */
export function requireRebuildable(database: Database): number {
  const { checkpoints, log } = database;
  refuseUnfinishedRestore(database.fileSystem, database.dataDirectory);
  requireWriterCheckpoint(database);
  database.requireWhole();
  const encrypted = database.problems.find(({ code }) => code === 'encrypted');
  if (encrypted) {
    throw new EngineError({
      code: 'UnsupportedFormat',
      message: encrypted.message,
      remedy: 'Let the server rebuild the index: it does so when it starts without an index map.',
      details: { file: encrypted.file ?? '' }
    });
  }
  if ((checkpoints.chaser ?? 0) === 0 && log.end > 0) {
    throw logCorrupt(
      `chaser.chk ${checkpoints.chaser === null ? 'is missing' : 'is 0'}: the server would treat every index as that of another log.`,
      { file: 'chaser.chk', offset: 0 },
      'Run "winnow repair", or start the server: it reads the whole log and builds the index itself.'
    );
  }
  const truncate = checkpoints.truncate ?? -1;
  const end = Math.min(checkpoints.chaser ?? 0, log.end);
  return truncate >= 0 ? Math.min(end, truncate) : end;
}

/** Makes the index directory where there is none, as the database's user would. */
export function prepareDirectory({ fileSystem, dataDirectory, indexDirectory }: Database): void {
  if (fileSystem.describe(indexDirectory)) return;
  fileSystem.makeDirectory(indexDirectory);
  const facts = fileSystem.describe(dataDirectory);
  if (facts) fileSystem.changeOwner(indexDirectory, facts.uid, facts.gid);
  fileSystem.syncDirectory(dataDirectory);
}

export function spaceFor(entries: number): { bytes: number; scratchBytes: number } {
  if (entries === 0) return { bytes: 0, scratchBytes: 0 };
  const table = tableSizeBytes(NEWEST_TABLE_VERSION, entries, requiredMidpointCount(entries));
  const bytes = table + filterFileSizeBytes(tableFilterSizeBytes(entries));
  const runs = entries > ENTRIES_PER_RUN ? entries * RUN_ENTRY_BYTES : 0;
  return { bytes, scratchBytes: bytes + runs };
}

export function requireSpace({ fileSystem, indexDirectory }: Database, neededBytes: number): void {
  const freeBytes = fileSystem.freeBytes(indexDirectory);
  if (freeBytes >= neededBytes) return;
  throw new EngineError({
    code: 'StorageFailed',
    message: `A rebuild of the index needs about ${neededBytes} bytes in ${indexDirectory}; ${freeBytes} are free.`,
    remedy: 'Free space on this volume. The old index stays until the new one is complete.',
    details: { file: indexDirectory, neededBytes, freeBytes, osCode: 'ENOSPC' }
  });
}

/** Files that go once the new index is in place. */
function oldFiles({ fileSystem, indexDirectory, checkpoints }: Database): string[] {
  const directory = IndexDirectory.open({
    fileSystem,
    directory: indexDirectory,
    logEnd: checkpoints.chaser ?? 0
  });
  try {
    const named = (directory.map?.tables ?? []).flatMap(({ file }) => [file, filterNameOf(file)]);
    const isFile = (folder: string): ((name: string) => boolean) => {
      const entries = entriesByName(fileSystem, folder);
      return (name) => entries.get(name)?.isDirectory === false;
    };
    const filter = [EXISTENCE_FILTER_NAME].filter(
      isFile(fileSystem.join(indexDirectory, EXISTENCE_FILTER_DIRECTORY))
    );
    return [
      ...named.filter(isFile(indexDirectory)),
      ...filter.map((name) => `${EXISTENCE_FILTER_DIRECTORY}/${name}`)
    ];
  } finally {
    directory.close();
  }
}

function removal(file: string, done: boolean): RebuildAction {
  const isFilter = file.startsWith(`${EXISTENCE_FILTER_DIRECTORY}/`);
  return { code: isFilter ? 'removeExistenceFilter' : 'removeFile', file, done };
}

function reportOf({ table, entryCount, removed }: BuiltIndex, end: number): RebuildReport {
  const actions: RebuildAction[] = [
    ...(table ? [{ code: 'writeTable' as const, file: table.name, done: true }] : []),
    { code: 'replaceIndexMap', file: INDEX_MAP_NAME, done: true },
    ...removed.map((file) => removal(file, true))
  ];
  const bytes = table ? table.sizeBytes + table.filterSizeBytes : 0;
  return {
    actions,
    entries: entryCount,
    isEstimate: false,
    bytes,
    scratchBytes: spaceFor(entryCount).scratchBytes,
    end
  };
}
