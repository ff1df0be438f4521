import { describe, expect, it } from 'vitest';
import { isFailedFlush, readWholeFile, type FileSystem } from '../../../src-core/storage/file-system.ts';
import { replaceFile } from '../../../src-core/storage/replace-file.ts';
import { copyTree } from '../../support/copy-tree.ts';
import { NOTHING_UNFLUSHED } from '../../support/durable-state.ts';
import { FaultyFileSystem, PowerCut, type Faults } from '../../support/faulty-file-system.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { Prng } from '../../support/prng.ts';
import { seedList } from '../../support/seeds.ts';

const SEEDS = seedList(60);

function bytes(length: number, value: number): Uint8Array {
  return new Uint8Array(length).fill(value);
}

function write(fileSystem: FileSystem, file: string, content: Uint8Array): void {
  const open = fileSystem.open(file, 'createNew');
  open.write(content, 0, content.length, 0);
  open.close();
}

function start(): MemoryFileSystem {
  const fileSystem = new MemoryFileSystem();
  fileSystem.makeDirectory('/data');
  write(fileSystem, '/data/a', bytes(2000, 1));
  return fileSystem;
}

/** Runs until the end or the cut, and returns the file system with what happened. */
function run(
  faults: Faults,
  action: (fileSystem: FileSystem) => void
): { fileSystem: FaultyFileSystem; isCut: boolean } {
  const fileSystem = new FaultyFileSystem(start(), faults);
  try {
    action(fileSystem);
    return { fileSystem, isCut: false };
  } catch (error) {
    if (!(error instanceof PowerCut)) throw error;
    return { fileSystem, isCut: true };
  }
}

/** Every state the disk can be in, as far as the seeds reach, as a text. */
function states(
  fileSystem: FaultyFileSystem,
  describeState: (survivor: MemoryFileSystem) => string
): Set<string> {
  return new Set(SEEDS.map((seed) => describeState(fileSystem.survivors(seed))));
}

function thrownBy(action: () => void): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}

const names = (fileSystem: FileSystem): string =>
  fileSystem
    .list('/data')!
    .map(({ name }) => name)
    .sort()
    .join(' ');

function pattern(fileSystem: FileSystem, file: string): string {
  const content = readWholeFile(fileSystem, file) ?? new Uint8Array(0);
  return [...content]
    .join('')
    .replace(/(.)\1*/g, (part) => `${part[0]}×${part.length} `)
    .trim();
}

describe('a power cut', () => {
  it('loses nothing that was there before', () => {
    const { fileSystem } = run({}, () => undefined);
    expect([...states(fileSystem, (survivor) => pattern(survivor, '/data/a'))]).toEqual(['1×2000']);
  });

  it('loses or keeps or tears what was not flushed, and keeps what was', () => {
    const overwrite = (isSynced: boolean) => (fileSystem: FileSystem) => {
      const file = fileSystem.open('/data/a', 'readWrite');
      file.write(bytes(1200, 2), 0, 1200, 0);
      if (isSynced) file.sync();
      file.close();
    };
    const unsynced = states(run({}, overwrite(false)).fileSystem, (survivor) => pattern(survivor, '/data/a'));
    expect([...unsynced].sort()).toEqual(['1×2000', '2×1024 1×976', '2×1200 1×800', '2×512 1×1488']);
    const synced = states(run({}, overwrite(true)).fileSystem, (survivor) => pattern(survivor, '/data/a'));
    expect([...synced]).toEqual(['2×1200 1×800']);
  });

  it('never tears eight bytes inside a sector', () => {
    const { fileSystem } = run({}, (files) => {
      const file = files.open('/data/a', 'readWrite');
      file.write(bytes(8, 2), 0, 8, 0);
      file.close();
    });
    expect([...states(fileSystem, (survivor) => pattern(survivor, '/data/a'))].sort()).toEqual([
      '1×2000',
      '2×8 1×1992'
    ]);
  });

  it('loses or keeps a length that was not flushed', () => {
    const { fileSystem } = run({}, (files) => {
      const file = files.open('/data/a', 'readWrite');
      file.truncate(10);
      file.close();
    });
    expect(states(fileSystem, (survivor) => String(survivor.describe('/data/a')?.size))).toEqual(
      new Set(['2000', '10'])
    );
  });

  it.each<[what: string, action: (fileSystem: FileSystem) => void, before: string, after: string]>([
    ['a creation', (files) => files.open('/data/b', 'createNew').close(), 'a', 'a b'],
    ['a removal', (files) => files.remove('/data/a'), 'a', ''],
    ['a renaming', (files) => files.rename('/data/a', '/data/b'), 'a', 'b'],
    ['a new directory', (files) => files.makeDirectory('/data/d'), 'a', 'a d']
  ])('loses or keeps %s until the directory is flushed', (_what, action, before, after) => {
    expect(states(run({}, action).fileSystem, names)).toEqual(new Set([before, after]));
    const flushed = run({}, (files) => {
      action(files);
      files.syncDirectory('/data');
    });
    expect(states(flushed.fileSystem, names)).toEqual(new Set([after]));
  });

  it('moves a file between directories in one piece', () => {
    const { fileSystem } = run({}, (files) => {
      files.makeDirectory('/data/d');
      files.syncDirectory('/data');
      files.rename('/data/a', '/data/d/a');
    });
    const where = (survivor: MemoryFileSystem): string =>
      ['/data/a', '/data/d/a'].filter((file) => survivor.describe(file)).join(' ');
    expect(states(fileSystem, where)).toEqual(new Set(['/data/a', '/data/d/a']));
  });

  it('stops every call that follows, reading ones too, but lets files be closed', () => {
    const { fileSystem, isCut } = run({ cutAt: 2 }, (files) => {
      const file = files.open('/data/a', 'readWrite');
      file.write(bytes(1, 2), 0, 1, 0);
      try {
        file.sync();
      } finally {
        file.close();
      }
    });
    expect(isCut).toBe(true);
    expect(fileSystem.isOff).toBe(true);
    expect(() => fileSystem.describe('/data/a')).toThrow(PowerCut);
    expect(() => fileSystem.open('/data/a', 'read')).toThrow(PowerCut);
    expect(() => fileSystem.remove('/data/a')).toThrow(PowerCut);
  });

  it('comes at each call there is, and gives the same survivors for the same seed', () => {
    const action = (files: FileSystem): void => write(files, '/data/b', bytes(600, 3));
    const { calls } = run({}, action).fileSystem;
    expect(calls).toBe(2);
    for (let cutAt = 1; cutAt <= calls; cutAt++) {
      const { fileSystem, isCut } = run({ cutAt }, action);
      expect(isCut).toBe(true);
      for (const seed of SEEDS) {
        expect(names(fileSystem.survivors(seed))).toBe(names(fileSystem.survivors(seed)));
      }
    }
    expect(run({ cutAt: calls + 1 }, action).isCut).toBe(false);
  });

  it('leaves the old file or the new one, complete, when a file is replaced', () => {
    const replace = (files: FileSystem): void =>
      replaceFile(files, { directory: '/data', name: 'a', temporaryName: 'a.tmp', bytes: bytes(3000, 2) });
    const { fileSystem: uncut } = run({}, replace);
    expect(states(uncut, (survivor) => pattern(survivor, '/data/a'))).toEqual(new Set(['2×3000']));
    for (let cutAt = 1; cutAt <= uncut.calls; cutAt++) {
      const { fileSystem } = run({ cutAt }, replace);
      for (const state of states(fileSystem, (survivor) => pattern(survivor, '/data/a'))) {
        expect(['1×2000', '2×3000']).toContain(state);
      }
    }
  });
});

describe('a failing call', () => {
  it('has no effect, names file and reason, and the next ones go on', () => {
    const fileSystem = new FaultyFileSystem(start(), { failAt: { call: 2, osCode: 'ENOSPC' } });
    const file = fileSystem.open('/data/a', 'readWrite');
    file.write(bytes(1, 2), 0, 1, 0);
    expect(() => file.write(bytes(1, 3), 0, 1, 0)).toThrow(
      expect.objectContaining({ code: 'StorageFailed', details: { file: '/data/a', osCode: 'ENOSPC' } })
    );
    file.close();
    expect(pattern(fileSystem, '/data/a')).toBe('2×1 1×1999');
  });
});

describe('a failed flush', () => {
  it('names itself, and what it should have flushed is lost although the next flush goes well', () => {
    const fileSystem = new FaultyFileSystem(start(), { failAt: { call: 2, osCode: 'EIO' } });
    const file = fileSystem.open('/data/a', 'readWrite');
    file.write(bytes(600, 2), 0, 600, 0);
    const failure = thrownBy(() => file.sync());
    expect(failure).toMatchObject({ code: 'StorageFailed', details: { file: '/data/a', osCode: 'EIO' } });
    expect(isFailedFlush(failure)).toBe(true);
    file.write(bytes(10, 3), 0, 10, 1000);
    file.sync();
    file.close();
    expect(pattern(fileSystem, '/data/a')).toBe('2×600 1×400 3×10 1×990');
    expect(pattern(fileSystem.survivors(NOTHING_UNFLUSHED), '/data/a')).toBe('1×1000 3×10 1×990');
  });

  it('is no other failure', () => {
    const fileSystem = new FaultyFileSystem(start(), { failAt: { call: 1, osCode: 'EIO' } });
    expect(isFailedFlush(thrownBy(() => fileSystem.remove('/data/a')))).toBe(false);
  });
});

describe('a call that fails for ever', () => {
  it('fails with all that follow, and reading goes on', () => {
    const fileSystem = new FaultyFileSystem(start(), {
      failAt: { call: 1, osCode: 'ENOSPC', isForEver: true }
    });
    expect(() => fileSystem.remove('/data/a')).toThrow('ENOSPC');
    expect(() => fileSystem.makeDirectory('/data/b')).toThrow('ENOSPC');
    expect(pattern(fileSystem, '/data/a')).toBe('1×2000');
  });

  it('can be one that reads', () => {
    const fileSystem = new FaultyFileSystem(start(), { failReadAt: { call: 2, osCode: 'EIO' } });
    const file = fileSystem.open('/data/a', 'read');
    const read = () => file.read(new Uint8Array(10), 0, 10, 0);
    expect(read()).toBe(10);
    expect(read).toThrow('EIO');
    expect(read()).toBe(10);
  });
});

describe('the memory file system', () => {
  it('takes a copy of another one, modes included', () => {
    const source = start();
    source.makeDirectory('/data/empty');
    source.changeMode('/data/a', 0o444);
    const target = new MemoryFileSystem();
    copyTree({ fileSystem: source, path: '/data' }, { fileSystem: target, path: '/copies/one' });
    expect(pattern(target, '/copies/one/a')).toBe('1×2000');
    expect(target.describe('/copies/one/a')?.mode).toBe(0o444);
    expect(target.list('/copies/one/empty')).toEqual([]);
  });

  it('is full at its capacity', () => {
    const fileSystem = new MemoryFileSystem({ capacityBytes: 100 });
    write(fileSystem, '/a', bytes(60, 1));
    expect(fileSystem.freeBytes('/')).toBe(40);
    expect(() => write(fileSystem, '/b', bytes(41, 1))).toThrow(
      expect.objectContaining({ details: { file: '/b', osCode: 'ENOSPC' } })
    );
    fileSystem.remove('/a');
    expect(fileSystem.freeBytes('/')).toBe(100);
  });

  it('does not open a read-only file for writing', () => {
    const fileSystem = start();
    fileSystem.changeMode('/data/a', 0o444);
    expect(() => fileSystem.open('/data/a', 'readWrite')).toThrow(
      expect.objectContaining({ details: { file: '/data/a', osCode: 'EACCES' } })
    );
    fileSystem.open('/data/a', 'read').close();
  });
});

describe('random numbers', () => {
  it('are the same for the same seed and others for the next', () => {
    const numbers = (seed: number): number[] => {
      const prng = new Prng(seed);
      return Array.from({ length: 8 }, () => prng.next());
    };
    expect(numbers(1)).toEqual(numbers(1));
    expect(new Set([0, 1, 2, 3].flatMap(numbers)).size).toBe(32);
  });

  it('stay in their range and reach all of it', () => {
    const prng = new Prng(7);
    const seen = new Set(Array.from({ length: 500 }, () => prng.between({ low: 3, high: 6 })));
    expect([...seen].sort()).toEqual([3, 4, 5, 6]);
    expect(prng.shuffled([1, 2, 3, 4, 5]).sort()).toEqual([1, 2, 3, 4, 5]);
    const share = Array.from({ length: 2000 }, () => prng.chance(0.25)).filter(Boolean).length / 2000;
    expect(share).toBeGreaterThan(0.2);
    expect(share).toBeLessThan(0.3);
  });
});
