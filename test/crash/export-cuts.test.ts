/**
 * An export, cut and refused at every call of the file system: under the name of the new database there is nothing or the whole of it, and
 * the run that follows ends with the same events at the same places as one that was never cut.
 */
import { expect } from 'vitest';
import { openDatabase, openIndexDirectory, type FileSystem } from '../../src-core/index.ts';
import { writeCrashDatabase } from '../support/crash-database.ts';
import { exportTo } from '../support/extraction.ts';
import { testAllFaults } from './all-faults.ts';

const NEW = '/out/new';

/** Without the ids of chunks and epochs, which are new each time. */
function contentOf(fileSystem: FileSystem): unknown {
  const names = (fileSystem.list('/out') ?? []).map(({ name }) => name).sort();
  if (!fileSystem.describe(NEW)) return names;
  const database = openDatabase({ fileSystem, dataDirectory: NEW });
  try {
    database.requireWhole();
    const { log, indexDirectory, checkpoints } = database;
    const events: unknown[] = [];
    for (const cursor = log.cursor(); cursor.next();) {
      const { record } = cursor;
      const isEpoch = record.kind !== 'prepare' || record.stream === '$epoch-information';
      const { position, kind } = record;
      if (isEpoch) events.push([position, kind]);
      else
        events.push([
          position,
          record.stream,
          record.eventNumber,
          record.eventId,
          record.data.toString('hex')
        ]);
    }
    const index = openIndexDirectory({
      fileSystem,
      directory: indexDirectory,
      log,
      chaserCheckpoint: log.end
    });
    const entries = index.tables.reduce((sum, table) => sum + table.count, 0);
    index.close();
    const files = (fileSystem.list(NEW) ?? []).map(({ name }) => name).sort();
    return { names, files, events, entries, checkpoints };
  } finally {
    database.close();
  }
}

const run = (fileSystem: FileSystem) =>
  exportTo(
    {
      dataDirectory: '/db',
      streams: ['count', 'plain', 'committed', 'cut', 'gone-0', 'left-open', 'same-plain'],
      toDatabase: NEW,
      chunkSizeBytes: 4096
    },
    { fileSystem }
  );
testAllFaults({
  name: 'export of a database',
  operation: 'export',
  leastCalls: 80,
  refuseEvery: 4,
  againEvery: 20,
  readEvery: 20,
  subject: () => ({
    prepare: async () => {
      const memory = await writeCrashDatabase({ dataDirectory: '/db' });
      memory.makeDirectory('/out');
      return memory;
    },
    act: run,
    resume: async (fileSystem) => {
      if (!fileSystem.describe(NEW)) await run(fileSystem);
    },
    contentOf,
    look: (fileSystem, { after }) => {
      if (fileSystem.describe(NEW)) expect(contentOf(fileSystem)).toEqual(after);
    }
  })
});
