/** A service with its page over a small database, in this process; and a browser's requests to it. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { startWorkerEngine, type EngineHost } from '../../../../src-main/engine/engine-host.ts';
import { startPageClusters } from '../../../../src-main/hosting/page-clusters.ts';
import { serve } from '../../../../src-main/http/serve.ts';
import { loadSettings } from '../../../../src-main/settings/settings.ts';
import { UserStore } from '../../../../src-main/access/user-store.ts';
import { PASSWORD } from '../running-server.ts';

export interface PageRun {
  url: string;
  /** Moves the service's clock. */
  pass: (milliseconds: number) => void;
  users: UserStore;
  database: string;
  home: string;
  /** A folder that pages may choose from. */
  allowed: string;
  log: () => string;
  close: () => Promise<void>;
}

export interface PageChoices {
  isTls?: boolean;
  /** What stands between the service and its engine. */
  around?: (engine: EngineHost) => EngineHost;
}

export async function startPage({
  isTls = false,
  around = (engine) => engine
}: PageChoices = {}): Promise<PageRun> {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-page-'));
  const home = path.join(directory, 'home');
  const database = path.join(directory, 'db');
  fs.mkdirSync(path.join(directory, 'allowed'));
  const users = new UserStore(path.join(home, 'users.json'));
  await users.add('admin', ['$admins'], PASSWORD);
  await users.add('ops', ['$ops'], PASSWORD);
  await users.add('joe', [], PASSWORD);
  const engine = startWorkerEngine();
  await engine.call('writeSample', {
    dataDirectory: database,
    sizeBytes: 2 * 1024 * 1024,
    chunkSizeBytes: 256 * 1024
  });
  const tls = isTls ? certificateIn(directory) : { certificateFile: undefined, keyFile: undefined };
  let passedMs = 0;
  let log = '';
  const logger = pino({ base: null }, { write: (text: string) => void (log += text) });
  const service = await serve(
    {
      settings: loadSettings({ commandLine: new Map([['db', database]]), unknownNames: 'refuse' }),
      host: '127.0.0.1',
      port: 0,
      publicNames: [],
      usersFile: users.file,
      ...tls,
      saidSingleNode: true,
      trustedKeyFile: undefined,
      clusterName: undefined,
      environment: {},
      winnowHome: home,
      pageDirectory: builtPage(path.join(directory, 'page')),
      allowedPaths: [path.join(directory, 'allowed')]
    },
    {
      engine: around(engine),
      logger,
      clock: () => Date.now() + passedMs,
      startClusters: startPageClusters
    }
  );
  return {
    url: service.url,
    pass: (milliseconds) => (passedMs += milliseconds),
    users,
    database,
    home,
    allowed: path.join(directory, 'allowed'),
    log: () => log,
    close: async () => {
      await service.close();
      await engine.close();
      fs.rmSync(directory, { recursive: true, force: true });
    }
  };
}

function certificateIn(directory: string): { certificateFile: string; keyFile: string } {
  const certificateFile = path.join(directory, 'cert.pem');
  const keyFile = path.join(directory, 'key.pem');
  const words = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost';
  const { status } = spawnSync('openssl', [...words.split(' '), '-keyout', keyFile, '-out', certificateFile]);
  if (status !== 0) throw new Error(`openssl ended with ${String(status)}`);
  return { certificateFile, keyFile };
}

/** In the place of a build: what is served does not depend on what the files hold. */
export function builtPage(directory: string): string {
  fs.mkdirSync(path.join(directory, 'assets'), { recursive: true });
  fs.writeFileSync(path.join(directory, 'index.html'), '<!doctype html><title>Winnow</title>');
  fs.writeFileSync(path.join(directory, 'assets', 'index-1.js'), 'export {};');
  fs.writeFileSync(path.join(directory, 'assets', 'notes.map'), '{}');
  fs.writeFileSync(path.join(path.dirname(directory), 'beside.js'), 'secret');
  return directory;
}

/** A browser on the page: it marks what it asks, names its origin, and keeps the session's cookie. */
export class Browser {
  readonly #url: string;
  cookie: string | undefined;

  constructor({ url }: Pick<PageRun, 'url'>) {
    this.#url = url;
  }

  /** `headers`: undefined takes one away. */
  async ask(
    what: string,
    body?: unknown,
    headers: Record<string, string | undefined> = {},
    signal?: AbortSignal
  ): Promise<Response> {
    const [method = 'GET', target = '/'] = what.split(' ');
    const all = {
      'x-requested-with': 'winnow',
      ...(method === 'GET' ? {} : { origin: this.#url, 'sec-fetch-site': 'same-origin' }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(this.cookie === undefined ? {} : { cookie: this.cookie }),
      ...headers
    };
    const present = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return fetch(`${this.#url}${target}`, {
      method,
      redirect: 'manual',
      headers: Object.fromEntries(present),
      ...(signal === undefined ? {} : { signal }),
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) })
    });
  }

  async logIn(name: string, password = PASSWORD): Promise<Response> {
    const answer = await this.ask('POST /ui/session', { name, password });
    const set = answer.headers.get('set-cookie');
    if (set !== null) this.cookie = set.split(';')[0];
    return answer;
  }

  verb(name: string, request: unknown = {}): Promise<Response> {
    return this.ask(`POST /ui/verbs/${name}`, request);
  }
}

export async function loggedIn(run: PageRun, name: string): Promise<Browser> {
  const browser = new Browser(run);
  const { status } = await browser.logIn(name);
  if (status !== 200) throw new Error(`the log-in of ${name} was answered with ${status}`);
  return browser;
}

/** Reads server-sent events until one satisfies the condition; then leaves. */
export async function eventsUntil(
  answer: Response,
  isWanted: (event: { name: string; data: unknown }) => boolean
): Promise<{ name: string; data: unknown }[]> {
  const found: { name: string; data: unknown }[] = [];
  let text = '';
  const decoder = new TextDecoder();
  for await (const piece of answer.body!) {
    text += decoder.decode(piece as Uint8Array, { stream: true });
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const [first = '', second = ''] = text.slice(0, end).split('\n');
      text = text.slice(end + 2);
      if (!first.startsWith('event: ')) continue;
      const event = { name: first.slice(7), data: JSON.parse(second.slice(6)) as unknown };
      found.push(event);
      if (isWanted(event)) return found;
    }
  }
  return found;
}
