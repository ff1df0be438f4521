/** `winnow fleet` over a list of nodes with backups, members of a cluster, and a directory that is not there. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fleetReport, type FleetNode } from '../../../src-main/contract/operations/fleet-reports.ts';
import { NodeRegistry } from '../../../src-main/settings/node-registry.ts';
import { WinnowClient } from '../../../src-main/client/winnow-client.ts';
import { SimulatedCluster } from '../../support/simulated-cluster.ts';
import { jsonOf, runWinnow, type RunningWinnow } from './run-winnow.ts';

let scratch: string;
let environment: Record<string, string>;
const at = (name: string): string => join(scratch, name);

async function done(...words: string[]) {
  const finished = await runWinnow(words, { environment });
  expect(finished, finished.stderr).toMatchObject({ exitCode: 0 });
  return finished;
}

async function fleet(...words: string[]) {
  const finished = await runWinnow(['fleet', ...words, '--json'], { environment });
  const { nodes, clusters } = fleetReport.parse(jsonOf(finished));
  const node = (name: string): FleetNode => nodes.find((one) => one.name === name)!;
  return { nodes, node, clusters, exitCode: finished.exitCode };
}

/** Runs `work` while a service listens. */
async function withService(
  words: string[],
  environment: Record<string, string>,
  work: (url: string) => Promise<void>
): Promise<void> {
  let service: RunningWinnow | undefined;
  let listens: (url: string) => void = () => undefined;
  const url = new Promise<string>((resolve) => (listens = resolve));
  const ended = runWinnow(words, {
    environment,
    onStart: (child) => (service = child),
    onStdout: (text) => listens((JSON.parse(text) as { listening: string }).listening)
  });
  const failed = ended.then(({ stderr }) => Promise.reject(new Error(`The service ended: ${stderr}`)));
  failed.catch(() => undefined);
  try {
    await work(await Promise.race([url, failed]));
  } finally {
    service?.signal('SIGTERM');
    await ended;
  }
}

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'winnow-fleet-test-'));
  environment = { WINNOW_HOME: at('home') };
  await done('sample', at('one'), '--size', '2MiB', '--chunk-size', '512KiB', '--yes');
  for (const copy of ['two', 'three']) cpSync(at('one'), at(copy), { recursive: true });
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe('winnow fleet', () => {
  it('knows nothing before it is told of a node, and says how to tell it', async () => {
    const { stdout, exitCode } = await runWinnow(['fleet'], { environment });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('No node is known here.');
    expect((await fleet()).nodes).toEqual([]);
  });

  it('says of a named directory what is known without reading its log, and more once it was read', async () => {
    const before = await fleet(at('one'));
    expect(before.node('one')).toMatchObject({
      error: null,
      health: { state: 'notChecked' },
      removableBytes: null,
      diskFull: null,
      growthUnknown: 'notRead',
      coverage: { isWhole: false },
      lastScavengedFrom: 'never',
      backupTarget: null,
      notes: ['neverScavenged', 'noBackup', 'notVerified'],
      needsLook: false
    });
    const told = await done('fleet', at('one'));
    expect(told.stdout).toContain(`"winnow forecast ${at('one')}" reads it once`);
    const { spaceSaved } = jsonOf(await done('usage', at('one'), '--json')) as {
      spaceSaved: { total: number };
    };
    await done('verify', at('one'));
    const { node, exitCode } = await fleet(at('one'));
    expect(node('one')).toMatchObject({
      health: { state: 'sound' },
      removableBytes: spaceSaved.total,
      coverage: { isWhole: true },
      notes: ['neverScavenged', 'noBackup']
    });
    expect(node('one').diskFull).not.toBeNull();
    expect(node('one').growthUnknown).toBeNull();
    // Advice is no reason for a monitor to wake somebody.
    expect(exitCode).toBe(0);
    const { stdout } = await done('fleet', at('one'));
    expect(stdout).toMatch(/node +health +log +removable +free +disk full +last scavenge/);
    expect(stdout).toMatch(/one +sound .* 100 % +never scavenged, no backup/);
  });

  it('tells the newest backup of a node, its rehearsal and the next one by schedule', async () => {
    const registry = new NodeRegistry(at('home'), Date.now);
    const two = registry.open({ dataDirectory: at('two') });
    registry.edit(two.id, {
      backupTarget: at('backups'),
      backupSchedule: {
        expression: '0 1 * * *',
        timeZone: 'UTC',
        compress: false,
        retention: { last: 0, daily: 7, weekly: 0, monthly: 0 },
        handledMs: Date.now(),
        last: { atMs: Date.now(), message: 'The target was full.' }
      }
    });
    await done('backup', 'create', at('one'), '--to', at('backups'), '--yes');
    expect((await fleet()).node('two')).toMatchObject({ lastBackup: null, backupError: null });
    await done('backup', 'create', at('two'), '--to', at('backups'), '--yes');
    const taken = (await fleet()).node('two');
    expect(taken.lastBackup).toMatchObject({ rehearsedAt: null, isRehearsedWell: null });
    expect(taken.notes).toContain('backupNotRehearsed');
    expect(taken.notes).toContain('backupFailed');
    expect(taken.scheduledBackupFailure).toBe('The target was full.');
    expect(taken.nextBackup).toMatch(/T01:00:00\.000Z$/);
    await done('backup', 'rehearse', `${at('backups')}@${taken.lastBackup!.id}`);
    const rehearsed = (await fleet()).node('two');
    expect(rehearsed.lastBackup).toMatchObject({ isRehearsedWell: true });
    expect(rehearsed.notes).not.toContain('backupNotRehearsed');
    registry.edit(two.id, { backupTarget: at('home/nodes.json') });
    expect((await fleet()).node('two').backupError).toMatchObject({
      message: expect.stringContaining('nodes.json') as string
    });
  });

  it('shows members of a cluster with it, and one that cannot be read without losing the others', async () => {
    await runWinnow(['cluster', 'register', 'trio', at('two'), at('three'), at('gone'), '--yes'], {
      environment
    });
    const { node, clusters, exitCode } = await fleet();
    expect(node('two').cluster).toBe('trio');
    expect(node('three')).toMatchObject({ cluster: 'trio', error: null });
    expect(node('gone')).toMatchObject({
      error: { code: 'DatabaseNotFound' },
      health: null,
      notes: ['unreadable']
    });
    expect(clusters).toMatchObject([
      { name: 'trio', kind: 'local', error: null, nextScavenge: null, members: [{}, {}, {}] }
    ]);
    expect(clusters[0]!.members.map(({ state }) => state).toSorted()).toEqual([
      'Stopped',
      'Stopped',
      'Unreadable'
    ]);
    expect(exitCode).toBe(1);
    const { stdout } = await runWinnow(['fleet'], { environment });
    expect(stdout).toMatch(/trio +Stopped, Stopped, Unreadable|trio +.*Unreadable.* +2 of 3/);
  });

  it('asks a running cluster by its own answers, on the command line, over HTTP and in the metrics', async () => {
    const cluster = new SimulatedCluster();
    await cluster.start(3);
    cluster.ownSchedule = '0 3 * * 0';
    const live = { WINNOW_HOME: at('live-home'), WINNOW_CLUSTER_PASSWORD: 'changeit' };
    const urls = cluster.nodes.map(({ url }) => url);
    const names = cluster.nodes.map(({ port }) => `127.0.0.1:${port}`);
    try {
      const words = ['cluster', 'register', 'live', ...urls, '--cluster-size', '3', '--yes'];
      expect((await runWinnow(words, { environment: live })).exitCode).toBe(0);
      const file = at('live-home/clusters.json');
      writeFileSync(
        file,
        readFileSync(file, 'utf8').replace('"clusterSize"', '"user": "ops", "clusterSize"')
      );
      const told = await runWinnow(['fleet', '--json'], { environment: live });
      expect(told.exitCode).toBe(0);
      const [shown] = fleetReport.parse(jsonOf(told)).clusters;
      expect(shown).toMatchObject({ name: 'live', kind: 'remote', error: null });
      expect(
        shown!.members.map(({ node, state, writerCheckpoint }) => [node, state, writerCheckpoint])
      ).toEqual([
        [names[0], 'Leader', 1000],
        [names[1], 'Follower', 900],
        [names[2], 'Follower', 800]
      ]);
      expect(Date.parse(shown!.nextScavenge!)).toBeGreaterThan(Date.now());

      // A member that the others no longer see.
      cluster.nodes[2]!.faults.isDown = true;
      cluster.nodes[2]!.faults.isSeenDead = true;
      expect((await runWinnow(['fleet'], { environment: live })).exitCode).toBe(1);
      await withService(['serve', at('one'), '--port', '0'], live, async (url) => {
        const password = readFileSync(at('live-home/admin-password.txt'), 'utf8').trim().split('\n').at(-1)!;
        const client = new WinnowClient({ url, user: { name: 'admin', password } });
        const { result, report } = await client.fleet.ended(await client.fleet.start({}));
        expect(result).toBe('Success');
        const found = fleetReport.parse(report).clusters[0]!;
        expect(found.members.map(({ isAlive }) => isAlive)).toEqual([true, true, false]);
        const metrics = await client.metrics();
        const member = (at: number) => `{cluster="live",member="${names[at]}"`;
        for (const line of [
          'winnow_clusters 1',
          `winnow_cluster_member_up${member(0)}} 1`,
          `winnow_cluster_member_up${member(2)}} 0`,
          `winnow_cluster_member_behind_bytes${member(1)}} 100`,
          `winnow_cluster_member_state${member(0)},state="Leader"} 1`
        ])
          expect(metrics).toContain(line);
        expect(metrics).toMatch(/winnow_cluster_next_scavenge_timestamp_seconds\{cluster="live"\} \d+/);
      });
    } finally {
      await cluster.close();
    }
  });

  it('says what is wrong with its own list instead of leaving nodes out', async () => {
    writeFileSync(at('home/clusters.json'), '{"clusters": 7}');
    const { exitCode, stderr } = await runWinnow(['fleet'], { environment });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('clusters.json');
  });
});
