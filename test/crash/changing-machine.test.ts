/**
 * The machine changes under a scavenge: its clock jumps back and forth, its name is another one when the run is resumed,
 * and the user's rights are withdrawn within it. What is left is whole, the end is that of an undisturbed run, and where a
 * run cannot go on it says so and is resumed.
 */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OperationControl } from '../../src-core/database/operation-control.ts';
import { EngineError } from '../../src-core/errors.ts';
import { runScavenge } from '../../src-core/scavenge/run-scavenge.ts';
import type { ScavengeEnvironment } from '../../src-core/scavenge/scavenge-request.ts';
import { TICKS_PER_SECOND, ticksFromIso, type Ticks } from '../../src-core/units/ticks.ts';
import { verifyDatabase } from '../../src-core/verify/verify-database.ts';
import { contentOf, withDatabase, type DatabaseContent } from '../support/database-content.ts';
import { filesIn } from '../support/independent/read-log.ts';
import { requireSeen, seenEvents, type SeenEvents } from '../support/independent/seen-events.ts';
import { Prng } from '../support/prng.ts';
import { recordCampaign, sampled } from '../support/proof-record.ts';
import { scavengeEnvironment, scavengeRequest } from '../support/scavenge-environment.ts';
import { SAMPLE_TIME, ScavengeSamples } from '../support/scavenge-sample.ts';
import { Strike } from '../support/struck-file-system.ts';

const SEED = 23;
const NOBODY = 65_534;
/** Of the calls that a scavenge makes, every so many-th. */
const EVERY = sampled(61);
const TEN_YEARS_S = 10 * 365 * 86_400;
const PHASES = ['beginning', 'accumulation', 'calculation', 'chunkExecution', 'indexExecution'] as const;

const samples = new ScavengeSamples();
let original = '';
let before: SeenEvents;
let uncut: DatabaseContent;
beforeAll(async () => {
  original = await samples.write(
    { sizeBytes: 400_000, chunkSizeBytes: 65_536, seed: 5 },
    { withPoint: true }
  );
  before = seenEvents(filesIn(original), 0n);
  const directory = samples.copy(original);
  await runScavenge(scavengeRequest(directory), scavengeEnvironment());
  uncut = await contentOf(directory);
});
afterAll(() => samples.removeAll());

/** Whole by the reader that shares no code with the engine, and by verification. */
async function requireWhole(directory: string): Promise<void> {
  requireSeen(before, seenEvents(filesIn(directory), 0n));
  await withDatabase(directory, async (database) => {
    const { operation: control } = scavengeEnvironment();
    const { findings } = await verifyDatabase({ database, quick: false, control });
    expect(findings.filter(({ severity }) => severity === 'damage')).toEqual([]);
  });
}

/** A machine whose both clocks jump, up to ten years either way, whenever they are read. */
function jumpingClocks(random: Prng): Partial<ScavengeEnvironment> {
  const jump = (): number => random.below(2 * TEN_YEARS_S) - TEN_YEARS_S;
  const atFirst = ticksFromIso(SAMPLE_TIME)!;
  return {
    now: () => (atFirst + BigInt(jump()) * TICKS_PER_SECOND) as Ticks,
    operation: new OperationControl({
      elapsedMs: () => jump() * 1000,
      yieldTurn: () => new Promise((resolve) => setImmediate(resolve))
    })
  };
}

it('a clock that is set back and forth, within each phase and between two of them, changes nothing of a scavenge', async () => {
  const random = new Prng(SEED);
  let cases = 0;
  for (const stopAfter of [undefined, ...PHASES]) {
    const directory = samples.copy(original);
    if (stopAfter)
      await runScavenge(
        scavengeRequest(directory, { stopAfter }),
        scavengeEnvironment(jumpingClocks(random))
      );
    await runScavenge(scavengeRequest(directory), scavengeEnvironment(jumpingClocks(random)));
    expect(await contentOf(directory), String(stopAfter)).toEqual(uncut);
    await requireWhole(directory);
    cases++;
  }
  recordCampaign({
    ...{ name: 'scavenge under a clock that jumps', promise: 'badMachine', operation: 'scavenge' },
    faults: 'clock set back and forth up to ten years at each look',
    ...{ counts: { cases }, seed: SEED }
  });
});

it('a machine that has another name when a stopped scavenge is resumed ends it as if it had kept its own', async () => {
  let cases = 0;
  for (const stopAfter of PHASES) {
    const directory = samples.copy(original);
    const named = (hostName: string): ScavengeEnvironment => scavengeEnvironment({ hostName });
    await runScavenge(scavengeRequest(directory, { stopAfter }), named('one'));
    const { result, resumed } = await runScavenge(scavengeRequest(directory), named('another'));
    // Up to there nothing is done that a second run could go on from: the point was in the log already.
    expect([stopAfter, result, resumed]).toEqual([stopAfter, 'success', stopAfter !== 'beginning']);
    expect(await contentOf(directory), stopAfter).toEqual(uncut);
    await requireWhole(directory);
    cases++;
  }
  recordCampaign({
    ...{ name: 'scavenge resumed under another host name', promise: 'badMachine', operation: 'scavenge' },
    faults: 'host name changed after each phase',
    counts: { cases }
  });
});

// Only root can become another user, and back.
it.runIf(process.getuid?.() === 0)(
  'rights that are withdrawn within a scavenge end it with the name of what it may not do, and lose nothing',
  async () => {
    const count = new Strike(0, () => undefined);
    await runScavenge(
      scavengeRequest(samples.copy(original)),
      scavengeEnvironment({ fileSystem: count.fileSystem() })
    );
    const refused: string[] = [];
    for (let at = 1; at <= count.calls; at += EVERY) {
      const directory = samples.copy(original);
      const strike = new Strike(at, () => process.seteuid!(NOBODY));
      const end = await runScavenge(
        scavengeRequest(directory),
        scavengeEnvironment({ fileSystem: strike.fileSystem() })
      ).then(
        () => undefined,
        (error: unknown) => error
      );
      process.seteuid!(0);
      const where = `call ${at} of ${count.calls}: ${end instanceof Error ? end.message : 'no error'}`;
      if (end !== undefined) {
        expect(end, where).toBeInstanceOf(EngineError);
        refused.push((end as EngineError).message);
      }
      await requireWhole(directory);
      await runScavenge(scavengeRequest(directory), scavengeEnvironment());
      expect(await contentOf(directory), where).toEqual(uncut);
      fs.rmSync(path.dirname(directory), { recursive: true, force: true });
    }
    expect(refused.length).toBeGreaterThan(5);
    expect(refused.filter((message) => !/EACCES|permission|unable to open|readonly/i.test(message))).toEqual(
      []
    );
  }
);
