/**
 * Every route and verb of the service × method × who asks × how: as it should be, wrong, huge, deep, slow, in parallel, again and
 * again, from a foreign host or origin. Whatever comes, the answer is no fault of the server; who may not gets nothing done; and
 * somebody else is served meanwhile.
 */
import net from 'node:net';
import { VERB_NAMES } from '../../src-main/contract/verbs/channels.ts';
import { Prng } from '../support/prng.ts';
import { exchange } from './http-campaign.ts';

export interface HttpMatrix {
  url: string;
  seed: number;
  /** Of all combinations so many are asked, in an order that the seed determines; more than there are: some again. */
  requests: number;
  /** Values of the header Authorization. */
  roles: Readonly<Record<Role, string | undefined>>;
  /** Of sessions of the page. */
  cookies: Readonly<Record<Role, string | undefined>>;
  /** Called now and then. */
  onProgress?: (done: number) => Promise<void>;
}

export const ROLES = ['admin', 'ops', 'joe', 'nobody', 'stranger'] as const;
/** `joe` has no role, `nobody` says nothing, `stranger` says a wrong password. */
export type Role = (typeof ROLES)[number];
const METHODS = ['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS'] as const;
const HOWS = [
  ...['plain', 'wrong', 'huge', 'deep', 'slow', 'parallel', 'repeated'],
  ...['foreign host', 'foreign origin']
] as const;
type How = (typeof HOWS)[number];

export interface HttpMatrixEnd {
  /** Combinations that exist. */
  combinations: number;
  sent: number;
  /** By kind of trouble. */
  counts: Map<string, number>;
  statuses: Map<string, number>;
  faults: string[];
  /** Longest that somebody else waited for an answer meanwhile. */
  longestWaitMs: number;
}

const AT_A_TIME = 8;
const TOGETHER = 6;
const SLOW_MS = 300;
const PROGRESS_REQUESTS = 500;
/** They end what others ask in the same moment, which is what they are for. */
const LEFT_OUT = new Set(['restartEngine']);
const OTHER_PATHS = [
  '/',
  '/ui/session',
  '/ui/events',
  '/nothing',
  '/ui/verbs/x',
  '/ui/files/x',
  '/ui/uploads'
];
/** What anybody may have done. */
const OPEN = /^\/ui\/session$/;

interface Combination {
  method: (typeof METHODS)[number];
  path: string;
  role: Role;
  how: How;
}

export async function runHttpMatrix(matrix: HttpMatrix): Promise<HttpMatrixEnd> {
  const { hostname, port } = new URL(matrix.url);
  const combinations = new Prng(matrix.seed).shuffled(await combinationsOf(matrix));
  const end: HttpMatrixEnd = {
    combinations: combinations.length,
    sent: 0,
    counts: new Map(),
    statuses: new Map(),
    faults: [],
    longestWaitMs: 0
  };
  let next = 0;
  let isOver = false;
  const worker = async (): Promise<void> => {
    while (next < matrix.requests) {
      const index = next++;
      const combination = combinations[index % combinations.length]!;
      await askOne({ hostname, port: Number(port), matrix, end, combination, index });
      if (index % PROGRESS_REQUESTS === 0) await matrix.onProgress?.(index);
    }
  };
  const bystander = async (): Promise<void> => {
    while (!isOver) {
      const startedMs = performance.now();
      const headers = { authorization: matrix.roles.ops ?? '' };
      const answer = await fetch(`${matrix.url}/info`, { headers, signal: AbortSignal.timeout(30_000) });
      await answer.text();
      end.longestWaitMs = Math.max(end.longestWaitMs, performance.now() - startedMs);
      if (answer.status !== 200) end.faults.push(`somebody else was answered ${answer.status}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const watching = bystander();
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  isOver = true;
  await watching;
  return end;
}

async function combinationsOf({ url, roles }: HttpMatrix): Promise<Combination[]> {
  const answer = await fetch(`${url}/openapi.json`, { headers: { authorization: roles.ops ?? '' } });
  const described = Object.keys(((await answer.json()) as { paths: object }).paths);
  const paths = [...described.map((path) => path.replaceAll(/\{[^}]+\}/g, 'current')), ...OTHER_PATHS];
  const routes = paths.flatMap((path) => METHODS.map((method) => ({ method, path })));
  const verbs = [...VERB_NAMES].filter((verb) => !LEFT_OUT.has(verb));
  const asked = verbs.map((verb) => ({ method: 'POST' as const, path: `/ui/verbs/${verb}` }));
  return [...routes, ...asked].flatMap((one) =>
    ROLES.flatMap((role) => HOWS.map((how) => ({ ...one, role, how })))
  );
}

interface Asked {
  hostname: string;
  port: number;
  matrix: HttpMatrix;
  end: HttpMatrixEnd;
  combination: Combination;
  index: number;
}

async function askOne(asked: Asked): Promise<void> {
  const { hostname, port, end, combination } = asked;
  const { how } = combination;
  end.counts.set(how, (end.counts.get(how) ?? 0) + 1);
  const request = requestOf(asked);
  if (how === 'slow') {
    end.sent++;
    await dribble(hostname, port, request);
    return;
  }
  const times = how === 'parallel' || how === 'repeated' ? TOGETHER : 1;
  const send = async (): Promise<void> => {
    end.sent++;
    judge(asked, request, await exchange(hostname, port, request));
  };
  if (how === 'parallel') await Promise.all(Array.from({ length: times }, send));
  else for (let i = 0; i < times; i++) await send();
}

function requestOf({ hostname, port, matrix, combination, index }: Asked): string {
  const { method, path, role, how } = combination;
  const prng = new Prng(matrix.seed * 1_000_003 + index);
  const host = `${hostname}:${port}`;
  const isPage = path.startsWith('/ui/');
  const body = method === 'GET' || method === 'HEAD' ? '' : bodyOf(how, prng);
  const origin = how === 'foreign origin' ? 'http://evil.example' : `http://${host}`;
  const credentials = isPage ? matrix.cookies[role] : matrix.roles[role];
  const lines = [
    `${method} ${path}${how === 'wrong' ? '?threads=-1&threshold=1e9&a[b]=%00' : ''} HTTP/1.1`,
    `Host: ${how === 'foreign host' ? 'evil.example' : host}`,
    'Connection: close',
    ...(isPage ? [`Origin: ${origin}`, 'X-Requested-With: winnow'] : []),
    ...(!isPage && how === 'foreign origin' ? [`Origin: ${origin}`] : []),
    ...(credentials === undefined ? [] : [`${isPage ? 'Cookie' : 'Authorization'}: ${credentials}`]),
    ...(how === 'huge' ? [`X-Long: ${'y'.repeat(prng.below(12_000))}`] : []),
    ...(body === '' ? [] : ['Content-Type: application/json']),
    `Content-Length: ${Buffer.byteLength(body, 'latin1')}`
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

function bodyOf(how: How, prng: Prng): string {
  switch (how) {
    case 'huge':
      return JSON.stringify({ name: 'x'.repeat(60_000 + prng.below(300_000)) });
    case 'deep':
      return `{"request":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    case 'wrong':
      return prng.pick([
        '',
        '{',
        'null',
        '7',
        '[]',
        '{"nodeId":7}',
        '{"__proto__":{}}',
        '{"name":null}',
        '\u0000'
      ]);
    default:
      return '{}';
  }
}

function judge(
  { combination, end, index, matrix }: Asked,
  request: string,
  answer: string | undefined
): void {
  const { method, path, role, how } = combination;
  const status = /^HTTP\/1\.1 (\d{3})/.exec(answer ?? '')?.[1] ?? (answer === undefined ? 'late' : 'closed');
  end.statuses.set(status, (end.statuses.get(status) ?? 0) + 1);
  const say = (what: string): void => {
    const which = `combination ${index} (seed ${matrix.seed}): ${method} ${path} as ${role}, ${how}`;
    end.faults.push(`${which}: ${what}: ${request.slice(0, 80)} -> ${(answer ?? '').slice(-200)}`);
  };
  if (status === 'late' || /^5/.test(status)) {
    if (!['501', '503', '505'].includes(status)) say(status);
  }
  const isDone = /^2/.test(status);
  const changes = !['GET', 'HEAD', 'OPTIONS'].includes(method);
  if (isDone && changes && !OPEN.test(path) && (role === 'nobody' || role === 'stranger'))
    say('done for nobody');
  if (isDone && changes && !path.startsWith('/ui/') && role === 'joe') say('done without a role');
  if (isDone && path.startsWith('/ui/verbs/') && (how === 'foreign origin' || how === 'foreign host'))
    say('done for another site');
}

/** Half of the request, then nothing for a while, then the end of the connection. */
function dribble(hostname: string, port: number, request: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = net.connect(port, hostname, () => {
      socket.write(Buffer.from(request.slice(0, Math.ceil(request.length / 2)), 'latin1'));
      setTimeout(() => socket.destroy(), SLOW_MS);
    });
    socket.on('error', () => undefined);
    socket.on('data', () => undefined);
    socket.on('close', () => resolve());
  });
}
