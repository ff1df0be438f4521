/** Copies of single files, several at a time, the room for them, and what a target does around them. */
import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { contentOf, readWholeObject } from '../../../src-core/backup/backup-target.ts';
import { copyFileInto, type CopyJob, type FileLinks } from '../../../src-core/backup/copy-file.ts';
import { inParallel } from '../../../src-core/backup/in-parallel.ts';
import { LocalBackupTarget, type FileCopier } from '../../../src-core/backup/local-target.ts';
import { requireSpace, toldWithSpace } from '../../../src-core/backup/target-space.ts';
import { OperationStopped } from '../../../src-core/errors.ts';
import { readWholeFile, type OpenFile, type OpenMode } from '../../../src-core/storage/file-system.ts';
import { MemoryFileSystem, storageError } from '../../support/memory-file-system.ts';
import { memoryLinks, TARGET } from './backup-environment.ts';

const MIB = 1024 * 1024;

/** Says what was written and flushed, and which files are still open. */
class Told extends MemoryFileSystem {
  readonly calls: string[] = [];
  openFiles = 0;
  refused: string | undefined;
  override open(file: string, mode: OpenMode): OpenFile {
    const opened = super.open(file, mode);
    this.openFiles++;
    const { write, sync, close } = {
      write: opened.write.bind(opened),
      sync: opened.sync.bind(opened),
      close: opened.close.bind(opened)
    };
    opened.write = (source, offset, length, position) => {
      if (this.refused === 'write') throw storageError('ENOSPC', file);
      this.calls.push(`write ${position} ${length}`);
      write(source, offset, length, position);
    };
    opened.sync = () => {
      this.calls.push(`sync ${file}`);
      sync();
    };
    let isOpen = true;
    opened.close = () => {
      if (isOpen) this.openFiles--;
      isOpen = false;
      close();
    };
    return opened;
  }
  override remove(file: string): void {
    if (this.refused === 'remove' && this.find(file)) throw storageError('EACCES', file);
    super.remove(file);
  }
  override syncDirectory(directory: string): void {
    this.calls.push(`sync ${directory}`);
    super.syncDirectory(directory);
  }
}

let fileSystem: Told;
beforeEach(() => {
  fileSystem = new Told();
  fileSystem.makeDirectory('/copies');
});

function put(path: string, bytes: Uint8Array): void {
  const file = fileSystem.open(path, 'createNew');
  file.write(bytes, 0, bytes.length, 0);
  file.close();
  fileSystem.calls.length = 0;
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const read = (path: string): Uint8Array | undefined => readWholeFile(fileSystem, path);

describe('a copy of a file', () => {
  const source = Buffer.alloc(2 * MIB + 5);
  source.fill(7, 0, 10);
  source.fill(9, 2 * MIB);
  let told: number[];
  const copy = (change: Partial<CopyJob> = {}, links?: FileLinks, signal?: AbortSignal) => {
    const job = {
      from: '/source',
      to: '/copies/x',
      bytes: source.length,
      sourceBytes: source.length,
      bytesPerSecond: 0
    };
    const onBytes = (count: number): void => void told.push(count);
    return copyFileInto({ ...job, ...change }, { fileSystem, links, signal, onBytes });
  };
  beforeEach(() => {
    told = [];
    put('/source', source);
  });

  it('has its bytes and their hash, is flushed, and writes no block of zeros', async () => {
    expect(await copy()).toEqual({ sha256: sha256(source) });
    expect(Buffer.compare(read('/copies/x')!, source)).toBe(0);
    expect(fileSystem.calls).toEqual([`write 0 ${MIB}`, `write ${2 * MIB} 5`, 'sync /copies/x']);
    expect(told).toEqual([MIB, MIB, 5]);
    expect(fileSystem.openFiles).toBe(0);
  });

  it('is as long as asked for, with zeros behind what was taken', async () => {
    const bytes = MIB + 100;
    const expected = Buffer.alloc(bytes);
    source.copy(expected, 0, 0, 1000);
    expect(await copy({ sourceBytes: 1000, bytes })).toEqual({ sha256: sha256(expected) });
    expect(Buffer.compare(read('/copies/x')!, expected)).toBe(0);
  });

  it('of nothing but zeros has their length', async () => {
    fileSystem.remove('/source');
    put('/source', Buffer.alloc(10));
    expect(await copy({ sourceBytes: 10, bytes: 10 })).toEqual({ sha256: sha256(Buffer.alloc(10)) });
    expect(read('/copies/x')).toEqual(new Uint8Array(10));
    expect(fileSystem.calls).toEqual(['sync /copies/x']);
  });

  it('replaces what an earlier attempt left', async () => {
    put('/copies/x', Buffer.alloc(3 * MIB, 1));
    await copy();
    expect(Buffer.compare(read('/copies/x')!, source)).toBe(0);
  });

  it('of a file that ended meanwhile is refused with the place, and leaves nothing', async () => {
    await expect(copy({ bytes: 3 * MIB, sourceBytes: 3 * MIB })).rejects.toMatchObject({
      code: 'StorageFailed',
      details: { file: '/source', offset: source.length }
    });
    expect(read('/copies/x')).toBeUndefined();
    expect(fileSystem.openFiles).toBe(0);
  });

  it('that is stopped leaves nothing', async () => {
    await expect(copy({}, undefined, AbortSignal.abort())).rejects.toBeInstanceOf(OperationStopped);
    expect(fileSystem.list('/copies')).toEqual([]);
    expect(told).toEqual([]);
    expect(fileSystem.openFiles).toBe(0);
  });

  it('that rests for a slow limit is stopped within the rest, and leaves nothing', async () => {
    const stopping = new AbortController();
    const going = copy({ bytesPerSecond: 1000 }, undefined, stopping.signal);
    // A block of 1 MiB is worth a quarter of an hour.
    await vi.waitFor(() => expect(told).toEqual([MIB]));
    stopping.abort();
    await expect(going).rejects.toBeInstanceOf(OperationStopped);
    expect(fileSystem.list('/copies')).toEqual([]);
    expect(fileSystem.openFiles).toBe(0);
  });

  it('that fails tells the first failure, though nothing can be removed either', async () => {
    const remove = fileSystem.remove.bind(fileSystem);
    let times = 0;
    fileSystem.refused = 'write';
    fileSystem.remove = (file) => {
      if (times++ > 0) throw storageError('EACCES', file);
      remove(file);
    };
    await expect(copy()).rejects.toMatchObject({ details: { osCode: 'ENOSPC' } });
    expect(fileSystem.openFiles).toBe(0);
  });

  it('from a source that cannot be opened leaves nothing open', async () => {
    await expect(copy({ from: '/none' })).rejects.toMatchObject({ details: { osCode: 'ENOENT' } });
    await expect(copy({ to: '/none/x' })).rejects.toMatchObject({ details: { osCode: 'ENOENT' } });
    expect(fileSystem.openFiles).toBe(0);
  });

  describe('as a clone', () => {
    const cloning = (bytes: Uint8Array): FileLinks => ({
      link: () => false,
      clone: (_, to) => {
        put(to, bytes);
        return true;
      }
    });

    it('is hashed and flushed, and nothing is written', async () => {
      expect(await copy({}, cloning(source))).toEqual({ sha256: sha256(source) });
      expect(fileSystem.calls).toEqual(['sync /copies/x']);
      expect(told.reduce((sum, count) => sum + count, 0)).toBe(source.length);
      expect(fileSystem.openFiles).toBe(0);
    });

    it('of a source that has grown is cut to what was listed', async () => {
      expect(await copy({}, cloning(Buffer.concat([source, Buffer.alloc(9, 1)])))).toEqual({
        sha256: sha256(source)
      });
      expect(read('/copies/x')).toHaveLength(source.length);
    });

    it('is not made where only a part is taken', async () => {
      await copy({ sourceBytes: 10, bytes: 20 }, cloning(Buffer.alloc(1)));
      expect(read('/copies/x')).toHaveLength(20);
    });
  });

  it('below a limit rests as long as its bytes may take', async () => {
    const rests: number[] = [];
    const wait = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms: number) => {
      rests.push(ms);
      setImmediate(work);
    }) as typeof setTimeout);
    try {
      await copy({ bytesPerSecond: 10 * MIB });
      // The last five bytes are worth no rest of their own.
      expect(rests).toEqual([100, 100]);
    } finally {
      wait.mockRestore();
    }
  });
});

describe('several at a time', () => {
  it('all are done, in their order, and no more at once than asked for', async () => {
    let running = 0;
    let most = 0;
    const begun: number[] = [];
    await inParallel([0, 1, 2, 3, 4], 2, async (item) => {
      begun.push(item);
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
    });
    expect(begun).toEqual([0, 1, 2, 3, 4]);
    expect(most).toBe(2);
  });

  it('the first failure is thrown when no other runs any more, and nothing else is begun', async () => {
    const begun: number[] = [];
    let running = 0;
    const work = inParallel([0, 1, 2, 3], 2, async (item) => {
      begun.push(item);
      running++;
      for (let turn = 0; turn < 2 * item + 1; turn++) await new Promise((resolve) => setImmediate(resolve));
      running--;
      throw new Error(`failure ${item}`);
    });
    await expect(work).rejects.toThrow('failure 0');
    expect(begun).toEqual([0, 1]);
    expect(running).toBe(0);
  });

  it('with a count of none, or of nothing, it still comes to its end', async () => {
    const done: number[] = [];
    await inParallel([1], 0, async (item) => void done.push(item));
    await inParallel([], 4, async (item) => void done.push(item));
    expect(done).toEqual([1]);
  });
});

describe('the room in a target', () => {
  it('is enough with a spare of 1 MiB, to the byte', () => {
    expect(() => requireSpace({ bytesToCopy: 100, freeBytes: undefined }, 'T')).not.toThrow();
    expect(() => requireSpace({ bytesToCopy: 100, freeBytes: 100 + MIB }, 'T')).not.toThrow();
    expect(() => requireSpace({ bytesToCopy: 100, freeBytes: 99 + MIB }, 'T')).toThrow(
      `T has ${99 + MIB} free bytes; this backup needs ${100 + MIB}: 1 are missing.`
    );
  });

  const told = async (error: unknown, freeBytes: number | undefined | Error) => {
    const target = Object.assign(new LocalBackupTarget({ fileSystem, directory: TARGET }), {
      freeBytes: () => (freeBytes instanceof Error ? Promise.reject(freeBytes) : Promise.resolve(freeBytes))
    });
    return (await toldWithSpace(error, { target, bytesLeft: 10 })) as Error & { details: object };
  };

  it.each(['ENOSPC', 'EDQUOT'])(
    'that was used up meanwhile is told with what is missing: %s',
    async (osCode) => {
      const { message, details } = await told(storageError(osCode, '/x'), 4);
      expect(message).toContain(
        `has 4 free bytes; the rest of this backup needs up to ${10 + MIB}: ${6 + MIB} are missing.`
      );
      expect(details).toMatchObject({ target: TARGET, neededBytes: 10 + MIB, freeBytes: 4, osCode });
    }
  );

  it('that is not short of bytes says so, and what is not known is not said', async () => {
    expect((await told(storageError('ENOSPC', '/x'), 10 + MIB)).message).toContain('short of something else');
    for (const unknown of [undefined, new Error('no answer')]) {
      const { message, details } = await told(storageError('ENOSPC', '/x'), unknown);
      expect(message).not.toContain('free bytes');
      expect(details).not.toHaveProperty('freeBytes');
    }
  });

  it('has nothing to do with another failure', async () => {
    for (const error of [storageError('EIO', '/x'), new Error('other')])
      expect(await told(error, 1)).toBe(error);
  });
});

describe('a directory of backups', () => {
  const targetWith = (change: Partial<ConstructorParameters<typeof LocalBackupTarget>[0]> = {}) =>
    new LocalBackupTarget({ fileSystem, directory: TARGET, ...change });
  const text = (words: string): AsyncIterable<Uint8Array> => contentOf(new TextEncoder().encode(words));

  it('has each new folder on the disk, and the object before it has its name', async () => {
    await targetWith().write('a/data/x', text('bytes'));
    expect(fileSystem.calls).toEqual([
      `sync ${TARGET}`,
      `sync ${TARGET}/a`,
      'write 0 5',
      `sync ${TARGET}/a/data/x.partial`,
      `sync ${TARGET}/a/data`
    ]);
    fileSystem.calls.length = 0;
    await targetWith().write('a/data/y', text('bytes'));
    expect(fileSystem.calls.filter((call) => call.startsWith('sync'))).toEqual([
      `sync ${TARGET}/a/data/y.partial`,
      `sync ${TARGET}/a/data`
    ]);
    expect(fileSystem.openFiles).toBe(0);
  });

  it('has links on the disk before the next object is written, each folder once', async () => {
    const target = targetWith({ links: memoryLinks(fileSystem) });
    await target.write('a/x', text('bytes'));
    await target.link('a/x', 'b/one');
    await target.link('a/x', 'b/two');
    fileSystem.calls.length = 0;
    for (const name of ['b/y', 'b/z']) await target.write(name, text('m'));
    expect(fileSystem.calls[0]).toBe(`sync ${TARGET}/b`);
    expect(fileSystem.calls.filter((call) => call === `sync ${TARGET}/b`)).toHaveLength(3);
    expect(await targetWith().link('a/x', 'c/x')).toBe(false);
  });

  it('removes nothing but the object and the folders that are empty without it, and what a cut left in them', async () => {
    const target = targetWith();
    for (const name of ['a/data/x', 'a/data/y', 'a/m']) await target.write(name, text('m'));
    await target.remove('a/data/x');
    expect((await target.list('')).map(({ name }) => name)).toEqual(['a/data/y', 'a/m']);
    put(`${TARGET}/a/data/z.partial`, Buffer.alloc(1));
    fileSystem.calls.length = 0;
    await target.remove('a/data/y');
    expect((await target.list('')).map(({ name }) => name)).toEqual(['a/m']);
    expect(fileSystem.find(`${TARGET}/a/data`)).toBeUndefined();
    expect(fileSystem.calls).toEqual([`sync ${TARGET}/a`]);
    await target.remove('a/none');
    expect(fileSystem.calls).toHaveLength(1);
  });

  it('gives objects in the order of their names, by the beginning of a name too', async () => {
    const target = targetWith();
    for (const name of ['b/y', 'a/x2', 'a/x1', 'a/z']) await target.write(name, text(name));
    expect((await target.list('')).map(({ name }) => name)).toEqual(['a/x1', 'a/x2', 'a/z', 'b/y']);
    expect((await target.list('a/x')).map(({ name }) => name)).toEqual(['a/x1', 'a/x2']);
    expect(await target.folders()).toEqual(['a', 'b']);
    expect(await target.describe('a')).toBeUndefined();
    expect(await target.describe('a/z')).toEqual({ name: 'a/z', size: 3 });
    expect(await targetWith({ directory: '/none' }).folders()).toEqual([]);
  });

  it('reads a range, to the end of the object at the latest', async () => {
    const target = targetWith();
    await target.write('x', text('0123456789'));
    const range = async (offset?: number, length?: number): Promise<string> => {
      const parts: Uint8Array[] = [];
      for await (const part of target.read('x', { offset, length } as object)) parts.push(part);
      return Buffer.concat(parts).toString();
    };
    expect([
      await range(),
      await range(3),
      await range(3, 4),
      await range(8, 100),
      await range(3, 0)
    ]).toEqual([...['0123456789', '3456789', '3456', '89', '']]);
    expect(fileSystem.openFiles).toBe(0);
  });

  it('has the free bytes of the volume that it will lie on', async () => {
    fileSystem.capacityBytes = 1000;
    expect(await targetWith({ directory: '/copies/not/yet' }).freeBytes()).toBe(1000);
  });

  it('has no free bytes that are known where nothing above it is there', async () => {
    fileSystem.describe = () => undefined;
    expect(await targetWith().freeBytes()).toBeUndefined();
  });

  it('lists no object that goes while it is listed', async () => {
    const target = targetWith();
    for (const name of ['a/x', 'a/y']) await target.write(name, text('1'));
    const describe = fileSystem.describe.bind(fileSystem);
    fileSystem.describe = (path) => (path.endsWith('/x') ? undefined : describe(path));
    expect(await target.list('a/')).toEqual([{ name: 'a/y', size: 1 }]);
  });

  it('is written by one at a time', async () => {
    const unlock = await targetWith().lock();
    await expect(targetWith().lock()).rejects.toMatchObject({ code: 'DatabaseInUse' });
    await unlock();
    const again = await targetWith().lock();
    await again();
  });

  it('leaves a large file to the threads and copies a small one itself', async () => {
    const jobs: object[] = [];
    const copier: FileCopier = {
      copy: async (order) => {
        jobs.push(order);
        put(order.to, Buffer.alloc(1));
        return Promise.resolve({ sha256: 'by a thread' });
      }
    };
    put('/source', Buffer.alloc(20, 1));
    const target = targetWith({ copier, copierFromBytes: 10, parallelFiles: 3 });
    expect(target.parallelFiles).toBe(3);
    const copy = (sourceBytes: number) =>
      target.copyFile(
        {
          sourcePath: '/source',
          name: `a/${sourceBytes}`,
          bytes: sourceBytes,
          sourceBytes,
          bytesPerSecond: 0
        },
        { signal: undefined, onBytes: () => undefined }
      );
    expect((await copy(10)).sha256).toBe('by a thread');
    expect((await copy(9)).sha256).toBe(sha256(Buffer.alloc(9, 1)));
    expect(jobs).toEqual([
      { from: '/source', to: `${TARGET}/a/10.partial`, bytes: 10, sourceBytes: 10, bytesPerSecond: 0 }
    ]);
    expect((await target.list('a/')).map(({ name }) => name)).toEqual(['a/10', 'a/9']);
    expect(fileSystem.calls.at(-1)).toBe(`sync ${TARGET}/a`);
  });

  it('is read in whole up to a bound, whatever is said of the size of an object', async () => {
    const target = targetWith();
    await target.write('x', text('0123456789'));
    expect(await readWholeObject(target, 'x', 10)).toHaveLength(10);
    await expect(readWholeObject(target, 'x', 9)).rejects.toMatchObject({ code: 'StorageFailed' });
    const lying = Object.assign(targetWith(), { describe: () => Promise.resolve({ name: 'x', size: 1 }) });
    await expect(readWholeObject(lying, 'x', 9)).rejects.toMatchObject({ code: 'StorageFailed' });
    expect(await readWholeObject(target, 'none', 9)).toBeUndefined();
  });
});
