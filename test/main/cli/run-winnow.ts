/** Runs the command line as a child process, the way a user's shell would. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { COMMAND_LINE } from '../../support/command-line.ts';

/** Commands keep a record of what they did: not in the home of the user who runs the tests. */
const home = mkdtempSync(path.join(tmpdir(), 'winnow-commands-'));
const removeHome = (): void => rmSync(home, { recursive: true, force: true });
// Campaigns run it without vitest, whose own processes end without a word.
if (process.env['VITEST'] === undefined) process.once('exit', removeHome);
else (await import('vitest')).afterAll(removeHome);

export interface Finished {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  environment?: Readonly<Record<string, string | undefined>>;
  onStart?: (child: RunningWinnow) => void;
  /** Called with each piece of stdout; may end the reading or send a signal. */
  onStdout?: (text: string, child: RunningWinnow) => void;
  onStderr?: (text: string, child: RunningWinnow) => void;
  /** A command that hangs is ended then, deaf to signals or not: its exit code is null. */
  deadlineMs?: number;
  /** Another user than that of the test, who has to be root for it. */
  user?: { uid: number; gid: number };
}

export interface RunningWinnow {
  signal: (name: NodeJS.Signals) => void;
  closeStdout: () => void;
}

export function runWinnow(words: string[], options: RunOptions = {}): Promise<Finished> {
  const child = spawn(process.execPath, [COMMAND_LINE, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, WINNOW_HOME: home, ...options.environment },
    ...options.user,
    ...(options.deadlineMs === undefined ? {} : { timeout: options.deadlineMs, killSignal: 'SIGKILL' })
  });
  const running: RunningWinnow = {
    signal: (name) => void child.kill(name),
    closeStdout: () => child.stdout.destroy()
  };
  options.onStart?.(running);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    options.onStdout?.(text, running);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    options.onStderr?.(text, running);
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode, stdout, stderr }));
  });
}

/** The one JSON document on stdout. */
export function jsonOf({ stdout }: Finished): unknown {
  return JSON.parse(stdout);
}

/** The objects of a stream command's stdout, one a line. */
export function linesOf({ stdout }: Finished): unknown[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));
}
