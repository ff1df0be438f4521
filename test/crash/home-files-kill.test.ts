/**
 * A process that keeps files in WINNOW_HOME is killed at random moments: what it was told is stored is there, each file
 * is whole, and the next process goes on from it.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { z } from 'zod';
import { CoordinatorFile } from '../../src-main/cluster/coordinator-store.ts';
import { readJsonFile } from '../../src-main/settings/json-file.ts';
import { Prng } from '../support/prng.ts';
import { seedOfRun } from '../support/seeds.ts';

const KILLS = 6;
/** Of numbers told before the kill: a few, so that the moment falls anywhere within a cycle of the file. */
const MOST_TOLD = 20;
/** Every so many numbers a cycle ends, and the file is replaced by what a restart needs: the end itself is not kept. */
const LINES_OF_A_CYCLE = 9;
const CHILD = fileURLToPath(new URL('./home-files-child.ts', import.meta.url));
const home = mkdtempSync(path.join(tmpdir(), 'winnow-home-kill-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Runs the child from `first` on and kills it within the work after it told `count` numbers; the last one it told. */
function killAfter(first: number, count: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', CHILD, home, String(first), String(LINES_OF_A_CYCLE)],
      {
        stdio: ['ignore', 'pipe', 'pipe']
      }
    );
    let told = '';
    let errors = '';
    child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
    child.stdout.on('data', (data: Buffer) => {
      told += data.toString();
      if (told.split('\n').length > count) child.kill('SIGKILL');
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve(Number(told.trimEnd().split('\n').at(-1)));
      else reject(new Error(`The child ended with ${code}: ${errors}`));
    });
  });
}

it(`keeps what was stored through ${KILLS} kills, and every file stays whole`, async () => {
  const seed = seedOfRun();
  console.log(`seed of the kills: ${seed} (WINNOW_SEED=${seed} repeats it)`);
  const random = new Prng(seed);
  const numbered = z.object({ number: z.number() });
  let last = -1;
  for (let kill = 0; kill < KILLS; kill++) {
    last = await killAfter(last + 1, 1 + random.below(MOST_TOLD));
    const events = new CoordinatorFile(path.join(home, 'events.jsonl')).read();
    const stored = events.map(({ data }) => numbered.parse(data).number);
    expect(stored).toEqual([...stored].sort((a, b) => a - b));
    // The one that was being stored may be there as well: it was told by nobody, and the next process stores it again.
    const isEndOfCycle = last % LINES_OF_A_CYCLE === LINES_OF_A_CYCLE - 1;
    expect([last, last + 1, ...(isEndOfCycle ? [last - 1] : [])]).toContain(stored.at(-1));
    const kept = readJsonFile(path.join(home, 'kept.json'), numbered);
    expect([last, last + 1]).toContain(kept?.number);
    last = Math.max(last, stored.at(-1) ?? last);
  }
  // What the last killed process left beside its files is at most what it was writing.
  expect(readdirSync(home).filter((name) => name.endsWith('.tmp')).length).toBeLessThanOrEqual(KILLS);
});
