/** `winnow serve` as a child process, the way an operator runs it, and requests to it. */
import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { UserStore, type Role } from '../../../src-main/access/user-store.ts';
import { WinnowClient } from '../../../src-main/client/winnow-client.ts';
import { COMMAND_LINE } from '../../support/command-line.ts';
import { faultsOfAnswer } from './described-answer.ts';

const START_MS = 60_000;
export const PASSWORD = 'correct horse';

export interface RunningServer {
  url: string;
  child: ChildProcess;
  /** Everything it logged so far. */
  log: () => string;
  /** Sends a signal and resolves with the exit code. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

export interface ServeRun {
  /** WINNOW_HOME; users `admin`, `ops` and `joe` (no role) are made in it unless it has some. */
  home: string;
  words: string[];
  environment?: Record<string, string>;
}

export async function startServer({ home, words, environment }: ServeRun): Promise<RunningServer> {
  await makeUsers(home);
  const child = spawn(process.execPath, [COMMAND_LINE, 'serve', '--port', '0', ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, WINNOW_HOME: home, ...environment }
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  const hasExited = new Promise<number | null>((resolve) => child.on('close', resolve));
  const url = await new Promise<string>((resolve, reject) => {
    const patience = setTimeout(() => reject(new Error(`no service after ${START_MS} ms: ${log}`)), START_MS);
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      if (!text.includes('\n')) return;
      clearTimeout(patience);
      resolve((JSON.parse(text.slice(0, text.indexOf('\n'))) as { listening: string }).listening);
    });
    void hasExited.then((code) => reject(new Error(`the service ended with ${code}: ${log}`)));
  });
  return {
    url,
    child,
    log: () => log,
    stop: async (signal = 'SIGINT') => {
      child.kill(signal);
      return hasExited;
    }
  };
}

async function makeUsers(home: string): Promise<void> {
  const file = path.join(home, 'users.json');
  if (fs.existsSync(file)) return;
  const users = new UserStore(file);
  const made: [string, Role[]][] = [
    ['admin', ['$admins']],
    ['ops', ['$ops']],
    ['joe', []]
  ];
  for (const [name, roles] of made) await users.add(name, roles, PASSWORD);
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

export interface Ask {
  as?: 'admin' | 'ops' | 'joe' | 'nobody';
  headers?: Record<string, string>;
  body?: string;
}

/** `what`: method and path, as `GET /info`. Throws if the answer is not one that the service describes. */
export async function ask({ url }: RunningServer, what: string, options: Ask = {}): Promise<Answer> {
  const [method = 'GET', target = '/'] = what.split(' ');
  const { as = 'ops' } = options;
  const answer = await fetch(`${url}${target}`, {
    method,
    redirect: 'manual',
    headers: { ...(as === 'nobody' ? {} : { authorization: basic(as, PASSWORD) }), ...options.headers },
    ...(options.body === undefined ? {} : { body: new TextEncoder().encode(options.body) })
  });
  const answered = { status: answer.status, headers: answer.headers, text: await answer.text() };
  const faults = faultsOfAnswer(what, answered);
  if (faults.length > 0) throw new Error(`not as described: ${faults.join('; ')}`);
  return answered;
}

/** The client of scripts, as one of the users. */
export function clientOf(
  { url }: Pick<RunningServer, 'url'>,
  name = 'ops',
  password = PASSWORD
): WinnowClient {
  return new WinnowClient({ url, user: { name, password } });
}

export function basic(name: string, password: string): string {
  return `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
}
