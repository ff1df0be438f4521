// Runs of test files in a server of their own (test-server.mjs), which begins again when it was ended.
import { fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../build.mjs';

const SERVER = path.join(root, 'scripts/mutants/test-server.mjs');

export class TestRuns {
  #limitMs;
  #marks;
  #child;
  #scratch;

  /** `limitMs`: the longest that one test may take. `marks`: the directory for the marks of functions, none with mutants. */
  constructor(limitMs, marks) {
    this.#limitMs = limitMs;
    this.#marks = marks;
  }

  async #begin() {
    this.#scratch = mkdtempSync(path.join(tmpdir(), 'winnow-mutant-'));
    mkdirSync(path.join(this.#scratch, 'tmp'));
    const env = {
      ...process.env,
      TMPDIR: path.join(this.#scratch, 'tmp'),
      WINNOW_MUTANT_LIMIT_MS: String(this.#limitMs)
    };
    if (this.#marks !== undefined) env.WINNOW_MUTANT_MARKS = this.#marks;
    const stdio = process.env.WINNOW_MUTANT_SHOW ? 'inherit' : 'ignore';
    this.#child = fork(SERVER, { cwd: root, detached: true, env, stdio: [stdio, stdio, stdio, 'ipc'] });
    await this.#answer(120_000);
  }

  /** What the server says next; undefined when it says nothing in time, or ended. */
  #answer(limitMs) {
    const child = this.#child;
    return new Promise((resolve) => {
      const end = (answer) => {
        clearTimeout(limit);
        child.removeAllListeners();
        resolve(answer);
      };
      const limit = setTimeout(() => end(undefined), limitMs);
      child.on('message', end);
      child.on('exit', () => end(undefined));
    });
  }

  /** `ok`, the tests that ran; undefined when they did not come to an end in time. */
  async run(job, limitMs) {
    if (this.#child === undefined) await this.#begin();
    this.#child.send(job, () => undefined);
    const answer = await this.#answer(limitMs);
    if (answer === undefined) this.end();
    return answer;
  }

  /** Ends the server and all that its tests have started. */
  end() {
    if (this.#child === undefined) return;
    try {
      process.kill(-this.#child.pid, 'SIGKILL');
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
    this.#child = undefined;
    rmSync(this.#scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
