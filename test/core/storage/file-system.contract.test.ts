import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readWholeFile, type FileSystem } from '../../../src-core/storage/file-system.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { replaceFile } from '../../../src-core/storage/replace-file.ts';
import { FaultyFileSystem } from '../../support/faulty-file-system.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';

interface Place {
  fileSystem: FileSystem;
  directory: string;
  remove: () => void;
}

function memoryPlace(wrap: (inner: MemoryFileSystem) => FileSystem): Place {
  const inner = new MemoryFileSystem();
  inner.makeDirectory('/data');
  return { fileSystem: wrap(inner), directory: '/data', remove: () => undefined };
}

function nodePlace(): Place {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-files-'));
  const remove = (): void => fs.rmSync(directory, { recursive: true, force: true });
  return { fileSystem: new NodeFileSystem(), directory, remove };
}

const places: [string, () => Place][] = [
  ['memory', () => memoryPlace((inner) => inner)],
  ['faulty, without a fault', () => memoryPlace((inner) => new FaultyFileSystem(inner))],
  ['Node', nodePlace]
];

describe.each(places)('file system: %s', (_name, makePlace) => {
  let place: Place;
  let fileSystem: FileSystem;

  beforeEach(() => {
    place = makePlace();
    fileSystem = place.fileSystem;
  });
  afterEach(() => place.remove());

  const at = (...names: string[]): string => fileSystem.join(place.directory, ...names);
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

  function write(name: string, text: string): void {
    const file = fileSystem.open(at(name), 'createNew');
    file.write(bytes(text), 0, text.length, 0);
    file.close();
  }

  function read(name: string): string | undefined {
    const found = readWholeFile(fileSystem, at(name));
    return found && new TextDecoder().decode(found);
  }

  const failsWith = (osCode: string, file: string): unknown =>
    expect.objectContaining({
      code: osCode === 'ENOENT' ? 'DatabaseNotFound' : 'StorageFailed',
      details: expect.objectContaining({ osCode, file }) as unknown
    });

  it('describes nothing where nothing is', () => {
    expect(fileSystem.describe(at('absent'))).toBeUndefined();
    expect(fileSystem.describe(at('absent', 'below'))).toBeUndefined();
    expect(fileSystem.list(at('absent'))).toBeUndefined();
    expect(read('absent')).toBeUndefined();
  });

  it('describes files and directories', () => {
    write('a', 'hello');
    expect(fileSystem.describe(at('a'))).toMatchObject({ size: 5, isDirectory: false });
    expect(fileSystem.describe(place.directory)).toMatchObject({ isDirectory: true });
  });

  it('lists what is in a directory and nothing below', () => {
    write('a', '');
    fileSystem.makeDirectory(at('b', 'c'));
    const entries = fileSystem.list(place.directory)!.sort((x, y) => x.name.localeCompare(y.name));
    expect(entries).toEqual([
      { name: 'a', isDirectory: false },
      { name: 'b', isDirectory: true }
    ]);
    expect(() => fileSystem.list(at('a'))).toThrow(failsWith('ENOTDIR', at('a')));
  });

  it('opens only what exists, and creates only what does not', () => {
    expect(() => fileSystem.open(at('a'), 'read')).toThrow(failsWith('ENOENT', at('a')));
    expect(() => fileSystem.open(at('a'), 'readWrite')).toThrow(failsWith('ENOENT', at('a')));
    expect(() => fileSystem.open(at('x', 'a'), 'createNew')).toThrow(failsWith('ENOENT', at('x', 'a')));
    write('a', '');
    expect(() => fileSystem.open(at('a'), 'createNew')).toThrow(failsWith('EEXIST', at('a')));
  });

  it('reads and writes at positions, out of and into parts of arrays', () => {
    write('a', 'abcdef');
    const file = fileSystem.open(at('a'), 'readWrite');
    file.write(bytes('XYZ'), 1, 2, 2);
    const target = bytes('........');
    expect(file.read(target, 1, 3, 1)).toBe(3);
    expect(new TextDecoder().decode(target)).toBe('.bYZ....');
    expect(file.path).toBe(at('a'));
    file.close();
    expect(read('a')).toBe('abYZef');
  });

  it('reads fewer bytes at the end of a file only', () => {
    write('a', 'abc');
    const file = fileSystem.open(at('a'), 'read');
    expect(file.size()).toBe(3);
    expect(file.read(new Uint8Array(10), 0, 10, 1)).toBe(2);
    expect(file.read(new Uint8Array(10), 0, 10, 3)).toBe(0);
    expect(file.read(new Uint8Array(10), 0, 10, 99)).toBe(0);
    file.close();
  });

  it('fills what was skipped, cut off or added with zeros', () => {
    write('a', '');
    const file = fileSystem.open(at('a'), 'readWrite');
    file.write(bytes('x'), 0, 1, 3);
    expect(read('a')).toBe('\0\0\0x');
    file.write(bytes('secret'), 0, 6, 4);
    file.truncate(4);
    file.truncate(6);
    file.sync();
    file.close();
    expect(read('a')).toBe('\0\0\0x\0\0');
  });

  it('does not write to what was opened for reading', () => {
    write('a', 'abc');
    const file = fileSystem.open(at('a'), 'read');
    expect(() => file.write(bytes('x'), 0, 1, 0)).toThrow(failsWith('EBADF', at('a')));
    file.close();
    expect(read('a')).toBe('abc');
  });

  it('closes twice without complaint', () => {
    write('a', '');
    const file = fileSystem.open(at('a'), 'read');
    file.close();
    expect(() => file.close()).not.toThrow();
  });

  it('renames over what is there, and open files keep what they opened', () => {
    write('old', 'old');
    write('new', 'new!');
    const open = fileSystem.open(at('old'), 'read');
    const { inode } = fileSystem.describe(at('new'))!;
    fileSystem.rename(at('new'), at('old'));
    expect(fileSystem.describe(at('old'))).toMatchObject({ inode, size: 4 });
    expect(read('new')).toBeUndefined();
    expect(open.size()).toBe(3);
    open.close();
    expect(() => fileSystem.rename(at('new'), at('old'))).toThrow(failsWith('ENOENT', at('new')));
  });

  it('renames directories with what is in them', () => {
    fileSystem.makeDirectory(at('a', 'b'));
    fileSystem.open(at('a', 'b', 'c'), 'createNew').close();
    fileSystem.rename(at('a'), at('z'));
    expect(fileSystem.describe(at('z', 'b', 'c'))).toBeDefined();
    expect(fileSystem.describe(at('a'))).toBeUndefined();
  });

  it('removes files, which open files outlive, and does not mind that nothing is there', () => {
    write('a', 'abc');
    const open = fileSystem.open(at('a'), 'read');
    fileSystem.remove(at('a'));
    expect(fileSystem.describe(at('a'))).toBeUndefined();
    expect(open.read(new Uint8Array(3), 0, 3, 0)).toBe(3);
    open.close();
    expect(() => fileSystem.remove(at('a'))).not.toThrow();
  });

  it('makes directories with their parents, again if need be, and removes them with all in them', () => {
    fileSystem.makeDirectory(at('a', 'b'));
    fileSystem.makeDirectory(at('a', 'b'));
    fileSystem.open(at('a', 'b', 'c'), 'createNew').close();
    fileSystem.removeDirectory(at('a'));
    expect(fileSystem.describe(at('a'))).toBeUndefined();
    expect(() => fileSystem.removeDirectory(at('a'))).not.toThrow();
    write('file', '');
    expect(() => fileSystem.makeDirectory(at('file'))).toThrow(failsWith('EEXIST', at('file')));
  });

  it('changes permissions and leaves an owner as it is', () => {
    write('a', '');
    fileSystem.changeMode(at('a'), 0o444);
    const { mode, uid, gid } = fileSystem.describe(at('a'))!;
    expect(mode).toBe(0o444);
    fileSystem.changeOwner(at('a'), uid, gid);
    expect(fileSystem.describe(at('a'))).toMatchObject({ uid, gid });
    expect(() => fileSystem.changeMode(at('b'), 0o444)).toThrow(failsWith('ENOENT', at('b')));
  });

  it('flushes directories and knows of free space', () => {
    fileSystem.syncDirectory(place.directory);
    expect(() => fileSystem.syncDirectory(at('absent'))).toThrow(failsWith('ENOENT', at('absent')));
    expect(fileSystem.freeBytes(place.directory)).toBeGreaterThan(0);
  });

  it('locks a file for one at a time', () => {
    write('a', '');
    expect(fileSystem.lockHolder(at('a'))).toBeUndefined();
    const release = fileSystem.tryLock(at('a'));
    expect(release).toBeDefined();
    expect(fileSystem.tryLock(at('a'))).toBeUndefined();
    expect(fileSystem.lockHolder(at('a'))).toBeDefined();
    release!();
    expect(fileSystem.lockHolder(at('a'))).toBeUndefined();
    const again = fileSystem.tryLock(at('a'));
    expect(again).toBeDefined();
    again!();
    expect(fileSystem.lockHolder(at('absent'))).toBeUndefined();
  });

  it('replaces a file by the one way to do so, and keeps its permissions', () => {
    write('a', 'old');
    fileSystem.changeMode(at('a'), 0o600);
    const parts = { directory: place.directory, name: 'a', temporaryName: 'a.tmp' };
    replaceFile(fileSystem, { ...parts, bytes: bytes('new') });
    expect(read('a')).toBe('new');
    expect(fileSystem.describe(at('a'))?.mode).toBe(0o600);
    expect(fileSystem.list(place.directory)).toHaveLength(1);
  });
});
