/**
 * A repair that is cut at every single call that writes or flushes, in each of the ways of cut-enumeration.ts. The
 * next repair finishes: what readers get is then what they get after an uncut one, nothing damaged is left, and at no
 * moment is a byte of the damaged files lost.
 */
import { createHash, randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { uncontrolled } from '../../src-core/database/operation-control.ts';
import { EngineError } from '../../src-core/errors.ts';
import { openDirectoryDonor } from '../../src-core/repair/directory-donor.ts';
import { rebuildIndex } from '../../src-core/repair/rebuild-index.ts';
import { runRepair, type RepairOutcome, type RunRepair } from '../../src-core/repair/run-repair.ts';
import { readWholeFile, type FileSystem } from '../../src-core/storage/file-system.ts';
import { NodeFileSystem } from '../../src-core/storage/node-file-system.ts';
import { verifyDatabase } from '../../src-core/verify/verify-database.ts';
import { copyTree } from '../support/copy-tree.ts';
import { enumerateCuts, type CutChoice } from '../support/cut-enumeration.ts';
import { damageOf, removeUnpacked, unpackDamaged, unpackDatabase } from '../support/golden.ts';
import { MemoryFileSystem } from '../support/memory-file-system.ts';
import { streamContentOf } from '../support/stream-content.ts';

afterEach(removeUnpacked);

const DATABASE = '/node/db';
const control = uncontrolled();

function repair(fileSystem: FileSystem, change: Partial<RunRepair>): Promise<RepairOutcome> {
  return runRepair({
    place: { fileSystem, dataDirectory: DATABASE },
    verify: (database) => verifyDatabase({ database, quick: false, control }),
    rebuildIndex: async (place) => {
      await rebuildIndex({ ...place, control, newGuid: randomUUID });
    },
    acceptLoss: false,
    only: [],
    dryRun: false,
    assumeStopped: false,
    stamp: '20261121T050000Z',
    newGuid: randomUUID,
    control,
    ...change
  });
}

function hashesOf(fileSystem: FileSystem, directory: string): Map<string, string> {
  const hashes = new Map<string, string>();
  for (const { name, isDirectory } of fileSystem.list(directory) ?? []) {
    const path = fileSystem.join(directory, name);
    if (isDirectory) {
      for (const [inner, hash] of hashesOf(fileSystem, path)) hashes.set(inner, hash);
    } else {
      const bytes = readWholeFile(fileSystem, path) ?? new Uint8Array(0);
      hashes.set(path, createHash('sha256').update(bytes).digest('hex'));
    }
  }
  return hashes;
}

/** What readers get; a damaged log may not be readable as a whole. */
async function contentOf(fileSystem: FileSystem): Promise<unknown> {
  try {
    return [...(await streamContentOf(fileSystem, DATABASE))];
  } catch (error) {
    if (error instanceof EngineError) return error.code;
    throw error;
  }
}

async function cutEverywhere(
  name: string,
  change: Partial<RunRepair>,
  choice: CutChoice = {}
): Promise<void> {
  const dataDirectory = unpackDamaged(name);
  const fileSystem = new MemoryFileSystem();
  fileSystem.makeDirectory('/node');
  copyTree({ fileSystem: new NodeFileSystem(), path: dataDirectory }, { fileSystem, path: DATABASE });
  // Old values of checkpoints are kept in the list of moves; a file of eight bytes is not worth a copy.
  const damaged = [...hashesOf(fileSystem, '/node')].filter(([path]) => !path.endsWith('.chk'));
  const report = await enumerateCuts(
    {
      prepare: () => fileSystem,
      act: (disk) => repair(disk, change),
      resume: async (disk) => {
        const { ok } = await repair(disk, { ...change, stamp: '20261121T060000Z' });
        expect(ok).toBe(true);
      },
      contentOf,
      look: (disk) => {
        const kept = new Set(hashesOf(disk, '/node').values());
        expect(damaged.filter(([, hash]) => !kept.has(hash))).toEqual([]);
      }
    },
    choice
  );
  expect(report.flushes).toBeGreaterThan(2);
}

describe('a power cut at any call of a repair is harmless: it', () => {
  it.each([
    ['heals a chunk', 'damaged-a-padding-after-data', {}],
    ['lets an older version step in', 'damaged-g-extra-newer-bogus-version', {}],
    ['moves an older version away', 'damaged-g-extra-old-version', {}],
    ['makes all checkpoints', 'damaged-h-all-chk-missing', {}],
    ['sets the writer back', 'damaged-h-writer-plus-100', {}],
    ['sets the writer forward', 'damaged-h-writer-behind-chaser', {}],
    ['cuts the log', 'damaged-d-last-chunk-truncated-file-below-writer', { acceptLoss: true }],
    ['writes a filter', 'damaged-e-bloomfilter-byte', {}]
  ] as const)('%s', (_what, name, change) => cutEverywhere(name, change));

  it('writes the index', () => cutEverywhere('damaged-f-ptable-missing', {}, { every: 3 }));

  it('takes a chunk from a backup', async () => {
    const name = 'damaged-a-record-data-byte';
    const donor = openDirectoryDonor(new NodeFileSystem(), unpackDatabase(damageOf(name).base));
    await cutEverywhere(name, { donor });
  });
});
