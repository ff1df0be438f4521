import { deepStrictEqual } from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import { readWholeFile, type FileSystem } from '../../../src-core/storage/file-system.ts';
import { replaceFile } from '../../../src-core/storage/replace-file.ts';
import { cutReportText, enumerateCuts, type CutSubject } from '../../support/cut-enumeration.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';

const NEW = new Uint8Array(3000).fill(2);

function start(): MemoryFileSystem {
  const fileSystem = new MemoryFileSystem();
  fileSystem.makeDirectory('/data');
  const file = fileSystem.open('/data/a', 'createNew');
  file.write(new Uint8Array(2000).fill(1), 0, 2000, 0);
  file.close();
  return fileSystem;
}

const contentOf = (fileSystem: FileSystem) => [...(readWholeFile(fileSystem, '/data/a') ?? [])];

/** A reader of the file must see the old content or the new one at any moment. */
function replacing(replace: (fileSystem: FileSystem) => void): CutSubject<number[]> {
  return {
    prepare: start,
    act: (fileSystem) => Promise.resolve(replace(fileSystem)),
    contentOf,
    look: (fileSystem, { before, after }) => {
      const found = contentOf(fileSystem);
      if (found[0] !== before[0]) deepStrictEqual(found, after);
      else deepStrictEqual(found, before);
    }
  };
}

let temporaries = 0;
const replaceSafely = (fileSystem: FileSystem) =>
  replaceFile(fileSystem, { directory: '/data', name: 'a', temporaryName: `a.${++temporaries}`, bytes: NEW });

describe('the enumeration of cuts', () => {
  it('finds nothing wrong with a file that is replaced as it should be', async () => {
    const report = await enumerateCuts(replacing(replaceSafely));
    expect(report.trail).toEqual([
      expect.stringMatching(/^create a\.\d+$/),
      expect.stringMatching(/^mode a\.\d+$/),
      expect.stringMatching(/^write a\.\d+$/),
      expect.stringMatching(/^flush a\.\d+$/),
      'rename a',
      'flush data'
    ]);
    expect(report).toMatchObject({ calls: 6, flushes: 2, cutCalls: 6 });
    expect(report.disks).toEqual({ before: 6, half: 6, lost: 6, mixed: 6 });
    expect(report.resumed).toBeGreaterThan(6);
    expect(cutReportText('replace', report)).toContain('W 6 calls (2 flushes), 6 cut');
  });

  it('finds the cut at which a file is written in place', async () => {
    const inPlace = replacing((fileSystem) => {
      const file = fileSystem.open('/data/a', 'readWrite');
      file.write(NEW, 0, NEW.length, 0);
      file.sync();
      file.close();
    });
    await expect(enumerateCuts(inPlace)).rejects.toThrow(/^cut at call 1 of 2 \(write a\), half/);
  });

  it('finds a flush that is missing before the renaming', async () => {
    const unflushed = replacing((fileSystem) => {
      const file = fileSystem.open(`/data/a.${++temporaries}`, 'createNew');
      file.write(NEW, 0, NEW.length, 0);
      file.close();
      fileSystem.rename(file.path, '/data/a');
      fileSystem.syncDirectory('/data');
    });
    await expect(enumerateCuts(unflushed)).rejects.toThrow(/^cut at call 3 of 4 \(rename a\), half/);
  });

  it('finds a removal that comes before the flush of what takes its place', async () => {
    const hasty = replacing((fileSystem) => {
      if (!fileSystem.describe('/data/a')) return;
      fileSystem.remove('/data/b');
      const file = fileSystem.open('/data/b', 'createNew');
      file.write(NEW, 0, NEW.length, 0);
      file.sync();
      file.close();
      fileSystem.remove('/data/a');
    });
    const either = (fileSystem: FileSystem) => readWholeFile(fileSystem, '/data/b')?.length ?? 0;
    await expect(
      enumerateCuts({
        ...hasty,
        contentOf: (fileSystem) => [either(fileSystem)],
        look: (fileSystem) => {
          if (!fileSystem.describe('/data/a') && either(fileSystem) < NEW.length)
            throw new Error('both are gone');
        }
      })
    ).rejects.toThrow(/^cut at call 5 of 5 \(remove a\), half, seed 1: both are gone/);
  });

  it('refuses an operation that hides the cut', async () => {
    const hiding = replacing((fileSystem) => {
      try {
        replaceSafely(fileSystem);
      } catch {
        // the machine is off, and this operation says that all is well
      }
    });
    await expect(enumerateCuts(hiding)).rejects.toThrow('ended well although the power was cut at call 1');
  });

  it('cuts every n-th call when asked to, and moments that are no calls', async () => {
    const subject: CutSubject<number[]> = {
      ...replacing(replaceSafely),
      act: (fileSystem, mark) => {
        mark('beginning');
        return Promise.resolve(replaceSafely(fileSystem));
      }
    };
    const report = await enumerateCuts(subject, { every: 3, seed: 2, ways: ['lost'] });
    expect(report.trail[0]).toBe('mark beginning');
    expect(report).toMatchObject({ calls: 7, cutCalls: 2, disks: { before: 0, half: 0, lost: 2, mixed: 0 } });
  });
});
