/**
 * One number for what a scavenge frees: the plan's curve of thresholds, the comparison of thresholds and the usage
 * report have the numbers that a plan with that threshold has, index and merges included. That these are the run's, and
 * the change on the disk, is plan-equals-run.test.ts.
 */
import { rmSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { ChunkDigests } from '../../../src-core/digest/chunk-digests.ts';
import { compareThresholds, usageSavings } from '../../../src-core/insight/usage/compare-thresholds.ts';
import { readUsage } from '../../../src-core/insight/usage/read-usage.ts';
import { planScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import type { ScavengeReportData, ScavengeRequest } from '../../../src-core/scavenge/scavenge-request.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import {
  scavengeEnvironment,
  scavengeRequest,
  temporaryDirectory
} from '../../support/scavenge-environment.ts';
import { SAMPLE_TIME, ScavengeSamples } from '../../support/scavenge-sample.ts';

const LATER = '2027-01-01T00:00:00Z';
const samples = new ScavengeSamples();
const directories: string[] = [];

afterEach(() => {
  removeUnpacked();
  samples.removeAll();
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

function directory(): string {
  const made = temporaryDirectory();
  directories.push(made);
  return made;
}

const DATABASES: [string, () => string | Promise<string>, string][] = [
  ['rules', () => unpackDatabase({ name: 'rules', folder: 'before' }), LATER],
  ['current-a', () => unpackDatabase({ name: 'current-a', folder: 'before' }), LATER],
  ['tables', () => unpackDatabase({ name: 'tables', folder: 'before' }), LATER],
  ['transactions', () => unpackDatabase({ name: 'transactions', folder: 'before' }), LATER],
  ['rules, scavenged', () => unpackDatabase({ name: 'rules', folder: 'after-t-high' }), LATER],
  [
    'a sample',
    () => samples.write({ sizeBytes: 1_000_000, chunkSizeBytes: 131_072, seed: 7 }, { withPoint: false }),
    SAMPLE_TIME
  ]
];

describe.each(DATABASES)('of %s', (_, database, now) => {
  function plan(dataDirectory: string, change: Partial<ScavengeRequest>): Promise<ScavengeReportData> {
    const request = scavengeRequest(dataDirectory, {
      alwaysKeepScavenged: false,
      singleNode: true,
      winnowHome: directory(),
      scratchDirectory: directory(),
      now,
      ...change
    });
    return planScavenge(request, scavengeEnvironment());
  }

  it.each(['new', 'detached'] as const)(
    'the curve of a plan has the numbers of other plans (%s)',
    async (placement) => {
      const dataDirectory = await database();
      for (const merge of [true, false]) {
        for (const own of merge ? [0] : [-1]) {
          const change = { scavengePoint: placement, merge };
          const { thresholds, spaceSaved } = await plan(dataDirectory, { ...change, threshold: own });
          expect(thresholds?.[0]).toMatchObject({ threshold: own, spaceSaved });
          for (const row of thresholds ?? []) {
            const other = await plan(dataDirectory, { ...change, threshold: row.threshold });
            expect(row, JSON.stringify(change)).toEqual({
              threshold: row.threshold,
              chunks: other.chunkCount.rewritten,
              spaceSaved: other.spaceSaved
            });
          }
        }
      }
    }
  );

  it('compared thresholds and the usage report have the numbers of a detached plan', async () => {
    const dataDirectory = await database();
    const { operation, newGuid, fileSystem } = scavengeEnvironment();
    const usage = await readUsage({
      fileSystem,
      dataDirectory,
      effectiveNow: ticksFromIso(now)!,
      digests: new ChunkDigests({ fileSystem, newGuid, threads: 1 }),
      operation,
      newGuid
    });
    try {
      for (const { threshold, spaceSaved } of await compareThresholds(usage, operation)) {
        const planned = await plan(dataDirectory, { scavengePoint: 'detached', threshold });
        expect(spaceSaved, String(threshold)).toEqual(planned.spaceSaved);
      }
      const { spaceSaved, steps } = await usageSavings(usage, operation);
      expect(spaceSaved).toEqual((await plan(dataDirectory, { scavengePoint: 'detached' })).spaceSaved);
      expect(steps.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(spaceSaved.total);
    } finally {
      usage.close();
    }
  });
});

it('a plan with a threshold above 0 knows of no other: it has not judged every chunk', async () => {
  const dataDirectory = unpackDatabase({ name: 'rules', folder: 'before' });
  const request = { scavengePoint: 'new', singleNode: true, now: LATER, threshold: 50 } as const;
  const planned = await planScavenge(
    scavengeRequest(dataDirectory, { ...request, scratchDirectory: directory() }),
    scavengeEnvironment()
  );
  expect(planned.thresholds).toBeUndefined();
});
