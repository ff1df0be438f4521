/** Restores in memory whose files change, shrink, vanish or cannot be asked for while they run, and what is left then. */
import { beforeEach, describe, expect, it } from 'vitest';
import { OperationControl } from '../../../src-core/database/operation-control.ts';
import { EngineError, OperationStopped } from '../../../src-core/errors.ts';
import { readCheckpoints } from '../../../src-core/log/checkpoint-file.ts';
import { RESTORE_LOCK } from '../../../src-core/restore/restore-journal.ts';
import { existing } from '../../../src-core/restore/restore-plan.ts';
import type { RestoreSource } from '../../../src-core/restore/restore-source.ts';
import {
  continueRestore,
  runRestore,
  undoRestore,
  type RestoreOutcome
} from '../../../src-core/restore/run-restore.ts';
import type { FileFacts, OpenFile, OpenMode } from '../../../src-core/storage/file-system.ts';
import { RESTORE_MARKER } from '../../../src-core/storage/restore-marker.ts';
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
  writeSmallDatabase
} from '../../support/restore-fixture.ts';
import { stoppedAtFirstTurn } from '../../support/stopped-operation.ts';

const DB = '/node/db';
const STAGING = `${DB}.restoring-20260101T000000Z`;

/** Reads of one file end at once, as of one that was cut after it was asked for its size; one path cannot be asked for. */
class DisturbedFileSystem extends MemoryFileSystem {
  ended = '';
  untold = '';
  /** Called once, before the lock of a restore is taken. */
  onLock: (() => void) | undefined;
  /** Directories in the order in which they were flushed. */
  readonly flushed: string[] = [];
  /** Files that were gathered, from their beginning. */
  readonly begun: string[] = [];
  override describe(file: string): FileFacts | undefined {
    if (file === this.untold) throw storageError('EACCES', file);
    return super.describe(file);
  }
  override tryLock(file: string): (() => void) | undefined {
    if (file.endsWith(RESTORE_LOCK)) {
      const { onLock } = this;
      this.onLock = undefined;
      onLock?.();
    }
    return super.tryLock(file);
  }
  override syncDirectory(directory: string): void {
    super.syncDirectory(directory);
    this.flushed.push(directory);
  }
  override open(file: string, mode: OpenMode): OpenFile {
    const open = super.open(file, mode);
    if (mode === 'createNew' && file.startsWith(`${STAGING}/chunk-`))
      this.begun.push(file.replace('.part', ''));
    if (mode === 'read' && file === this.ended) {
      this.ended = '';
      open.read = () => 0;
    }
    return open;
  }
}

let fileSystem: DisturbedFileSystem;
let source: RestoreSource;
beforeEach(async () => {
  fileSystem = new DisturbedFileSystem();
  await writeSmallDatabase(fileSystem, '/source/db', { chaserBehind: 20_000 });
  source = backupOf(fileSystem, '/source/db', '/backups');
  writeOldDatabase(fileSystem, DB);
});

const restored = (): Record<string, string> => {
  const tree = treeOf(fileSystem, '/source/db');
  return { ...tree, 'truncate.chk': tree['chaser.chk']! };
};

function write(path: string, bytes: Uint8Array, position: number): void {
  const file = fileSystem.open(path, 'readWrite');
  file.write(bytes, 0, bytes.length, position);
  file.close();
}

describe('a restore that is resumed', () => {
  const resume = (control?: OperationControl): Promise<RestoreOutcome> =>
    continueRestore(
      { dataDirectory: DB, withSource: (_, work) => work(source) },
      restoreEnvironment(fileSystem, control ? { control } : {})
    );
  const CHUNK = `${STAGING}/chunk-000000.000000`;
  beforeEach(async () => {
    await stoppedRestore({ fileSystem, source, dataDirectory: DB }, { afterReports: 3 });
    expect(fileSystem.describe(CHUNK)?.size).toBe(
      fileSystem.describe('/source/db/chunk-000000.000000')?.size
    );
    expect(fileSystem.begun).toContain(CHUNK);
    fileSystem.begun.length = 0;
  });

  it('leaves a gathered file that is whole as it is', async () => {
    await resume();
    expect(fileSystem.begun).not.toContain(CHUNK);
    expect(treeOf(fileSystem, DB)).toEqual(restored());
  });

  it('tells how far it is while it looks through what is there', async () => {
    const told: number[] = [];
    let elapsedMs = 0;
    const control = new OperationControl({
      elapsedMs: () => (elapsedMs += 1000),
      yieldTurn: () => Promise.resolve(),
      onProgress: ({ phase, done }) => {
        if (phase === 'copying' && fileSystem.begun.length === 0) told.push(done);
      }
    });
    await resume(control);
    expect(told.at(-1)).toBeGreaterThanOrEqual(fileSystem.describe(`${DB}/chunk-000000.000000`)!.size);
  });

  it('gathers a file again that ends before its size', async () => {
    fileSystem.ended = CHUNK;
    await resume();
    expect(fileSystem.begun).toContain(CHUNK);
    expect(treeOf(fileSystem, DB)).toEqual(restored());
  });

  it('can be stopped while it looks through what is there, and is resumed again', async () => {
    const control = stoppedAtFirstTurn();
    await expect(resume(control)).rejects.toBeInstanceOf(OperationStopped);
    expect(fileSystem.begun).toEqual([]);
    await resume();
    expect(treeOf(fileSystem, DB)).toEqual(restored());
  });
});

describe('a restore that another process has continued while its lock was taken', () => {
  const MARKER = `${DB}/${RESTORE_MARKER}`;
  const LOCK = `${DB}/${RESTORE_LOCK}`;
  const resume = (): Promise<RestoreOutcome> =>
    continueRestore(
      { dataDirectory: DB, withSource: (_, work) => work(source) },
      restoreEnvironment(fileSystem)
    );
  beforeEach(() => stoppedRestore({ fileSystem, source, dataDirectory: DB }));

  it('is told that there is none, and leaves no lock behind, where it has ended', async () => {
    fileSystem.onLock = () => fileSystem.remove(MARKER);
    await expect(resume()).rejects.toMatchObject({ code: 'InvalidRequest' });
    expect(fileSystem.describe(LOCK)).toBeUndefined();
  });

  it('leaves the lock to the next one where nobody can tell how far it is', async () => {
    fileSystem.onLock = () => write(MARKER, Buffer.from('no journal'), 0);
    await expect(resume()).rejects.toMatchObject({ code: 'LogCorrupt' });
    expect(fileSystem.describe(LOCK)).toBeDefined();
    expect(fileSystem.describe(MARKER)).toBeDefined();
  });
});

it('a directory that a restore makes is there after a power cut as soon as anything lies in it', async () => {
  for (const parent of ['/new', '/fast']) fileSystem.makeDirectory(parent);
  const places = { dataDirectory: '/new/db', indexDirectory: '/fast/index' };
  await stoppedRestore({ fileSystem, source, ...places });
  const first = (directory: string): number => fileSystem.flushed.indexOf(directory);
  expect(first('/new')).toBeGreaterThanOrEqual(0);
  expect(first('/fast')).toBeGreaterThanOrEqual(0);
  expect(first('/new/db')).toBeGreaterThan(Math.max(first('/new'), first('/fast')));
});

describe.each([
  ['inside', '/new/db/index'],
  ['elsewhere', '/fast/index']
])('a restore to a directory that is not there, with the index %s, that is stopped', (_, indexDirectory) => {
  const dataDirectory = '/new/db';
  beforeEach(async () => {
    for (const parent of ['/new', '/fast']) fileSystem.makeDirectory(parent);
    await stoppedRestore({ fileSystem, source, dataDirectory, indexDirectory });
  });
  const undo = () => undoRestore(dataDirectory, restoreEnvironment(fileSystem));

  it('leaves both directories to the restore that resumes it', async () => {
    expect(fileSystem.list(indexDirectory)).toEqual([]);
    expect(fileSystem.list(dataDirectory)).not.toEqual([]);
    await continueRestore(
      { dataDirectory, withSource: (_, work) => work(source) },
      restoreEnvironment(fileSystem)
    );
    const names = (directory: string): string[] => Object.keys(treeOf(fileSystem, directory));
    expect(names(indexDirectory)).toEqual(names('/source/db/index'));
    expect(names(dataDirectory).filter((name) => !name.startsWith('index/'))).toEqual(
      Object.keys(restored()).filter((name) => !name.startsWith('index/'))
    );
  });

  it('leaves neither of them once it is undone', async () => {
    await undo();
    expect([...fileSystem.list('/new')!, ...fileSystem.list('/fast')!]).toEqual([]);
  });

  it('leaves what somebody else has put there meanwhile', async () => {
    for (const path of new Set([`${dataDirectory}/letter`, `${indexDirectory}/letter`]))
      fileSystem.open(path, 'createNew').close();
    await undo();
    expect(fileSystem.describe(`${dataDirectory}/letter`)).toBeDefined();
    expect(fileSystem.describe(`${indexDirectory}/letter`)).toBeDefined();
  });
});

it('an undo removes an index directory elsewhere only by the mark of the restore beside it', async () => {
  for (const parent of ['/new', '/fast']) fileSystem.makeDirectory(parent);
  const place = { dataDirectory: '/new/db', indexDirectory: '/fast/index' };
  await stoppedRestore({ fileSystem, source, ...place });
  fileSystem.removeDirectory('/fast/index.restoring-20260101T000000Z');
  await undoRestore(place.dataDirectory, restoreEnvironment(fileSystem));
  expect(fileSystem.list('/new')).toEqual([]);
  expect(fileSystem.list('/fast')!.map(({ name }) => name)).toEqual(['index']);
});

describe('a copy without a manifest', () => {
  /** What a restore of the copy is refused with; the target is as it was. */
  const refusal = async (change: () => void): Promise<EngineError> => {
    const copy = plainSource(fileSystem, '/source/db');
    const plan = restorePlanOf({ fileSystem, source: copy, dataDirectory: DB });
    expect(plan.truncatesTo).toBe(copy.checkpoints.chaser);
    const before = treeOf(fileSystem, '/node');
    change();
    const error: unknown = await restore({ fileSystem, source: copy, dataDirectory: DB }).catch(
      (thrown: unknown) => thrown
    );
    expect(treeOf(fileSystem, '/node')).toEqual(before);
    expect(error).toBeInstanceOf(EngineError);
    return error as EngineError;
  };

  it('in which a chunk is missing is refused with its number', async () => {
    fileSystem.remove('/source/db/chunk-000000.000000');
    const { code, message, details } = await refusal(() => undefined);
    expect(code).toBe('LogCorrupt');
    expect(message).toContain('chunk 0 is missing');
    expect(details).toMatchObject({ reason: 'chunkMissing', position: 0 });
  });

  it('whose chaser.chk is no position of a log by the time it is copied is refused with its file', async () => {
    const { code, message, details } = await refusal(() =>
      write('/source/db/chaser.chk', new Uint8Array([0, 0, 0, 0, 0, 0, 0, 16]), 0)
    );
    expect(code).toBe('LogCorrupt');
    expect(message).toContain(`holds ${2 ** 60}`);
    expect(details).toMatchObject({ file: `${STAGING}/chaser.chk`, offset: 0 });
  });

  it('in which a chunk has no footer shows that to the check, before anything is replaced', async () => {
    const path = '/source/db/chunk-000000.000000';
    const { size } = fileSystem.describe(path)!;
    write(path, new Uint8Array(128), size - 128);
    const copy = plainSource(fileSystem, '/source/db');
    const seen: unknown[] = [];
    await restore(
      { fileSystem, source: copy, dataDirectory: DB },
      {
        verify: (database) => {
          seen.push(database.chunkSet.gaps.map(({ startNumber, state }) => ({ startNumber, state })));
          seen.push(readCheckpoints(fileSystem, DB).writer);
          return Promise.resolve({ isIndexLeftOut: false });
        }
      }
    );
    expect(seen).toEqual([[{ startNumber: 0, state: 'unreadable' }], 100]);
  });
});

it('an index that would answer wrongly is left out: the server makes it again', async () => {
  await restore(
    { fileSystem, source, dataDirectory: DB },
    { verify: () => Promise.resolve({ isIndexLeftOut: true }) }
  );
  const withoutIndex = Object.entries(restored()).filter(([name, digest]) => {
    return !name.startsWith('index/') || digest === 'directory';
  });
  const tree = treeOf(fileSystem, DB);
  expect(Object.keys(tree).filter((name) => !name.startsWith('index/'))).toEqual(
    withoutIndex.map(([name]) => name).filter((name) => !name.startsWith('index/'))
  );
  expect(
    Object.entries(tree).filter(([name, digest]) => /^index\/./.test(name) && digest !== 'directory')
  ).toEqual([]);
});

it('a file that the backup does not have, as a journal that was changed names one, is refused with its name', () => {
  const file = { ...source.files[0]!, name: 'chunk-000999.000000' };
  expect(() => source.read(file)).toThrow(
    expect.objectContaining({ code: 'LogCorrupt', details: { file: file.name, target: '/backups' } })
  );
});

it('a place that may not be looked at is told as the system tells it', () => {
  fileSystem.untold = STAGING;
  expect(() => restorePlanOf({ fileSystem, source, dataDirectory: DB })).toThrow(
    expect.objectContaining({ code: 'StorageFailed', details: { file: STAGING, osCode: 'EACCES' } })
  );
});

it('of a volume that is not there at all the topmost directory is asked', () => {
  fileSystem.describe = () => undefined;
  expect(existing(fileSystem, '/node/db')).toBe('/');
});

it.each([
  ['that is empty', true],
  ['that is not there', false]
])(
  'of two restores planned for one place %s the second is refused where the first has ended',
  async (_name, isThere) => {
    const dataDirectory = '/new/db';
    if (isThere) fileSystem.makeDirectory(dataDirectory);
    const story = { fileSystem, source, dataDirectory };
    const second = restorePlanOf(story);
    await restore(story);
    const before = treeOf(fileSystem, '/new');
    await expect(runRestore(second, source, restoreEnvironment(fileSystem))).rejects.toMatchObject({
      code: 'DatabaseInUse',
      message: `Another process has written into ${dataDirectory} since this restore was planned; there was nothing in it then.`,
      details: { file: dataDirectory, reason: 'filledMeanwhile' }
    });
    expect(treeOf(fileSystem, '/new')).toEqual(before);
  }
);
