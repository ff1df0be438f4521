/** Files that can be made again: whatever the disk does to them, the work goes on without. And what passes through such ports. */
import { beforeEach, describe, expect, test } from 'vitest';
import { EngineError } from '../../../src-core/errors.ts';
import { DerivedFiles } from '../../../src-core/storage/derived-files.ts';
import { namesIn } from '../../../src-core/storage/directory-entries.ts';
import type { Disk } from '../../../src-core/storage/disk.ts';
import type { FileFacts, FileSystem, OpenFile } from '../../../src-core/storage/file-system.ts';
import { PassThroughFileSystem } from '../../../src-core/storage/pass-through.ts';
import { PassedPages } from '../../../src-core/storage/passed-pages.ts';
import { ScratchBlocks } from '../../../src-core/storage/scratch-blocks.ts';
import { guidsFrom } from '../../support/crash-database.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';

const HOME = '/home';
let memory: MemoryFileSystem;
beforeEach(() => (memory = new MemoryFileSystem()));

const derived = (fileSystem: FileSystem = memory) =>
  new DerivedFiles({ fileSystem, directory: HOME, newGuid: guidsFrom(1) });
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

describe('a file that can be made again', () => {
  test('is found as it was stored, in a directory of its owner', () => {
    derived().save('a', () => Buffer.from('content'));
    expect(derived().load('a', text)).toBe('content');
    expect(memory.describe(HOME)!.mode & 0o777).toBe(0o700);
    expect(namesIn(memory, HOME)).toEqual(['a']);
    expect(derived().load('b', text)).toBeUndefined();
  });

  test('is written piece by piece, and all of it or nothing is there', () => {
    derived().save('a', () => ['con', '', 'tent'].map((piece) => Buffer.from(piece)));
    expect(derived().load('a', text)).toBe('content');
    class Full extends PassThroughFileSystem {
      override open(...[path, mode]: Parameters<FileSystem['open']>): OpenFile {
        const file = super.open(path, mode);
        const write: OpenFile['write'] = (bytes, from, length, at) => {
          if (at > 0)
            throw new EngineError({ code: 'StorageFailed', message: 'Full.', remedy: 'Make room.' });
          file.write(bytes, from, length, at);
        };
        return { ...file, write, close: () => file.close() };
      }
    }
    derived(new Full(memory)).save('b', () => ['x', 'y'].map((piece) => Buffer.from(piece)));
    expect(namesIn(memory, HOME)).toEqual(['a']);
  });

  test('of which nothing can be made is removed', () => {
    derived().save('a', () => Buffer.from('content'));
    expect(derived().load('a', () => undefined)).toBeUndefined();
    expect(namesIn(memory, HOME)).toEqual([]);
  });

  test('that is shorter than it was said to be is removed and not decoded', () => {
    derived().save('a', () => Buffer.from('content'));
    class Longer extends PassThroughFileSystem {
      override describe(path: string): FileFacts | undefined {
        const facts = super.describe(path);
        return facts && { ...facts, size: facts.size + 1 };
      }
    }
    expect(derived(new Longer(memory)).load('a', text)).toBeUndefined();
    expect(namesIn(memory, HOME)).toEqual([]);
  });

  test('is not stored, and no scratch made, where the volume has little room', () => {
    memory.makeDirectory(HOME);
    class Tight extends PassThroughFileSystem {
      override freeBytes(): number {
        return 100;
      }
    }
    const files = derived(new Tight(memory));
    files.save('a', () => Buffer.alloc(2));
    expect(files.hasRoom(2)).toBe(false);
    expect(files.scratch(13)).toBeUndefined();
    expect(namesIn(memory, HOME)).toEqual([]);
    files.save('a', () => Buffer.alloc(1));
    expect(namesIn(memory, HOME)).toEqual(['a']);
    const scratch = files.scratch(12);
    expect(scratch).toBeDefined();
    scratch!.close();
    expect(namesIn(memory, HOME)).toEqual(['a']);
  });

  test('may be a scratch file before there is a directory: that is made for its owner, and the file goes with its end', () => {
    const scratch = derived().scratch(10)!;
    expect(memory.describe(HOME)!.mode & 0o777).toBe(0o700);
    expect(namesIn(memory, HOME)).toEqual([expect.stringMatching(/\.tmp$/)]);
    scratch.write(Buffer.from('content'), 3, 4, 2);
    scratch.sync();
    expect(scratch.size()).toBe(6);
    scratch.truncate(5);
    const bytes = Buffer.alloc(8);
    expect(scratch.read(bytes, 1, 4, 2)).toBe(3);
    expect(text(bytes)).toBe('\0ten\0\0\0\0');
    scratch.close();
    expect(namesIn(memory, HOME)).toEqual([]);
    expect(() => scratch.size()).toThrow(expect.objectContaining({ code: 'StorageFailed' }));
  });

  test('counts as the oldest where it is gone before it is looked at', () => {
    for (const name of ['a.x', 'b.x', 'c.x', 'd.y']) derived().save(name, () => Buffer.from('content'));
    class Forgetful extends PassThroughFileSystem {
      override describe(path: string): FileFacts | undefined {
        return path.endsWith('c.x') ? undefined : super.describe(path);
      }
    }
    derived(new Forgetful(memory)).keepNewest('.x', 2);
    expect(namesIn(memory, HOME).sort()).toEqual(['a.x', 'b.x', 'd.y']);
  });
});

test('a block of a scratch file that is not there any more is an error with file and position', () => {
  memory.makeDirectory(HOME);
  const file = memory.open(`${HOME}/scratch`, 'createNew');
  const blocks = new ScratchBlocks(file, 1);
  for (const word of ['one', 'three']) blocks.write(0, () => Buffer.from(word));
  expect([...blocks.of(0, text)]).toEqual(['one', 'three']);
  file.truncate(5);
  const found: string[] = [];
  const read = (): void => {
    for (const block of blocks.of(0, text)) found.push(block);
  };
  const broken = expect.objectContaining({
    code: 'StorageFailed',
    message: `${HOME}/scratch does not hold at 3 what was written there a moment ago.`,
    details: { file: `${HOME}/scratch`, position: 3 }
  }) as unknown;
  expect(read).toThrow(broken);
  expect(found).toEqual(['one']);
  expect(() => [...blocks.of(0, (_bytes, identity) => (identity === '0' ? 'a' : undefined))]).toThrow(broken);
  blocks.close();
});

test('a file system that passes everything on has no links and clones where the one below has none', () => {
  memory.makeDirectory(HOME);
  memory.open(`${HOME}/a`, 'createNew').close();
  const plain = new Proxy<FileSystem>(memory, {
    get(target, name) {
      const member: unknown = name === 'link' || name === 'clone' ? undefined : Reflect.get(target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    }
  });
  const cloning = new Proxy<FileSystem>(memory, {
    get: (target, name) => (name === 'clone' ? () => true : (Reflect.get(target, name) as unknown))
  });
  expect(new PassThroughFileSystem(plain).link(`${HOME}/a`, `${HOME}/b`)).toBe(false);
  expect(new PassThroughFileSystem(plain).clone(`${HOME}/a`, `${HOME}/b`)).toBe(false);
  expect(new PassThroughFileSystem(cloning).clone(`${HOME}/a`, `${HOME}/b`)).toBe(true);
  expect(namesIn(memory, HOME)).toEqual(['a']);
});

describe('pages that were passed', () => {
  const MIB = 1024 * 1024;
  const STEP = 8 * MIB;
  const PAGE = 4096;

  /** Files of ten steps; `cached`: pages that were in the cache before. */
  function passedOver(cached: Uint8Array | 'none') {
    const given: { path: string; from: number; length: number }[] = [];
    const disk: Disk = {
      elapsedMs: () => 0,
      read: () => 0,
      willRead: () => undefined,
      facts: (descriptor) => ({ inode: descriptor, size: 10 * STEP }),
      pageBytes: PAGE,
      cachedPages: () => cached,
      giveBack: ({ path }, ranges) => void given.push(...ranges.map((range) => ({ path, ...range }))),
      hasIdleMemory: () => false,
      budgetBytes: () => 2 * STEP
    };
    return { passed: new PassedPages(disk), given };
  }

  test('of a file that nobody watches are left alone', () => {
    const { passed, given } = passedOver('none');
    passed.pass('/a', { from: 0, to: 10 * STEP });
    expect(given).toEqual([]);
  });

  test('of a file that was written twice are given back once for each step, and what the budget holds stays', () => {
    const { passed, given } = passedOver('none');
    passed.wrote(1, '/a');
    expect(given.map(({ from }) => from / STEP)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    passed.wrote(1, '/a');
    expect(given).toHaveLength(16);
  });

  test('that were all in the cache before are not given back', () => {
    const cached = new Uint8Array((10 * STEP) / PAGE).fill(1, 0, (4 * STEP) / PAGE);
    const { passed, given } = passedOver(cached);
    expect(passed.watch(1, '/a')).toBe(true);
    passed.pass('/a', { from: 0, to: 10 * STEP });
    expect(given).toEqual([4, 5, 6, 7].map((step) => ({ path: '/a', from: step * STEP, length: STEP })));
  });
});
