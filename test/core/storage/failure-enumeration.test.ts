import { deepStrictEqual } from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import { isFailedFlush, readWholeFile, type FileSystem } from '../../../src-core/storage/file-system.ts';
import { replaceFile } from '../../../src-core/storage/replace-file.ts';
import type { CutSubject } from '../../support/cut-enumeration.ts';
import { enumerateFailures, failureReportText } from '../../support/failure-enumeration.ts';
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
let temporaries = 0;

function replacing(replace: (fileSystem: FileSystem) => void): CutSubject<number[]> {
  return {
    prepare: start,
    act: (fileSystem) => Promise.resolve().then(() => replace(fileSystem)),
    contentOf,
    look: (fileSystem, { before, after }) => {
      const found = contentOf(fileSystem);
      deepStrictEqual(found, found[0] === before[0] ? before : after);
    }
  };
}

const replaceSafely = (fileSystem: FileSystem) =>
  replaceFile(fileSystem, { directory: '/data', name: 'a', temporaryName: `a.${++temporaries}`, bytes: NEW });

describe('the enumeration of failing calls', () => {
  it('finds nothing wrong with a file that is replaced as it should be', async () => {
    const report = await enumerateFailures(replacing(replaceSafely));
    // Six calls, two of which flush; four words of the system, once and for ever.
    expect(report).toMatchObject({ calls: 6, runs: 48, refused: { StorageFailed: 48 }, endedWell: 0 });
    expect(report.cuts).toBe(16);
    expect(failureReportText('replace', report)).toContain('6 calls, 48 runs with a failing one');
  });

  it('finds a flush that is tried again', async () => {
    const stubborn = replacing((fileSystem) => {
      try {
        replaceSafely(fileSystem);
      } catch (error) {
        if (!isFailedFlush(error)) throw error;
        replaceSafely(fileSystem);
      }
    });
    await expect(enumerateFailures(stubborn, { osCodes: ['EIO'] })).rejects.toThrow(
      /\(flush a\.\d+\) fails with EIO: the operation ended well after a failed flush/
    );
  });

  it('finds an error that has no name', async () => {
    const nameless = replacing((fileSystem) => {
      try {
        replaceSafely(fileSystem);
      } catch {
        throw new Error('it did not work');
      }
    });
    await expect(enumerateFailures(nameless)).rejects.toThrow('the error is none of the engine');
  });

  it('finds something that is removed before its place is taken', async () => {
    const hasty = replacing((fileSystem) => {
      fileSystem.remove('/data/a');
      replaceSafely(fileSystem);
    });
    await expect(enumerateFailures(hasty, { oneCodeEach: true })).rejects.toThrow(
      /^call 2 of 6 \(create a\.\d+\) fails/
    );
  });
});
