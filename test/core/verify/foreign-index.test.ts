/** The index of one database under the data of another: each is sound by itself, and only the index is at fault. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { type OperationControl, uncontrolled } from '../../../src-core/database/operation-control.ts';
import { decodeIndexMap, encodeIndexMap } from '../../../src-core/index/index-map.ts';
import { examineStart } from '../../../src-core/insight/doctor/examine-start.ts';
import { writeSampleDatabase } from '../../../src-core/sample/write-sample-database.ts';
import type { FileSystem } from '../../../src-core/storage/file-system.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import { verifyDatabase, type Verification } from '../../../src-core/verify/verify-database.ts';
import { copyTree } from '../../support/copy-tree.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { bytesOf, DATABASE, flip, overwrite, repair } from '../repair/repair-sample.ts';

const control: OperationControl = uncontrolled();
const nodeFiles = new NodeFileSystem();
afterEach(removeUnpacked);

async function verify(dataDirectory: string, fileSystem: FileSystem = nodeFiles): Promise<Verification> {
  const database = openDatabase({ fileSystem, dataDirectory });
  try {
    return await verifyDatabase({ database, quick: false, control });
  } finally {
    database.close();
  }
}

const damages = ({ findings }: Verification) =>
  findings
    .filter(({ severity }) => severity === 'damage')
    .map(({ code, file, command }) => `${code} ${file} ${command}`);

function withIndexOf(
  data: { name: string; folder: string },
  index: { name: string; folder: string }
): string {
  const directory = unpackDatabase(data);
  const other = join(unpackDatabase(index), 'index');
  rmSync(join(directory, 'index'), { recursive: true, force: true });
  cpSync(other, join(directory, 'index'), { recursive: true });
  return directory;
}

/** A sample whose index has tables, and one of another seed. */
async function sample(seed: number): Promise<MemoryFileSystem> {
  const fileSystem = new MemoryFileSystem();
  fileSystem.makeDirectory('/node');
  await writeSampleDatabase({
    fileSystem,
    dataDirectory: DATABASE,
    sizeBytes: 200_000,
    chunkSizeBytes: 32_768,
    seed,
    now: ticksFromIso('2026-01-01T00:00:00Z')!,
    control
  });
  return fileSystem;
}

async function mixedSample(): Promise<MemoryFileSystem> {
  const [own, other] = [await sample(3), await sample(4)];
  const index = `${DATABASE}/index`;
  own.removeDirectory(index);
  copyTree({ fileSystem: other, path: index }, { fileSystem: own, path: index });
  return own;
}

describe('an index of another node', () => {
  it.each([
    [
      { name: 'tables', folder: 'before' },
      { name: 'current-a', folder: 'before' }
    ],
    [
      { name: 'restored', folder: 'restored-0' },
      { name: 'killed-clean-tables', folder: 'at-kill' }
    ],
    [
      { name: 'current-a', folder: 'after' },
      { name: 'restored', folder: 'backup' }
    ]
  ])('is at fault itself, not the chunks: %o with the index of %o', async (data, index) => {
    const directory = withIndexOf(data, index);
    const found = await verify(directory);
    expect(damages(found)).toEqual(['indexEntryWithoutRecord indexmap winnow index rebuild']);
    expect(found.findings.map(({ message }) => message).join()).toContain('the index is from another node');
    const start = await examineStart({
      place: { fileSystem: nodeFiles, dataDirectory: directory },
      isThorough: true,
      control
    });
    expect(damages({ ...found, findings: start.findings })).toEqual(damages(found));
  });

  it('is said to be ahead of the log where it reaches beyond its end', async () => {
    const directory = withIndexOf({ name: 'plain', folder: 'after' }, { name: 'tables', folder: 'before' });
    expect(damages(await verify(directory))).toEqual(['indexAheadOfLog indexmap winnow index rebuild']);
  });

  it('is rebuilt by a repair, after which nothing is damaged', async () => {
    const fileSystem = await mixedSample();
    expect(damages(await verify(DATABASE, fileSystem))).toEqual([
      'indexEntryWithoutRecord indexmap winnow index rebuild'
    ]);
    const { ok, unrepaired, actions } = await repair(fileSystem);
    expect({ ok, unrepaired }).toEqual({ ok: true, unrepaired: [] });
    expect(actions.map(({ code, done }) => `${code} ${done}`)).toEqual(['indexEntryWithoutRecord true']);
    expect(damages(await verify(DATABASE, fileSystem))).toEqual([]);
  });

  it('is not used by readers, who read the log instead', async () => {
    const fileSystem = await mixedSample();
    const database = openDatabase({ fileSystem, dataDirectory: DATABASE });
    const index = await database.openIndex(control);
    expect(index.directory.isUsable).toBe(false);
    expect(index.recent.count).toBeGreaterThan(500);
    database.close();
  });

  it('does not hide that a chunk is damaged as well', async () => {
    const fileSystem = await mixedSample();
    flip(fileSystem, 'chunk-000001.000000', 5000);
    const found = damages(await verify(DATABASE, fileSystem));
    expect(found[0]).toContain('chunkHashMismatch chunk-000001.000000');
    expect(found).toContain('indexEntryWithoutRecord indexmap winnow index rebuild');
  });
});

describe('an own index', () => {
  it('is not blamed for records that cannot be read', async () => {
    const fileSystem = await sample(3);
    const chunk = bytesOf(fileSystem, 'chunk-000002.000000');
    chunk.fill(0, 4000, 20_000);
    overwrite(fileSystem, 'chunk-000002.000000', chunk);
    const codes = damages(await verify(DATABASE, fileSystem));
    expect(codes.filter((code) => code.startsWith('index'))).toEqual([]);
    expect(codes.length).toBeGreaterThan(0);
  });

  it('is blamed where its map names a position inside a record', async () => {
    const fileSystem = await sample(3);
    const map = decodeIndexMap(bytesOf(fileSystem, 'index/indexmap'));
    const commitCheckpoint = map.commitCheckpoint - 9;
    const moved = encodeIndexMap({ ...map, commitCheckpoint, prepareCheckpoint: commitCheckpoint });
    overwrite(fileSystem, 'index/indexmap', moved);
    const found = await verify(DATABASE, fileSystem);
    expect(damages(found)).toEqual(['indexEntryWithoutRecord indexmap winnow index rebuild']);
  });
});
