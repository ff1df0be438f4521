/** Auto-scavenge of the window: coordinated by it, or shown and controlled where another one coordinates. */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { takeLease, isLease } from '../../../src-main/cluster/coordinator-lease.ts';
import type { ClusterVerbHandlers } from '../../../src-main/verbs/absent-cluster-verbs.ts';
import { removeUnpacked } from '../../support/golden.ts';
import { SimulatedCluster } from '../../support/simulated-cluster.ts';
import { ask, startServer, type RunningServer } from '../http/running-server.ts';
import { HostWorld, missing } from './host-world.ts';

const EVERY_MINUTE = '* * * * *';
const MINUTE_MS = 60_000;
let world: HostWorld;
let verbs: ClusterVerbHandlers;
let servers: RunningServer[];

beforeEach(() => {
  world = new HostWorld();
  verbs = world.start();
  servers = [];
});
afterEach(async () => {
  for (const server of servers) await server.stop();
  await world.end();
});
afterAll(removeUnpacked);

async function trio(): Promise<string[]> {
  const nodes = ['one', 'two', 'three'].map((name) => world.node(name));
  await verbs.createCluster({ name: 'trio', nodeIds: nodes.map(({ id }) => id) });
  return nodes.map(({ dataDirectory }) => dataDirectory);
}

describe('a cluster of stopped nodes', () => {
  it('is scavenged by the window when it is due, one member after another, in their order', async () => {
    await trio();
    await verbs.chooseLicence({ choice: 'evaluation' });
    const set = await verbs.configureAutoScavenge({ cluster: 'trio', schedule: EVERY_MINUTE });
    expect(set).toMatchObject({
      coordinatedBy: 'window',
      state: 'Waiting',
      schedule: '* * * * *',
      timeZone: 'UTC',
      health: 'healthy',
      clusterScavengeId: null
    });
    expect(set.nextTimes.slice(0, 2)).toEqual(['2026-08-03T06:00:00+00:00', '2026-08-03T06:01:00+00:00']);
    expect(missing(set)).toEqual([]);
    const done: string[] = [];
    world.nowMs += MINUTE_MS;
    const during = await world.until('trio', ({ clusterScavengeId }) => clusterScavengeId !== null);
    expect(during.members.map(({ step }) => step)).not.toContain(null);
    // The clock stands still: no further cycle becomes due.
    const end = await world.until('trio', ({ state, members }) => {
      for (const { name, step } of members) if (step === 'success' && !done.includes(name)) done.push(name);
      return state === 'Waiting';
    });
    expect(done).toEqual(['one', 'two', 'three']);
    expect(end.members.map(({ name, step }) => [name, step])).toEqual([
      ['one', 'success'],
      ['two', 'success'],
      ['three', 'success']
    ]);
  });

  it('is not scavenged without a licence, and says so; the schedule can be set all the same', async () => {
    await trio();
    const set = await verbs.configureAutoScavenge({ cluster: 'trio', schedule: EVERY_MINUTE });
    expect(set).toMatchObject({ coordinatedBy: 'nobody', state: 'Waiting', schedule: EVERY_MINUTE });
    expect(missing(set)).toEqual(['licence']);
    expect(set.checklist.find(({ item }) => item === 'licence')?.action).toBe('chooseLicence');
    await verbs.chooseLicence({ choice: 'evaluation' });
    expect((await verbs.autoScavengeStatus({ cluster: 'trio' })).coordinatedBy).toBe('window');
    await verbs.chooseLicence({ choice: 'none' });
    expect((await verbs.autoScavengeStatus({ cluster: 'trio' })).coordinatedBy).toBe('nobody');
  });

  it('goes on where it was after the window was closed in the middle of a cycle', async () => {
    const directories = await trio();
    await verbs.chooseLicence({ choice: 'evaluation' });
    await verbs.configureAutoScavenge({ cluster: 'trio', schedule: EVERY_MINUTE });
    world.nowMs += MINUTE_MS;
    await world.until('trio', ({ clusterScavengeId }) => clusterScavengeId !== null);
    await world.stop();
    const lease = takeLease(path.join(world.home, 'clusters', 'trio'));
    expect(isLease(lease), 'the lease is given back').toBe(true);
    if (isLease(lease)) lease.release();
    verbs = world.start();
    const end = await world.until('trio', ({ state }) => state === 'Waiting');
    expect(end.members.map(({ step }) => step)).toEqual(directories.map(() => 'success'));
  });

  it('is paused and resumed, by a person and by quiet hours', async () => {
    await trio();
    await verbs.chooseLicence({ choice: 'evaluation' });
    await verbs.configureAutoScavenge({ cluster: 'trio', schedule: '0 12 * * *' });
    const paused = await verbs.pauseAutoScavenge({ cluster: 'trio' });
    expect(paused).toMatchObject({ state: 'Paused', pausedBy: 'person' });
    expect(missing(paused)).toEqual(['paused']);
    await verbs.resumeAutoScavenge({ cluster: 'trio' });
    const quietHours = { from: '05:00', to: '20:00', days: [1] };
    const quiet = await verbs.setQuietHours({ cluster: 'trio', quietHours });
    expect(quiet).toMatchObject({ state: 'Paused', pausedBy: 'quietHours', isQuietNow: true, quietHours });
    expect(missing(quiet)).toEqual(['quietHours']);
    // Monday's occurrence falls into them.
    expect(quiet.nextTimes[0]).toBe('2026-08-04T12:00:00+00:00');
    world.nowMs = Date.parse('2026-08-03T20:00:00Z');
    expect(await world.until('trio', ({ state }) => state === 'Waiting')).toMatchObject({ pausedBy: null });
  });

  it('works only in its maintenance window, which is quiet hours said the other way round', async () => {
    await trio();
    await verbs.chooseLicence({ choice: 'evaluation' });
    await verbs.configureAutoScavenge({ cluster: 'trio', schedule: '0 2 * * *' });
    const set = (window: string) => verbs.setQuietHours({ cluster: 'trio', quietHours: { window } });
    const shown = await set('02:00-04:00');
    expect(shown).toMatchObject({
      quietHours: { from: '04:00', to: '02:00', days: [0, 1, 2, 3, 4, 5, 6] },
      maintenanceWindow: '02:00-04:00'
    });
    expect(shown.nextTimes[0]).toBe('2026-08-04T02:00:00+00:00');
    await expect(set('02:00-02:00')).rejects.toThrow('"02:00-02:00" is not a maintenance window.');
    const never = await set('05:00-06:00');
    expect(never).toMatchObject({ maintenanceWindow: '05:00-06:00', nextTimes: [] });
    const byDay = { from: '08:00', to: '20:00', days: [1] };
    expect(await verbs.setQuietHours({ cluster: 'trio', quietHours: byDay })).toMatchObject({
      maintenanceWindow: null
    });
  });

  it('says of quiet hours without a schedule only that it is now inside them', async () => {
    await trio();
    await verbs.chooseLicence({ choice: 'evaluation' });
    const quietHours = { from: '05:00', to: '20:00', days: [1] };
    const quiet = await verbs.setQuietHours({ cluster: 'trio', quietHours });
    expect(quiet.checklist.find(({ item }) => item === 'quietHours')).toMatchObject({
      isOk: true,
      words: 'It is now inside the quiet hours 05:00-20:00 mon.'
    });
    expect(missing(quiet)).toEqual(['schedule']);
  });

  it('has the time zone that was chosen, and none that there is not', async () => {
    await trio();
    const request = { cluster: 'trio', schedule: '0 12 * * *' };
    const set = await verbs.configureAutoScavenge({ ...request, timeZone: 'Asia/Tokyo' });
    expect(set).toMatchObject({ timeZone: 'Asia/Tokyo' });
    expect(set.nextTimes[0]).toBe('2026-08-04T12:00:00+09:00');
    await expect(verbs.configureAutoScavenge({ ...request, timeZone: 'Nowhere/Land' })).rejects.toThrow(
      'is not an IANA name'
    );
    await expect(verbs.configureAutoScavenge({ cluster: 'trio', schedule: 'soon' })).rejects.toThrow(
      'five fields'
    );
  });

  it('tells the page again and again while it looks on', async () => {
    await trio();
    await verbs.followCluster({ cluster: 'trio' });
    const heard = (): number => world.events.filter(({ kind }) => kind === 'autoScavenge').length;
    while (heard() < 3) await new Promise((resolve) => setTimeout(resolve, 20));
    await verbs.followCluster({ cluster: null });
  });

  it('lists dev mode, the switched-off feature and a member that is gone', async () => {
    const [one, two] = [world.node('one'), world.node('two')];
    const configurationFile = path.join(world.directory, 'node.yaml');
    fs.writeFileSync(configurationFile, `Db: ${one.dataDirectory}\nDev: true\n`);
    world.nodes.open({ dataDirectory: one.dataDirectory, configurationFile });
    await verbs.createCluster({ name: 'duo', nodeIds: [one.id, two.id] });
    await verbs.chooseLicence({ choice: 'evaluation' });
    fs.rmSync(two.dataDirectory, { recursive: true });
    const set = await verbs.configureAutoScavenge({ cluster: 'duo', schedule: EVERY_MINUTE });
    expect(missing(set)).toEqual(['devMode', 'members']);
    expect(set.checklist.find(({ item }) => item === 'members')?.words).toContain('two');
    fs.writeFileSync(configurationFile, `Db: ${one.dataDirectory}\nAutoScavenge:\n  Enabled: false\n`);
    expect(missing(await verbs.autoScavengeStatus({ cluster: 'duo' }))).toEqual(['feature', 'members']);
  });
});

describe('a cluster that another process coordinates', () => {
  it('is shown and controlled there, and taken over when that one ends', async () => {
    const directories = await trio();
    await verbs.configureAutoScavenge({ cluster: 'trio', schedule: '0 3 * * *' });
    const words = [directories[0]!, '--scavenge-point', 'detached', '--licensing:license-file', 'evaluation'];
    const server = await startServer({ home: world.home, words });
    servers.push(server);
    await verbs.chooseLicence({ choice: 'evaluation' });
    const shown = await verbs.autoScavengeStatus({ cluster: 'trio' });
    expect(shown).toMatchObject({ coordinatedBy: 'process', state: 'Waiting', schedule: '0 3 * * *' });
    expect(shown.coordinator).toEqual({
      kind: 'process',
      pid: expect.any(Number) as number,
      url: expect.stringContaining(server.url) as string
    });
    expect(missing(shown)).toEqual([]);
    expect(await verbs.pauseAutoScavenge({ cluster: 'trio' })).toMatchObject({ state: 'Paused' });
    expect(JSON.parse((await ask(server, 'GET /auto-scavenge/status')).text)).toMatchObject({
      state: 'Paused'
    });
    const quietHours = { from: '01:00', to: '02:00', days: [0, 6] };
    const quiet = await verbs.setQuietHours({ cluster: 'trio', quietHours });
    expect(quiet.quietHours).toEqual(quietHours);
    await verbs.configureAutoScavenge({ cluster: 'trio', schedule: '0 4 * * *', timeZone: 'UTC' });
    expect(JSON.parse((await ask(server, 'GET /auto-scavenge/status')).text)).toMatchObject({
      schedule: '0 4 * * *',
      timeZone: 'UTC'
    });
    await server.stop();
    expect(await world.until('trio', ({ coordinatedBy }) => coordinatedBy === 'window')).toMatchObject({
      state: 'Paused',
      schedule: '0 4 * * *',
      quietHours
    });
  });

  it('is shown from what is stored, and not changed, while that one cannot be asked', async () => {
    await trio();
    await verbs.configureAutoScavenge({ cluster: 'trio', schedule: '0 3 * * *' });
    const lease = takeLease(path.join(world.home, 'clusters', 'trio'));
    const shown = await verbs.autoScavengeStatus({ cluster: 'trio' });
    expect(shown).toMatchObject({ coordinatedBy: 'process', state: 'Waiting', schedule: '0 3 * * *' });
    expect(missing(shown)).toEqual(['licence', 'coordinator']);
    await expect(verbs.pauseAutoScavenge({ cluster: 'trio' })).rejects.toThrow('serves no HTTP');
    await expect(verbs.renameCluster({ cluster: 'trio', name: 'x' })).rejects.toThrow(
      'coordinated by process'
    );
    if (isLease(lease)) lease.release();
  });
});

describe('a cluster of running nodes', () => {
  let live: SimulatedCluster;

  beforeEach(async () => {
    live = new SimulatedCluster();
    await live.start(3);
    await verbs.createCluster({ name: 'live', urls: live.nodes.map(({ url }) => url), clusterSize: 3 });
    await verbs.chooseLicence({ choice: 'evaluation' });
  });
  afterEach(() => live.close());

  it('is scavenged by the window, the leader last, once user and password are known', async () => {
    const without = await verbs.configureAutoScavenge({ cluster: 'live', schedule: EVERY_MINUTE });
    expect(missing(without)).toEqual(['credentials', 'ownSchedule']);
    expect(without.coordinatedBy).toBe('nobody');
    await verbs.setClusterAccess({ cluster: 'live', user: 'ops', password: 'changeit' });
    const ready = await world.until('live', ({ coordinatedBy }) => coordinatedBy === 'window');
    expect(missing(ready)).toEqual([]);
    // Who lags furthest first; the leader is the first of the cluster.
    expect(ready.members.map(({ isLeader }) => isLeader)).toEqual([false, false, true]);
    world.nowMs += MINUTE_MS;
    await world.until('live', ({ clusterScavengeId }) => clusterScavengeId !== null);
    const end = await world.until('live', ({ state }) => state === 'Waiting');
    expect(end.members.map(({ step }) => step)).toEqual(['success', 'success', 'success']);
    expect(live.asked.filter((asked) => asked.startsWith('start'))).toEqual([
      'start 2',
      'start 1',
      'start 0'
    ]);
    expect(live.violations).toEqual([]);
  });

  it('that schedules itself is shown and controlled instead of competing with it', async () => {
    await verbs.setClusterAccess({ cluster: 'live', user: 'ops', password: 'changeit' });
    await verbs.configureAutoScavenge({ cluster: 'live', schedule: EVERY_MINUTE });
    live.ownSchedule = '0 5 * * *';
    const shown = await world.until('live', ({ coordinatedBy }) => coordinatedBy === 'cluster');
    expect(shown).toMatchObject({ state: 'Waiting', schedule: '0 5 * * *', quietHours: null });
    expect(missing(shown)).toEqual([]);
    world.nowMs += 2 * MINUTE_MS;
    await verbs.pauseAutoScavenge({ cluster: 'live' });
    const quietHours = { from: '01:00', to: '02:00', days: [0] };
    await expect(verbs.setQuietHours({ cluster: 'live', quietHours })).rejects.toThrow(
      'its own auto-scavenge'
    );
    expect(live.asked.filter((asked) => asked.startsWith('start'))).toEqual([]);
  });

  it('has its nodes asked, started and stopped one by one, never two at once', async () => {
    await verbs.setClusterAccess({ cluster: 'live', user: 'ops', password: 'changeit' });
    const [first, second] = (await verbs.listClusters({}))[0]!.members.map(({ id }) => ({
      cluster: 'live',
      memberId: id
    }));
    for (const node of live.nodes) node.polls = 1000;
    expect(await verbs.remoteMember(first!)).toMatchObject({
      role: 'Leader',
      isAlive: true,
      currentScavengeId: null,
      last: null,
      error: null
    });
    const started = await verbs.startRemoteScavenge({ ...first!, threshold: 3 });
    expect(started.currentScavengeId).not.toBeNull();
    expect(started.last).toMatchObject({ result: 'InProgress' });
    expect(live.queries).toEqual(['?threshold=3']);
    await expect(verbs.startRemoteScavenge(second!)).rejects.toThrow('runs the scavenge');
    expect(await verbs.stopRemoteScavenge(first!)).toMatchObject({
      currentScavengeId: null,
      last: { result: 'Stopped' }
    });
    for (const node of live.nodes) node.faults.isDown = true;
    expect((await verbs.remoteMember(first!)).error).toContain('does not answer');
    await expect(verbs.stopRemoteScavenge(first!)).rejects.toThrow('cannot be reached');
    expect(live.violations).toEqual([]);
  });

  it('says who is not there', async () => {
    await verbs.setClusterAccess({ cluster: 'live', user: 'ops', password: 'changeit' });
    live.nodes[2]!.faults.isDown = true;
    const shown = await verbs.autoScavengeStatus({ cluster: 'live' });
    expect(shown.health).toBe('incomplete');
    expect(missing(shown)).toContain('members');
    for (const node of live.nodes) node.faults.isDown = true;
    expect(await verbs.autoScavengeStatus({ cluster: 'live' })).toMatchObject({ health: 'unreachable' });
  });
});

describe('a service that starts while the window coordinates', () => {
  it('passes calls on, and takes over when the window closes', async () => {
    const node = world.node('alone');
    world.nodes.edit(node.id, { isSingleNode: true });
    await verbs.chooseLicence({ choice: 'evaluation' });
    const { name } = await verbs.clusterOfNode({ nodeId: node.id });
    await verbs.configureAutoScavenge({ cluster: name, schedule: '0 3 * * *' });
    const words = [node.dataDirectory, '--single-node', '--licensing:license-file', 'evaluation'];
    const server = await startServer({ home: world.home, words });
    servers.push(server);
    const status = async (): Promise<number> => (await ask(server, 'GET /auto-scavenge/status')).status;
    expect(await status(), 'asked of the window').toBe(200);
    await world.stop();
    const deadline = performance.now() + 60_000;
    while ((await status()) !== 200 && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(JSON.parse((await ask(server, 'GET /auto-scavenge/status')).text)).toMatchObject({
      state: 'Waiting',
      schedule: '0 3 * * *'
    });
  });
});
