/** A bundle cut at every call of the file system, and a disk that refuses: there is none, or a whole one, and the next run ends well. */
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { readWholeFile, type FileSystem } from '../../src-core/storage/file-system.ts';
import { writeCrashDatabase } from '../support/crash-database.ts';
import type { CutSubject } from '../support/cut-enumeration.ts';
import { makeBundle } from '../support/make-bundle.ts';
import { testAllFaults } from './all-faults.ts';

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
  await makeBundle(fileSystem, { source: SOURCE, target: TARGET, headersOnly: false });
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

testAllFaults({
  name: 'bundle',
  operation: 'bundle',
  leastCalls: 50,
  refuseEvery: 2,
  againEvery: 20,
  readEvery: 60,
  subject: () => subject
});
