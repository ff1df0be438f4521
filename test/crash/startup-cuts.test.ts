/**
 * The power fails while a start is prepared, at calls that write or flush. Whatever is left holds all
 * entries and denies no stream, and prepared again it ends as the uncut preparation did.
 */
import { afterEach, describe, expect } from 'vitest';
import { openDatabase } from '../../src-core/database/database.ts';
import { uncontrolled } from '../../src-core/database/operation-control.ts';
import { verifyExistence } from '../../src-core/index/verify-existence.ts';
import { readCheckpoints } from '../../src-core/log/checkpoint-file.ts';
import { prepareStartup } from '../../src-core/startup/prepare-startup.ts';
import type { FileSystem } from '../../src-core/storage/file-system.ts';
import { NodeFileSystem } from '../../src-core/storage/node-file-system.ts';
import { copyTree } from '../support/copy-tree.ts';
import type { CutSubject } from '../support/cut-enumeration.ts';
import { entriesOf } from '../support/database-content.ts';
import { removeUnpacked, unpackDamaged, unpackDatabase, unpackTruncated } from '../support/golden.ts';
import { MemoryFileSystem } from '../support/memory-file-system.ts';
import { guidName } from '../core/index/index-fixture.ts';
import { testAllFaults } from './all-faults.ts';

afterEach(removeUnpacked);
const DB = '/db';

async function contentOf(fileSystem: FileSystem) {
  const database = openDatabase({ fileSystem, dataDirectory: DB });
  try {
    const index = await database.openIndex(uncontrolled());
    const directory = database.indexDirectory;
    const sources = [...index.tables, index.recent];
    const denied = await verifyExistence({ fileSystem, directory, sources });
    return {
      entries: sources.flatMap(entriesOf).sort(),
      recent: index.recent.count,
      checkpoints: readCheckpoints(fileSystem, DB),
      damage: [...index.directory.problems, ...denied].filter(({ severity }) => severity === 'damage'),
      state: (fileSystem.list(directory) ?? []).filter(({ name }) => name.startsWith('scavenging')).length,
      filter: (fileSystem.list(`${directory}/stream-existence`) ?? []).map(({ name }) => name).sort()
    };
  } finally {
    database.close();
  }
}

describe.each([
  ['catches up', () => unpackDatabase({ name: 'killed-clean-tables', folder: 'at-kill' }), 18],
  ['builds an index', () => unpackDatabase({ name: 'killed-dirty', folder: 'at-kill' }), 15],
  ['rebuilds a damaged index', () => unpackDamaged('damaged-f-ptable-missing'), 20],
  ['truncates first', () => unpackTruncated('truncate-middle-of-log'), 25]
] as const)('a preparation that %s', (_what, unpack, leastCalls) => {
  const makeSubject = () => {
    const memory = new MemoryFileSystem();
    copyTree({ fileSystem: new NodeFileSystem(), path: unpack() }, { fileSystem: memory, path: DB });
    let id = 500;
    const act = (fileSystem: FileSystem) =>
      prepareStartup({
        place: { fileSystem, dataDirectory: DB },
        serverArguments: ['--stream-existence-filter-size=10000'],
        choice: { applyTruncation: true, mergeTables: true },
        control: uncontrolled(),
        newGuid: () => guidName(id++)
      });
    const isTruncating = (readCheckpoints(memory, DB).truncate ?? -1) >= 0;
    const subject: CutSubject<Awaited<ReturnType<typeof contentOf>>> = {
      prepare: () => memory,
      act,
      contentOf,
      look: async (fileSystem, { after }) => {
        // Between the chunks that go and the checkpoints that follow there is no log to speak of: truncate.chk still asks.
        if (isTruncating && readCheckpoints(fileSystem, DB).truncate !== -1) return;
        const found = await contentOf(fileSystem);
        expect(found.entries).toEqual(after.entries);
        // What was damaged before may still be; nothing else is.
        if (_what !== 'rebuilds a damaged index' && !isTruncating) expect(found.damage).toEqual([]);
      }
    };
    return subject;
  };
  testAllFaults({
    name: `prepared start that ${_what}`,
    operation: 'startup --prepare',
    leastCalls,
    refuseEvery: 3,
    againEvery: 12,
    readEvery: 60,
    subject: makeSubject
  });
});
