import { describe, expect, test } from 'vitest';
import { contentOf, readWholeObject } from '../../../src-core/backup/backup-target.ts';
import { LocalBackupTarget } from '../../../src-core/backup/local-target.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { writeText } from '../../support/restore-fixture.ts';
import { memoryLinks, TARGET } from './backup-environment.ts';

const text = (words: string): AsyncIterable<Uint8Array> => contentOf(new TextEncoder().encode(words));

function made(): { fileSystem: MemoryFileSystem; target: LocalBackupTarget } {
  const fileSystem = new MemoryFileSystem();
  const links = memoryLinks(fileSystem);
  return { fileSystem, target: new LocalBackupTarget({ fileSystem, directory: TARGET, links }) };
}

async function read(target: LocalBackupTarget, name: string): Promise<string | undefined> {
  const bytes = await readWholeObject(target, name, 1000);
  return bytes && new TextDecoder().decode(bytes);
}

describe('a directory of backups', () => {
  test('holds what was written, by its name, in whole or in part', async () => {
    const { target } = made();
    await target.write('a/data/x', text('hello world'));
    expect(await read(target, 'a/data/x')).toBe('hello world');
    const parts: Uint8Array[] = [];
    for await (const part of target.read('a/data/x', { offset: 6, length: 3 })) parts.push(part);
    expect(Buffer.concat(parts).toString()).toBe('wor');
    expect(await target.list('a/')).toEqual([{ name: 'a/data/x', size: 11 }]);
    expect(await target.folders()).toEqual(['a']);
    expect(await target.describe('a/data/y')).toBeUndefined();
  });

  test('takes no more memory to read an object than it has, and gives also what was added meanwhile', async () => {
    const { fileSystem, target } = made();
    await target.write('a/x', text('x'.repeat(100_000)));
    const parts: Uint8Array[] = [];
    for await (const part of target.read('a/x')) {
      if (parts.length === 0) {
        const file = fileSystem.open(target.pathOf('a/x'), 'readWrite');
        file.write(Buffer.alloc(10_000, 'y'), 0, 10_000, 100_000);
        file.close();
      }
      parts.push(part);
    }
    expect(parts[0]!.buffer.byteLength).toBe(100_000);
    expect(Buffer.concat(parts).toString()).toBe('x'.repeat(100_000) + 'y'.repeat(10_000));
  });

  test('keeps the old object when the new one cannot be read to its end', async () => {
    const { target } = made();
    await target.write('a/x', text('old'));
    const breaking = async function* (): AsyncIterable<Uint8Array> {
      yield* text('new');
      throw new Error('the source broke');
    };
    await expect(target.write('a/x', breaking())).rejects.toThrow('the source broke');
    expect(await read(target, 'a/x')).toBe('old');
    expect(await target.list('')).toHaveLength(1);
  });

  test('writes nothing through a link', async () => {
    const { target } = made();
    await target.write('a/x', text('first'));
    expect(await target.link('a/x', 'b/x')).toBe(true);
    await target.write('b/x', text('second'));
    expect(await read(target, 'a/x')).toBe('first');
    expect(await read(target, 'b/x')).toBe('second');
  });

  test('goes on after a folder with links has been emptied', async () => {
    const { target } = made();
    await target.write('a/x', text('first'));
    await target.link('a/x', 'b/index/x');
    await target.remove('b/index/x');
    await target.write('b/y', text('second'));
    expect(await target.list('b/')).toEqual([{ name: 'b/y', size: 6 }]);
  });

  test('leaves no empty folder behind', async () => {
    const { fileSystem, target } = made();
    await target.write('a/data/deep/x', text('x'));
    await target.remove('a/data/deep/x');
    await target.remove('a/data/deep/x');
    expect(fileSystem.list(TARGET)).toEqual([]);
  });

  test('lists a folder from which many objects go only at its beginning and its end', async () => {
    const { fileSystem, target } = made();
    const names = Array.from({ length: 50 }, (_, i) => `a/data/${i}`);
    for (const name of ['a/manifest', ...names, 'a/progress']) await target.write(name, text('x'));
    writeText(fileSystem, `${TARGET}/a/data/cut.partial`, 'x');
    const listed: string[] = [];
    const list = fileSystem.list.bind(fileSystem);
    fileSystem.list = (directory) => {
      listed.push(directory);
      return list(directory);
    };
    for (const name of ['a/manifest', ...names, 'a/progress']) await target.remove(name);
    expect(listed.filter((directory) => directory.endsWith('data'))).toHaveLength(2);
    expect(list(TARGET)).toEqual([]);
  });

  test('keeps a folder to which something was written while objects of it went', async () => {
    const { fileSystem, target } = made();
    for (const name of ['a/data/1', 'a/data/2', 'b/1']) await target.write(name, text('x'));
    await target.remove('a/data/1');
    await target.link('b/1', 'a/data/3');
    await target.remove('a/data/2');
    expect(await target.list('a/')).toEqual([{ name: 'a/data/3', size: 1 }]);
    await target.remove('a/data/3');
    expect(fileSystem.list(TARGET)?.map(({ name }) => name)).toEqual(['b']);
    // What somebody else put there stays, too.
    for (const name of ['a/1', 'a/2']) await target.write(name, text('x'));
    await target.remove('a/1');
    writeText(fileSystem, `${TARGET}/a/foreign`, 'x');
    await target.remove('a/2');
    expect(await target.list('a/')).toEqual([{ name: 'a/foreign', size: 1 }]);
  });

  test('names the target and the object in a failure', async () => {
    const { fileSystem, target } = made();
    fileSystem.makeDirectory(TARGET);
    fileSystem.capacityBytes = 4;
    await expect(target.write('a/x', text('too long'))).rejects.toMatchObject({
      code: 'StorageFailed',
      message: expect.stringMatching(/a\/x in the backup target \/backups/) as string,
      details: { osCode: 'ENOSPC' }
    });
  });

  test('lets no name lead out of it', () => {
    expect(() => made().target.pathOf('../x')).toThrow();
  });
});
