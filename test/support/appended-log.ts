/** A database in memory with just the events that a test appends, and an index that knows them from the log alone. */
import { openDatabase, type Database } from '../../src-core/database/database.ts';
import { EventAppender } from '../../src-core/database/event-appender.ts';
import {
  openIndexDirectory,
  openStreamIndexAtOnce,
  type StreamIndex
} from '../../src-core/index/stream-index.ts';
import { LogWriter } from '../../src-core/log/log-writer.ts';
import type { LogReader } from '../../src-core/log/log-reader.ts';
import { TICKS_PER_SECOND } from '../../src-core/units/ticks.ts';
import { guidsFrom } from './crash-database.ts';
import { MemoryFileSystem } from './memory-file-system.ts';
import { SAMPLE_NOW } from './restore-fixture.ts';

export interface AppendedLog {
  fileSystem: MemoryFileSystem;
  database: Database;
  log: LogReader;
  index: StreamIndex;
}

/**
 * `after(n)` appends to streams whose last event has this number, -1 for new ones; each write is a second later, or at the time
 * that `timeAfter` gives for the one before.
 */
export function appendedLog(
  write: (after: (last: number) => EventAppender) => void,
  chunkSizeBytes = 65_536,
  timeAfter = (ticks: bigint) => ticks + TICKS_PER_SECOND
): AppendedLog {
  const fileSystem = new MemoryFileSystem();
  fileSystem.makeDirectory('/db');
  const newGuid = guidsFrom(3);
  const writer = LogWriter.create({ fileSystem, directory: '/db', chunkSizeBytes, newGuid });
  let ticks: bigint = SAMPLE_NOW;
  const now = () => (ticks = timeAfter(ticks));
  write((last) => new EventAppender({ writer, newGuid, now, lastEventNumber: () => last }));
  writer.close();
  const database = openDatabase({ fileSystem, dataDirectory: '/db' });
  const { log, indexDirectory } = database;
  fileSystem.makeDirectory(indexDirectory);
  const directory = openIndexDirectory({ fileSystem, directory: indexDirectory, log });
  return { fileSystem, database, log, index: openStreamIndexAtOnce({ log, directory }) };
}

/** So many small events. */
export function someEvents(count: number, bytes = 1): { eventType: string; data: Uint8Array }[] {
  return Array.from({ length: count }, () => ({ eventType: 'happened', data: Buffer.alloc(bytes, 'x') }));
}
