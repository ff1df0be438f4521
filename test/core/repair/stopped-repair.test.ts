/** A repair that is stopped at any of its turns, and the next one, which ends it. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { OperationControl } from '../../../src-core/database/operation-control.ts';
import { openDatabase } from '../../../src-core/database/database.ts';
import { OperationStopped } from '../../../src-core/errors.ts';
import { openDirectoryDonor } from '../../../src-core/repair/directory-donor.ts';
import { describeLoss, lossInWords } from '../../../src-core/repair/loss.ts';
import { writeSampleDatabase } from '../../../src-core/sample/write-sample-database.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { differenceOf, streamContentOf } from '../../support/stream-content.ts';
import {
  bytesOf,
  checkpointOf,
  CHUNK_SIZE,
  copyOf,
  DATABASE,
  flip,
  hastyControl,
  int64,
  namesIn,
  overwrite,
  repair,
  sampleInMemory
} from './repair-sample.ts';

const CHUNK = 'chunk-000001.000000';
const PAYLOAD_OFFSET = 128 + 4 + 150;
/** Stops are tried at so many of the turns. */
const STOPS = 8;

let whole: MemoryFileSystem;
beforeAll(async () => {
  whole = await sampleInMemory();
});

const filterOf = (fileSystem: MemoryFileSystem): string =>
  namesIn(fileSystem, `${DATABASE}/index`).find((name) => name.endsWith('.bloomfilter'))!;

/** Every stop leaves what the next repair ends. */
async function expectStoppable(
  damaged: MemoryFileSystem,
  run: (fileSystem: MemoryFileSystem, control: OperationControl) => ReturnType<typeof repair>,
  expectEnd: (fileSystem: MemoryFileSystem) => Promise<void>
): Promise<void> {
  let turns = 0;
  const unstopped = copyOf(damaged);
  await run(
    unstopped,
    hastyControl((count) => (turns = count))
  );
  await expectEnd(unstopped);
  expect(turns).toBeGreaterThan(STOPS);
  for (let n = 1; n <= STOPS; n++) {
    const fileSystem = copyOf(damaged);
    const abort = new AbortController();
    const at = Math.ceil((turns * n) / STOPS);
    const control = hastyControl((count) => {
      if (count === at) abort.abort();
    }, abort.signal);
    await expect(run(fileSystem, control), `turn ${at}`).rejects.toBeInstanceOf(OperationStopped);
    await run(fileSystem, uncontrolled());
    await expectEnd(fileSystem);
  }
}

async function expectWhole(fileSystem: MemoryFileSystem): Promise<void> {
  const content = await streamContentOf(whole, DATABASE);
  expect(differenceOf(content, await streamContentOf(fileSystem, DATABASE))).toEqual({
    missing: 0,
    surplus: 0
  });
  expect((await repair(fileSystem, { dryRun: true })).ok).toBe(true);
}

describe('a repair is stopped', () => {
  it('while it takes a chunk from a backup, and rewrites a filter', async () => {
    const damaged = copyOf(whole);
    flip(damaged, CHUNK, PAYLOAD_OFFSET);
    overwrite(damaged, `index/${filterOf(damaged)}`, Buffer.alloc(10));
    await expectStoppable(
      damaged,
      (fileSystem, control) => repair(fileSystem, { control, donor: openDirectoryDonor(whole, DATABASE) }),
      expectWhole
    );
  });

  it('while it says what would be lost', async () => {
    const damaged = copyOf(whole);
    flip(damaged, CHUNK, PAYLOAD_OFFSET);
    const before = bytesOf(damaged, CHUNK);
    await expectStoppable(
      damaged,
      (fileSystem, control) => repair(fileSystem, { control }),
      async (fileSystem) => {
        const { unrepaired } = await repair(fileSystem);
        expect(unrepaired).toMatchObject([
          { code: 'chunkHashMismatch', file: CHUNK, lost: { from: CHUNK_SIZE, to: 2 * CHUNK_SIZE } }
        ]);
        expect(unrepaired[0]!.lost!.indexEntries).toBeGreaterThan(0);
        expect(bytesOf(fileSystem, CHUNK).equals(before)).toBe(true);
      }
    );
  });

  it('while it counts the records of files behind the end of the log', async () => {
    const damaged = copyOf(whole);
    for (const name of ['writer', 'chaser']) overwrite(damaged, `${name}.chk`, int64(2 * CHUNK_SIZE));
    overwrite(damaged, 'epoch.chk', int64(-1));
    damaged.remove(`${DATABASE}/index/indexmap`);
    await expectStoppable(
      damaged,
      (fileSystem, control) => repair(fileSystem, { control, only: ['surplusChunk'] }),
      async (fileSystem) => {
        const { unrepaired, actions } = await repair(fileSystem, { only: ['surplusChunk'] });
        expect(actions).toEqual([]);
        expect(unrepaired.filter(({ code }) => code === 'surplusChunk').length).toBeGreaterThan(0);
      }
    );
  });
});

it('a chunk of a backup with thousands of records lets other work in between them', async () => {
  const large = new MemoryFileSystem();
  large.makeDirectory('/node');
  await writeSampleDatabase({
    fileSystem: large,
    dataDirectory: DATABASE,
    sizeBytes: 1_500_000,
    chunkSizeBytes: 1_048_576,
    seed: 3,
    now: ticksFromIso('2026-01-01T00:00:00Z')!,
    control: uncontrolled()
  });
  const damaged = copyOf(large);
  flip(damaged, 'chunk-000000.000000', PAYLOAD_OFFSET);
  const donor = openDirectoryDonor(large, DATABASE);
  let turns = 0;
  const { ok } = await repair(damaged, { donor, control: hastyControl(() => turns++) });
  expect(ok).toBe(true);
  expect(turns).toBeGreaterThan(1000);
});

it('a range in which only records without a stream read says how many, and names none', async () => {
  const database = openDatabase({ fileSystem: whole, dataDirectory: DATABASE });
  const from = checkpointOf(whole, 'epoch');
  const lost = await describeLoss({ database, from, to: from + 1, control: uncontrolled() });
  database.close();
  expect(lost).toMatchObject({ readableRecords: 1, streams: [], moreStreams: 0 });
  expect(lossInWords(lost)).toMatch(/: 1 of its records are still readable(;|$)/);
});
