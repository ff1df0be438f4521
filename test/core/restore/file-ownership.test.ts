/** Owner, group and mode of what a restore puts in place. */
import { beforeEach, describe, expect, it } from 'vitest';
import {
  giveOwnership,
  makeDirectoryLike,
  readOwnership,
  requireOwnership,
  type OwnershipOf
} from '../../../src-core/restore/file-ownership.ts';
import { MemoryFileSystem, storageError } from '../../support/memory-file-system.ts';
import { writeText } from '../../support/restore-fixture.ts';

/** Says what was asked of it. */
class Told extends MemoryFileSystem {
  readonly calls: string[] = [];
  refused: string | undefined;
  override changeOwner(file: string, uid: number, gid: number): void {
    this.calls.push(`owner ${uid}:${gid}`);
    if (this.refused === `${uid}:${gid}`) throw storageError('EPERM', file);
    super.changeOwner(file, uid, gid);
  }
  override changeMode(file: string, mode: number): void {
    this.calls.push(`mode ${mode.toString(8)}`);
    super.changeMode(file, mode);
  }
}

let fileSystem: Told;
beforeEach(() => {
  fileSystem = new Told();
});

function put(path: string, uid: number, gid: number, mode: number): void {
  if (path.endsWith('/')) fileSystem.makeDirectory(path);
  else writeText(fileSystem, path, 'bytes');
  Object.assign(fileSystem.find(path)!, { uid, gid, mode });
}

const read = (indexDirectory = '/db/index'): OwnershipOf =>
  readOwnership({ fileSystem, dataDirectory: '/db', indexDirectory });

describe('a restored file gets the owner', () => {
  beforeEach(() => {
    put('/db/', 1, 1, 0o40750);
    put('/db/index/', 2, 2, 0o40750);
    put('/db/chunk-000000.000000', 3, 3, 0o100440);
    put('/db/writer.chk', 4, 4, 0o100600);
    put('/db/index/0b1b7a2e-0000-4000-8000-000000000001', 5, 5, 0o100644);
    put('/db/index/0b1b7a2e-0000-4000-8000-000000000001.bloomfilter', 6, 6, 0o100644);
    put('/db/index/stream-existence/', 7, 7, 0o40700);
    put('/db/index/stream-existence/streamExistenceFilter.dat', 8, 8, 0o100644);
    put('/db/below/other.chk', 9, 9, 0o100644);
  });

  it.each([
    ['of the file of its name', 'data', 'writer.chk', 4, 0o600],
    ['of a chunk, and may be written even if that may not', 'data', 'chunk-000007.000000', 3, 0o640],
    ['of a file of its kind', 'data', 'chaser.chk', 4, 0o600],
    ['of the directory, with the usual mode', 'data', 'tag.other', 1, 0o644],
    ['of a table', 'index', '0b1b7a2e-0000-4000-8000-000000000002', 5, 0o644],
    ['of a filter', 'index', '0b1b7a2e-0000-4000-8000-000000000002.bloomfilter', 6, 0o644],
    ['of a file deeper in the index', 'index', 'stream-existence/streamExistenceFilter.dat', 8, 0o644]
  ] as const)('%s', (_, area, name, uid, mode) => {
    expect(read()({ area, name })).toEqual({ uid, gid: uid, mode });
  });

  it('of its data directory where there is no index yet, and none where there is neither', () => {
    const owners = read('/elsewhere/index');
    expect(owners({ area: 'index', name: 'indexmap' })).toEqual({ uid: 1, gid: 1, mode: 0o644 });
    const none = readOwnership({ fileSystem, dataDirectory: '/none', indexDirectory: '/none/index' });
    expect(none({ area: 'data', name: 'writer.chk' })).toBeUndefined();
  });

  it('of nothing that lies in a folder of the data directory', () => {
    expect(read()({ area: 'data', name: 'other.chk' })?.uid).toBe(4);
  });
});

describe('giving a file away', () => {
  beforeEach(() => put('/file', 1, 2, 0o100644));

  it.each([
    ['changes nothing that is right already', { uid: 1, gid: 2, mode: 0o644 }, []],
    ['changes the owner for another user', { uid: 9, gid: 2, mode: 0o644 }, ['owner 9:2']],
    ['changes the owner for another group', { uid: 1, gid: 9, mode: 0o644 }, ['owner 1:9']],
    ['changes the mode alone', { uid: 1, gid: 2, mode: 0o600 }, ['mode 600']],
    ['changes nothing where no owner is known', undefined, []]
  ])('%s', (_, ownership, calls) => {
    giveOwnership(fileSystem, '/file', ownership);
    expect(fileSystem.calls).toEqual(calls);
  });

  it('leaves a file that is not there alone', () => {
    giveOwnership(fileSystem, '/none', { uid: 9, gid: 9, mode: 0o600 });
    expect(fileSystem.calls).toEqual([]);
  });
});

it('a directory like another is closed to the same users, and an ordinary one where that is missing', () => {
  put('/like/', 5, 6, 0o40700);
  makeDirectoryLike(fileSystem, '/new', '/like');
  expect(fileSystem.describe('/new')).toMatchObject({ uid: 5, gid: 6, mode: 0o700 });
  makeDirectoryLike(fileSystem, '/other', '/none');
  expect(fileSystem.describe('/other')).toMatchObject({ uid: 1000, gid: 1000 });
});

describe('whether files can be given away', () => {
  const owner = (uid: number, gid: number) => ({ uid, gid, mode: 0o644 });

  it('is tried once for each owner, over what an earlier try left, and leaves nothing', () => {
    put('/staging/ownership.part', 1, 1, 0o100644);
    requireOwnership(fileSystem, '/staging', [owner(1, 2), undefined, owner(1, 2), owner(2, 1), owner(1, 3)]);
    expect(fileSystem.calls).toEqual(['owner 1:2', 'owner 2:1', 'owner 1:3']);
    expect(fileSystem.list('/staging')).toEqual([]);
  });

  it('is told with the owner and the word of the system, and leaves nothing', () => {
    fileSystem.makeDirectory('/staging');
    fileSystem.refused = '2:1';
    expect(() => requireOwnership(fileSystem, '/staging', [owner(1, 2), owner(2, 1)])).toThrow(
      expect.objectContaining({
        code: 'StorageFailed',
        message: expect.stringContaining('user 2, group 1') as string,
        details: { file: '/staging', osCode: 'EPERM' }
      })
    );
    expect(fileSystem.list('/staging')).toEqual([]);
  });
});
