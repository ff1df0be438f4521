/** A rescue whose index finds little room: a table is copied by what its copy takes, and not at all where nothing goes. */
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { openIndexDirectory } from '../../../src-core/index/stream-index.ts';
import {
  planRescue,
  runRescue,
  type RescueRequest
} from '../../../src-core/scavenge/rescue/rescue-database.ts';
import { planScavenge, runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import type { TableOutcome } from '../../../src-core/scavenge/scavenge-result.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { LimitedDisk } from '../../support/limited-disk.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { SAMPLE_TIME, ScavengeSamples } from '../../support/scavenge-sample.ts';

const samples = new ScavengeSamples();
afterEach(() => samples.removeAll());

/** The index map is written again beside each copy. */
const MAP_BYTES = 16_384;

function requestOf(dataDirectory: string): RescueRequest {
  const own = { winnowHome: samples.directory(), scratchDirectory: samples.directory(), now: SAMPLE_TIME };
  return {
    ...scavengeRequest(dataDirectory, { scavengePoint: 'auto', ...own }),
    rescue: { reserveBytes: 0 }
  };
}

function filterBytesOf(dataDirectory: string, { level, order }: TableOutcome): number {
  const fileSystem = new NodeFileSystem();
  const database = openDatabase({ fileSystem, dataDirectory });
  const { log, indexDirectory } = database;
  const directory = openIndexDirectory({ fileSystem, directory: indexDirectory, log });
  const table = directory.map?.tables.find((other) => other.level === level && other.position === order);
  directory.close();
  database.close();
  return fileSystem.describe(join(indexDirectory, `${table?.file}.bloomfilter`))?.size ?? 0;
}

it('tables of which enough goes are copied where there is room for their copies, and left where a byte is missing', async () => {
  const original = await samples.write(
    { sizeBytes: 140_000, chunkSizeBytes: 65_536, seed: 7 },
    { withPoint: false }
  );
  const { tables } = await planRescue(requestOf(original), scavengeEnvironment());
  // Newest first: what has gone of one is room for the next.
  let freed = 0;
  let needed = 0;
  for (const table of tables) {
    const { bytesBefore, bytesAfter } = table;
    needed = Math.max(needed, bytesAfter + filterBytesOf(original, table) + MAP_BYTES - freed);
    freed += bytesBefore - bytesAfter;
  }
  expect(freed).toBeGreaterThan(0);
  const [rescued, short] = [samples.copy(original), samples.copy(original)];
  const rescue = async (directory: string, spareBytes: number) => {
    const disk = new LimitedDisk(join(directory, 'index'), { spareBytes });
    const report = await runRescue(requestOf(directory), scavengeEnvironment({ fileSystem: disk }));
    expect(disk.refusals).toBe(0);
    return report;
  };
  const first = await rescue(rescued, needed);
  expect(first).toMatchObject({ result: 'success' });
  expect(first.tables.map(({ bytesAfter }) => bytesAfter)).toEqual(
    tables.map(({ bytesAfter }) => bytesAfter)
  );
  const left = await rescue(short, needed - 1);
  expect(left).toMatchObject({ result: 'stopped', warnings: [{ code: 'tablesLeft' }] });
  expect(left.tables.length).toBeLessThan(tables.length);
  // Again, with no room at all: nothing goes of tables that were copied.
  const again = await rescue(rescued, 0);
  expect(again.result).toBe('success');
  expect(again.tables).toHaveLength(tables.length);
  for (const { bytesBefore, bytesAfter } of again.tables) expect(bytesAfter).toBe(bytesBefore);
});

it('what a run or a plan needs a place for, and has none, is named', async () => {
  const directory = await samples.write(
    { sizeBytes: 60_000, chunkSizeBytes: 65_536, seed: 7 },
    { withPoint: true }
  );
  await runScavenge(scavengeRequest(directory, { stopAfter: 'calculation' }), scavengeEnvironment());
  await expect(planScavenge(scavengeRequest(directory), scavengeEnvironment())).rejects.toMatchObject({
    code: 'InvalidRequest',
    details: { field: 'scratchDirectory' }
  });
  const detached = scavengeRequest(directory, { scavengePoint: 'detached', startAfresh: true });
  await expect(runScavenge(detached, scavengeEnvironment())).rejects.toMatchObject({
    code: 'InvalidRequest',
    details: { field: 'winnowHome' }
  });
  const cached = scavengeRequest(directory, { cacheSizeBytes: 1024 * 1024 });
  expect((await runScavenge(cached, scavengeEnvironment())).result).toBe('success');
});
