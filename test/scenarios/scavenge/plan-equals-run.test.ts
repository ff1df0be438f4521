/**
 * A plan has the numbers of its run, on every golden database and on 100 random ones: for each placement, on logs
 * that were scavenged before and on ones where a scavenge was stopped. Where the run is refused, the plan is, with the
 * same words. It has them whether chunks are read for it or known by their digests.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ChunkDigests } from '../../../src-core/digest/chunk-digests.ts';
import { EngineError } from '../../../src-core/errors.ts';
import { hashStream } from '../../../src-core/index/stream-hash.ts';
import { planScavenge, runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import type {
  ScavengeEnvironment,
  ScavengeReportData,
  ScavengeRequest
} from '../../../src-core/scavenge/scavenge-request.ts';
import { ticksToIso, type Ticks } from '../../../src-core/units/ticks.ts';
import { comparableReport } from '../../campaign/comparable-report.ts';
import { RandomLog } from '../../campaign/random-log.ts';
import { weakHasher } from '../../campaign/weak-hash.ts';
import { filesOf } from '../../support/database-content.ts';
import {
  goldenFolders,
  goldenNames,
  removeUnpacked,
  unpackDamaged,
  unpackDatabase
} from '../../support/golden.ts';
import { Prng } from '../../support/prng.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';

const RANDOM_DATABASES = 100;
const BATCHES = 10;
const LATER = '2027-01-01T00:00:00Z';
const PLACEMENTS = ['existing', 'new', 'auto', 'detached'] as const;

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'winnow-plan-'));
});
afterEach(() => {
  removeUnpacked();
  rmSync(home, { recursive: true, force: true });
});

async function outcomeOf(action: () => Promise<ScavengeReportData>): Promise<unknown> {
  try {
    return comparableReport(await action());
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const { code, message, details } = error;
    return { code, message, details };
  }
}

/** Plans, then runs; gives the outcome of both. */
async function expectEqual(
  dataDirectory: string,
  change: Partial<ScavengeRequest>,
  environment: Partial<ScavengeEnvironment> = {}
): Promise<void> {
  const scratchDirectory = join(home, 'scratch');
  const request = scavengeRequest(dataDirectory, {
    winnowHome: join(home, 'winnow'),
    scratchDirectory,
    singleNode: true,
    now: LATER,
    ...change
  });
  const before = filesOf(dataDirectory);
  const plan = (digests?: ChunkDigests) =>
    outcomeOf(() => planScavenge(request, scavengeEnvironment({ ...environment, digests })));
  const planned = await plan();
  for (const made of ['for this plan', 'before it']) {
    const known = await plan(storedDigests());
    expect(known, `with digests made ${made}: ${JSON.stringify(change)}`).toEqual(
      hasCacheUse(known) ? planned : withoutCacheUse(planned)
    );
  }
  expect(filesOf(dataDirectory), 'files after the plan').toEqual(before);
  const bytesBefore = chunkAndIndexBytes(dataDirectory);
  let freed: number | undefined;
  const ran = await outcomeOf(async () => {
    const report = await runScavenge(request, scavengeEnvironment(environment));
    const { spaceSaved, besides } = report;
    freed = besides.reduce((sum, { bytes }) => sum + bytes, spaceSaved.log + spaceSaved.index);
    return report;
  });
  expect(planned, JSON.stringify(change)).toEqual(ran);
  if (freed !== undefined) {
    expect(bytesBefore - chunkAndIndexBytes(dataDirectory), JSON.stringify(change)).toBe(freed);
  }
}

/** Where digests tell that no two streams share a hash, no name is looked for among those that are remembered. */
function hasCacheUse(outcome: unknown): boolean {
  return (outcome as Partial<ScavengeReportData>).hashUsersCache !== undefined;
}

function withoutCacheUse(outcome: unknown): unknown {
  const { hashUsersCache: _, ...others } = outcome as ScavengeReportData;
  return others;
}

/** A further process: what is known lies on the disk only. */
function storedDigests(): ChunkDigests {
  const { fileSystem, newGuid } = scavengeEnvironment();
  return new ChunkDigests({ fileSystem, newGuid, directory: join(home, 'digests'), threads: 1 });
}

/** Of chunk files, and of tables, filters and temporary maps of the index; the state and the map itself apart. */
function chunkAndIndexBytes(dataDirectory: string): number {
  const bytesIn = (folder: string, isCounted: (name: string) => boolean) =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && isCounted(entry.name))
      .reduce((sum, { name }) => sum + statSync(join(folder, name)).size, 0);
  const index = join(dataDirectory, 'index');
  return (
    bytesIn(dataDirectory, (name) => name.startsWith('chunk-') || name.endsWith('.tmp')) +
    (existsSync(index) ? bytesIn(index, (name) => name !== 'indexmap') : 0)
  );
}

const goldens = goldenNames().filter((name) => !/^(damaged|truncate)/.test(name));

describe.each(goldens)('of the golden database %s', (name) => {
  it.each(PLACEMENTS)('has the numbers of the run: %s', async (scavengePoint) => {
    for (const folder of goldenFolders(name)) {
      const dataDirectory = unpackDatabase({ name, folder });
      // With a host's name the run tells of itself in the log.
      if (existsSync(join(dataDirectory, 'writer.chk')))
        await expectEqual(dataDirectory, { scavengePoint }, { hostName: 'host' });
    }
  });
});

const damaged = goldenNames().filter((name) => name.startsWith('damaged'));

it.each(damaged)(
  'of the damaged golden database %s has the numbers of the run, or is refused as it is',
  async (name) => {
    await expectEqual(unpackDamaged(name), { scavengePoint: 'new' });
  }
);

it('has the numbers of the run where an earlier one was stopped after its beginning', async () => {
  const dataDirectory = unpackDatabase({ name: 'tables', folder: 'before' });
  const begun = scavengeRequest(dataDirectory, {
    winnowHome: join(home, 'winnow'),
    scratchDirectory: join(home, 'scratch'),
    scavengePoint: 'new',
    singleNode: true,
    now: LATER,
    stopAfter: 'beginning'
  });
  expect((await runScavenge(begun, scavengeEnvironment())).result).toBe('stopped');
  await expectEqual(dataDirectory, { scavengePoint: 'existing' });
});

describe('of random databases', () => {
  const perBatch = RANDOM_DATABASES / BATCHES;

  it.each(Array.from({ length: BATCHES }, (_, batch) => batch * perBatch))(
    'has the numbers of the run, seeds from %d',
    async (first) => {
      for (let seed = first; seed < first + perBatch; seed++) await planAndRun(seed);
    }
  );

  async function planAndRun(seed: number): Promise<void> {
    const random = new Prng(seed);
    const dataDirectory = join(home, `db-${seed}`);
    mkdirSync(dataDirectory);
    const hasher = random.chance(0.3) ? weakHasher : hashStream;
    const log = new RandomLog({ dataDirectory, random, hasher });
    const environment = { hasher, now: () => log.now as Ticks };
    for (let round = 1 + random.below(2); round > 0; round--) {
      log.grow({ steps: 15 + random.below(60) });
      if (random.chance(0.6)) await log.growIndex();
      if (random.chance(0.3)) log.writePoint();
      const change: Partial<ScavengeRequest> = {
        scavengePoint: random.pick(PLACEMENTS),
        now: ticksToIso(log.now),
        threshold: random.pick([0, -1, 5]),
        merge: random.chance(0.7),
        alwaysKeepScavenged: random.chance(0.5),
        unsafeIgnoreHardDeletes: random.chance(0.2)
      };
      const stopAfter = random.pick([
        'accumulation',
        'calculation',
        'chunkExecution',
        'indexExecution'
      ] as const);
      if (random.chance(0.4)) await expectEqual(dataDirectory, { ...change, stopAfter }, environment);
      await expectEqual(dataDirectory, change, environment);
      log.learn();
    }
    rmSync(dataDirectory, { recursive: true });
  }
});
