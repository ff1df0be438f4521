/**
 * A detached scavenge takes entries from the index and may leave their records in chunks below its threshold; nothing
 * in the log tells of it. Verification must not call that damage, and must call a gap in a stream just that.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { filterTable } from '../../../src-core/index/filter-table.ts';
import { openStreamIndex } from '../../../src-core/index/stream-index.ts';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { verifyDatabase } from '../../../src-core/verify/verify-database.ts';
import { withDatabase } from '../../support/database-content.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { SAMPLE_TIME, ScavengeSamples } from '../../support/scavenge-sample.ts';

const samples = new ScavengeSamples();
let bare = '';
beforeAll(async () => {
  bare = await samples.write({ sizeBytes: 300_000, chunkSizeBytes: 65536, seed: 8 }, { withPoint: false });
});
afterAll(() => samples.removeAll());

async function findingsOf(directory: string) {
  return withDatabase(directory, async (database) => {
    const { findings } = await verifyDatabase({ database, quick: false, control: uncontrolled() });
    return findings.filter(({ code }) => code === 'recordWithoutIndexEntry').map(({ severity }) => severity);
  });
}

it('records that a detached scavenge left below its threshold are a hint', async () => {
  const directory = samples.copy(bare);
  const request = scavengeRequest(directory, {
    scavengePoint: 'detached',
    now: SAMPLE_TIME,
    threshold: 1_000_000,
    winnowHome: samples.directory()
  });
  const report = await runScavenge(request, scavengeEnvironment());
  expect(report.indexEntriesDiscarded).toBeGreaterThan(0);
  expect(report.recordsDiscarded).toBe(0);
  expect(await findingsOf(directory)).toEqual(['hint']);
});

it('an entry that is missing between others of its stream is damage', async () => {
  const directory = samples.copy(bare);
  const fileSystem = new NodeFileSystem();
  const { log, indexDirectory } = openDatabase({ fileSystem, dataDirectory: directory });
  const index = await openStreamIndex({ fileSystem, directory: indexDirectory, log });
  const table = index.tables.at(-1)!;
  let previous = '';
  let dropped = 0;
  const filtered = await filterTable({
    fileSystem,
    directory: indexDirectory,
    table,
    newName: 'f0000000-0000-4000-8000-000000000000',
    isDryRun: false,
    breathe: () => Promise.resolve(),
    // Entries come with falling numbers: the second of a stream, if it is not its first event, leaves a gap.
    keep: (high, low, number) => {
      const hash = `${high} ${low}`;
      const isGap = dropped === 0 && hash === previous && number > 0;
      previous = hash;
      if (isGap) dropped++;
      return !isGap;
    }
  });
  index.switchIn(table, filtered.written!.name, 'f0000000-0000-4000-8000-000000000001');
  index.close();
  expect(dropped).toBe(1);
  expect(await findingsOf(directory)).toEqual(['damage']);
});
