/** A plan in a maintenance window, by an earlier scavenge's speed and a clock of the test; and a run that keeps to it. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requests } from '../../../src-main/contract/operations/operation-contract.ts';
import { nightsOf, openNight, parseWindow } from '../../../src-main/operations/scavenge/night-times.ts';
import { planScavenge } from '../../../src-main/operations/scavenge/plan-scavenge.ts';
import { PaceMeter } from '../../../src-main/operations/scavenge/pace-meter.ts';
import { speedsOf } from '../../../src-main/operations/scavenge/measured-speeds.ts';
import { runScavenge } from '../../../src-main/operations/scavenge/run-scavenge.ts';
import { ScavengePaces, type MeasuredRun } from '../../../src-main/settings/scavenge-paces.ts';
import { ScavengeRecords } from '../../../src-main/settings/scavenge-records.ts';
import { filesOf } from '../../support/database-content.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { testingContext } from '../../support/testing-context.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(os.tmpdir(), 'winnow-window-test-'));
});
afterEach(() => {
  removeUnpacked();
  rmSync(home, { recursive: true, force: true });
});

/** Local time of the machine: a window is one, too. */
const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).getTime();

function context(dataDirectory: string, nowMs: number) {
  return testingContext('planScavenge', { dataDirectory, clock: () => nowMs });
}

/** A scavenge that took so long is what the next one goes by. */
function remember(dataDirectory: string, minutes: number): void {
  const records = new ScavengeRecords(home, dataDirectory);
  const scavengeId = '26a383a4-04b3-4120-9aa3-22745c8b3e19';
  const start = { hostName: 'here', placement: 'detached' as const, number: 0, position: 1, threshold: 0 };
  records.appendStart({ scavengeId, at: '2026-11-01T00:00:00.0000000Z', resumed: false, ...start });
  const endAt = new Date(Date.UTC(2026, 10, 1) + minutes * 60_000).toISOString();
  records.appendEnd({
    scavengeId,
    at: endAt.replace('Z', '0000Z'),
    result: 'success',
    error: null,
    spaceSavedBytes: 0
  });
}

const request = (dataDirectory: string, more: object = {}) => ({
  dataDirectory,
  winnowHome: home,
  scavengePoint: 'detached' as const,
  now: '2027-01-01T00:00:00Z',
  ...more
});

describe('a plan in a maintenance window', () => {
  it('frees in its nights what the plan frees, each within the window, and says when it is through', async () => {
    const directory = unpackDatabase({ name: 'rules', folder: 'before' });
    remember(directory, 90);
    const plan = await planScavenge(
      requests.planScavenge.parse(request(directory, { window: '02:00-02:30' })),
      context(directory, at(23, 20))
    );
    const window = plan.window!;
    expect(window).toMatchObject({
      window: '02:00-02:30',
      members: 1,
      rate: { source: 'history' },
      why: null
    });
    expect(window.nights.length).toBeGreaterThan(2);
    expect(window.nights.reduce((sum, { bytesFreed }) => sum + bytesFreed, 0)).toBe(plan.spaceSavedBytes);
    window.nights.forEach(({ from, to, endsAt }, night) => {
      expect(Date.parse(from)).toBe(at(24 + night, 2));
      expect(Date.parse(to)).toBe(at(24 + night, 2, 30));
      expect(Date.parse(endsAt)).toBeLessThanOrEqual(Date.parse(to));
    });
    expect(window.throughAt).toBe(window.nights.at(-1)!.endsAt);
    const three = await planScavenge(
      requests.planScavenge.parse(request(directory, { window: '02:00-02:30', members: 3 })),
      context(directory, at(23, 20))
    );
    expect(three.window!.nights).toHaveLength(3 * window.nights.length);
    expect(three.planId).toBe(plan.planId);
  });

  it('says of a chunk that no night has room for that it is never through', async () => {
    const directory = unpackDatabase({ name: 'rules', folder: 'before' });
    remember(directory, 60 * 24);
    const { window } = await planScavenge(
      requests.planScavenge.parse(request(directory, { window: '02:00-02:02' })),
      context(directory, at(23, 20))
    );
    expect(window).toMatchObject({
      throughAt: null,
      why: expect.stringMatching(/longer than a night/) as string
    });
  });

  it.each(['2-4', '02:00', '02:00-02:00', '25:00-02:00', ''])('is refused for "%s"', async (window) => {
    const directory = unpackDatabase({ name: 'rules', folder: 'before' });
    await expect(
      planScavenge(
        requests.planScavenge.parse(request(directory, { window })),
        context(directory, at(23, 20))
      )
    ).rejects.toMatchObject({ code: 'InvalidRequest' });
  });
});

describe('a run in a maintenance window', () => {
  it('begins only inside, and then is the run of the plan', async () => {
    const directory = unpackDatabase({ name: 'rules', folder: 'before' });
    const before = filesOf(directory);
    const asked = (nowMs: number) =>
      runScavenge(
        requests.runScavenge.parse(request(directory, { window: '22:30-05:00' })),
        context(directory, nowMs)
      );
    await expect(asked(at(23, 12))).rejects.toMatchObject({
      code: 'InvalidRequest',
      message: /not open now/
    });
    expect(filesOf(directory)).toEqual(before);
    expect(await asked(at(24, 1))).toMatchObject({ result: 'success' });
  });
});

const measured = (threads: number, more: Partial<MeasuredRun> = {}): MeasuredRun => ({
  scavengeId: '26a383a4-04b3-4120-9aa3-22745c8b3e19',
  at: '2026-11-01T00:00:00.0000000Z',
  isLimited: false,
  isResumed: false,
  threads,
  beginMs: 500,
  readBytes: 1024 * 1024,
  readMs: 2000,
  workBytes: threads * 32 * 1024,
  workMs: 100_000,
  ...more
});

describe('the pace of runs in a window', () => {
  const plannedWith = (directory: string, more: object = {}) =>
    planScavenge(
      requests.planScavenge.parse(request(directory, { window: '02:00-04:00', ...more })),
      context(directory, at(23, 20))
    );
  const runIn = (directory: string, more: object = {}) =>
    runScavenge(
      requests.runScavenge.parse(request(directory, { window: '02:00-04:00', ...more })),
      context(directory, at(24, 3))
    );

  it('is what the plan of this window named, until a run is through', async () => {
    const directory = unpackDatabase({ name: 'rules', folder: 'before' });
    remember(directory, 10);
    const { window } = await plannedWith(directory);
    expect(window).toMatchObject({ chosenBy: 'plan', threads: 1, throttlePercent: 30 });
    const named = {
      threads: 1,
      throttlePercent: 30,
      chosenBy: 'plan',
      plannedAt: expect.any(String) as string
    };
    const stopped = await runIn(directory, { stopAfter: 'accumulation' });
    expect(stopped).toMatchObject({ result: 'stopped', pace: named });
    const other = await runIn(directory, { stopAfter: 'calculation', window: '02:30-04:00' });
    expect(other.pace).toMatchObject({ throttlePercent: 100, chosenBy: 'none', plannedAt: null });
    expect(await runIn(directory)).toMatchObject({ result: 'success', pace: named });
    expect(new ScavengePaces(home, directory).named).toBeNull();
    expect((await runIn(directory)).pace).toMatchObject({ throttlePercent: 100, chosenBy: 'none' });
  });

  it('is as asked where it was, and then the plan is no plan for others', async () => {
    const directory = unpackDatabase({ name: 'rules', folder: 'before' });
    remember(directory, 10);
    expect((await plannedWith(directory, { pace: 'asked' })).window).toMatchObject({
      chosenBy: 'asked',
      throttlePercent: 100
    });
    expect((await plannedWith(directory, { throttlePercent: 70 })).window).toMatchObject({
      chosenBy: 'asked',
      throttlePercent: 70
    });
    expect(new ScavengePaces(home, directory).named).toBeNull();
    await plannedWith(directory);
    const { pace } = await runIn(directory, { pace: 'asked' });
    expect(pace).toEqual({ threads: 1, throttlePercent: 100, chosenBy: 'asked', plannedAt: null });
  });

  it('has more threads only where those were measured, and need fewer nights', async () => {
    const directory = unpackDatabase({ name: 'rules', folder: 'before' });
    const paces = new ScavengePaces(home, directory);
    // Far too slow for one window, and twice as fast with two threads.
    paces.addRun(measured(1));
    const one = (await plannedWith(directory, { window: '02:00-02:20' })).window!;
    expect(one).toMatchObject({ threads: 1, measuredThreads: [1], rate: { source: 'history' } });
    paces.addRun(measured(2, { workMs: 10_000 }));
    const two = (await plannedWith(directory, { window: '02:00-02:20' })).window!;
    expect(two.measuredThreads).toEqual([1, 2]);
    if (os.availableParallelism() > 1) {
      expect(two).toMatchObject({ threads: 2, throttlePercent: 100 });
      expect(two.nights.length).toBeLessThan(one.nights.length);
    }
    paces.addRun(measured(3, { isLimited: true, workMs: 10 }));
    expect((await plannedWith(directory, { window: '02:00-02:20' })).window!.measuredThreads).toEqual([1, 2]);
  });

  it('counts the long beginning of a first run for the first night only, once another has resumed', async () => {
    const directory = unpackDatabase({ name: 'rules', folder: 'before' });
    const paces = new ScavengePaces(home, directory);
    const window = '02:00-02:20';
    paces.addRun(measured(1, { beginMs: 15 * 60_000 }));
    const before = (await plannedWith(directory, { window, threads: 1, pace: 'asked' })).window!;
    paces.addRun(measured(1, { isResumed: true }));
    const after = (await plannedWith(directory, { window, threads: 1, pace: 'asked' })).window!;
    expect(after.nights[0]).toEqual(before.nights[0]);
    expect(after.nights.length).toBeLessThan(before.nights.length);
  });

  it('is not foreseen for threads that were asked for and not measured', async () => {
    const directory = unpackDatabase({ name: 'rules', folder: 'before' });
    remember(directory, 10);
    const { window } = await plannedWith(directory, { threads: 2 });
    if (os.availableParallelism() > 1) {
      expect(window).toMatchObject({
        throughAt: null,
        nights: [],
        why: 'How fast 2 threads are on this machine was not measured.'
      });
    }
  });
});

describe('what is measured of runs', () => {
  it('is the time of each piece that was finished, without the rests of a throttle', () => {
    let nowMs = 0;
    const meter = new PaceMeter(() => nowMs);
    nowMs = 700;
    meter.begin();
    nowMs = 1000;
    meter.started();
    for (const [kind, bytes, tookMs] of [
      ['read', 100, 1000],
      ['read', 50, 500],
      ['rewrite', 30, 2000],
      ['rewrite', 0, 400]
    ] as const) {
      nowMs += tookMs;
      meter.done({ kind, bytes });
    }
    nowMs += 9999; // cut
    expect(meter.measured(100)).toEqual({
      beginMs: 300,
      readBytes: 150,
      readMs: 1500,
      workBytes: 30,
      workMs: 2400
    });
    expect(meter.measured(50)).toEqual({
      beginMs: 300,
      readBytes: 150,
      readMs: 750,
      workBytes: 30,
      workMs: 1200
    });
    expect(meter.measured(10)).toBeUndefined();
  });

  it('tells of reading by all runs, and of chunks by those with as many threads', () => {
    expect(
      speedsOf([
        measured(4, { readBytes: 100, readMs: 1000, workBytes: 400, workMs: 1000 }),
        measured(1, { readBytes: 300, readMs: 1000, workBytes: 100, workMs: 1000 }),
        measured(2, { workBytes: 0, workMs: 5000, readBytes: 0, readMs: 0 }),
        measured(1, { isLimited: true, workBytes: 1, workMs: 100_000 })
      ])
    ).toEqual([
      { threads: 1, readPerMs: 0.2, workPerMs: 0.1 },
      { threads: 4, readPerMs: 0.2, workPerMs: 0.4 }
    ]);
  });

  it('is kept of the last three runs with as many threads', () => {
    const paces = new ScavengePaces(home, '/data');
    for (let i = 0; i < 5; i++) paces.addRun(measured(1, { readMs: i }));
    paces.addRun(measured(2, { readMs: 9 }));
    expect(paces.runs.map(({ readMs }) => readMs)).toEqual([2, 3, 4, 9]);
  });
});

describe('nights', () => {
  const first = (text: string, nowMs: number, count: number) => {
    const nights = [];
    for (const night of nightsOf(parseWindow(text, 'window'), nowMs)) {
      nights.push([night.fromMs, night.toMs]);
      if (nights.length === count) break;
    }
    return nights;
  };

  it('begin now where the window is open, and over midnight where it is over midnight', () => {
    expect(first('22:30-05:00', at(24, 1), 2)).toEqual([
      [at(24, 1), at(24, 5)],
      [at(24, 22, 30), at(25, 5)]
    ]);
    expect(first('02:00-04:00', at(24, 4), 1)).toEqual([[at(25, 2), at(25, 4)]]);
    expect(openNight(parseWindow('02:00-04:00', 'window'), at(24, 3, 59))).toEqual({
      fromMs: at(24, 3, 59),
      toMs: at(24, 4)
    });
    expect(openNight(parseWindow('02:00-04:00', 'window'), at(24, 4))).toBeUndefined();
  });
});
