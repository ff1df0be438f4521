/**
 * Entries of a log, sorted, as a new table beside those that are there: what a rebuild of the whole index and a catch-up
 * of what it lacks have in common. Nothing refers to the table until the caller has replaced the map.
 */
import { assert } from '../../assert.ts';
import type { FileSystem } from '../../storage/file-system.ts';
import type { IndexMap } from '../index-map.ts';
import type { TableVersion } from '../index-table.ts';
import { IndexTableWriter, type FileOwner, type WrittenTable } from '../index-table-writer.ts';
import { LogEntries } from '../log-entries.ts';
import type { RecordLog } from '../record-source.ts';
import { hashStream, type StreamHasher } from '../stream-hash.ts';
import type { EntrySorter } from './entry-sorter.ts';

const TABLE_MODE = 0o444;
/** Records between two pauses. */
const BREATHE_EVERY = 4096;

export interface IndexBuildProgress {
  phase: 'reading the log' | 'writing the table';
  done: number;
  total: number;
  unit: 'bytes' | 'entries';
}

export interface SortLog {
  fileSystem: FileSystem;
  /** The index directory. */
  directory: string;
  log: Pick<RecordLog, 'cursor'>;
  /** Only entries above this pair are new; -1 and -1: all of them. */
  prepareCheckpoint: number;
  commitCheckpoint: number;
  /** The chaser's check point: the index must end before it, or the server throws it away. Exclusive. */
  end: number;
  newGuid: () => string;
  hasher?: StreamHasher;
  /** Called some thousand records or entries apart; may pause, and ends the work by throwing. */
  breathe: () => Promise<void>;
  onProgress?: (progress: IndexBuildProgress) => void;
}

/** Gives the pair of the last entry. Reading begins with the record at the commit check point, as in the server. */
export async function sortLog(
  options: SortLog,
  sorter: EntrySorter
): Promise<{ prepareCheckpoint: number; commitCheckpoint: number }> {
  const { log, prepareCheckpoint, commitCheckpoint, end, breathe, onProgress } = options;
  const entries = new LogEntries({
    log,
    hasher: options.hasher ?? hashStream,
    prepareCheckpoint,
    commitCheckpoint,
    sink: sorter
  });
  const from = Math.max(0, commitCheckpoint);
  const records = log.cursor(from, end);
  let sinceBreath = 0;
  try {
    while (records.next()) {
      entries.see(records.record);
      if (++sinceBreath < BREATHE_EVERY) continue;
      sinceBreath = 0;
      const done = records.record.position - from;
      onProgress?.({ phase: 'reading the log', done, total: end - from, unit: 'bytes' });
      await breathe();
    }
  } finally {
    records.close();
  }
  return entries.checkpoints;
}

/** Writes all that was sorted, with its filter, and flushes both. A failure leaves nothing behind. */
export async function writeSortedTable(
  {
    fileSystem,
    directory,
    newGuid,
    breathe,
    onProgress,
    version
  }: Pick<SortLog, 'fileSystem' | 'directory' | 'newGuid' | 'breathe' | 'onProgress'> & {
    version?: TableVersion;
  },
  sorter: EntrySorter,
  tableOwner: FileOwner | undefined
): Promise<WrittenTable> {
  const writer = IndexTableWriter.create({
    fileSystem,
    directory,
    name: newGuid(),
    expectedEntryCount: sorter.count,
    ...(version === undefined ? {} : { version }),
    ...(tableOwner ? { tableOwner } : {})
  });
  let done = 0;
  try {
    await sorter.drain({
      onEntry: (hashHigh, hashLow, number, position) => writer.append(hashHigh, hashLow, number, position),
      breathe: async (count) => {
        done += count;
        onProgress?.({ phase: 'writing the table', done, total: sorter.count, unit: 'entries' });
        await breathe();
      }
    });
    assert(writer.entryCount === sorter.count, 'sorting loses no entry');
    return writer.complete();
  } catch (error) {
    writer.abort();
    throw error;
  }
}

/** Owner and permissions of a table that is there; else the owner of the directory. */
export function ownerOf(
  { fileSystem, directory }: { fileSystem: FileSystem; directory: string },
  old: IndexMap | undefined
): FileOwner | undefined {
  for (const { file } of old?.tables ?? []) {
    const facts = fileSystem.describe(fileSystem.join(directory, file));
    if (facts) return facts;
  }
  const facts = fileSystem.describe(directory);
  return facts && { mode: TABLE_MODE, uid: facts.uid, gid: facts.gid };
}
