/**
 * A repair that is cut or refused at calls that write or flush, in each of the ways of cut-enumeration.ts. The
 * next repair finishes: what readers get is then what they get after an uncut one, nothing damaged is left, and at no
 * moment is a byte of the damaged files lost.
 */
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, describe, expect } from 'vitest';
import { uncontrolled } from '../../src-core/database/operation-control.ts';
import { EngineError } from '../../src-core/errors.ts';
import { openDirectoryDonor } from '../../src-core/repair/directory-donor.ts';
import { rebuildIndex } from '../../src-core/repair/rebuild-index.ts';
import { runRepair, type RepairOutcome, type RunRepair } from '../../src-core/repair/run-repair.ts';
import { readWholeFile, type FileSystem } from '../../src-core/storage/file-system.ts';
import { NodeFileSystem } from '../../src-core/storage/node-file-system.ts';
import { verifyDatabase } from '../../src-core/verify/verify-database.ts';
import { copyTree } from '../support/copy-tree.ts';
import { damageOf, removeUnpacked, unpackDamaged, unpackDatabase } from '../support/golden.ts';
import { MemoryFileSystem } from '../support/memory-file-system.ts';
import { streamContentOf } from '../support/stream-content.ts';
import { testAllFaults, type AllFaults } from './all-faults.ts';

afterAll(removeUnpacked);

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

function testRepair(
  what: string,
  name: string,
  change: () => Partial<RunRepair>,
  more: Partial<AllFaults<unknown>> = {}
): void {
  const subject = () => {
    const dataDirectory = unpackDamaged(name);
    const fileSystem = new MemoryFileSystem();
    fileSystem.makeDirectory('/node');
    copyTree({ fileSystem: new NodeFileSystem(), path: dataDirectory }, { fileSystem, path: DATABASE });
    // Old values of checkpoints are kept in the list of moves; a file of eight bytes is not worth a copy.
    const damaged = [...hashesOf(fileSystem, '/node')].filter(([path]) => !path.endsWith('.chk'));
    return {
      prepare: () => fileSystem,
      act: (disk: FileSystem) => repair(disk, change()),
      resume: async (disk: FileSystem) => {
        const { ok } = await repair(disk, { ...change(), stamp: '20261121T060000Z' });
        expect(ok).toBe(true);
      },
      contentOf,
      look: (disk: FileSystem) => {
        const kept = new Set(hashesOf(disk, '/node').values());
        expect(damaged.filter(([, hash]) => !kept.has(hash))).toEqual([]);
      }
    };
  };
  testAllFaults({
    name: `repair that ${what}`,
    operation: 'repair',
    leastCalls: 4,
    refuseEvery: 3,
    againEvery: 6,
    readEvery: 120,
    ...more,
    subject
  });
}

describe('a repair that', () => {
  describe.each([
    ['heals a chunk', 'damaged-a-padding-after-data', {}],
    ['lets an older version step in', 'damaged-g-extra-newer-bogus-version', {}],
    ['moves an older version away', 'damaged-g-extra-old-version', {}],
    ['makes all checkpoints', 'damaged-h-all-chk-missing', {}],
    ['sets the writer back', 'damaged-h-writer-plus-100', {}],
    ['sets the writer forward', 'damaged-h-writer-behind-chaser', {}],
    ['cuts the log', 'damaged-d-last-chunk-truncated-file-below-writer', { acceptLoss: true }],
    ['writes a filter', 'damaged-e-bloomfilter-byte', {}]
  ] as const)('%s', (what, name, change) => testRepair(what, name, () => change));

  describe('writes the index', () =>
    testRepair('writes the index', 'damaged-f-ptable-missing', () => ({}), {
      cutEvery: 4,
      refuseEvery: 6,
      againEvery: 16
    }));

  describe('takes a chunk from a backup', () => {
    const name = 'damaged-a-record-data-byte';
    const donor = () => openDirectoryDonor(new NodeFileSystem(), unpackDatabase(damageOf(name).base));
    testRepair('takes a chunk from a backup', name, () => ({ donor: donor() }));
  });
});
