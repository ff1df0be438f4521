/** Databases of the real server: what can go is what the plan of the scavenger removes, and all records are counted. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openDatabase } from '../../../../src-core/database/database.ts';
import { ChunkDigests } from '../../../../src-core/digest/chunk-digests.ts';
import { readUsage } from '../../../../src-core/insight/usage/read-usage.ts';
import { sumUsage } from '../../../../src-core/insight/usage/usage-items.ts';
import { planScavenge } from '../../../../src-core/scavenge/run-scavenge.ts';
import { NodeFileSystem } from '../../../../src-core/storage/node-file-system.ts';
import { ticksFromIso } from '../../../../src-core/units/ticks.ts';
import { removeUnpacked, unpackDatabase } from '../../../support/golden.ts';
import { scavengeEnvironment, scavengeRequest } from '../../../support/scavenge-environment.ts';

const fileSystem = new NodeFileSystem();
const NOW = '2027-01-01T00:00:00Z';
const scratch: string[] = [];
afterEach(() => {
  removeUnpacked();
  for (const directory of scratch.splice(0)) rmSync(directory, { recursive: true, force: true });
});

function directory(): string {
  const made = mkdtempSync(join(tmpdir(), 'winnow-usage-'));
  scratch.push(made);
  return made;
}

async function total(dataDirectory: string) {
  const { operation, newGuid } = scavengeEnvironment();
  const usage = await readUsage({
    fileSystem,
    dataDirectory,
    effectiveNow: ticksFromIso(NOW)!,
    digests: new ChunkDigests({ fileSystem, newGuid, threads: 1 }),
    operation,
    newGuid
  });
  const { total: sums } = await sumUsage(usage, 'type', 1000);
  usage.close();
  return { ...sums, warnings: usage.warnings.map(({ code }) => code) };
}

function countRecords(dataDirectory: string) {
  const database = openDatabase({ fileSystem, dataDirectory });
  const cursor = database.log.cursor();
  let records = 0;
  let bytes = 0;
  for (; cursor.next(); records++) bytes += cursor.record.length + 8;
  cursor.close();
  database.close();
  return { records, bytes };
}

it.each([
  ['rules', 'before'],
  ['rules', 'after-t0'],
  ['transactions', 'before'],
  ['killed-scavenge', 'at-kill'],
  ['tables', 'before']
])('counts %s/%s and frees what its plan removes', async (name, folder) => {
  const dataDirectory = unpackDatabase({ name, folder });
  const counted = await total(dataDirectory);
  expect(counted).toMatchObject(countRecords(dataDirectory));
  const request = scavengeRequest(dataDirectory, {
    scavengePoint: 'detached',
    threshold: -1,
    merge: false,
    startAfresh: true,
    now: NOW,
    winnowHome: directory(),
    scratchDirectory: directory()
  });
  const { recordsDiscarded } = await planScavenge(request, scavengeEnvironment());
  expect(counted.discardableRecords).toBe(recordsDiscarded);
});

it('counts a log that no scavenge can pass, and says that nothing of it can go', async () => {
  const dataDirectory = unpackDatabase({ name: 'old-v0', folder: 'before' });
  const counted = await total(dataDirectory);
  expect(counted).toMatchObject({ ...countRecords(dataDirectory), discardableRecords: 0 });
  expect(counted.warnings).toEqual(['noScavenge']);
});
