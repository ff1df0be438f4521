/** What the estimated times of thresholds go by: the history of the database where it tells, else a measurement. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { requests } from '../../../src-main/contract/operations/operation-contract.ts';
import { compareThresholds } from '../../../src-main/operations/scavenge/thresholds-compare.ts';
import { ScavengeRecords } from '../../../src-main/settings/scavenge-records.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { testingContext } from '../../support/testing-context.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(os.tmpdir(), 'winnow-rate-test-'));
});
afterEach(() => {
  removeUnpacked();
  rmSync(home, { recursive: true, force: true });
});

function thresholds(dataDirectory: string, nowMs = 0) {
  const request = requests.compareThresholds.parse({
    dataDirectory,
    winnowHome: home,
    now: '2027-01-01T00:00:00Z'
  });
  const context = testingContext('compareThresholds', { dataDirectory, clock: () => nowMs });
  return compareThresholds(request, context);
}

it('measures where no scavenge is known, and goes by one that took long enough', async () => {
  const directory = unpackDatabase({ name: 'tables', folder: 'before' });
  const measured = await thresholds(directory);
  expect(measured.rate?.source).toBe('measured');
  expect(measured.rows[0]?.estimatedMs).toBeGreaterThan(0);
  const records = new ScavengeRecords(home, directory);
  const scavengeId = '26a383a4-04b3-4120-9aa3-22745c8b3e19';
  records.appendStart({
    scavengeId,
    at: '2026-12-01T00:00:00.0000000Z',
    hostName: 'here',
    placement: 'detached',
    number: 0,
    position: 1,
    threshold: 0,
    resumed: false
  });
  records.appendEnd({
    scavengeId,
    at: '2026-12-01T00:01:40.0000000Z',
    result: 'success',
    error: null,
    spaceSavedBytes: 0
  });
  const known = await thresholds(directory);
  expect(known.rate?.source).toBe('history');
  // The log once in 100 s; a threshold of -1 reads and writes chunks besides.
  expect(known.rows[0]?.estimatedMs).toBeGreaterThan(90_000);
});

it('measures once a day', async () => {
  const directory = unpackDatabase({ name: 'tables', folder: 'before' });
  const hourMs = 3_600_000;
  const rateAt = async (nowMs: number) => (await thresholds(directory, nowMs)).rate;
  const first = await rateAt(hourMs);
  const kept = rateFile();
  expect(await rateAt(24 * hourMs)).toEqual(first);
  const before = readFileSync(kept);
  await rateAt(26 * hourMs);
  expect(readFileSync(kept).equals(before)).toBe(false);
});

function rateFile(): string {
  const digests = join(home, 'digests');
  return join(digests, readdirSync(digests)[0]!, 'disk.rate');
}
