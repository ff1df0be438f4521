/**
 * The power fails while a database is restored over another one, at every single call that writes or flushes. Then:
 * the backup is as it was; a server that starts finds the old database, the new one, or refuses; and the restore can
 * be finished, or undone so that the old database is back to the last byte. The ways on are cut as well.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { readCheckpoints } from '../../src-core/log/checkpoint-file.ts';
import { readJournal } from '../../src-core/restore/restore-journal.ts';
import type { RestoreSource } from '../../src-core/restore/restore-source.ts';
import { continueRestore, undoRestore } from '../../src-core/restore/run-restore.ts';
import type { FileSystem } from '../../src-core/storage/file-system.ts';
import { RESTORE_MARKER } from '../../src-core/storage/restore-marker.ts';
import { copyTree } from '../support/copy-tree.ts';
import { FaultyFileSystem, PowerCut } from '../support/faulty-file-system.ts';
import { MemoryFileSystem } from '../support/memory-file-system.ts';
import {
  backupOf,
  restore,
  restoreEnvironment,
  sourceOf,
  treeOf,
  writeOldDatabase,
  writeSmallDatabase
} from '../support/restore-fixture.ts';

const DB = '/node/db';
const TARGET = '/backups';
const SEEDS = [1, 2];
type Tree = Record<string, string>;

/** Names of our own in a data directory; what is left counts. */
function databaseTree(fileSystem: FileSystem): Tree {
  const tree = treeOf(fileSystem, DB);
  return Object.fromEntries(Object.entries(tree).filter(([name]) => !/winnow-restor/.test(name)));
}

describe.each([
  { name: 'the cut of the log left to the server', appliesTruncation: false, truncate: -1 },
  { name: 'the log cut here', appliesTruncation: true, truncate: -1 },
  { name: 'over a database that has a truncation pending', appliesTruncation: false, truncate: 40 }
])('a power cut at any call of a restore, $name,', ({ appliesTruncation, truncate }) => {
  let original: MemoryFileSystem;
  let backup: Tree;
  let oldTree: Tree;
  let newTree: Tree;
  let calls: number;
  /** Made anew for each file system, on the same bytes. */
  let sourceIn: (fileSystem: FileSystem) => RestoreSource;

  const memory = (): MemoryFileSystem => {
    const fileSystem = new MemoryFileSystem();
    for (const path of ['/node', TARGET]) copyTree({ fileSystem: original, path }, { fileSystem, path });
    return fileSystem;
  };
  const run = (fileSystem: FileSystem) =>
    restore({ fileSystem, source: sourceIn(fileSystem), dataDirectory: DB, appliesTruncation });
  const finish = (fileSystem: FileSystem) =>
    continueRestore(
      { dataDirectory: DB, withSource: (_, work) => work(sourceIn(fileSystem)) },
      restoreEnvironment(fileSystem)
    );

  beforeAll(async () => {
    original = new MemoryFileSystem();
    await writeSmallDatabase(original, '/source/db', { sizeBytes: 34_000, chaserBehind: 18_000 });
    const source = backupOf(original, '/source/db', TARGET);
    const { manifest } = source;
    sourceIn = (fileSystem) => sourceOf(fileSystem, TARGET, manifest!);
    writeOldDatabase(original, DB, { truncate });
    backup = treeOf(original, TARGET);
    oldTree = treeOf(original, DB);
    const whole = new FaultyFileSystem(memory());
    await run(whole);
    newTree = databaseTree(whole);
    ({ calls } = whole);
  });

  /** What the start of a server would meet, by its first checks: truncation, then chaser against writer. */
  function expectSafeStart(fileSystem: FileSystem, moment: string): void {
    const checkpoints = readCheckpoints(fileSystem, DB);
    const cuts = (checkpoints.truncate ?? -1) !== -1;
    if (!cuts && (checkpoints.chaser ?? 0) > (checkpoints.writer ?? 0)) return; // refuses, touching nothing
    // A truncation sets chaser.chk, whatever it says: it is the one file that may differ then.
    const compared = (tree: Tree): Tree => {
      const { 'chaser.chk': chaser, ...rest } = tree;
      return cuts ? rest : { ...rest, ...(chaser === undefined ? {} : { 'chaser.chk': chaser }) };
    };
    const now = JSON.stringify(compared(databaseTree(fileSystem)));
    const isOldOrNew = [oldTree, newTree].some((tree) => JSON.stringify(compared(tree)) === now);
    expect(isOldOrNew, `${moment}: a server would start on ${now}`).toBe(true);
  }

  it('leaves the backup, a safe start, and both ways on', async () => {
    expect(calls).toBeGreaterThan(100);
    for (let cutAt = 1; cutAt <= calls; cutAt++) {
      for (const seed of SEEDS) {
        const moment = `cut at call ${cutAt}, seed ${seed}`;
        const cut = new FaultyFileSystem(memory(), { cutAt });
        await expect(run(cut), moment).rejects.toBeInstanceOf(PowerCut);
        const survivors = (): MemoryFileSystem => cut.survivors(cutAt * 7 + seed);

        const forward = survivors();
        expect(treeOf(forward, TARGET), moment).toEqual(backup);
        expectSafeStart(forward, moment);
        if (!readJournal(forward, DB)) {
          // Before the first step, or behind the last.
          const now = JSON.stringify(databaseTree(forward));
          expect(
            [oldTree, newTree].map((tree) => JSON.stringify(tree)),
            moment
          ).toContain(now);
          continue;
        }
        const { phase } = readJournal(forward, DB)!;
        await finish(forward);
        expect(treeOf(forward, DB), moment).toEqual(newTree);
        expect(Object.keys(treeOf(forward, '/node')).filter((name) => /restoring/.test(name))).toEqual([]);
        if (phase === 'finishing') continue;
        const backward = survivors();
        await undoRestore(DB, restoreEnvironment(backward));
        expect(treeOf(backward, DB), `${moment}, undone`).toEqual(oldTree);
        expect(
          Object.keys(treeOf(backward, '/node')).filter((name) => /\.(restoring|before)/.test(name))
        ).toEqual([]);
      }
    }
  });

  it('is followed by a way on that may be cut again', async () => {
    // A restore cut in the middle of each phase; then each call of both ways on is cut, and the way taken again.
    const moments = new Map<string, { cutAt: number; seed: number }>();
    for (let cutAt = 1; cutAt <= calls; cutAt++) {
      const cut = new FaultyFileSystem(memory(), { cutAt });
      await run(cut).catch(() => undefined);
      const phase = readJournal(cut.survivors(1), DB)?.phase;
      if (phase) moments.set(phase, { cutAt, seed: 1 });
    }
    expect([...moments.keys()].sort()).toEqual([
      'copying',
      'finishing',
      'movingAside',
      'movingIn',
      'preparing'
    ]);
    for (const [phase, { cutAt, seed }] of moments) {
      const cutOnce = async (): Promise<MemoryFileSystem> => {
        const cut = new FaultyFileSystem(memory(), { cutAt });
        await run(cut).catch(() => undefined);
        return cut.survivors(seed);
      };
      const ways = [
        { way: finish, end: newTree },
        { way: (fileSystem: FileSystem) => undoRestore(DB, restoreEnvironment(fileSystem)), end: oldTree }
      ];
      for (const { way, end } of phase === 'finishing' ? ways.slice(0, 1) : ways) {
        const uncut = new FaultyFileSystem(await cutOnce());
        await way(uncut);
        for (let second = 1; second <= uncut.calls; second++) {
          const again = new FaultyFileSystem(await cutOnce(), { cutAt: second });
          await expect(way(again)).rejects.toBeInstanceOf(PowerCut);
          const survivors = again.survivors(second);
          const moment = `${phase} cut at call ${second} of ${end === newTree ? 'the way on' : 'the way back'}`;
          expectSafeStart(survivors, moment);
          if (readJournal(survivors, DB)) await way(survivors);
          expect(treeOf(survivors, DB), moment).toEqual(end);
        }
      }
    }
  });

  it('is finished even when a server was started meanwhile and refused', async () => {
    for (const cutAt of Array.from({ length: calls }, (_, i) => i + 1)) {
      const cut = new FaultyFileSystem(memory(), { cutAt });
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
