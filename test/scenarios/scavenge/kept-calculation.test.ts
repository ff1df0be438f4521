/**
 * What one question has calculated is taken up by the next, at whatever time that asks, and changes no answer: random logs,
 * each planned again and again with what is kept and without.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ChunkDigests } from '../../../src-core/digest/chunk-digests.ts';
import { explain } from '../../../src-core/insight/explain/explain.ts';
import { breakDownRemoval } from '../../../src-core/insight/removal/break-down-removal.ts';
import { hashStream } from '../../../src-core/index/stream-hash.ts';
import { planScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import type { ScavengeRequest } from '../../../src-core/scavenge/scavenge-request.ts';
import { ticksToIso, TICKS_PER_SECOND, type Ticks } from '../../../src-core/units/ticks.ts';
import { comparableReport } from '../../campaign/comparable-report.ts';
import { RandomLog } from '../../campaign/random-log.ts';
import { Prng } from '../../support/prng.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { seedCount } from '../../support/seeds.ts';

const SEEDS = seedCount(20);
const BATCHES = 4;
const TIMES = 8;
const LONGEST_WAIT_SECONDS = 4 * 86_400;
const PLACEMENTS = ['new', 'detached', 'existing'] as const;

let home: string;
let kept: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'winnow-kept-'));
  kept = join(home, 'digests');
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

function newLog(seed: number): { random: Prng; log: RandomLog } {
  const random = new Prng(seed);
  const dataDirectory = join(home, `db-${seed}`);
  mkdirSync(dataDirectory);
  return { random, log: new RandomLog({ dataDirectory, random, hasher: hashStream }) };
}

/** `isKept` as another process would ask, with what lies on the disk. */
async function plan(log: RandomLog, change: Partial<ScavengeRequest>, isKept: boolean): Promise<unknown> {
  const environment = scavengeEnvironment({ hasher: hashStream, now: () => log.now as Ticks });
  const { fileSystem, newGuid } = environment;
  const request = scavengeRequest(log.dataDirectory, {
    winnowHome: join(home, 'winnow'),
    scratchDirectory: join(home, 'scratch'),
    singleNode: true,
    ...change
  });
  const digests = new ChunkDigests({
    fileSystem,
    newGuid,
    threads: 1,
    ...(isKept ? { directory: kept } : {})
  });
  const ours = { ...environment, digests };
  // Judges one chunk, and leaves what it found of it to the plan.
  const told = await explain({ kind: 'chunk', chunk: 0 }, request, ours);
  const report = await planScavenge(request, ours);
  const removed = await breakDownRemoval({ request, plan: report, top: 5 }, ours);
  return { told, report: comparableReport(report), removed };
}

/** What is kept of this kind, and when it was written. */
function states(suffix = '.state'): Map<string, bigint> {
  const names = readdirSync(kept).filter((name) => name.endsWith(suffix));
  return new Map(names.map((name) => [name, statSync(join(kept, name), { bigint: true }).mtimeNs]));
}

describe('a kept calculation', () => {
  const perBatch = SEEDS / BATCHES;

  it.each(Array.from({ length: BATCHES }, (_, batch) => 1 + batch * perBatch))(
    'changes no plan, whenever it is asked for: seeds from %d',
    async (first) => {
      let takenUp = 0;
      let madeAgain = 0;
      let judgedBefore = 0;
      let summedBefore = 0;
      for (let seed = first; seed < first + perBatch; seed++) {
        const { random, log } = newLog(seed);
        log.grow({ steps: 30 + random.below(60) });
        if (random.chance(0.6)) await log.growIndex();
        log.writePoint();
        const scavengePoint = random.pick(PLACEMENTS);
        const threshold = random.pick([0, -1]);
        let seconds = 0;
        for (let i = 0; i < TIMES; i++) {
          // Every other time soon after the one before, when hardly anything has expired.
          seconds = i % 2 === 1 ? seconds + random.below(1200) : random.below(LONGEST_WAIT_SECONDS);
          const waited = BigInt(seconds) * TICKS_PER_SECOND;
          const change = { scavengePoint, threshold, now: ticksToIso(log.now + waited) };
          const before = i === 0 ? new Map<string, bigint>() : states();
          const judged = i === 0 ? undefined : String([...states('.judged')]);
          const summed = i === 0 ? '' : String([...states('.removed')]);
          expect(await plan(log, change, true), `seed ${seed}, ${change.now}`).toEqual(
            await plan(log, change, false)
          );
          const after = states();
          if ([...after].every(([name, writtenNs]) => before.get(name) === writtenNs)) takenUp++;
          else madeAgain++;
          if (judged !== '' && judged === String([...states('.judged')])) judgedBefore++;
          if (summed !== '' && summed === String([...states('.removed')])) summedBefore++;
        }
        // Asked at the same time once more, nothing is found out again, whatever the log holds.
        const change = { scavengePoint, threshold, now: ticksToIso(log.now + TICKS_PER_SECOND) };
        const first = await plan(log, change, true);
        const written = [...states(), ...states('.judged')];
        expect(await plan(log, change, true), `seed ${seed}`).toEqual(first);
        expect([...states(), ...states('.judged')], `seed ${seed}`).toEqual(written);
        if (random.chance(0.5)) {
          log.grow({ steps: 10 });
          const change = { scavengePoint, threshold, now: ticksToIso(log.now) };
          expect(await plan(log, change, true), `seed ${seed}, grown`).toEqual(
            await plan(log, change, false)
          );
        }
        rmSync(log.dataDirectory, { recursive: true });
        rmSync(kept, { recursive: true });
      }
      // Both ways were gone.
      expect(takenUp).toBeGreaterThan(0);
      expect(madeAgain).toBeGreaterThan(0);
      expect(judgedBefore).toBeGreaterThan(0);
      expect(summedBefore).toBeGreaterThan(0);
    }
  );

  it('is made again when it was cut or a bit of it flipped, and when the index is another', async () => {
    const { log } = newLog(7);
    log.grow({ steps: 80 });
    log.writePoint();
    const change = { scavengePoint: 'detached' as const, now: ticksToIso(log.now) };
    const expected = await plan(log, change, false);
    await plan(log, change, true);
    const [name] = [...states().keys()];
    const file = join(kept, name!);
    const whole = readFileSync(file);
    for (let at = 0; at < whole.length; at += Math.ceil(whole.length / 40)) {
      const flipped = Buffer.from(whole);
      flipped[at]! ^= 1 << (at % 8);
      for (const damaged of [flipped, whole.subarray(0, at)]) {
        writeFileSync(file, damaged);
        expect(await plan(log, change, true), `byte ${at}`).toEqual(expected);
        expect(readFileSync(file).equals(whole), `byte ${at}`).toBe(true);
      }
    }
    await log.growIndex();
    expect(await plan(log, change, true)).toEqual(await plan(log, change, false));
    expect(states().size).toBe(2);
  });
});
