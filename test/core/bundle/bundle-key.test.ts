/** The key file of a bundle: made once, read again, and refused where it holds something else. */
import { beforeEach, describe, expect, test } from 'vitest';
import { readBundleKey, writeBundleKey } from '../../../src-core/bundle/bundle-key.ts';
import { SparseFile } from '../../../src-core/bundle/sparse-file.ts';
import { namesIn } from '../../../src-core/storage/directory-entries.ts';
import { readWholeFile } from '../../../src-core/storage/file-system.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { Prng } from '../../support/prng.ts';

const PLACE = { directory: '/home', name: 'bundle.key' };
let fileSystem: MemoryFileSystem;
beforeEach(() => {
  fileSystem = new MemoryFileSystem();
  fileSystem.makeDirectory('/home');
});

describe('the key of a bundle', () => {
  test('is read as it was written, by its owner alone', () => {
    expect(readBundleKey(fileSystem, PLACE)).toBeUndefined();
    const key = Buffer.from(new Prng(1).bytes(32));
    writeBundleKey(fileSystem, PLACE, key);
    expect(readBundleKey(fileSystem, PLACE)).toEqual(key);
    expect(fileSystem.describe('/home/bundle.key')!.mode & 0o777).toBe(0o600);
  });

  test.each(['', 'Jane Doe', 'A'.repeat(64), 'a'.repeat(63), `${'a'.repeat(64)}\n${'b'.repeat(64)}`])(
    'is refused where the file holds %j, which stays',
    (text) => {
      const file = fileSystem.open('/home/bundle.key', 'createNew');
      file.write(Buffer.from(text), 0, text.length, 0);
      file.close();
      expect(() => readBundleKey(fileSystem, PLACE)).toThrow(
        expect.objectContaining({
          code: 'InvalidRequest',
          message: '/home/bundle.key is no key of a bundle: it does not hold 64 hex digits.'
        })
      );
      expect(Buffer.from(readWholeFile(fileSystem, '/home/bundle.key')!).toString()).toBe(text);
    }
  );

  test('of another length is never written', () => {
    expect(() => writeBundleKey(fileSystem, PLACE, Buffer.alloc(31))).toThrow(
      expect.objectContaining({ code: 'AssertionFailed' })
    );
    expect(namesIn(fileSystem, '/home')).toEqual([]);
  });
});

describe('a file with holes', () => {
  const MIB = 1024 * 1024;

  test.each([
    ['what is put is as long as the buffer', [MIB], 0],
    ['what is put is longer than the buffer', [3 * MIB + 5, 7], 0],
    ['zeros fill the buffer', [10], MIB],
    ['zeros go on behind the buffer', [10], 2 * MIB + 100]
  ])('is what was put where %s', (_what, lengths, zerosUpTo) => {
    const file = new SparseFile(fileSystem, '/home/file');
    const parts = lengths.map((length, i) => Buffer.alloc(length, i + 1));
    for (const part of parts) file.put(part);
    if (zerosUpTo > 0) file.zerosUpTo(zerosUpTo);
    file.put(Buffer.from('end'));
    const { length } = file;
    file.complete(length);
    const expected = Buffer.concat([
      ...parts,
      Buffer.alloc(Math.max(0, length - 3 - parts.reduce((sum, part) => sum + part.length, 0))),
      Buffer.from('end')
    ]);
    expect(Buffer.from(readWholeFile(fileSystem, '/home/file')!).equals(expected)).toBe(true);
  });
});
