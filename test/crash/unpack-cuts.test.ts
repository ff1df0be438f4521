/** The unpacking of a bundle cut at every call of the file system: there is no directory, or a whole one, and the next run makes it. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ARCHIVE_BLOCK, encodeArchiveHead } from '../../src-core/bundle/archive/archive-head.ts';
import { unpackBundle } from '../../src-core/bundle/archive/unpack-bundle.ts';
import { uncontrolled } from '../../src-core/database/operation-control.ts';
import { readWholeFile, type FileSystem } from '../../src-core/storage/file-system.ts';
import { cutReportText, enumerateCuts, type CutSubject } from '../support/cut-enumeration.ts';
import { enumerateFailures, failureReportText } from '../support/failure-enumeration.ts';
import { MemoryFileSystem } from '../support/memory-file-system.ts';
import { Prng } from '../support/prng.ts';

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

const prng = new Prng(7);
const FILES: [string, Buffer][] = [
  [
    'chunk-000000.000000',
    Buffer.concat([Buffer.from(prng.bytes(3000)), Buffer.alloc(20_000), Buffer.from('end')])
  ],
  ['chunk-000001.000000', Buffer.alloc(9000)],
  ['index/indexmap', Buffer.from(prng.bytes(700))],
  ['index/stream-existence/streamExistenceFilter.chk', Buffer.alloc(8, 3)],
  ['writer.chk', Buffer.alloc(8, 2)]
];

function* packed(): Generator<Buffer> {
  const bytes = FILES.reduce((sum, [, content]) => sum + content.length, 0);
  const facts = {
    bundle: 1,
    files: FILES.length,
    bytes,
    headersOnly: true,
    madeAt: '2026-01-01T00:00:00.0000000Z'
  };
  const manifest = Buffer.from(JSON.stringify({ ...facts, chunks: 2, records: 9 }));
  for (const [name, content] of [['bundle.json', manifest] as const, ...FILES]) {
    yield encodeArchiveHead({ name: `bundle/${name}`, size: content.length });
    if (content.length > 0) yield content;
    yield Buffer.alloc((ARCHIVE_BLOCK - (content.length % ARCHIVE_BLOCK)) % ARCHIVE_BLOCK);
  }
  yield Buffer.alloc(2 * ARCHIVE_BLOCK);
}

async function* blocks(): AsyncGenerator<Uint8Array> {
  for (const block of packed()) yield await Promise.resolve(block);
}

const subject: CutSubject<Tree> = {
  prepare: () => {
    const memory = new MemoryFileSystem();
    memory.makeDirectory('/out');
    return memory;
  },
  act: async (fileSystem) => {
    if (fileSystem.describe(TARGET)) return;
    await unpackBundle({
      fileSystem,
      file: '/in/x',
      blocks: blocks(),
      target: TARGET,
      control: uncontrolled()
    });
  },
  contentOf: (fileSystem) => treeOf(fileSystem, '/out'),
  look: (fileSystem, { after }) => {
    expect(treeOf(fileSystem, TARGET)).toEqual(fileSystem.describe(TARGET) ? after : {});
  }
};

describe('an unpacked bundle', () => {
  it('is there whole or not at all, wherever it was cut, and is made by the next run', async () => {
    const report = await enumerateCuts(subject);
    console.log(cutReportText('unpacking', report));
    expect(report.calls).toBeGreaterThan(20);
  });

  it('is refused by name where the disk refuses, and made by the next run', async () => {
    const report = await enumerateFailures(subject, { oneCodeEach: true });
    console.log(failureReportText('unpacking', report));
    expect(report.refused['StorageFailed']).toBeGreaterThan(0);
  });
});
