/** Restores in memory: what comes, what goes aside, what is refused, and the ways on and back. */
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { EngineError } from '../../../src-core/errors.ts';
import { readCheckpoints, writeCheckpointFile } from '../../../src-core/log/checkpoint-file.ts';
import { readJournal, RESTORE_LOCK } from '../../../src-core/restore/restore-journal.ts';
import type { RestoreSource } from '../../../src-core/restore/restore-source.ts';
import { RESTORE_MARK } from '../../../src-core/restore/restore-mark.ts';
import { continueRestore, undoRestore } from '../../../src-core/restore/run-restore.ts';
import { lockDirectory } from '../../../src-core/storage/directory-lock.ts';
import { RESTORE_MARKER } from '../../../src-core/storage/restore-marker.ts';
import type { FileFacts } from '../../../src-core/storage/file-system.ts';
import { MemoryFileSystem, storageError } from '../../support/memory-file-system.ts';
import {
  backupOf,
  plainSource,
  restore,
  restoreEnvironment,
  restorePlanOf,
  stoppedRestore,
  treeOf,
  writeOldDatabase,
  writeSmallDatabase,
  writeText
} from '../../support/restore-fixture.ts';

const DB = '/node/db';
const ASIDE = '/node/db.before-restore-20260101T000000Z';

/** Without the file that says which restore made the folder. */
const withoutMark = (tree: Record<string, string>) =>
  Object.fromEntries(Object.entries(tree).filter(([name]) => name !== RESTORE_MARK));

describe('a restore', () => {
  let fileSystem: MemoryFileSystem;
  let source: RestoreSource;

  beforeEach(async () => {
    fileSystem = new MemoryFileSystem();
    await writeSmallDatabase(fileSystem, '/source/db', { chaserBehind: 20_000 });
    source = backupOf(fileSystem, '/source/db', '/backups');
    writeOldDatabase(fileSystem, DB);
  });

  const newFiles = () => treeOf(fileSystem, '/source/db');

  it('puts every file of the backup in place and chaser.chk into truncate.chk', async () => {
    const outcome = await restore({ fileSystem, source, dataDirectory: DB });
    const { chaser, writer } = readCheckpoints(fileSystem, '/source/db');
    expect(chaser).toBeLessThan(writer!);
    const expected = newFiles();
    expect(treeOf(fileSystem, DB)).toEqual({ ...expected, 'truncate.chk': expected['chaser.chk'] });
    expect(readCheckpoints(fileSystem, DB)).toMatchObject({ truncate: chaser, chaser, writer });
    expect(outcome).toMatchObject({ truncatesTo: chaser, isTruncationApplied: false, movedAside: [ASIDE] });
  });

  it('leaves nothing of the old database in place, and loses nothing of it', async () => {
    const old = treeOf(fileSystem, DB);
    await restore({ fileSystem, source, dataDirectory: DB });
    expect(withoutMark(treeOf(fileSystem, ASIDE))).toEqual(old);
    expect(treeOf(fileSystem, DB)).not.toHaveProperty('index/scavenging/');
    expect(treeOf(fileSystem, DB)).not.toHaveProperty('kurrent.ddb');
    expect(treeOf(fileSystem, '/node')).not.toHaveProperty('db.restoring-20260101T000000Z/');
  });

  it('cuts the log itself when asked to, so that nothing is left to the start', async () => {
    const outcome = await restore({ fileSystem, source, dataDirectory: DB, appliesTruncation: true });
    const { chaser } = source.checkpoints;
    expect(readCheckpoints(fileSystem, DB)).toMatchObject({ writer: chaser, chaser, truncate: -1 });
    expect(outcome).toMatchObject({ truncatesTo: chaser, isTruncationApplied: true });
    const database = openDatabase({ fileSystem, dataDirectory: DB });
    expect(database.problems).toEqual([]);
    const cursor = database.log.cursor();
    let records = 0;
    while (cursor.next()) records++;
    expect(records).toBeGreaterThan(50);
    database.close();
  });

  it('makes a directory that is missing', async () => {
    await restore({ fileSystem, source, dataDirectory: '/new/node/db' });
    expect(readCheckpoints(fileSystem, '/new/node/db').writer).toBe(source.checkpoints.writer);
    expect(Object.keys(treeOf(fileSystem, '/new/node')).filter((name) => /^[^/]+\/?$/.test(name))).toEqual([
      'db/'
    ]);
  });

  it('restores an index that lies elsewhere to where the target has it', async () => {
    const indexDirectory = '/index/of-node';
    writeText(fileSystem, '/index/of-node/indexmap', 'old');
    await restore({ fileSystem, source, dataDirectory: DB, indexDirectory });
    const expected = newFiles();
    const index = treeOf(fileSystem, indexDirectory);
    expect(index['indexmap']).toBe(expected['index/indexmap']);
    expect(treeOf(fileSystem, '/index/of-node.before-restore-20260101T000000Z')).toHaveProperty('indexmap');
    expect(Object.keys(treeOf(fileSystem, DB)).filter((name) => name.startsWith('index/'))).toEqual([]);
  });

  it('gives files owner, group and mode of those they replace', async () => {
    fileSystem.changeOwner(DB, 500, 600);
    fileSystem.changeOwner(`${DB}/chunk-000000.000000`, 501, 601);
    fileSystem.changeMode(`${DB}/chunk-000000.000000`, 0o440);
    fileSystem.changeOwner(`${DB}/writer.chk`, 500, 600);
    fileSystem.changeMode(`${DB}/writer.chk`, 0o660);
    const directory = fileSystem.describe(DB);
    await restore({ fileSystem, source, dataDirectory: DB });
    expect(fileSystem.describe(`${DB}/chunk-000000.000000`)).toMatchObject({
      uid: 501,
      gid: 601,
      mode: 0o640
    });
    expect(fileSystem.describe(`${DB}/writer.chk`)).toMatchObject({ uid: 500, gid: 600, mode: 0o660 });
    expect(fileSystem.describe(DB)).toMatchObject({ uid: 500, gid: 600, inode: directory!.inode });
  });

  it('leaves out a chunk that lies behind the log of the backup', async () => {
    writeText(fileSystem, '/source/db/chunk-000099.000000', 'begun while the backup was taken');
    fileSystem.removeDirectory('/backups');
    source = backupOf(fileSystem, '/source/db', '/backups');
    expect(
      restorePlanOf({ fileSystem, source, dataDirectory: DB }).warnings.map(({ code }) => code)
    ).toContain('surplusChunk');
    await restore({ fileSystem, source, dataDirectory: DB });
    expect(treeOf(fileSystem, DB)).not.toHaveProperty('chunk-000099.000000');
  });

  it('never restores the state of the scavenger, nor what the server makes itself', async () => {
    writeText(fileSystem, '/source/db/index/scavenging/scavenging.db', 'state');
    writeText(fileSystem, '/source/db/kurrent.ddb', 'of a running server');
    fileSystem.removeDirectory('/backups');
    source = backupOf(fileSystem, '/source/db', '/backups');
    await restore({ fileSystem, source, dataDirectory: DB });
    expect(Object.keys(treeOf(fileSystem, DB)).filter((name) => /scavenging|kurrent/.test(name))).toEqual([]);
  });

  it('never changes the backup', async () => {
    const before = treeOf(fileSystem, '/backups');
    await restore({ fileSystem, source, dataDirectory: DB, appliesTruncation: true });
    expect(treeOf(fileSystem, '/backups')).toEqual(before);
  });

  it('restores a plain copy, looked through in full first', async () => {
    const copy = plainSource(fileSystem, '/source/db');
    const seen: boolean[] = [];
    const plan = restorePlanOf({ fileSystem, source: copy, dataDirectory: DB });
    expect(plan.warnings.map(({ code }) => code)).toContain('noManifest');
    await restore(
      { fileSystem, source: copy, dataDirectory: DB },
      {
        verify: async (_, { isKnown }) => {
          seen.push(isKnown);
          return { isIndexLeftOut: false };
        }
      }
    );
    expect(seen).toEqual([false]);
    expect(treeOf(fileSystem, DB)['chunk-000001.000000']).toBe(newFiles()['chunk-000001.000000']);
  });

  describe('refuses, and leaves the target as it was,', () => {
    let old: Record<string, string>;
    beforeEach(() => {
      old = treeOf(fileSystem, '/node');
    });
    const refusal = async (change: Parameters<typeof restore>[1] = {}): Promise<EngineError> => {
      const error: unknown = await restore({ fileSystem, source, dataDirectory: DB }, change).catch(
        (thrown: unknown) => thrown
      );
      expect(treeOf(fileSystem, '/node')).toEqual(old);
      expect(error).toBeInstanceOf(EngineError);
      return error as EngineError;
    };

    it('a node that runs', async () => {
      const release = fileSystem.tryLock(`${DB}/writer.chk`)!;
      expect(await refusal()).toMatchObject({ code: 'DatabaseInUse' });
      release();
    });

    it('a backup that lies in what it would replace', () => {
      const inside = { ...source, places: [`${DB}/backups`] };
      const plan = () => restorePlanOf({ fileSystem, source: inside, dataDirectory: DB });
      expect(plan).toThrow(/is in the directories that it would replace/);
    });

    it('itself as a plain copy, and a directory around it', () => {
      const self = plainSource(fileSystem, '/source/db');
      for (const dataDirectory of ['/source/db', '/source/db/deeper']) {
        expect(() => restorePlanOf({ fileSystem, source: self, dataDirectory })).toThrow(
          /is in the directories/
        );
      }
    });

    it('a directory that a server has open as a copy', () => {
      const release = fileSystem.tryLock('/source/db/writer.chk')!;
      expect(() => plainSource(fileSystem, '/source/db')).toThrow(/running node/);
      release();
    });

    it('a volume with too little room', async () => {
      fileSystem.capacityBytes = 200_000;
      expect(await refusal()).toMatchObject({ code: 'StorageFailed', details: { osCode: 'ENOSPC' } });
    });

    it('a damaged file of the backup', async () => {
      const path = '/backups/20260101T000000Z-abcd/data/chunk-000001.000000';
      const file = fileSystem.open(path, 'readWrite');
      file.write(new Uint8Array([1, 2, 3]), 0, 3, 5000);
      file.close();
      const error = await refusal();
      expect(error.code).toBe('LogCorrupt');
      expect(error.message).toContain('data/chunk-000001.000000');
    });

    it('a chaser.chk within a record', async () => {
      writeCheckpointFile(fileSystem, '/source/db/chaser.chk', source.checkpoints.chaser + 3);
      fileSystem.removeDirectory('/backups');
      source = backupOf(fileSystem, '/source/db', '/backups');
      expect(await refusal()).toMatchObject({ details: { reason: 'truncateInsideRecord' } });
    });

    it('a chaser.chk ahead of writer.chk', async () => {
      writeCheckpointFile(fileSystem, '/source/db/chaser.chk', source.checkpoints.writer + 1);
      fileSystem.removeDirectory('/backups');
      source = backupOf(fileSystem, '/source/db', '/backups');
      expect(await refusal()).toMatchObject({ details: { reason: 'chaserBeyondWriter' } });
    });

    it('what does not bear looking through', async () => {
      const verify = () => Promise.reject(new EngineError({ code: 'LogCorrupt', message: 'no', remedy: '' }));
      expect(await refusal({ verify })).toMatchObject({ message: 'no' });
    });
  });

  it('warns when the first start would have to cut more than the server allows', () => {
    const { checkpoints } = source;
    const far = { ...source, checkpoints: { chaser: 0, writer: 300 * 1024 * 1024, truncate: -1 } };
    const codes = (appliesTruncation: boolean) =>
      restorePlanOf({ fileSystem, source: far, dataDirectory: DB, appliesTruncation }).warnings.map(
        ({ code }) => code
      );
    expect(checkpoints.writer).toBeGreaterThan(0);
    expect(codes(false)).toContain('exceedsMaxTruncation');
    expect(codes(true)).not.toContain('exceedsMaxTruncation');
  });

  it('warns of a truncation that the source had pending', () => {
    const { chaser } = source.checkpoints;
    const pending = { ...source, checkpoints: { ...source.checkpoints, truncate: chaser - 100 } };
    const { warnings } = restorePlanOf({ fileSystem, source: pending, dataDirectory: DB });
    expect(warnings.map(({ code }) => code)).toContain('truncatePending');
  });

  it('says what is lost when the target holds a newer log of the same history', async () => {
    fileSystem.removeDirectory(DB);
    await writeSmallDatabase(fileSystem, DB);
    const { replaces } = restorePlanOf({ fileSystem, source, dataDirectory: DB });
    const { writer, chaser } = source.checkpoints;
    expect(replaces).toMatchObject({ isSameHistory: true, lostBytes: writer - chaser });
  });

  describe('that was stopped while it copied', () => {
    let old: Record<string, string>;

    beforeEach(async () => {
      old = treeOf(fileSystem, DB);
      await stoppedRestore({ fileSystem, source, dataDirectory: DB }, { afterReports: 3 });
    });

    it('leaves the old database as it was, says so in the marker, and is refused to all that writes', () => {
      const now = treeOf(fileSystem, DB);
      delete now[RESTORE_MARKER];
      delete now[RESTORE_LOCK];
      expect(now).toEqual(old);
      expect(readJournal(fileSystem, DB)).toMatchObject({ phase: 'copying' });
      expect(() => lockDirectory({ fileSystem, dataDirectory: DB })).toThrow(/is unfinished/);
      const database = openDatabase({ fileSystem, dataDirectory: DB });
      expect(() => database.requireWhole()).toThrow(/is unfinished/);
      expect(database.unfinishedRestore).toMatchObject({
        phase: 'copying',
        backup: '/backups@20260101T000000Z-abcd'
      });
      database.close();
    });

    it('refuses another restore', async () => {
      await expect(restore({ fileSystem, source, dataDirectory: DB })).rejects.toMatchObject({
        code: 'DatabaseInUse',
        details: { reason: 'restoreUnfinished' }
      });
    });

    it('refuses to go on while another process does', async () => {
      const release = fileSystem.tryLock(`${DB}/${RESTORE_LOCK}`)!;
      await expect(undoRestore(DB, restoreEnvironment(fileSystem))).rejects.toMatchObject({
        code: 'DatabaseInUse'
      });
      release();
    });

    it('goes on to the end, and copies only what is missing', async () => {
      const outcome = await continueRestore(
        { dataDirectory: DB, withSource: (_, work) => work(source) },
        restoreEnvironment(fileSystem)
      );
      expect(outcome.filesCopied).toBeLessThan(source.files.length);
      expect(treeOf(fileSystem, DB)['chunk-000001.000000']).toBe(newFiles()['chunk-000001.000000']);
      expect(readJournal(fileSystem, DB)).toBeUndefined();
    });

    it('is undone without a trace', async () => {
      await undoRestore(DB, restoreEnvironment(fileSystem));
      expect(treeOf(fileSystem, DB)).toEqual(old);
      expect(Object.keys(treeOf(fileSystem, '/node')).filter((name) => /restor/.test(name))).toEqual([]);
    });
  });

  it('has nothing to continue or to undo where none was begun', async () => {
    const environment = restoreEnvironment(fileSystem);
    await expect(undoRestore(DB, environment)).rejects.toMatchObject({ code: 'InvalidRequest' });
    await expect(
      continueRestore({ dataDirectory: DB, withSource: (_, work) => work(source) }, environment)
    ).rejects.toMatchObject({ code: 'InvalidRequest' });
  });
});

/** Paths below `mountPoint` lie on a volume of their own. */
class MountedFileSystem extends MemoryFileSystem {
  mountPoint = '/none';
  override describe(file: string): FileFacts | undefined {
    const facts = super.describe(file);
    const isMounted = file === this.mountPoint || file.startsWith(`${this.mountPoint}/`);
    return facts && isMounted ? { ...facts, device: 2 } : facts;
  }
  override rename(from: string, to: string): void {
    if (this.describe(from)?.device !== this.describe(parentOf(to))?.device)
      throw storageError('EXDEV', from);
    super.rename(from, to);
  }
}

/** Nothing may be created right below `closed`. */
class ClosedFileSystem extends MemoryFileSystem {
  closed = '/none';
  override makeDirectory(directory: string): void {
    const isThere = this.describe(directory) !== undefined;
    if (!isThere && parentOf(directory) === this.closed) throw storageError('EACCES', directory);
    super.makeDirectory(directory);
  }
  mayCreateIn(directory: string): boolean {
    return path.posix.normalize(directory) !== this.closed;
  }
}

const parentOf = (file: string): string => path.posix.dirname(file);

describe('where nothing can lie beside the directory', () => {
  async function storyOn<T extends MemoryFileSystem>(fileSystem: T, prepare: (fileSystem: T) => void) {
    await writeSmallDatabase(fileSystem, '/source/db', { chaserBehind: 5_000 });
    const source = backupOf(fileSystem, '/source/db', '/backups');
    writeOldDatabase(fileSystem, DB);
    const old = treeOf(fileSystem, DB);
    prepare(fileSystem);
    return { fileSystem, source, old };
  }

  const INSIDE = 'before-restore-20260101T000000Z';

  /** The tree without the place of the old files in it. */
  const withoutAside = (fileSystem: MemoryFileSystem, directory: string) =>
    Object.fromEntries(
      Object.entries(treeOf(fileSystem, directory)).filter(([name]) => !name.startsWith(`${INSIDE}/`))
    );

  it.each([
    {
      name: 'a mount point',
      open: () => storyOn(new MountedFileSystem(), (fileSystem) => void (fileSystem.mountPoint = DB))
    },
    {
      name: 'a directory above that may not be written',
      open: () => storyOn(new ClosedFileSystem(), (fileSystem) => void (fileSystem.closed = '/node'))
    }
  ])('both old and new are kept inside, under names that the server ignores: $name', async ({ open }) => {
    const { fileSystem, source, old } = await open();
    const planned = restorePlanOf({ fileSystem, source, dataDirectory: DB });
    const { movedAside } = await restore({ fileSystem, source, dataDirectory: DB });
    expect(movedAside).toEqual([`${DB}/${INSIDE}`]);
    expect(planned.movesAside).toEqual(movedAside);
    expect(withoutMark(treeOf(fileSystem, `${DB}/${INSIDE}`))).toEqual(old);
    const expected = treeOf(fileSystem, '/source/db');
    expect(withoutAside(fileSystem, DB)).toEqual({ ...expected, 'truncate.chk': expected['chaser.chk'] });
  });

  it('files that are no database are moved aside too, and the plan says where to', async () => {
    const fileSystem = new MemoryFileSystem();
    await writeSmallDatabase(fileSystem, '/source/db', { chaserBehind: 5_000 });
    const source = backupOf(fileSystem, '/source/db', '/backups');
    fileSystem.makeDirectory(DB);
    const planned = () => restorePlanOf({ fileSystem, source, dataDirectory: DB }).movesAside;
    expect(planned()).toEqual([]);
    writeText(fileSystem, `${DB}/notes.txt`, 'mine');
    expect(planned()).toEqual([ASIDE]);
    const { movedAside } = await restore({ fileSystem, source, dataDirectory: DB });
    expect(movedAside).toEqual([ASIDE]);
  });

  it('is undone from there as well', async () => {
    const { fileSystem, source, old } = await storyOn(
      new MountedFileSystem(),
      (mounted) => void (mounted.mountPoint = DB)
    );
    await stoppedRestore({ fileSystem, source, dataDirectory: DB });
    await undoRestore(DB, restoreEnvironment(fileSystem));
    expect(treeOf(fileSystem, DB)).toEqual(old);
  });

  it('an index directory that is a mount point keeps its own old files inside', async () => {
    const { fileSystem, source } = await storyOn(
      new MountedFileSystem(),
      (mounted) => void (mounted.mountPoint = `${DB}/index`)
    );
    const planned = restorePlanOf({ fileSystem, source, dataDirectory: DB });
    const { movedAside } = await restore({ fileSystem, source, dataDirectory: DB });
    expect(movedAside).toEqual([ASIDE, `${DB}/index/${INSIDE}`]);
    expect(planned.movesAside).toEqual(movedAside);
    expect(treeOf(fileSystem, `${DB}/index/${INSIDE}`)).toHaveProperty('scavenging/scavenging.db');
    expect(withoutAside(fileSystem, `${DB}/index`)['indexmap']).toBe(
      treeOf(fileSystem, '/source/db')['index/indexmap']
    );
  });
});
