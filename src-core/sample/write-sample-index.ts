/**
 * The index of the sample database: three tables as a server that had run for a while would have them, newer and
 * smaller ones on lower levels, and a tail of the log that no table holds yet. The server reads that tail at its
 * start, and so do we.
 */
import type { OperationControl } from '../database/operation-control.ts';
import { emptyIndexMap, writeIndexMap, type IndexMapTable } from '../index/index-map.ts';
import { writeIndexTable } from '../index/index-table-writer.ts';
import { readRecentEntries } from '../index/read-recent-entries.ts';
import { hashStream } from '../index/stream-hash.ts';
import type { LogReader } from '../log/log-reader.ts';
import type { FileSystem } from '../storage/file-system.ts';

/** Share of the log behind each table, oldest first; the rest is not indexed yet. */
const SHARES = [0.52, 0.78, 0.92];

export interface WriteSampleIndex {
  fileSystem: FileSystem;
  indexDirectory: string;
  log: LogReader;
  newGuid: () => string;
  control: OperationControl;
  /** Share of the log behind each table, oldest first; what is left is in none. */
  shares?: readonly number[];
}

export async function writeSampleIndex(options: WriteSampleIndex): Promise<void> {
  const { fileSystem, indexDirectory, log, newGuid, control, shares = SHARES } = options;
  fileSystem.makeDirectory(indexDirectory);
  const tables: IndexMapTable[] = [];
  let checkpoint = -1;
  for (const [index, share] of shares.entries()) {
    control.report({ phase: 'index', done: index, total: shares.length, unit: 'tables' });
    const end = firstSelfCommitted(log, Math.floor(log.end * share));
    if (end === undefined || end <= checkpoint) continue;
    const entries = await readRecentEntries({
      log,
      prepareCheckpoint: checkpoint,
      commitCheckpoint: checkpoint,
      end: end + 1,
      hasher: hashStream,
      breathe: () => control.breathe()
    });
    if (entries.count === 0) continue;
    const file = newGuid();
    writeIndexTable({ fileSystem, directory: indexDirectory, name: file }, entries);
    tables.push({ level: shares.length - 1 - index, position: 0, file });
    checkpoint = end;
  }
  if (tables.length === 0) return;
  const map = { ...emptyIndexMap(), prepareCheckpoint: checkpoint, commitCheckpoint: checkpoint };
  writeIndexMap(fileSystem, indexDirectory, { ...map, tables: tables.reverse() }, newGuid());
}

/** Position of the first event at or after `from` that commits itself: a place where the index may end. */
function firstSelfCommitted(log: LogReader, from: number): number | undefined {
  const cursor = log.cursor(startOfRecordAtOrAfter(log, from));
  try {
    while (cursor.next()) {
      if (cursor.record.isSelfCommitted && cursor.record.hasData && cursor.record.position >= from) {
        return cursor.record.position;
      }
    }
    return undefined;
  } finally {
    cursor.close();
  }
}

/** Any position is no record: walk from the start of its chunk. */
function startOfRecordAtOrAfter(log: LogReader, position: number): number {
  return Math.floor(position / log.chunkSizeBytes) * log.chunkSizeBytes;
}
