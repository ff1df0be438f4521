/** `index rebuild` cut and refused at every call of the file system: all entries are found in the old tables, the new one or the log. */
import { expect } from 'vitest';
import { openDatabase } from '../../src-core/database/database.ts';
import { uncontrolled } from '../../src-core/database/operation-control.ts';
import { rebuildIndex } from '../../src-core/repair/rebuild-index.ts';
import type { FileSystem } from '../../src-core/storage/file-system.ts';
import { guidsFrom, writeCrashDatabase } from '../support/crash-database.ts';
import { entriesOf } from '../support/database-content.ts';
import { testAllFaults } from './all-faults.ts';

const DIRECTORY = '/db';

/** What a reader of the index finds, wherever it lies. */
async function entriesIn(fileSystem: FileSystem): Promise<unknown[]> {
  const database = openDatabase({ fileSystem, dataDirectory: DIRECTORY });
  try {
    const index = await database.openIndex(uncontrolled());
    expect(index.directory.problems.filter(({ severity }) => severity === 'damage')).toEqual([]);
    return [...index.tables, index.recent].flatMap(entriesOf).sort();
  } finally {
    database.close();
  }
}

testAllFaults({
  name: 'index rebuild',
  operation: 'index rebuild',
  leastCalls: 20,
  readEvery: 20,
  subject: () => {
    let run = 1;
    return {
      prepare: () => writeCrashDatabase({ dataDirectory: DIRECTORY }),
      act: (fileSystem: FileSystem) =>
        rebuildIndex({
          ...{ fileSystem, dataDirectory: DIRECTORY, control: uncontrolled() },
          ...{ newGuid: guidsFrom(500 + run++), entriesPerRun: 50 }
        }),
      contentOf: async (fileSystem: FileSystem) => ({
        entries: await entriesIn(fileSystem),
        files: (fileSystem.list(`${DIRECTORY}/index`) ?? []).length
      }),
      look: async (fileSystem: FileSystem, { before }: { before: { entries: unknown[] } }) => {
        expect(await entriesIn(fileSystem)).toEqual(before.entries);
      }
    };
  }
});
