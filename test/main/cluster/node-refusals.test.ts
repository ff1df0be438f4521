/** What nodes answer that will not do what they are asked: soon, never, or because they are gone. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EngineError } from '../../../src-core/index.ts';
import { askAtRest } from '../../../src-main/cluster/ask-at-rest.ts';
import { remoteClusterParts } from '../../../src-main/cluster/cluster-parts.ts';
import { runClusterNow, type ClusterRunEnd } from '../../../src-main/cluster/cluster-run.ts';
import { RemoteClusterAccess } from '../../../src-main/cluster/remote-cluster.ts';
import type { CoordinatorParts } from '../../../src-main/cluster/auto-scavenge.ts';
import { IDLE, StubbornNode, type SetAnswer } from '../../support/stubborn-node.ts';

const RUN = '3f0f5c0a-6c1e-4f3e-9d7e-0a5d1b7c1a11';
const START = 'POST /admin/scavenge';
const CURRENT = 'GET /admin/scavenge/current';
const LAST = 'GET /admin/scavenge/last';
const STOP = `DELETE /admin/scavenge/${RUN}`;
const RUNNING = { status: 200, body: `{"scavengeId":"${RUN}","scavengeLink":"/x"}` };

let directory: string;
let nodes: StubbornNode[];
let log: string[];

beforeEach(() => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-refusals-'));
  nodes = [];
  log = [];
});
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.close()));
  fs.rmSync(directory, { recursive: true });
});

async function node(answers: Record<string, SetAnswer> = {}): Promise<StubbornNode> {
  const made = await new StubbornNode().listen();
  made.answers = { [CURRENT]: IDLE, ...answers };
  nodes.push(made);
  return made;
}

function accessTo(
  urls: string[],
  more: { signal?: AbortSignal; clock?: () => number } = {}
): RemoteClusterAccess {
  return new RemoteClusterAccess({
    cluster: { kind: 'remote', name: 'live', urls, clusterSize: 1, user: 'ops' },
    authorization: `Basic ${Buffer.from('ops:changeit').toString('base64')}`,
    log: (_level, message) => log.push(message),
    pauses: { firstMs: 1, longestMs: 4 },
    ...more
  });
}

function partsOf(access: RemoteClusterAccess): CoordinatorParts {
  return remoteClusterParts({
    cluster: access.cluster,
    access,
    directory,
    timeZone: 'UTC',
    clock: () => Date.now(),
    log: (_level, message) => log.push(message)
  });
}

function pass(access: RemoteClusterAccess, signal = new AbortController().signal): Promise<ClusterRunEnd> {
  return runClusterNow(partsOf(access), { tickMs: 5, signal, endsWithNodes: false });
}

async function failureOf(work: Promise<unknown>): Promise<EngineError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown
  );
  if (error instanceof EngineError) return error;
  throw new Error(`it did not fail as it should: ${String(error)}`);
}

const LOGIN = 'GET /admin/login';
const KNOWN = { status: 200, body: '{"data":{"loginName":"ops","groups":[]},"success":true}' };

describe('a pass over a node that refuses for good ends with the reason', () => {
  it.each<[string, Record<string, SetAnswer>, RegExp]>([
    ['the password', { '*': { status: 401 }, [LOGIN]: { status: 401 } }, /refuses the password of ops/],
    ['the role, said as 401', { '*': { status: 401 }, [LOGIN]: KNOWN }, /neither the role \$ops/],
    ['the role, said as 403', { '*': { status: 403 } }, /neither the role \$ops/],
    ['the role for starts only', { [START]: { status: 403 } }, /neither the role \$ops/],
    ['its admin endpoints are switched off', { [CURRENT]: { status: 404 } }, /switched off.*404/],
    ['starts are switched off', { [START]: { status: 404 } }, /switched off.*404/],
    ['it sends to its log-in page', { '*': { status: 302 } }, /redirects instead of answering/],
    [
      'what it takes for a wrong request',
      { [START]: { status: 400, body: 'threshold?' } },
      /400: threshold\?/
    ],
    [
      'a start that is answered with a page',
      { [START]: { status: 200, body: '<html>hello' } },
      /as a KurrentDB/
    ],
    ['a start whose id is none', { [START]: { status: 200, body: '{"scavengeId":"7"}' } }, /as a KurrentDB/],
    [
      'a start whose id is a number',
      { [START]: { status: 200, body: '{"scavengeId":7}' } },
      /as a KurrentDB/
    ],
    ['what runs is a page', { [CURRENT]: { status: 200, body: 'hello' } }, /as a KurrentDB/],
    [
      'gossip that wants a password',
      { 'GET /gossip': { status: 401 }, '*': { status: 401 } },
      /the password of ops/
    ],
    ['gossip that is no gossip', { 'GET /gossip': { status: 200, body: '{}' } }, /gives no gossip as/],
    ['no gossip there', { 'GET /gossip': { status: 404 } }, /gives no gossip as/]
  ])('%s', async (_what, answers, words) => {
    const refusing = await node();
    refusing.answers = { ...(answers['*'] ? {} : { [CURRENT]: IDLE }), ...answers };
    const error = await failureOf(pass(accessTo([refusing.url])));
    expect(error.code).toBe('RemoteNodeFailed');
    expect(error.message).toMatch(words);
    expect(error.message).not.toContain('answers with its gossip');
    expect(refusing.count(START)).toBeLessThanOrEqual(1);
    expect(refusing.asked.filter((asked) => asked.startsWith('DELETE'))).toEqual([]);
  });

  it('a certificate of an authority that is not known', async () => {
    const [key, cert] = ['key.pem', 'cert.pem'].map((name) => path.join(directory, name));
    const subject = ['-subj', '/CN=node', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const made = [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-keyout',
      key!,
      '-out',
      cert!
    ];
    execFileSync('openssl', [...made, ...subject], { stdio: 'ignore' });
    const tls = { key: fs.readFileSync(key!), cert: fs.readFileSync(cert!) };
    const secure = await new StubbornNode(tls).listen();
    nodes.push(secure);
    const error = await failureOf(pass(accessTo([secure.url])));
    expect(error.message).toMatch(/certificate that is not trusted/);
    expect(error.remedy).toContain('--ca');
  });

  it('a port that speaks another protocol than TLS', async () => {
    const plain = await node();
    const error = await failureOf(pass(accessTo([plain.url.replace('http:', 'https:')])));
    expect(error.message).toContain('does not speak TLS');
  });

  it('with what it has running elsewhere, when a poll is refused', async () => {
    const forgetful = await node({
      [START]: { status: 200, body: `{"scavengeId":"${RUN}"}` },
      '*': { status: 401 }
    });
    const error = await failureOf(pass(accessTo([forgetful.url])));
    expect(error.message).toContain(`The scavenge ${RUN}`);
    expect(error.details).toMatchObject({ scavengeId: RUN });
  });
});

describe('a node that may do it soon is asked again', () => {
  it.each<[string, SetAnswer]>([
    ['500', { status: 500 }],
    ['503', { status: 503 }],
    ['408', { status: 408 }],
    ['a scavenge that runs already', { status: 400, body: 'Scavenge is already running' }],
    ['a connection that is cut', 'close']
  ])('%s, with one line for all of it', async (_what, answer) => {
    const busy = await node({ [START]: answer });
    const running = pass(accessTo([busy.url]));
    await expect.poll(() => busy.count(START), { timeout: 20_000 }).toBeGreaterThan(5);
    busy.answers[START] = { status: 200, body: `{"scavengeId":"${RUN}"}` };
    busy.answers[LAST] = { status: 200, body: `{"scavengeId":"${RUN}","scavengeResult":"Success"}` };
    expect((await running).done).toHaveLength(1);
    expect(log.filter((line) => line.startsWith('Failed to start'))).toHaveLength(1);
    expect(log.filter((line) => line.startsWith('Starting'))).toHaveLength(1);
  });

  it('after pauses that double', async () => {
    let nowMs = 0;
    const busy = await node({ [START]: { status: 503 } });
    const access = new RemoteClusterAccess({
      cluster: accessTo([busy.url]).cluster,
      authorization: undefined,
      log: (_level, message) => log.push(message),
      clock: () => nowMs
    });
    const member = { address: '127.0.0.1', port: busy.port };
    const askedAt: number[] = [];
    for (; nowMs <= 180_000; nowMs += 500) {
      const before = busy.count(START);
      await access.ask({ kind: 'start', member });
      if (busy.count(START) > before) askedAt.push(nowMs / 1000);
    }
    expect(askedAt).toEqual([0, 1, 3, 7, 15, 31, 63, 123]);
    // One line a minute at most.
    expect(log.filter((line) => line.startsWith('Failed')).length).toBeLessThanOrEqual(3);
  });

  it('a node that is gone is waited for', async () => {
    const lost = await node({
      [START]: { status: 200, body: `{"scavengeId":"${RUN}"}` },
      [LAST]: { status: 200, body: `{"scavengeId":"${RUN}","scavengeResult":"InProgress"}` }
    });
    const running = pass(accessTo([lost.url]));
    await expect.poll(() => lost.count(LAST), { timeout: 20_000 }).toBeGreaterThan(0);
    lost.answers[LAST] = 'close';
    const before = lost.count(LAST);
    await expect.poll(() => lost.count(LAST), { timeout: 20_000 }).toBeGreaterThan(before + 3);
    lost.answers[LAST] = { status: 200, body: `{"scavengeId":"${RUN}","scavengeResult":"Success"}` };
    expect((await running).done).toHaveLength(1);
  });
});

describe('a pass over a cluster whose schedule is paused', () => {
  it('begins all the same: it is a person who wants it', async () => {
    const idle = await node({
      [START]: { status: 200, body: `{"scavengeId":"${RUN}"}` },
      [LAST]: { status: 200, body: `{"scavengeId":"${RUN}","scavengeResult":"Success"}` }
    });
    const parts = partsOf(accessTo([idle.url]));
    expect((await askAtRest(parts, { schedule: '0 3 * * *' })).status).toBe(200);
    expect((await askAtRest(parts, 'pause')).status).toBe(200);
    const end = await pass(accessTo([idle.url]), AbortSignal.timeout(10_000));
    expect(end).toMatchObject({ isStopped: false, done: [{ result: 'Success' }] });
  });

  it('says what keeps its state from being written', async () => {
    const idle = await node();
    const parts = partsOf(accessTo([idle.url]));
    const store = { ...parts.store, load: parts.store.load.bind(parts.store) };
    const full = {
      ...store,
      probe: () => Promise.resolve(),
      append: () => Promise.reject(new Error('full'))
    };
    const signal = new AbortController().signal;
    const running = runClusterNow({ ...parts, store: full }, { tickMs: 5, signal, endsWithNodes: false });
    await expect(running).rejects.toThrow('full');
    expect(idle.count(START)).toBe(0);
  });
});

describe('a pass that is stopped', () => {
  it('asks the node once to stop, and ends although it does not', async () => {
    const slow = await node({
      [START]: { status: 200, body: `{"scavengeId":"${RUN}"}` },
      [LAST]: { status: 200, body: `{"scavengeId":"${RUN}","scavengeResult":"InProgress"}` },
      [STOP]: { status: 503 }
    });
    const abort = new AbortController();
    const running = pass(accessTo([slow.url], { signal: abort.signal }), abort.signal);
    await expect.poll(() => slow.count(LAST), { timeout: 20_000 }).toBeGreaterThan(0);
    abort.abort();
    const end = await running;
    expect(end).toMatchObject({ isStopped: true, stillStopping: expect.stringContaining(RUN) as string });
    expect(slow.count(STOP)).toBe(1);
    // The next one has it confirmed first, and resumes.
    slow.answers[STOP] = { status: 404 };
    slow.answers[LAST] = { status: 200, body: `{"scavengeId":"${RUN}","scavengeResult":"Success"}` };
    expect((await pass(accessTo([slow.url]))).done).toHaveLength(1);
    expect(slow.count(START)).toBe(2);
  });

  it("leaves somebody else's scavenge alone that it only waited for", async () => {
    const busy = await node({ [CURRENT]: RUNNING, 'DELETE /admin/scavenge/current': { status: 200 } });
    const abort = new AbortController();
    const running = pass(accessTo([busy.url], { signal: abort.signal }), abort.signal);
    await expect.poll(() => log.some((line) => line.includes(RUN)), { timeout: 20_000 }).toBe(true);
    abort.abort();
    expect(await running).toEqual({ done: [], isStopped: true });
    expect(busy.asked.filter((asked) => asked.startsWith('DELETE'))).toEqual([]);
  });

  it('ends at once while a node does not answer at all', async () => {
    const deaf = await node({ [CURRENT]: 'hang' });
    const abort = new AbortController();
    const running = pass(accessTo([deaf.url], { signal: abort.signal }), abort.signal);
    await expect.poll(() => deaf.count(CURRENT), { timeout: 20_000 }).toBeGreaterThan(0);
    abort.abort();
    expect((await running).isStopped).toBe(true);
  });
});

describe('a stop', () => {
  it('counts as done only when nothing of that id runs any more', async () => {
    const slow = await node({ [STOP]: { status: 200, body: `"${RUN}"` }, [CURRENT]: RUNNING });
    const request = {
      kind: 'stop',
      member: { address: '127.0.0.1', port: slow.port },
      scavengeId: RUN
    } as const;
    const access = accessTo([slow.url]);
    expect(await access.ask(request)).toMatchObject({ kind: 'failed' });
    slow.answers[CURRENT] = IDLE;
    expect(await access.ask(request)).toEqual({ kind: 'stopped' });
  });
});

describe('a leader', () => {
  it('is asked once to resign, again in its next reign, and again when it still leads after a minute', async () => {
    let nowMs = 0;
    const leader = await node({ 'POST /admin/node/resign': { status: 200 } });
    const access = accessTo([leader.url], { clock: () => nowMs });
    const resigned = (): number => leader.count('POST /admin/node/resign');
    const ask = async (): Promise<void> => {
      await access.gossip();
      await access.ask({ kind: 'resign', member: { address: '127.0.0.1', port: leader.port } });
    };
    for (let tick = 0; tick < 20; tick++) await ask();
    expect(resigned()).toBe(1);
    leader.epochNumber++;
    await ask();
    await ask();
    expect(resigned()).toBe(2);
    nowMs += 61_000;
    await ask();
    await ask();
    expect(resigned()).toBe(3);
    expect(log.filter((line) => line.includes('still leads a minute'))).toHaveLength(1);
  });
});

describe('trying the access', () => {
  it('says of each address what is wrong with it', async () => {
    const fine = await node();
    const refusing = await node({ '*': { status: 401 }, [CURRENT]: { status: 401 } });
    const off = await node({ [CURRENT]: { status: 404 } });
    const tried = await accessTo([fine.url, refusing.url, off.url, 'http://127.0.0.1:1']).tryAccess();
    expect(tried.map(({ fault }) => fault?.kind)).toEqual([undefined, 'never', 'never', 'gone']);
    expect(tried[1]!.fault!.reason).toContain('refuses the password of ops');
    expect(tried[3]!.fault!.reason).toContain('nothing listens there');
  });
});
