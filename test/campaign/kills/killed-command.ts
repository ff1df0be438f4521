/** The built command in a process of its own, killed at a moment, without vitest. */
import { spawn } from 'node:child_process';
import { COMMAND_LINE } from '../../support/command-line.ts';

export interface CommandEnd {
  isKilled: boolean;
  exitCode: number | null;
  stdout: string;
  stderr: string;
  tookMs: number;
}

/** No command of the campaign needs a tenth of it: one that hangs is ended then, and its exit code is null. */
const DEADLINE_MS = 120_000;

/** Runs `winnow WORDS` in `directory`, whose `home` is WINNOW_HOME. SIGKILL comes `killAfterMs` after the start. */
export function runCommand(
  directory: string,
  words: readonly string[],
  killAfterMs?: number
): Promise<CommandEnd> {
  return new Promise((resolve, reject) => {
    const startedMs = performance.now();
    const child = spawn(process.execPath, [COMMAND_LINE, ...words], {
      cwd: directory,
      env: { ...process.env, WINNOW_HOME: `${directory}/home` },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: DEADLINE_MS,
      killSignal: 'SIGTERM'
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const timer =
      killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    child.on('error', reject);
    child.on('close', (exitCode, signal) => {
      clearTimeout(timer);
      const tookMs = performance.now() - startedMs;
      resolve({ isKilled: signal === 'SIGKILL', exitCode, stdout, stderr, tookMs });
    });
  });
}

/** Runs it to its end; throws with all it said where it does not end with one of `codes`. */
export async function requireCommand(
  directory: string,
  words: readonly string[],
  codes: readonly number[] = [0]
): Promise<CommandEnd> {
  const end = await runCommand(directory, words);
  if (end.exitCode !== null && codes.includes(end.exitCode)) return end;
  throw new Error(`winnow ${words.join(' ')} ended with ${end.exitCode}: ${end.stderr}${end.stdout}`);
}
