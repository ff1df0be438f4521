/**
 * Work of another process that begins, goes on or ends between the look at a directory and the lock on it: nothing is written
 * into a half-restored directory, and a half-restored directory is not told as damage.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import { EngineError } from '../../../src-core/errors.ts';
import { lockForRepair } from '../../../src-core/repair/repair-lock.ts';
import { RESTORE_LOCK } from '../../../src-core/restore/restore-journal.ts';
import type { RestoreSource } from '../../../src-core/restore/restore-source.ts';
import { continueRestore, undoRestore } from '../../../src-core/restore/run-restore.ts';
import { lockDirectory, makeLockFile } from '../../../src-core/storage/directory-lock.ts';
import type { FileFacts, FileSystem } from '../../../src-core/storage/file-system.ts';
import { lookBeforeLock } from '../../../src-core/storage/look-before-lock.ts';
import { PassThroughFileSystem } from '../../../src-core/storage/pass-through.ts';
import { RESTORE_MARKER } from '../../../src-core/storage/restore-marker.ts';
import { MemoryFileSystem, storageError } from '../../support/memory-file-system.ts';
import {
  backupOf,
  restore,
  restoreEnvironment,
  stoppedRestore,
  treeOf,
  writeOldDatabase,
  writeSmallDatabase,
  writeText
} from '../../support/restore-fixture.ts';

const DB = '/node/db';
const UNFINISHED = { code: 'DatabaseInUse', details: { reason: 'restoreUnfinished' } };

/**
 * Before writer.chk is locked, or looked for, the first time, something happens; it may give what is there from then on.
 */
class Late extends PassThroughFileSystem {
  readonly #call: 'tryLock' | 'describe';
  readonly #happens: () => FileSystem | void;
  #hasHappened = false;

  constructor(inner: FileSystem, call: 'tryLock' | 'describe', happens: () => FileSystem | void) {
    super(inner);
    this.#call = call;
    this.#happens = happens;
  }

  override tryLock(path: string): (() => void) | undefined {
    this.#before('tryLock', path);
    return super.tryLock(path);
  }

  override describe(path: string): FileFacts | undefined {
    this.#before('describe', path);
    return super.describe(path);
  }

  #before(call: string, path: string): void {
    if (this.#hasHappened || call !== this.#call || !path.endsWith('writer.chk')) return;
    this.#hasHappened = true;
    Object.assign(this, { inner: this.#happens() ?? this.inner });
  }
}

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('it was not refused');
}

describe('a restore that begins', () => {
  let fileSystem: MemoryFileSystem;
  const mark = (): void =>
    writeText(fileSystem, `${DB}/${RESTORE_MARKER}`, '{"phase":"movingIn","backup":"/backups@1"}');
  const moveWriterAway = (): void => {
    mark();
    fileSystem.rename(`${DB}/writer.chk`, '/node/writer.chk');
  };
  beforeEach(() => {
    fileSystem = new MemoryFileSystem();
    writeOldDatabase(fileSystem, DB);
  });

  it('before the lock is taken refuses it, and the lock is given back', () => {
    const late = new Late(fileSystem, 'tryLock', mark);
    expect(thrownBy(() => lockDirectory({ fileSystem: late, dataDirectory: DB }))).toMatchObject(UNFINISHED);
    expect(fileSystem.lockHolder(`${DB}/writer.chk`)).toBeUndefined();
  });

  it('and has moved writer.chk away is what is told, not that there is none', () => {
    const late = new Late(fileSystem, 'describe', moveWriterAway);
    expect(thrownBy(() => lockDirectory({ fileSystem: late, dataDirectory: DB }))).toMatchObject(UNFINISHED);
  });

  it('keeps a repair from locking another file instead', () => {
    const late = new Late(fileSystem, 'describe', moveWriterAway);
    const place = { fileSystem: late, dataDirectory: DB };
    expect(thrownBy(() => lockForRepair({ place, assumeStopped: false }))).toMatchObject(UNFINISHED);
    for (const name of ['chaser.chk', 'chunk-000000.000000'])
      expect(fileSystem.lockHolder(`${DB}/${name}`)).toBeUndefined();
  });

  it('is told in place of the damage that a look finds half way through', async () => {
    const look = (): never => {
      mark();
      throw new EngineError({
        code: 'LogCorrupt',
        message: 'Chunk 1 is missing.',
        remedy: 'None.',
        details: {}
      });
    };
    await expect(lookBeforeLock({ fileSystem, dataDirectory: DB }, look)).rejects.toMatchObject(UNFINISHED);
  });

  it('and ends meanwhile makes the look be made again; damage that stays is told', async () => {
    const damaged = new EngineError({ code: 'LogCorrupt', message: 'It.', remedy: 'None.', details: {} });
    let looks = 0;
    const once = (): string => {
      if (++looks === 1) throw damaged;
      return 'whole';
    };
    expect(await lookBeforeLock({ fileSystem, dataDirectory: DB }, once)).toBe('whole');
    const always = (): never => {
      looks++;
      throw damaged;
    };
    await expect(lookBeforeLock({ fileSystem, dataDirectory: DB }, always)).rejects.toBe(damaged);
    expect(looks).toBe(4);
  });
});

it('a look that the disk refuses is not made a second time', async () => {
  const fileSystem = new MemoryFileSystem();
  let looks = 0;
  const refused = storageError('EIO', `${DB}/writer.chk`);
  const look = (): never => {
    looks++;
    throw refused;
  };
  await expect(lookBeforeLock({ fileSystem, dataDirectory: DB }, look)).rejects.toBe(refused);
  expect(looks).toBe(1);
});

describe('a restore that another process continues', () => {
  /** A database to restore over, and a backup of another one. */
  async function prepared(): Promise<{
    fileSystem: MemoryFileSystem;
    source: RestoreSource;
    dataDirectory: string;
  }> {
    const fileSystem = new MemoryFileSystem();
    await writeSmallDatabase(fileSystem, '/source/db', { chaserBehind: 0 });
    writeOldDatabase(fileSystem, DB);
    return { fileSystem, source: backupOf(fileSystem, '/source/db', '/backups'), dataDirectory: DB };
  }

  it.each(['continue', 'undo'])('to its end has nothing left to %s', async (second) => {
    const begun = await prepared();
    await stoppedRestore(begun, { afterReports: 3 });
    const ended = await prepared();
    await restore(ended);
    const restored = treeOf(ended.fileSystem, DB);
    const environment = restoreEnvironment(new Late(begun.fileSystem, 'tryLock', () => ended.fileSystem));
    const asked =
      second === 'undo'
        ? undoRestore(DB, environment)
        : continueRestore({ dataDirectory: DB, withSource: (_, work) => work(begun.source) }, environment);
    await expect(asked).rejects.toMatchObject({
      code: 'InvalidRequest',
      message: `No restore into ${DB} is unfinished.`
    });
    expect(treeOf(ended.fileSystem, DB)).toEqual(restored);
  });

  it('and that is cut there is not begun a second time over it', async () => {
    const { fileSystem, ...story } = await prepared();
    const before = treeOf(fileSystem, DB);
    const late = new Late(fileSystem, 'tryLock', () =>
      writeText(fileSystem, `${DB}/${RESTORE_MARKER}`, '{"phase":"movingIn","backup":"/backups@1"}')
    );
    await expect(restore({ ...story, fileSystem: late })).rejects.toMatchObject({
      details: { file: RESTORE_MARKER }
    });
    const after = treeOf(fileSystem, DB);
    delete after[RESTORE_MARKER];
    delete after[RESTORE_LOCK];
    expect(after).toEqual(before);
  });
});

it('a file for a lock that another process makes at the same moment is taken as it is', () => {
  const fileSystem = new MemoryFileSystem();
  fileSystem.makeDirectory('/node');
  class MadeMeanwhile extends PassThroughFileSystem {
    #isFirst = true;
    override describe(path: string): FileFacts | undefined {
      const facts = super.describe(path);
      if (this.#isFirst) writeText(fileSystem, '/node/a.lock', '');
      this.#isFirst = false;
      return facts;
    }
  }
  makeLockFile(new MadeMeanwhile(fileSystem), '/node/a.lock');
  expect(fileSystem.describe('/node/a.lock')).toBeDefined();
  expect(() => makeLockFile(fileSystem, '/elsewhere/a.lock')).toThrow();
});
