/**
 * A scavenging process is killed ten times at random moments. However often that happens and wherever it hits, the
 * next run goes on, and the end is that of the uncut run: records, chunk files, index entries, state.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { runScavenge } from '../../src-core/scavenge/run-scavenge.ts';
import { verifyDatabase } from '../../src-core/verify/verify-database.ts';
import { contentOf, filesOf, withDatabase } from '../support/database-content.ts';
import { Prng } from '../support/prng.ts';
import { recordCampaign } from '../support/proof-record.ts';
import { scavengeEnvironment, scavengeRequest } from '../support/scavenge-environment.ts';
import { ScavengeSamples, stateRowsOf } from '../support/scavenge-sample.ts';
import { seedOfRun } from '../support/seeds.ts';

const KILLS = 10;
const CHILD = fileURLToPath(new URL('./scavenge-child.ts', import.meta.url));
const samples = new ScavengeSamples();
afterAll(() => samples.removeAll());

/** Runs the child; kills it `killAfterMs` after it began to work. Says whether it was killed, and how long it took. */
function runChild(
  dataDirectory: string,
  killAfterMs: number | null
): Promise<{ isKilled: boolean; workMs: number }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', CHILD, dataDirectory], {
      stdio: ['ignore', 'pipe', 'pipe']
    });
    let errors = '';
    let startedMs = performance.now();
    child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
    child.stdout.once('data', () => {
      startedMs = performance.now();
      if (killAfterMs !== null) setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const workMs = performance.now() - startedMs;
      if (signal === 'SIGKILL') resolve({ isKilled: true, workMs });
      else if (code === 0) resolve({ isKilled: false, workMs });
      else reject(new Error(`The child ended with ${code}: ${errors}`));
    });
  });
}

async function expectLike(uncut: string, cut: string): Promise<void> {
  expect(await contentOf(cut)).toEqual(await contentOf(uncut));
  expect(stateRowsOf(cut)).toEqual(stateRowsOf(uncut));
  expect(Object.keys(filesOf(cut)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  await withDatabase(cut, async (database) => {
    const { operation } = scavengeEnvironment();
    const { findings } = await verifyDatabase({ database, quick: false, control: operation });
    expect(findings.filter(({ severity }) => severity === 'damage')).toEqual([]);
  });
}

it(`a scavenge that is killed ${KILLS} times ends as the uncut one`, async () => {
  const seed = seedOfRun();
  console.log(`seed of the kills: ${seed} (WINNOW_SEED=${seed} repeats it)`);
  const random = new Prng(seed);
  const original = await samples.write(
    { sizeBytes: 6_000_000, chunkSizeBytes: 262144, seed: 5 },
    { withPoint: true }
  );
  const uncut = samples.copy(original);
  const { workMs } = await runChild(uncut, null);

  let cut = samples.copy(original);
  for (let killed = 0; killed < KILLS;) {
    const { isKilled } = await runChild(cut, 1 + random.below(Math.ceil(workMs / 2)));
    if (isKilled) {
      killed++;
      continue;
    }
    // It came to its end before the kill: that end must be right too, and the next kills need another database.
    await expectLike(uncut, cut);
    cut = samples.copy(original);
  }
  await runScavenge(scavengeRequest(cut), scavengeEnvironment());
  await expectLike(uncut, cut);
  const faults = 'SIGKILL at random moments';
  recordCampaign({
    ...{ name: 'a scavenging process that is killed', promise: 'threads', operation: 'scavenge', faults },
    counts: { kills: KILLS, cases: KILLS }
  });
});
