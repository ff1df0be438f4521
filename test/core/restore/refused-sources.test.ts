/** What a restore refuses of its source, of a journal and of owners, in memory: each time the target stays as it was. */
import { beforeEach, describe, expect, it } from 'vitest';
import { EngineError } from '../../../src-core/errors.ts';
import { plainCopySource } from '../../../src-core/restore/plain-copy-source.ts';
import type { RestoreSource } from '../../../src-core/restore/restore-source.ts';
import { continueRestore, undoRestore } from '../../../src-core/restore/run-restore.ts';
import { readWholeFile } from '../../../src-core/storage/file-system.ts';
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
  writeBackup,
  sourceOf,
  writeOldDatabase,
  writeSmallDatabase,
  writeText
} from '../../support/restore-fixture.ts';

const DB = '/node/db';
let fileSystem: MemoryFileSystem;
let source: RestoreSource;
let old: Record<string, string>;
beforeEach(async () => {
  fileSystem = new MemoryFileSystem();
  await writeSmallDatabase(fileSystem, '/source/db');
  source = backupOf(fileSystem, '/source/db', '/backups');
  writeOldDatabase(fileSystem, DB);
  old = treeOf(fileSystem, DB);
});

async function refusalOf(work: () => unknown): Promise<EngineError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error('It was not refused.');
}

/** The source with other bytes of one of its files. */
function reading(name: string, bytesOf: (bytes: Uint8Array) => Uint8Array): RestoreSource {
  return Object.assign(Object.create(source) as RestoreSource, {
    read: async function* (file: Parameters<RestoreSource['read']>[0]) {
      const parts: Uint8Array[] = [];
      for await (const block of source.read(file)) parts.push(Uint8Array.from(block));
      const whole = Buffer.concat(parts);
      yield file.name === name ? bytesOf(whole) : whole;
    }
  });
}

describe('a source is refused', () => {
  it.each([
    ['that ends too early', (bytes: Uint8Array) => bytes.subarray(0, 100), 'it ends at byte 100 of '],
    [
      'that goes on',
      (bytes: Uint8Array) => Buffer.concat([bytes, Buffer.alloc(1)]),
      'it continues after byte '
    ],
    ['with another byte', (bytes: Uint8Array) => bytes.with(300, bytes[300]! ^ 1), '']
  ])('of which a file is %s', async (_, change, words) => {
    const { code, message } = await refusalOf(() =>
      restore({ fileSystem, source: reading('chunk-000001.000000', change), dataDirectory: DB })
    );
    expect(code).not.toBe('InvalidRequest');
    expect(message).toContain('chunk-000001.000000');
    expect(message).toContain(words);
    expect(treeOf(fileSystem, DB)).toMatchObject(old);
  });

  it('and leaves a directory that was there, empty as it was, and none that was not', async () => {
    const damaged = reading('chunk-000001.000000', (bytes) => bytes.subarray(0, 100));
    fileSystem.makeDirectory('/empty/db');
    for (const directory of ['/empty/db', '/new/db']) {
      await refusalOf(() => restore({ fileSystem, source: damaged, dataDirectory: directory }));
    }
    expect(fileSystem.list('/empty/db')).toEqual([]);
    expect(fileSystem.describe('/new/db')).toBeUndefined();
    fileSystem.makeDirectory('/empty/db/index');
    await refusalOf(() => restore({ fileSystem, source: damaged, dataDirectory: '/empty/db' }));
    expect(fileSystem.list('/empty/db/index')).toEqual([]);
  });

  it.each(['writer.chk', 'chaser.chk'])('where its list of files has no whole %s', async (name) => {
    const manifest = writeBackup(fileSystem, '/source/db', '/others');
    const without = manifest.files.filter((file) => file.name !== name);
    const short = manifest.files.map((file) => (file.name === name ? { ...file, bytes: 4 } : file));
    for (const [files, words] of [
      [without, `${name} is missing`],
      [short, `${name} has 4 bytes instead of 8`]
    ] as const) {
      const { code, message } = await refusalOf(() =>
        restorePlanOf({
          fileSystem,
          source: sourceOf(fileSystem, '/others', { ...manifest, files: [...files] }),
          dataDirectory: DB
        })
      );
      expect(code).toBe('LogCorrupt');
      expect(message).toContain(words);
    }
  });

  it('whose chaser is ahead of its writer, or before the start', async () => {
    const manifest = writeBackup(fileSystem, '/source/db', '/others');
    for (const chaser of [manifest.checkpoints.writer + 1, -1]) {
      const checkpoints = { ...manifest.checkpoints, chaser };
      const ahead = sourceOf(fileSystem, '/others', { ...manifest, checkpoints });
      const { details } = await refusalOf(() =>
        restorePlanOf({ fileSystem, source: ahead, dataDirectory: DB })
      );
      expect(details).toMatchObject({ file: 'chaser.chk', reason: 'chaserBeyondWriter', position: chaser });
    }
  });

  it('that is a copy without a checkpoint, or no copy at all', async () => {
    fileSystem.makeDirectory('/empty');
    expect((await refusalOf(() => plainCopySource(fileSystem, '/empty'))).code).toBe('DatabaseNotFound');
    fileSystem.remove('/source/db/chaser.chk');
    expect((await refusalOf(() => plainSource(fileSystem, '/source/db'))).message).toContain(
      'has no chaser.chk'
    );
    fileSystem.remove('/source/db/writer.chk');
    const { code, message } = await refusalOf(() => plainSource(fileSystem, '/source/db'));
    expect({ code, message }).toMatchObject({
      code: 'LogCorrupt',
      message: expect.stringContaining('has no writer.chk') as string
    });
  });
});

it('a backup is of this node where both have the same tag, whatever the directory is called', async () => {
  const tagged = { ...writeBackup(fileSystem, '/source/db', '/others'), databaseTag: '7' };
  const isOwn = (databaseTag: string | null): boolean =>
    restorePlanOf({
      fileSystem,
      source: sourceOf(fileSystem, '/others', { ...tagged, databaseTag }),
      dataDirectory: DB
    }).isSourceNode;
  expect(isOwn('7')).toBe(false);
  writeText(fileSystem, `${DB}/tag.chk`, '\u0007\0\0\0\0\0\0\0');
  expect([isOwn('7'), isOwn('8'), isOwn(null)]).toEqual([true, false, false]);
  expect(restorePlanOf({ fileSystem, source, dataDirectory: '/source/db-2' }).isSourceNode).toBe(false);
});

describe('a journal', () => {
  /** Of a restore that was stopped; with other members. */
  async function journalWith(change: Record<string, unknown>): Promise<void> {
    await stoppedRestore({ fileSystem, source, dataDirectory: DB });
    const path = `${DB}/${RESTORE_MARKER}`;
    const journal = JSON.parse(new TextDecoder().decode(readWholeFile(fileSystem, path))) as object;
    fileSystem.remove(path);
    writeText(fileSystem, path, JSON.stringify({ ...journal, ...change }));
  }
  const withSource = <T>(_: unknown, work: (from: RestoreSource) => Promise<T>): Promise<T> => work(source);
  const goOn = (): Promise<EngineError> =>
    refusalOf(() => continueRestore({ dataDirectory: DB, withSource }, restoreEnvironment(fileSystem)));
  const goBack = (): Promise<EngineError> => refusalOf(() => undoRestore(DB, restoreEnvironment(fileSystem)));

  it.each(['takingOut', 'movingBack'])('of an undo (%s) is not continued', async (phase) => {
    await journalWith({ phase });
    expect(await goOn()).toMatchObject({
      code: 'InvalidRequest',
      remedy: expect.stringContaining('--undo') as string
    });
  });

  it('of a restore that is as good as done is not undone: a server may have run', async () => {
    await journalWith({ phase: 'finishing' });
    expect(await goBack()).toMatchObject({
      code: 'InvalidRequest',
      remedy: expect.stringContaining('--continue') as string
    });
  });

  const stored = { isDataInside: false, isIndexInside: false, isIndexShared: true };
  it.each([
    { phase: 'other' },
    { stamp: 7 },
    { stamp: '20260101T000000Z/..' },
    { inode: '1' },
    { places: undefined },
    { places: { ...stored, isDataInside: undefined } },
    { places: { ...stored, isIndexInside: undefined } },
    { places: { ...stored, isIndexShared: undefined } },
    { indexWithin: undefined },
    { indexWithin: '../other' },
    { source: undefined },
    { source: { id: null } },
    { old: undefined },
    { old: { data: [], index: 7 } },
    { old: { data: ['a/b'], index: [] } },
    { old: { data: [], index: ['..'] } },
    { files: undefined },
    { files: [{ area: 'data', name: 'other', bytes: 1, sha256: null }] }
  ])('in which a member is missing or wrong is refused, either way: %j', async (change) => {
    await journalWith(change);
    const before = treeOf(fileSystem, '/node');
    for (const refuse of [goOn, goBack]) {
      const { code, message } = await refuse();
      expect([code, message]).toEqual(['LogCorrupt', expect.stringContaining('members are missing')]);
    }
    expect(treeOf(fileSystem, '/node')).toEqual(before);
  });

  it.each(['', 'no JSON', '{"formatVersion":'])('that is no document is refused: "%s"', async (text) => {
    writeText(fileSystem, `${DB}/${RESTORE_MARKER}`, text);
    for (const refuse of [goOn, goBack])
      expect((await refuse()).message).toContain('it is not a JSON document');
  });

  it('of another version is left alone, either way', async () => {
    await journalWith({ formatVersion: 99 });
    for (const refuse of [goOn, goBack]) {
      const { code, remedy } = await refuse();
      expect([code, remedy]).toEqual(['UnsupportedFormat', expect.stringContaining('Nothing was changed')]);
    }
  });
});

it('a user who may not create files for the owner of the database is told before a file of it is moved, and can take the restore back', async () => {
  const change = fileSystem.changeOwner.bind(fileSystem);
  fileSystem.changeOwner = (path, uid, gid) => {
    if (path.endsWith('ownership.part')) throw storageError('EPERM', path);
    change(path, uid, gid);
  };
  const { code, message, remedy, details } = await refusalOf(() =>
    restore({ fileSystem, source, dataDirectory: DB })
  );
  expect([code, details['osCode']]).toEqual(['StorageFailed', 'EPERM']);
  expect(message).toContain('may not create files for that owner');
  expect(remedy).toMatch(/--continue[^]*--undo/);
  expect(treeOf(fileSystem, DB)).toMatchObject(old);
  await undoRestore(DB, restoreEnvironment(fileSystem));
  expect(treeOf(fileSystem, DB)).toEqual(old);
});
