/**
 * A detached scavenge leaves nothing behind that a later one could be misled by: whatever the log becomes afterwards, a
 * scavenge with a point in the log, as the server does it, loses nothing that the model keeps.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import type { ScavengeReportData, ScavengeRequest } from '../../../src-core/scavenge/scavenge-request.ts';
import { ticksFromIso, ticksToIso, type Ticks } from '../../../src-core/units/ticks.ts';
import { faultsOf } from '../../campaign/check-database.ts';
import { RandomLog } from '../../campaign/random-log.ts';
import { hasherOf } from '../../campaign/weak-hash.ts';
import { Prng } from '../../support/prng.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { seedCount } from '../../support/seeds.ts';

/** Besides those in turn, the ones by which a true state was once refused, whose last event or metadata had been taken. */
const seedsWith = (shown: number[]) => [
  ...Array.from({ length: seedCount(11) }, (_, seed) => seed),
  ...shown
];
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'winnow-after-detached-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

it.each(seedsWith([41, 67, 283]))('loses nothing, seed %d', async (seed) => {
  const random = new Prng(seed);
  const dataDirectory = join(home, 'db');
  mkdirSync(dataDirectory);
  const hasher = random.chance(0.5) ? 'weak' : 'real';
  const log = new RandomLog({ dataDirectory, random, hasher: hasherOf(hasher) });
  const winnowHome = join(home, 'winnow');
  const scavenge = async (change: Partial<ScavengeRequest>): Promise<ScavengeReportData> => {
    const request = scavengeRequest(dataDirectory, { winnowHome, now: ticksToIso(log.now), ...change });
    const environment = { hasher: log.hasher, now: () => log.now as Ticks };
    const report = await runScavenge(request, scavengeEnvironment(environment));
    log.learn();
    const { scavengePoint: point } = report;
    if (point) {
      log.survivors.scavenge({
        position: point.position,
        effectiveNow: ticksFromIso(point.effectiveNow)!,
        threshold: point.threshold,
        ignoresHardDeletes: false,
        alwaysReplaces: request.alwaysKeepScavenged,
        isDetached: request.scavengePoint === 'detached'
      });
    }
    return report;
  };

  log.grow({ steps: 120 });
  await log.growIndex();
  if (random.chance(0.5)) await scavenge({ scavengePoint: 'new', threshold: random.pick([0, 5]) });
  log.grow({ steps: 120 });
  const state = join(dataDirectory, 'index', 'scavenging');
  const hadState = existsSync(state);
  const detached = await scavenge({
    scavengePoint: 'detached',
    threshold: random.pick([0, -1, 5]),
    alwaysKeepScavenged: random.chance(0.5)
  });
  expect(detached.result).toBe('success');
  expect(existsSync(state)).toBe(hadState);
  const leftover = join(winnowHome, 'detached-scavenges');
  expect(existsSync(leftover) ? readdirSync(leftover) : []).toEqual([]);
  expect(await faultsOf(log, hasher)).toEqual([]);

  log.grow({ steps: 120 });
  const report = await scavenge({ scavengePoint: 'new' });
  expect(report.scavengePoint?.placement).toBe('new');
  expect(await faultsOf(log, hasher)).toEqual([]);
});

it.each(seedsWith([31, 125]))(
  'leaves what an older point goes by that nobody has reached yet, seed %d',
  async (seed) => {
    const random = new Prng(1000 + seed);
    const dataDirectory = join(home, 'db');
    mkdirSync(dataDirectory);
    const log = new RandomLog({ dataDirectory, random, hasher: hasherOf('real') });
    const scavenge = async (change: Partial<ScavengeRequest>): Promise<void> => {
      const winnowHome = join(home, 'winnow');
      const request = scavengeRequest(dataDirectory, { winnowHome, now: ticksToIso(log.now), ...change });
      const environment = { hasher: log.hasher, now: () => log.now as Ticks };
      const { scavengePoint: point } = await runScavenge(request, scavengeEnvironment(environment));
      log.learn();
      log.survivors.scavenge({
        position: point!.position,
        effectiveNow: ticksFromIso(point!.effectiveNow)!,
        threshold: point!.threshold,
        ignoresHardDeletes: false,
        alwaysReplaces: request.alwaysKeepScavenged,
        isDetached: request.scavengePoint === 'detached'
      });
      expect(await faultsOf(log, 'real')).toEqual([]);
    };

    log.grow({ steps: 150 });
    await log.growIndex();
    // State of an earlier scavenge may remember metadata that does not hold any more at the older point.
    if (random.chance(0.5)) await scavenge({ scavengePoint: 'new' });
    log.grow({ steps: 150 });
    log.writePoint();
    log.grow({ steps: 300 });
    await scavenge({
      scavengePoint: 'detached',
      threshold: random.pick([0, 0, 5]),
      alwaysKeepScavenged: random.chance(0.5)
    });
    await scavenge({ scavengePoint: 'existing' });
  }
);
