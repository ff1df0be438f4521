/** A cluster of running nodes, driven from outside: real HTTP against a simulated cluster, real time made short. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runClusterNow, type ClusterRunEnd } from '../../../src-main/cluster/cluster-run.ts';
import { remoteClusterParts } from '../../../src-main/cluster/cluster-parts.ts';
import { RemoteClusterAccess } from '../../../src-main/cluster/remote-cluster.ts';
import type { RemoteCluster } from '../../../src-main/settings/cluster-registry.ts';
import { Prng } from '../../support/prng.ts';
import { SimulatedCluster } from '../../support/simulated-cluster.ts';
import { jsonOf, runWinnow } from '../cli/run-winnow.ts';
import { ask, startServer } from '../http/running-server.ts';

const TICK_MS = 5;
let directory: string;
let cluster: SimulatedCluster;

beforeEach(() => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-cluster-'));
  cluster = new SimulatedCluster();
});
afterEach(async () => {
  await cluster.close();
  fs.rmSync(directory, { recursive: true });
});

function registered(clusterSize: number): RemoteCluster {
  return {
    kind: 'remote',
    name: 'live',
    urls: cluster.nodes.map(({ url }) => url),
    clusterSize,
    user: 'ops'
  };
}

function accessTo(clusterSize: number, log: string[] = []): RemoteClusterAccess {
  return new RemoteClusterAccess({
    cluster: registered(clusterSize),
    authorization: cluster.authorization,
    pauses: { firstMs: 1, longestMs: 2 * TICK_MS },
    log: (_level, message) => log.push(message)
  });
}

function run(
  clusterSize: number,
  signal = AbortSignal.timeout(60_000),
  log: string[] = []
): Promise<ClusterRunEnd> {
  const parts = remoteClusterParts({
    cluster: registered(clusterSize),
    access: accessTo(clusterSize, log),
    directory,
    timeZone: 'UTC',
    clock: () => Date.now(),
    log: (_level, message) => log.push(message)
  });
  return runClusterNow(parts, { tickMs: TICK_MS, signal, endsWithNodes: false });
}

describe('a pass over running nodes', () => {
  it('takes who lags first, replicas too, and lets the leader resign before its own run', async () => {
    await cluster.start(3, 1);
    const end = await run(3);
    expect(end.isStopped).toBe(false);
    expect(end.done.map(({ result }) => result)).toEqual(['Success', 'Success', 'Success', 'Success']);
    expect(cluster.asked.filter((asked) => asked.startsWith('start'))).toEqual([
      'start 3',
      'start 2',
      'start 1',
      'start 0'
    ]);
    expect(cluster.asked.indexOf('resign 0')).toBeGreaterThan(cluster.asked.indexOf('start 1'));
    expect(cluster.leader).toBe(cluster.nodes[1]);
    expect(cluster.violations).toEqual([]);
  });

  it('is the same with servers that answer the start with an empty body', async () => {
    await cluster.start(1);
    cluster.nodes[0]!.faults.hidesIds = true;
    expect((await run(1)).done).toHaveLength(1);
  });

  it('comes to its end with servers that cannot be asked for the last scavenge', async () => {
    await cluster.start(2);
    for (const node of cluster.nodes) node.faults.hasNoLast = true;
    const log: string[] = [];
    // These do not keep the stream of a scavenge either: it is not known how it ended.
    expect((await run(2, undefined, log)).done.map(({ result }) => result)).toEqual(['Errored', 'Errored']);
    expect(log.filter((line) => line.includes('It is not known how'))).toHaveLength(2);
    expect(cluster.violations).toEqual([]);
  });

  it("waits for somebody else's scavenge, on whichever member it runs", async () => {
    await cluster.start(3);
    cluster.nodes[1]!.startForeignRun(Number.POSITIVE_INFINITY);
    const log: string[] = [];
    const pass = run(3, undefined, log);
    await expect.poll(() => log.some((line) => line.includes('runs the scavenge'))).toBe(true);
    expect(cluster.asked).toEqual([]);
    cluster.nodes[1]!.running!.pollsLeft = 0;
    expect((await pass).done).toHaveLength(3);
    expect(cluster.violations).toEqual([]);
  });

  it('continues with the others while one is lost, and does that one when it is back', async () => {
    await cluster.start(3);
    const lost = cluster.nodes[2]!;
    lost.faults.isDown = true;
    const pass = run(3);
    await expect.poll(() => cluster.nodes[1]!.runs.at(-1)?.pollsLeft).toBe(0);
    lost.faults.isDown = false;
    expect((await pass).done).toHaveLength(3);
  });

  it('starts a run again that ended when its node restarted', async () => {
    await cluster.start(1);
    const [node] = cluster.nodes;
    node!.polls = 1_000_000;
    const pass = run(1);
    await expect.poll(() => node!.running).toBeDefined();
    node!.crash();
    node!.polls = 1;
    expect((await pass).done).toEqual([{ node: `127.0.0.1:${node!.port}`, result: 'Success' }]);
    expect(cluster.asked).toEqual(['start 0', 'start 0']);
  });

  it('is stopped on the node too, and resumes with the next call', async () => {
    await cluster.start(3);
    for (const node of cluster.nodes) node.polls = 1_000_000;
    const abort = new AbortController();
    const pass = run(3, abort.signal);
    await expect.poll(() => cluster.nodes[2]!.running).toBeDefined();
    abort.abort();
    expect((await pass).isStopped).toBe(true);
    expect(cluster.nodes.some(({ running }) => running !== undefined)).toBe(false);
    for (const node of cluster.nodes) node.polls = 1;
    expect((await run(3)).done).toHaveLength(3);
    expect(cluster.violations).toEqual([]);
  });
});

describe('answers that are none', () => {
  it.each([
    ['a time-out of the server', { timesOut: true }],
    ['a page to log in', { redirects: true }],
    ['nothing for two seconds', { delayMs: 3000 }],
    ['a closed connection', { isDown: true }]
  ])('%s from one node is asked of the next', async (_what, faults) => {
    await cluster.start(3);
    Object.assign(cluster.nodes[0]!.faults, faults);
    expect(await accessTo(3).gossip()).toHaveLength(3);
  });

  it('wrong credentials start nothing', async () => {
    await cluster.start(1);
    const access = new RemoteClusterAccess({
      cluster: registered(1),
      authorization: 'Basic eDp5',
      log: () => undefined
    });
    const [member] = (await access.gossip())!;
    expect(await access.ask({ kind: 'start', member: member!.id })).toMatchObject({
      kind: 'failed',
      fault: { kind: 'never', reason: expect.stringContaining('refuses the password') as string }
    });
    expect(cluster.asked).toEqual([]);
  });

  it.each([
    '',
    'hello',
    '{}',
    '{"members":[{}]}',
    '{"members":[{"instanceId":"a","state":"Leader","isAlive":true}]}'
  ])('gossip that says %j counts as none', async (body) => {
    const access = new RemoteClusterAccess({
      cluster: { kind: 'remote', name: 'x', urls: ['http://127.0.0.1:1'], clusterSize: 1 },
      authorization: undefined,
      log: () => undefined,
      call: () => Promise.resolve({ status: 200, body })
    });
    expect(await access.gossip()).toBeUndefined();
  });
});

describe('winnow cluster, with running nodes', () => {
  const environment = (): Record<string, string> => ({
    WINNOW_HOME: directory,
    WINNOW_CLUSTER_PASSWORD: 'changeit'
  });
  const winnow = (...words: string[]) =>
    runWinnow([...words, '--json', '-q'], { environment: environment() });
  async function register(): Promise<void> {
    const urls = cluster.nodes.map(({ url }) => url);
    const size = String(cluster.nodes.length);
    const words = ['cluster', 'register', 'live', ...urls, '--cluster-size', size, '--yes'];
    expect((await winnow(...words)).exitCode).toBe(0);
    const file = path.join(directory, 'clusters.json');
    fs.writeFileSync(
      file,
      fs.readFileSync(file, 'utf8').replace('"clusterSize"', '"user": "ops", "clusterSize"')
    );
  }

  it('shows them, scavenges them, and pauses first when it stops them', async () => {
    await cluster.start(2);
    await register();
    expect(jsonOf(await winnow('cluster', 'status', 'live'))).toMatchObject({
      name: 'live',
      members: [
        { kind: 'remote', state: 'Leader', isAlive: true, writerCheckpoint: 1000, scavengeId: null },
        { kind: 'remote', state: 'Follower', isAlive: true, writerCheckpoint: 900, scavengeId: null }
      ],
      autoScavenge: { state: 'NotConfigured', by: 'winnow' }
    });
    for (const node of cluster.nodes) node.polls = 1;
    const scavenged = jsonOf(await winnow('cluster', 'scavenge', 'live', '--yes'));
    expect(scavenged).toMatchObject({
      result: 'success',
      members: [{ result: 'success' }, { result: 'success' }]
    });
    cluster.nodes[0]!.startForeignRun(1000);
    expect(jsonOf(await winnow('cluster', 'stop', 'live', '--yes'))).toMatchObject({
      autoScavenge: { state: 'Paused' },
      stopped: [`127.0.0.1:${cluster.nodes[0]!.port}`]
    });
  });

  it("shows and controls the cluster's own schedule instead of competing with it", async () => {
    await cluster.start(1);
    cluster.ownSchedule = '0 3 * * 0';
    await register();
    expect(jsonOf(await winnow('cluster', 'status', 'live'))).toMatchObject({
      autoScavenge: { state: 'Waiting', schedule: '0 3 * * 0', by: 'cluster' }
    });
    const refused = await winnow('cluster', 'scavenge', 'live', '--yes');
    expect(refused.exitCode).toBe(2);
    expect(refused.stdout).toContain('runs its own auto-scavenge');
    expect(cluster.asked).toEqual([]);
  });

  it('winnow serve runs the schedule of a cluster it hosts no directory of', async () => {
    await cluster.start(2);
    await register();
    for (const node of cluster.nodes) node.polls = 1;
    const child = await startServer({
      home: directory,
      words: ['--cluster', 'live', '--licensing:license-file', 'evaluation'],
      environment: environment()
    });
    try {
      const headers = { 'content-type': 'application/json' };
      const body = '{"schedule":"* * * * *"}';
      expect((await ask(child, 'POST /auto-scavenge/configure', { headers, body })).status).toBe(200);
      // No directory, so nothing of a node's own.
      expect((await ask(child, 'POST /admin/scavenge')).status).toBe(404);
      await expect
        .poll(() => cluster.nodes.every(({ runs }) => runs.length > 0), { timeout: 90_000, interval: 500 })
        .toBe(true);
      expect(cluster.violations).toEqual([]);
    } finally {
      await child.stop();
    }
  });

  it('says what is wrong with the access, and ends with 17 instead of waiting for ever', async () => {
    await cluster.start(1);
    const urls = cluster.nodes.map(({ url }) => url);
    const wrong = { WINNOW_HOME: directory, WINNOW_CLUSTER_PASSWORD: 'wrong' };
    const words = ['cluster', 'register', 'live', ...urls, '--cluster-size', '1', '--yes', '--json'];
    const registered = await runWinnow(words, { environment: wrong });
    expect(registered.exitCode).toBe(0);
    expect(registered.stderr).toContain('requires a user and a password');
    expect(jsonOf(registered)).toMatchObject({ access: [{ node: urls[0], ok: false }] });
    const scavenged = await runWinnow(['cluster', 'scavenge', 'live', '--yes', '--json'], {
      environment: wrong
    });
    expect(scavenged.exitCode).toBe(17);
    expect(scavenged.stdout).toContain('requires a user and a password');
    expect(cluster.asked).toEqual([]);
  });

  it('ends with 17 when nobody answers', async () => {
    await cluster.start(1);
    await register();
    cluster.nodes[0]!.faults.isDown = true;
    expect((await winnow('cluster', 'status', 'live')).exitCode).toBe(17);
  });
});

const CAMPAIGN_RUNS = 12;

it(`in ${CAMPAIGN_RUNS} passes with random faults no two nodes scavenge at once, and each pass ends`, async () => {
  // Each pass has its own of both.
  await cluster.close();
  fs.rmSync(directory, { recursive: true });
  for (let seed = 1; seed <= CAMPAIGN_RUNS; seed++) {
    const where = `seed ${seed}`;
    const prng = new Prng(seed);
    const simulated = new SimulatedCluster();
    await simulated.start(1 + prng.below(4), prng.below(2));
    cluster = simulated;
    directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-campaign-'));
    try {
      const size = simulated.nodes.filter(({ isReadOnlyReplica }) => !isReadOnlyReplica).length;
      for (const node of simulated.nodes) node.polls = 1 + prng.below(4);
      // The coordinator is cut a few times, as a process that is killed and begins again.
      for (let part = 0; part < 3; part++) {
        const abort = new AbortController();
        // A pass that finds nobody at its start says so and changes nothing.
        const pass = run(size, abort.signal).catch((error: unknown) => {
          expect(String(error), where).toMatch(
            /No member of the cluster answers|The cluster cannot be reached/
          );
        });
        for (let fault = 0; fault < 6; fault++) {
          await new Promise((resolve) => setTimeout(resolve, prng.below(20)));
          disturb(simulated, prng);
        }
        for (const node of simulated.nodes)
          Object.assign(node.faults, { isDown: false, timesOut: false, delayMs: 0 });
        abort.abort();
        await pass;
      }
      const { done, isStopped } = await run(size);
      expect(isStopped, where).toBe(false);
      expect(done.length, where).toBeLessThanOrEqual(simulated.nodes.length);
      expect(simulated.violations, where).toEqual([]);
      expect(
        simulated.nodes.every(({ running }) => running === undefined),
        where
      ).toBe(true);
    } finally {
      await simulated.close();
      fs.rmSync(directory, { recursive: true });
    }
  }
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-cluster-'));
  cluster = new SimulatedCluster();
});

function disturb(simulated: SimulatedCluster, prng: Prng): void {
  const node = prng.pick(simulated.nodes);
  switch (prng.below(6)) {
    case 0:
      node.faults.isDown = !node.faults.isDown;
      if (node.faults.isDown) node.crash();
      break;
    case 1:
      node.faults.timesOut = !node.faults.timesOut;
      break;
    case 2:
      node.faults.delayMs = prng.below(10);
      break;
    case 3:
      simulated.leader = prng.pick(simulated.nodes.filter(({ isReadOnlyReplica }) => !isReadOnlyReplica));
      break;
    case 4:
      node.result = prng.pick(['Success', 'Errored']);
      break;
    default:
      node.crash();
  }
}
