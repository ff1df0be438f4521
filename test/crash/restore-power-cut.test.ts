/**
 * A restore over another database is cut at calls that write or flush, four ways. Then: the backup is
 * as it was; a server that starts finds the old database, the new one, or refuses; the restore can be finished, or
 * undone so that the old database is back to the last byte. The ways on are cut as well.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { readCheckpoints } from '../../src-core/log/checkpoint-file.ts';
import { readJournal, type RestorePhase } from '../../src-core/restore/restore-journal.ts';
import type { RestoreSource } from '../../src-core/restore/restore-source.ts';
import { continueRestore, undoRestore } from '../../src-core/restore/run-restore.ts';
import type { FileSystem } from '../../src-core/storage/file-system.ts';
import { RESTORE_MARKER } from '../../src-core/storage/restore-marker.ts';
import { chosenCalls } from '../support/chosen-calls.ts';
import { copyTree } from '../support/copy-tree.ts';
import { enumerateCuts, type CutSubject } from '../support/cut-enumeration.ts';
import { FaultyFileSystem } from '../support/faulty-file-system.ts';
import { MemoryFileSystem } from '../support/memory-file-system.ts';
import { recordCuts, sampledCalls } from '../support/proof-record.ts';
import {
  backupOf,
  restore,
  restoreEnvironment,
  sourceOf,
  treeOf,
  writeOldDatabase,
  writeSmallDatabase
} from '../support/restore-fixture.ts';
import { testAllFaults } from './all-faults.ts';

const DB = '/node/db';
const TARGET = '/backups';
type Tree = Record<string, string>;

/** What counts in a data directory: without names of our own. */
function databaseTree(fileSystem: FileSystem): Tree {
  const tree = treeOf(fileSystem, DB);
  return Object.fromEntries(
    Object.entries(tree).filter(([name]) => !/winnow-restor/.test(name) && !ASIDE_INSIDE.test(name))
  );
}

/** Where nothing can be made beside the data directory, what it replaces is set aside in it. */
const ASIDE_INSIDE = /^before-restore-[^/]*\//;

/** What was set aside in the data directory; undefined: nothing. */
function asideInside(fileSystem: FileSystem): Tree | undefined {
  const aside = Object.entries(treeOf(fileSystem, DB))
    .filter(([name]) => ASIDE_INSIDE.test(name))
    .map(([name, content]) => [name.replace(ASIDE_INSIDE, ''), content]);
  const files = aside.filter(([name]) => name !== '' && !/winnow-restor/.test(name!));
  return files.length === 0 ? undefined : (Object.fromEntries(files) as Tree);
}

function ours(fileSystem: FileSystem, pattern: RegExp): string[] {
  return Object.keys(treeOf(fileSystem, '/node')).filter((name) => pattern.test(name));
}

describe.each([
  { name: 'the cut of the log left to the server', appliesTruncation: false, truncate: -1 },
  { name: 'the log cut here', appliesTruncation: true, truncate: -1 },
  { name: 'over a database that has a truncation pending', appliesTruncation: false, truncate: 40 }
])('a restore, $name, that is cut at any call', ({ name, appliesTruncation, truncate }) => {
  let original: MemoryFileSystem;
  let backup: Tree;
  let oldTree: Tree;
  let newTree: Tree;
  let calls: number;
  /** Made again for each file system, on the same bytes. */
  let sourceIn: (fileSystem: FileSystem) => RestoreSource;

  const memoryOf = (from: FileSystem): MemoryFileSystem => {
    const fileSystem = new MemoryFileSystem();
    for (const path of ['/node', TARGET]) copyTree({ fileSystem: from, path }, { fileSystem, path });
    return fileSystem;
  };
  const run = (fileSystem: FileSystem) =>
    restore({ fileSystem, source: sourceIn(fileSystem), dataDirectory: DB, appliesTruncation });
  /** Nothing to do where the cut came before the first step or behind the last. */
  const finish = async (fileSystem: FileSystem): Promise<void> => {
    if (!readJournal(fileSystem, DB)) return;
    await continueRestore(
      { dataDirectory: DB, withSource: (_, work) => work(sourceIn(fileSystem)) },
      restoreEnvironment(fileSystem)
    );
  };
  const undo = async (fileSystem: FileSystem): Promise<void> => {
    if (readJournal(fileSystem, DB)) await undoRestore(DB, restoreEnvironment(fileSystem));
  };

  beforeAll(async () => {
    original = new MemoryFileSystem();
    await writeSmallDatabase(original, '/source/db', { sizeBytes: 34_000, chaserBehind: 18_000 });
    const { manifest } = backupOf(original, '/source/db', TARGET);
    sourceIn = (fileSystem) => sourceOf(fileSystem, TARGET, manifest!);
    writeOldDatabase(original, DB, { truncate });
    backup = treeOf(original, TARGET);
    oldTree = treeOf(original, DB);
    const whole = new FaultyFileSystem(memoryOf(original));
    await run(whole);
    newTree = databaseTree(whole);
    ({ calls } = whole);
  });

  /** What the start of a server would meet, by its first checks: truncation, then chaser against writer. */
  function expectSafeStart(fileSystem: FileSystem): void {
    const checkpoints = readCheckpoints(fileSystem, DB);
    const cuts = (checkpoints.truncate ?? -1) !== -1;
    if (!cuts && (checkpoints.chaser ?? 0) > (checkpoints.writer ?? 0)) return; // refuses, touching nothing
    // A truncation sets chaser.chk, whatever it says: it is the one file that may differ then.
    const compared = (tree: Tree): string =>
      JSON.stringify(Object.entries(tree).filter(([file]) => !cuts || file !== 'chaser.chk'));
    const isOldOrNew = [oldTree, newTree].some(
      (tree) => compared(tree) === compared(databaseTree(fileSystem))
    );
    expect(isOldOrNew, `a server would start on ${compared(databaseTree(fileSystem))}`).toBe(true);
  }

  /** The backup stays, a start is safe, and both ways on lead to an end. */
  const subject = (): CutSubject<Tree> => ({
    prepare: () => memoryOf(original),
    act: run,
    // Cut before its first durable step it is simply made again.
    resume: async (fileSystem) => {
      const isOld = JSON.stringify(databaseTree(fileSystem)) === JSON.stringify(oldTree);
      if (isOld && !readJournal(fileSystem, DB)) await run(fileSystem);
      else await finish(fileSystem);
      expect(ours(fileSystem, /restoring/)).toEqual([]);
    },
    contentOf: databaseTree,
    look: async (fileSystem) => {
      expect(treeOf(fileSystem, TARGET)).toEqual(backup);
      expectSafeStart(fileSystem);
      const phase = readJournal(fileSystem, DB)?.phase;
      if (phase === undefined || phase === 'finishing') {
        expect(asideInside(fileSystem) ?? oldTree).toEqual(oldTree);
        return;
      }
      const back = memoryOf(fileSystem);
      await undo(back);
      expect(treeOf(back, DB)).toEqual(oldTree);
      expect(ours(back, /\.(restoring|before)/)).toEqual([]);
    }
  });
  testAllFaults({
    name: `restore, ${name}`,
    operation: 'restore',
    leastCalls: 200,
    refuseEvery: 5,
    readEvery: 60,
    againEvery: 30,
    subject
  });

  /** The last disk that a restore leaves in a phase when the power goes there. */
  async function cutIn(phase: RestorePhase): Promise<MemoryFileSystem> {
    for (let cutAt = calls; cutAt > 0; cutAt--) {
      const cut = new FaultyFileSystem(memoryOf(original), { cutAt });
      await run(cut).catch(() => undefined);
      const survivors = cut.survivors(1);
      if (readJournal(survivors, DB)?.phase === phase) return survivors;
    }
    throw new Error(`No cut leaves the phase ${phase}.`);
  }

  it.each(['movingAside', 'movingIn'] as const)(
    'in the phase %s is followed by ways on that may be cut',
    async (phase) => {
      const half = await cutIn(phase);
      for (const way of [finish, undo]) {
        const subject = {
          prepare: () => memoryOf(half),
          act: way,
          resume: way,
          contentOf: databaseTree,
          look: expectSafeStart
        };
        const report = await enumerateCuts(subject, sampledCalls());
        const which = `${way === finish ? 'finishing' : 'undoing'} a restore cut in ${phase}, ${name}`;
        recordCuts(which, 'restore --resume, --undo', report);
        expect(report.calls).toBeGreaterThan(10);
      }
    }
  );

  it('is finished and undone even when a server was started meanwhile and refused', async () => {
    for (const cutAt of chosenCalls(calls, sampledCalls())) {
      const cut = new FaultyFileSystem(memoryOf(original), { cutAt });
      await run(cut).catch(() => undefined);
      for (const way of ['finish', 'undo'] as const) {
        const survivors = cut.survivors(2);
        const phase = readJournal(survivors, DB)?.phase;
        if (phase !== 'movingAside' && phase !== 'movingIn') continue;
        const { writer, chaser, truncate } = readCheckpoints(survivors, DB);
        if ((truncate ?? -1) !== -1 || (chaser ?? 0) <= (writer ?? 0)) continue;
        startThatRefuses(survivors);
        if (way === 'finish') {
          await finish(survivors);
          expect(treeOf(survivors, DB), `cut at call ${cutAt}`).toEqual(newTree);
          continue;
        }
        await undoRestore(DB, restoreEnvironment(survivors));
        expect(treeOf(survivors, DB), `cut at call ${cutAt}, undone`).toMatchObject(oldTree);
      }
    }
  });
});

/** A server makes checkpoints and filters that are missing before it looks at them. */
function startThatRefuses(fileSystem: FileSystem): void {
  const missing = ['writer', 'epoch', 'proposal', 'truncate', 'tag'].filter(
    (name) => fileSystem.describe(`${DB}/${name}.chk`) === undefined
  );
  for (const name of missing) {
    const bytes = new Uint8Array(8).fill(name === 'writer' ? 0 : 255);
    const file = fileSystem.open(`${DB}/${name}.chk`, 'createNew');
    file.write(bytes, 0, 8, 0);
    file.close();
  }
  const filter = `${DB}/index/stream-existence/streamExistenceFilter.chk`;
  if (fileSystem.describe(filter)) return;
  fileSystem.makeDirectory(`${DB}/index/stream-existence`);
  const file = fileSystem.open(filter, 'createNew');
  file.write(new Uint8Array(8).fill(255), 0, 8, 0);
  file.close();
  expect(RESTORE_MARKER in treeOf(fileSystem, DB)).toBe(true);
}
