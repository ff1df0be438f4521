// One run of vitest for a mutant or for the marks: in a group of its own, which ends as a whole, with a temporary directory of its
// own, which goes with it.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../build.mjs';

/** Runs the job; `use` sees the results (none when the run did not come to an end) before the directory goes. */
export async function runJob(job, limitMs, use) {
  const scratch = mkdtempSync(path.join(tmpdir(), 'winnow-mutant-'));
  const temporary = path.join(scratch, 'tmp');
  const file = path.join(scratch, 'job.json');
  const results = path.join(scratch, 'results.json');
  const marks = path.join(scratch, 'marks');
  mkdirSync(temporary);
  mkdirSync(marks);
  writeFileSync(file, JSON.stringify({ ...job, results, marks }));
  try {
    const isInTime = await ended(file, temporary, limitMs);
    const found = existsSync(results) ? JSON.parse(readFileSync(results, 'utf8')) : undefined;
    return use({ isInTime, results: found, marks });
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

function ended(job, temporary, limitMs) {
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const config = path.join(root, 'scripts/mutants/vitest.config.mjs');
  const child = spawn(process.execPath, [vitest, 'run', '--config', config], {
    cwd: root,
    detached: true,
    stdio: process.env.WINNOW_MUTANT_SHOW ? 'inherit' : 'ignore',
    env: { ...process.env, WINNOW_MUTANT_JOB: job, TMPDIR: temporary }
  });
  return new Promise((resolve) => {
    let isInTime = true;
    const limit = setTimeout(() => {
      isInTime = false;
      process.kill(-child.pid, 'SIGKILL');
    }, limitMs);
    child.on('exit', () => {
      clearTimeout(limit);
      resolve(isInTime);
    });
  });
}
