/** A bundle cut at every call of the file system, and a disk that refuses: there is none, or a whole one, and the next run ends well. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src-core/database/database.ts';
import { uncontrolled } from '../../src-core/database/operation-control.ts';
import { runBundle } from '../../src-core/bundle/run-bundle.ts';
import { readWholeFile, type FileSystem } from '../../src-core/storage/file-system.ts';
import { guidsFrom, writeCrashDatabase } from '../support/crash-database.ts';
import { cutReportText, enumerateCuts, type CutSubject } from '../support/cut-enumeration.ts';
import { enumerateFailures, failureReportText } from '../support/failure-enumeration.ts';

const SOURCE = '/data/node';
const TARGET = '/out/bundle';

type Tree = Record<string, string>;

function treeOf(fileSystem: FileSystem, directory: string, tree: Tree = {}): Tree {
  for (const { name, isDirectory } of fileSystem.list(directory) ?? []) {
    const path = fileSystem.join(directory, name);
    if (isDirectory) treeOf(fileSystem, path, tree);
    else {
      tree[path] = createHash('sha256')
        .update(readWholeFile(fileSystem, path) ?? '')
        .digest('hex');
    }
  }
  return tree;
}

async function make(fileSystem: FileSystem): Promise<void> {
  if (fileSystem.describe(TARGET)) return;
  const database = openDatabase({ fileSystem, dataDirectory: SOURCE });
  try {
    await runBundle({
      database,
      target: TARGET,
      headersOnly: false,
      key: Buffer.alloc(32, 5),
      madeAt: '2026-01-01T00:00:00.0000000Z',
      newGuid: guidsFrom(3),
      makeScratch: () => '',
      control: uncontrolled()
    });
  } finally {
    database.close();
  }
}

const subject: CutSubject<Tree> = {
  prepare: async () => {
    const memory = await writeCrashDatabase({ dataDirectory: SOURCE, point: { threshold: 0 }, rounds: 2 });
    memory.makeDirectory('/out');
    return memory;
  },
  act: make,
  contentOf: (fileSystem) => ({ ...treeOf(fileSystem, SOURCE), ...treeOf(fileSystem, TARGET) }),
  look: (fileSystem, { before, after }) => {
    const now = { ...treeOf(fileSystem, SOURCE), ...treeOf(fileSystem, TARGET) };
    expect(now).toEqual(fileSystem.describe(TARGET) ? after : before);
  }
};

describe('a bundle', () => {
  it('is there whole or not at all, wherever it was cut, and is continued', async () => {
    const report = await enumerateCuts(subject);
    console.log(cutReportText('bundle', report));
    expect(report.calls).toBeGreaterThan(50);
  });

  it('is refused by name where the disk refuses, and made by the next run', async () => {
    const report = await enumerateFailures(subject, { every: 2, oneCodeEach: true });
    console.log(failureReportText('bundle', report));
    expect(report.refused['StorageFailed']).toBeGreaterThan(0);
  });
});
