/**
 * The sample database that tests in a window look at: written once in a run, by the first who asks for it, and copied with what
 * reading it left in a home, which takes longer than most looks at it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { nameOf } from '../../src-main/operations/database/digests-of.ts';
import { NodeRegistry } from '../../src-main/settings/node-registry.ts';
import { PATIENCE_MS } from './patience.ts';

/** As `winnow sample` writes it, or a sixth of that: as many kinds of streams and rules, in fewer of them. */
export type SampleSize = 'usual' | 'small';

/** Where a run keeps them (playwright.config.ts). */
const PLACE = 'WINNOW_TEST_SAMPLES';
const WORDS: Record<SampleSize, string[]> = {
  usual: [],
  small: ['--size', '12MiB', '--chunk-size', '1MiB']
};
const SAMPLE = 'sample';
const KNOWN = 'known';
const LOOK_MS = 100;

/** A place for the samples of this run; the other removes it. */
export function makeSamplePlace(): string {
  return (process.env[PLACE] = mkdtempSync(path.join(tmpdir(), 'winnow-samples-')));
}

/** A sample in a home that knows it: its directory. */
export async function copySample(home: string, size: SampleSize): Promise<string> {
  const from = await writtenSample(size);
  const directory = path.join(home, 'samples', 'sample');
  // A digest is bound to the times of its chunk as well.
  cpSync(from, directory, { recursive: true, preserveTimestamps: true });
  cpSync(path.join(from, '..', KNOWN), path.join(home, 'digests', nameOf(directory)), { recursive: true });
  new NodeRegistry(home, Date.now).open({ dataDirectory: directory, isSample: true });
  return directory;
}

/** Directory of a sample that nobody changes; beside it, its digests and what was worked out of them. */
export async function writtenSample(size: SampleSize): Promise<string> {
  const place = process.env[PLACE];
  if (place === undefined) throw new Error(`${PLACE} names no place: run with playwright.config.ts.`);
  const home = path.join(place, size);
  try {
    // Stays: who finds it is not the first.
    mkdirSync(`${home}-begun`);
  } catch {
    for (const end = Date.now() + PATIENCE_MS; !existsSync(home);) {
      if (Date.now() > end) throw new Error(`Another test that writes the ${size} sample has not ended.`);
      await sleep(LOOK_MS);
    }
    return path.join(home, SAMPLE);
  }
  const begun = path.join(`${home}-begun`, 'home');
  const directory = path.join(begun, SAMPLE);
  mkdirSync(begun);
  await runWinnow(begun, 'sample', directory, ...WORDS[size], '--yes', '--quiet');
  // Whole seconds: a copy does not keep the last digits of a time.
  const now = Math.floor(Date.now() / 1000);
  for (const name of readdirSync(directory)) utimesSync(path.join(directory, name), now, now);
  await runWinnow(begun, 'usage', directory, '--quiet');
  renameSync(path.join(begun, 'digests', nameOf(directory)), path.join(begun, KNOWN));
  renameSync(begun, home);
  return path.join(home, SAMPLE);
}

async function runWinnow(home: string, ...words: string[]): Promise<void> {
  const env = { ...process.env, WINNOW_HOME: home };
  const command = spawn(process.execPath, ['out/main/cli.js', ...words], {
    env,
    stdio: ['ignore', 'ignore', 'inherit']
  });
  const [code] = (await once(command, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`winnow ${words.join(' ')} ended with ${String(code)}`);
}

/** Removes what makeSamplePlace made. */
export function removeSamplePlace(place: string): void {
  rmSync(place, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}
