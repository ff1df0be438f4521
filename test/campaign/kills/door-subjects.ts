/** The same work asked for at the other doors: the node service, and the engine that stands under the window. */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { UserStore } from '../../../src-main/access/user-store.ts';
import { startUtilityEngine, type UtilityProcessLike } from '../../../src-main/engine/engine-host.ts';
import { COMMAND_LINE } from '../../support/command-line.ts';
import { scavengeAtDoor } from './database-subjects.ts';
import type { KillSubject } from './kill-subject.ts';
import type { CommandEnd } from './killed-command.ts';

const PASSWORD = 'correct horse';
const ENGINE = fileURLToPath(new URL('./engine-process.mjs', import.meta.url));
const POLL_MS = 20;

/** Asked over HTTP for a scavenge; killed `killAfterMs` after the request, else ended once the scavenge has ended. */
async function scavengeByService(directory: string, killAfterMs?: number): Promise<CommandEnd> {
  const home = path.join(directory, 'home');
  const users = new UserStore(path.join(home, 'users.json'));
  if (users.list().length === 0) await users.add('ops', ['$ops'], PASSWORD);
  const child = spawn(
    process.execPath,
    [COMMAND_LINE, 'serve', 'db', '--port', '0', '--single-node', '--quiet'],
    {
      ...{ cwd: directory, env: { ...process.env, WINNOW_HOME: home } },
      stdio: ['ignore', 'pipe', 'pipe']
    }
  );
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  const lines = createInterface({ input: child.stdout });
  const [line] = (await Promise.race([once(lines, 'line'), closed])) as [unknown];
  if (typeof line !== 'string') throw new Error(`no service: ${stderr}`);
  const { listening } = JSON.parse(line) as { listening: string };
  const headers = { authorization: `Basic ${Buffer.from(`ops:${PASSWORD}`).toString('base64')}` };
  const startedMs = performance.now();
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  let lastResult = '';
  try {
    const started = await fetch(`${listening}/admin/scavenge`, { method: 'POST', headers });
    if (!started.ok) throw new Error(`the service answered ${started.status}: ${await started.text()}`);
    const isRunning = async (): Promise<boolean> => {
      const answer = await fetch(`${listening}/admin/scavenge/last`, { headers });
      ({ scavengeResult: lastResult } = (await answer.json()) as { scavengeResult: string });
      return !['Success', 'Stopped', 'Errored'].includes(lastResult);
    };
    while (await isRunning()) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  } catch (error) {
    if (killAfterMs === undefined) throw error;
  }
  const tookMs = performance.now() - startedMs;
  if (killAfterMs === undefined) child.kill('SIGTERM');
  const [, signal] = await closed;
  clearTimeout(timer);
  return {
    isKilled: signal === 'SIGKILL' && lastResult !== 'Success',
    exitCode: lastResult === 'Success' ? 0 : 1,
    stdout: lastResult,
    stderr,
    tookMs
  };
}

/** The engine in a process of its own, as the window has it, ended at once as the window ends one that does not stop. */
async function scavengeByEngine(directory: string, killAfterMs?: number): Promise<CommandEnd> {
  let exited: Promise<unknown> = Promise.resolve();
  const host = startUtilityEngine(() => {
    const child = fork(ENGINE, { env: { ...process.env, WINNOW_HOME: path.join(directory, 'home') } });
    exited = once(child, 'exit');
    return Object.assign(child, {
      postMessage: (message: unknown) => void child.send(message as object)
    }) as unknown as UtilityProcessLike;
  });
  await host.call('inspectDatabase', { dataDirectory: path.join(directory, 'db') });
  const startedMs = performance.now();
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => host.kill(), killAfterMs);
  let stderr = '';
  try {
    await host.call('runScavenge', {
      dataDirectory: path.join(directory, 'db'),
      ...{ scavengePoint: 'new', singleNode: true, threads: 2 }
    });
  } catch (error) {
    stderr = error instanceof Error ? error.message : String(error);
  }
  const tookMs = performance.now() - startedMs;
  clearTimeout(timer);
  if (stderr === '') await host.close();
  await exited;
  const isKilled = stderr.includes('because it did not stop');
  return { isKilled, exitCode: stderr === '' ? 0 : 1, stdout: '', stderr, tookMs };
}

export const DOOR_SUBJECTS: readonly KillSubject[] = [
  scavengeAtDoor('scavenge of the node service', scavengeByService),
  scavengeAtDoor('scavenge of the engine under the window', scavengeByEngine)
];
