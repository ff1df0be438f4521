/**
 * A scavenge over several nights on a disk whose speed is known: its clock advances by the bytes that are read and
 * written, so that what a night has room for is exact, and what the plan said of it can be held against it.
 */
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requests } from '../../../src-main/contract/operations/operation-contract.ts';
import type { ScavengeReport } from '../../../src-main/contract/operations/reports.ts';
import type { WindowPlan } from '../../../src-main/contract/operations/window-reports.ts';
import { planScavenge } from '../../../src-main/operations/scavenge/plan-scavenge.ts';
import { runScavenge } from '../../../src-main/operations/scavenge/run-scavenge.ts';
import { ScavengePaces } from '../../../src-main/settings/scavenge-paces.ts';
import { contentOf } from '../../support/database-content.ts';
import { contextOn, SlowDisk } from '../../support/slow-disk.ts';
import { SAMPLE_TIME, ScavengeSamples } from '../../support/scavenge-sample.ts';

const WINDOW = '02:00-02:04';
/** Local time of the machine, as a window's. */
const at = (night: number, hour: number) => new Date(2026, 10, 23 + night, hour).getTime();

const samples = new ScavengeSamples();
let work: string;
let home: string;
let directory: string;
let untouched: string;
let reference: string;

beforeAll(async () => {
  work = mkdtempSync(join(os.tmpdir(), 'winnow-nights-'));
  home = join(work, 'home');
  untouched = await samples.write(
    { sizeBytes: 8 * 1024 * 1024, chunkSizeBytes: 256 * 1024, seed: 7 },
    { withPoint: false }
  );
  reference = join(work, 'reference');
  directory = join(work, 'db');
  cpSync(untouched, reference, { recursive: true });
  cpSync(untouched, directory, { recursive: true });
});
afterAll(() => {
  rmSync(work, { recursive: true, force: true });
  samples.removeAll();
});

const asked = (dataDirectory: string, more: object = {}) => ({
  dataDirectory,
  winnowHome: home,
  scavengePoint: 'detached' as const,
  now: SAMPLE_TIME,
  pace: 'asked' as const,
  ...more
});

async function planAt(disk: SlowDisk): Promise<ScavengeReport & { window: WindowPlan }> {
  const report = await planScavenge(
    requests.planScavenge.parse(asked(directory, { window: WINDOW })),
    contextOn(disk)
  );
  return { ...report, window: report.window! };
}

describe('a scavenge over several nights', () => {
  it('does in each about what was planned, stops at its end, goes on, and leaves what one run leaves', async () => {
    const disk = new SlowDisk();
    disk.nowMs = at(-7, 8);
    const whole = await runScavenge(requests.runScavenge.parse(asked(reference)), contextOn(disk));
    expect(whole.result).toBe('success');
    // As if this database had been scavenged on this disk before.
    const [measured] = new ScavengePaces(home, reference).runs;
    new ScavengePaces(home, directory).addRun(measured!);

    disk.nowMs = at(0, 20);
    const evening = await planAt(disk);
    const planned = evening.window;
    expect(planned.rate?.source).toBe('history');
    expect(planned.why).toBeNull();
    expect(planned.nights.length).toBeGreaterThanOrEqual(3);

    const nights: ScavengeReport[] = [];
    const told: { evening: number; planned: number; did: number; chunks: [number, number] }[] = [];
    for (let night = 1; nights.at(-1)?.result !== 'success'; night++) {
      expect(night, 'nights').toBeLessThan(12);
      disk.nowMs = at(night, 1);
      const foreseen = (await planAt(disk)).window.nights[0]!;
      disk.nowMs = at(night, 2);
      const endsMs = disk.nowMs + 4 * 60_000;
      const report = await runScavenge(
        requests.runScavenge.parse(asked(directory, { window: WINDOW })),
        contextOn(disk)
      );
      nights.push(report);
      const done = report.chunks.filter(({ decision }) => decision !== 'skipped').length;
      told.push({
        evening: planned.nights[night - 1]?.bytesFreed ?? 0,
        planned: foreseen.bytesFreed,
        did: report.spaceSavedBytes,
        chunks: [foreseen.chunks, done]
      });
      expect(report.resumed).toBe(night > 1);
      if (report.result === 'success') break;
      expect(report).toMatchObject({ result: 'stopped', stoppedAtTime: new Date(endsMs).toISOString() });
      // At its next turn; not all that it does takes turns within a chunk.
      expect(disk.nowMs - endsMs).toBeLessThan(60_000);
    }

    const words = JSON.stringify(told);
    expect(nights.length, words).toBeGreaterThanOrEqual(3);
    const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);
    expect(sum(told.map(({ did }) => did)), words).toBe(whole.spaceSavedBytes);
    expect(sum(planned.nights.map(({ bytesFreed }) => bytesFreed))).toBe(evening.spaceSavedBytes);
    // How long it takes to resume was measured in the second night: from then on each night does what was planned for it, to
    // within two chunks; the index comes with the last.
    told.forEach(({ chunks: [foreseen, did] }, night) => {
      if (night !== 1)
        expect(Math.abs(foreseen - did), `night ${night + 1}: ${words}`).toBeLessThanOrEqual(2);
    });
    expect(told[0]!.evening, words).toBe(told[0]!.did);

    expect(await contentOf(directory)).toEqual(await contentOf(reference));
    expect(namesIn(directory)).toEqual(namesIn(reference));
    const after = await planAt(disk);
    expect(after.recordsDiscarded).toBe(0);
  });
});

/** Index tables have random names. */
function namesIn(place: string): string[] {
  return readdirSync(place)
    .filter((name) => name.startsWith('chunk-'))
    .toSorted();
}
