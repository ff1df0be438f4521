/**
 * A schedule with a maintenance window, over the real engine on a disk whose speed is known: a member is scavenged from
 * the opening of the window, stopped at its end, and goes on in the next night until it is through; then the next member.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Coordinator, quietOutside } from '../../../src-core/index.ts';
import { localClusterParts } from '../../../src-main/cluster/cluster-parts.ts';
import { requests } from '../../../src-main/contract/operations/operation-contract.ts';
import type { ScavengeReport } from '../../../src-main/contract/operations/reports.ts';
import { runScavenge } from '../../../src-main/operations/scavenge/run-scavenge.ts';
import { ScavengePaces } from '../../../src-main/settings/scavenge-paces.ts';
import { contentOf } from '../../support/database-content.ts';
import { SAMPLE_TIME, ScavengeSamples } from '../../support/scavenge-sample.ts';
import { contextOn, SlowDisk } from '../../support/slow-disk.ts';

const samples = new ScavengeSamples();
const MINUTE = 60_000;
/** As often as the coordinator of a service looks, by the clock of the disk. */
const TICK_MS = 2000;
let work: string;
let members: string[];
let reference: string;

beforeAll(async () => {
  work = mkdtempSync(join(os.tmpdir(), 'winnow-scheduled-nights-'));
  const untouched = await samples.write(
    { sizeBytes: 4 * 1024 * 1024, chunkSizeBytes: 256 * 1024, seed: 3 },
    { withPoint: false }
  );
  members = ['1', '2'].map((name) => join(work, name));
  reference = join(work, 'reference');
  for (const place of [...members, reference]) cpSync(untouched, place, { recursive: true });
});
afterAll(() => {
  rmSync(work, { recursive: true, force: true });
  samples.removeAll();
});

interface Ended {
  member: string;
  startedMs: number;
  endedMs: number;
  report: ScavengeReport;
}

describe('a schedule with a maintenance window', () => {
  it(
    'works only inside, stops at its end, and goes on the next night until every member is through',
    { timeout: 180_000 },
    async () => {
      const disk = new SlowDisk();
      const home = join(work, 'home');
      const runs: Ended[] = [];
      let running = 0;
      let tickedMs = 0;
      const ticked: (() => void)[] = [];
      // The disk stands still while the coordinator is behind.
      const yieldTurn = (): Promise<void> =>
        new Promise((resolve) => {
          if (disk.nowMs - tickedMs < TICK_MS) setImmediate(resolve);
          else ticked.push(resolve);
        });
      const parts = localClusterParts({
        directory: join(work, 'cluster'),
        cluster: { kind: 'local', name: 'two', members: members.map((dataDirectory) => ({ dataDirectory })) },
        timeZone: 'UTC',
        quietHours: quietOutside('02:00-02:05'),
        clock: () => Math.floor(disk.nowMs),
        log: () => undefined,
        baseRequest: { scavengePoint: 'detached', now: SAMPLE_TIME, winnowHome: home },
        run: async (request, { signal }) => {
          running++;
          const startedMs = disk.nowMs;
          const checked = requests.runScavenge.parse(request);
          const report = await runScavenge(checked, contextOn(disk, { signal: signal!, yieldTurn })).finally(
            () => running--
          );
          runs.push({ member: request.dataDirectory, startedMs, endedMs: disk.nowMs, report });
          return report;
        }
      });
      const { options, gossip, ...ports } = parts;
      const coordinator = new Coordinator(options, ports);
      const tick = async (): Promise<void> => {
        tickedMs = disk.nowMs;
        for (const resolve of ticked.splice(0)) resolve();
        await coordinator.receiveGossip((await gossip())!);
      };
      const day = Date.UTC(2026, 10, 23);
      disk.nowMs = day + 20 * 60 * MINUTE;
      await tick();
      await coordinator.configure('0 2 * * *');
      // The plan of this window, made before, names a gentler pace for the first member; it rests in no test.
      new ScavengePaces(home, members[0]!).name({
        window: '02:00-02:05',
        threads: 1,
        throttlePercent: 100,
        at: '2026-11-23T20:00:00.0000000Z'
      });

      for (let night = 1; night <= 9 && !(await isThrough()); night++) {
        disk.nowMs = day + night * 24 * 60 * MINUTE + 119 * MINUTE;
        await tick();
        expect(running, `before night ${night}`).toBe(0);
        disk.nowMs += MINUTE;
        // Nothing runs on the disk while nothing is scavenged: then time goes on by itself.
        const endMs = disk.nowMs + 7 * MINUTE;
        while (disk.nowMs < endMs) {
          await tick();
          await new Promise((resolve) => setImmediate(resolve));
          if (running === 0) disk.nowMs += MINUTE / 4;
        }
        expect(running, `after night ${night}`).toBe(0);
      }

      async function isThrough(): Promise<boolean> {
        await tick();
        const through = runs.filter(({ report }) => report.result === 'success');
        return new Set(through.map(({ member }) => member)).size === members.length;
      }

      const words = JSON.stringify(
        runs.map(({ member, startedMs, endedMs, report }) => [
          member.slice(-1),
          new Date(startedMs).toISOString(),
          new Date(endedMs).toISOString(),
          report.result
        ])
      );
      expect(await isThrough(), words).toBe(true);
      for (const { startedMs, endedMs } of runs) {
        const midnight = Math.floor(startedMs / (24 * 60 * MINUTE)) * 24 * 60 * MINUTE;
        expect(startedMs - midnight, words).toBeGreaterThanOrEqual(120 * MINUTE);
        expect(startedMs - midnight, words).toBeLessThan(125 * MINUTE);
        // At the next turn after the end.
        expect(endedMs - midnight, words).toBeLessThan(126.5 * MINUTE);
      }
      const results = members.map((member) =>
        runs.filter((run) => run.member === member).map(({ report }) => report.result)
      );
      for (const ended of results) {
        expect(ended.at(-1), words).toBe('success');
        expect(
          ended.slice(0, -1).every((result) => result === 'stopped'),
          words
        ).toBe(true);
      }
      expect(results.flat().filter((result) => result === 'stopped').length, words).toBeGreaterThanOrEqual(1);
      // Never two at once, and in the order in which they are registered.
      const order = runs.map(({ member }) => members.indexOf(member));
      expect(order, words).toEqual(order.toSorted((a, b) => a - b));
      const paces = runs.map(({ report }) => report.pace?.chosenBy);
      expect(paces[0]).toBe('plan');
      expect(paces.at(-1)).toBe('none');

      const whole = await runScavenge(
        requests.runScavenge.parse({
          dataDirectory: reference,
          winnowHome: home,
          scavengePoint: 'detached',
          now: SAMPLE_TIME
        }),
        contextOn(disk)
      );
      expect(whole.result).toBe('success');
      for (const member of members) expect(await contentOf(member)).toEqual(await contentOf(reference));
    }
  );
});
