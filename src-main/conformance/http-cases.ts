/** Cases of the HTTP answers of auto-scavenge, against the real service, and of its requests to nodes. */
import { isDeepStrictEqual } from 'node:util';
import pino from 'pino';
import { parseWallTime, type StoredEvent } from '../../src-core/index.ts';
import type { HttpRequest } from '../cluster/http-call.ts';
import { pollScavenge, startScavenge, stopScavenge, type RemoteMember } from '../cluster/remote-scavenger.ts';
import { AutoScavenge, type AutoScavengeMode } from '../cluster/auto-scavenge.ts';
import type { Identification } from '../access/basic-authentication.ts';
import { startAdminServer } from '../http/admin-server.ts';
import type { Role } from '../access/user-store.ts';
import type { ConformanceCase, Differences } from './case-format.ts';

const NOW = '2026-08-01T10:17:25.5';
const ANY_TEXT = '<any text>';

interface HttpCase {
  licensed?: boolean;
  request: {
    method: string;
    path: string;
    roles?: string | string[];
    authenticated?: boolean;
    contentType?: string;
    body?: string;
  };
  expect: {
    status?: number;
    statusOneOf?: number[];
    body?: unknown;
    detail?: string;
    contentType?: string;
    events?: { type: string; schedule?: string }[];
    laterStatus?: { status: number; body: unknown };
  };
}

/** One node, leader of a cluster of one, nothing configured. */
export async function runHttp(conformanceCase: ConformanceCase): Promise<Differences> {
  const { licensed, request, expect } = conformanceCase as unknown as HttpCase;
  const events: StoredEvent[] = [];
  const service = await startCaseService(licensed !== false, events);
  try {
    const answer = await ask(service.url, request);
    const differences = compareAnswer(expect, answer);
    const found = events.map(({ type, data }) =>
      typeof data['schedule'] === 'string' ? { type, schedule: data['schedule'] } : { type }
    );
    if (!isDeepStrictEqual(expect.events ?? [], found)) differences.push(`events ${JSON.stringify(found)}`);
    if (expect.laterStatus) {
      const later = await ask(service.url, { method: 'GET', path: '/auto-scavenge/status', roles: 'none' });
      differences.push(...compareAnswer(expect.laterStatus, later).map((text) => `later: ${text}`));
    }
    return differences;
  } finally {
    await service.close();
  }
}

interface CaseAnswer {
  status: number;
  contentType: string;
  text: string;
}

async function ask(baseUrl: string, request: HttpCase['request']): Promise<CaseAnswer> {
  const answer = await fetch(`${baseUrl}${request.path}`, {
    method: request.method,
    headers: {
      ...(request.authenticated === false
        ? {}
        : { authorization: `Roles ${[request.roles ?? 'none'].flat().join(',')}` }),
      ...(request.contentType === undefined ? {} : { 'content-type': request.contentType })
    },
    // As bytes: a text would get its own content type.
    ...(request.body === undefined ? {} : { body: new TextEncoder().encode(request.body) })
  });
  return {
    status: answer.status,
    contentType: answer.headers.get('content-type') ?? '',
    text: await answer.text()
  };
}

function compareAnswer(expect: HttpCase['expect'], answer: CaseAnswer): Differences {
  const differences: Differences = [];
  const wanted = expect.statusOneOf ?? (expect.status === undefined ? [] : [expect.status]);
  if (!wanted.includes(answer.status)) differences.push(`status ${answer.status}`);
  if (expect.contentType !== undefined && !answer.contentType.startsWith(expect.contentType)) {
    differences.push(`content type ${answer.contentType}`);
  }
  if ('body' in expect && !isBody(expect.body, answer.text)) differences.push(`body ${answer.text}`);
  if (expect.detail !== undefined) {
    const detail = detailOf(answer.text);
    const isAny = expect.detail === ANY_TEXT && typeof detail === 'string';
    if (!isAny && expect.detail !== detail) differences.push(`detail ${String(detail)} in ${answer.text}`);
  }
  return differences;
}

function isBody(wanted: unknown, text: string): boolean {
  if (wanted === null) return text === '';
  const found = parsed(text);
  if (found === undefined) return false;
  return wanted === ANY_TEXT ? typeof found === 'string' : isDeepStrictEqual(wanted, withoutEntered(found));
}

/** Without the schedule as entered, which a server does not report. */
function withoutEntered(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'configuredSchedule'));
}

/** undefined for a text that is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Of a problem document. */
function detailOf(text: string): unknown {
  const document = parsed(text);
  return typeof document === 'object' && document !== null
    ? (document as { detail?: unknown }).detail
    : undefined;
}

async function startCaseService(isLicensed: boolean, events: StoredEvent[]) {
  const silent = pino({ level: 'silent' });
  const id = { address: '192.0.2.1', port: 2113 };
  const leader = {
    id,
    state: 'Leader',
    isAlive: true,
    isReadOnlyReplica: false,
    writerCheckpoint: 0,
    hasInstance: true
  };
  const unlicensed: AutoScavengeMode = {
    kind: 'refused',
    reason: 'the case says so',
    tryAgain: () => Promise.resolve(unlicensed)
  };
  const autoScavenge = new AutoScavenge(
    isLicensed
      ? {
          kind: 'here',
          parts: {
            options: { clusterSize: 1, order: 'lagging', self: id, afterStoreFailure: 'recover' },
            store: {
              load: () => Promise.resolve({ configuration: undefined, history: [] }),
              append: (event) => {
                events.push(event);
                return Promise.resolve('stored');
              },
              probe: () => Promise.resolve()
            },
            scavenger: () => Promise.resolve({ kind: 'failed' }),
            gossip: () => Promise.resolve([leader]),
            now: () => parseWallTime(NOW)!,
            newId: () => 'c1',
            log: () => undefined
          }
        }
      : unlicensed
  );
  return startAdminServer({
    host: '127.0.0.1',
    port: 0,
    publicNames: [],
    tls: undefined,
    credentials: { identify: (authorization) => Promise.resolve(identified(authorization)) },
    node: undefined,
    autoScavenge,
    logger: silent,
    clock: () => Date.parse(`${NOW}Z`)
  });
}

/** The user of a case has the named roles. `$admin` in the requirement is the server's `$admins`. */
function identified(authorization: string | undefined): Identification {
  const words = /^Roles (.+)$/.exec(authorization ?? '')?.[1];
  if (words === undefined) return { kind: 'anonymous' };
  const roles = words.split(/[,\s]+/).flatMap((word): Role[] => {
    if (word === '$ops') return ['$ops'];
    return word === '$admin' || word === '$admins' ? ['$admins'] : [];
  });
  return { kind: 'user', caller: { name: 'case', roles } };
}

interface NodeAnswerCase {
  to: 'start' | 'poll' | 'stop';
  scavengeId?: string | null;
  settings?: { insecure?: boolean; disableTls?: boolean };
  answer: 'timeout' | 'refused' | { status: number; body?: unknown; text?: string };
  log?: { type: string; data: unknown }[];
  expect: { result: string; request: { method: string; url: string; body: unknown } };
}

export async function runNodeAnswer(conformanceCase: ConformanceCase): Promise<Differences> {
  const { to, scavengeId, settings, answer, log, expect } = conformanceCase as unknown as NodeAnswerCase;
  const requests: HttpRequest[] = [];
  const isPlain = settings?.insecure === true || settings?.disableTls === true;
  const member: RemoteMember = {
    baseUrl: `${isPlain ? 'http' : 'https'}://192.0.2.2:2113`,
    authorization: undefined,
    log: () => undefined,
    call: (request) => {
      if (request.url.includes('/streams/')) return Promise.resolve(feedAnswer(request.url, log));
      requests.push(request);
      if (typeof answer === 'string') return Promise.reject(new Error(answer));
      const body = answer.text ?? (answer.body === undefined ? '' : JSON.stringify(answer.body));
      return Promise.resolve({ status: answer.status, body });
    }
  };
  const result = await outcome(member, to, scavengeId ?? undefined);
  const [first] = requests;
  const found = { method: first?.method, url: first?.url, body: first?.body ?? null };
  const differences: Differences = [];
  if (result !== expect.result) differences.push(`result ${result} instead of ${expect.result}`);
  if (!isDeepStrictEqual(found, expect.request)) differences.push(`request ${JSON.stringify(found)}`);
  return differences;
}

async function outcome(member: RemoteMember, to: string, scavengeId: string | undefined): Promise<string> {
  if (to === 'start') {
    const started = await startScavenge(member);
    return started.kind === 'started' ? `started ${started.scavengeId}` : started.kind;
  }
  if (to === 'poll') return (await pollScavenge(member, scavengeId ?? '')).kind;
  const { kind } = await stopScavenge(member, scavengeId);
  // Nothing with that id runs there: as good as stopped.
  return kind === 'notFound' ? 'stopped' : kind;
}

/** A server's answer for the newest events of a run's stream, as many as the address requests. */
function feedAnswer(url: string, log: NodeAnswerCase['log']): { status: number; body: string } {
  if (log === undefined) return { status: 404, body: '' };
  const count = Number(/\/(\d+)(?:\?|$)/.exec(url)?.[1]);
  const entries = log
    .slice(-count)
    .reverse()
    .map(({ type, data }) => ({ eventType: type, data: JSON.stringify(data) }));
  return { status: 200, body: JSON.stringify({ entries }) };
}
