/** `winnow cluster …` while another process of the same WINNOW_HOME coordinates: the call is passed on to it. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { leaseHolder } from '../../../src-main/cluster/coordinator-lease.ts';
import { forwardToHolder } from '../../../src-main/cluster/forward-to-holder.ts';
import { SimulatedCluster } from '../../support/simulated-cluster.ts';
import { jsonOf, runWinnow, type Finished } from '../cli/run-winnow.ts';
import { HostWorld } from '../hosting/host-world.ts';
import { ask, startServer } from '../http/running-server.ts';

let directory: string;
let cluster: SimulatedCluster;

beforeEach(async () => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-pass-on-'));
  cluster = new SimulatedCluster();
  await cluster.start(2);
});
afterEach(async () => {
  await cluster.close();
  fs.rmSync(directory, { recursive: true });
});

describe('winnow cluster beside winnow serve --cluster', () => {
  it('configures, pauses, resumes, scavenges, stops and looks through that process', async () => {
    const environment = { WINNOW_HOME: directory, WINNOW_CLUSTER_PASSWORD: 'changeit' };
    const winnow = (...words: string[]): Promise<Finished> =>
      runWinnow(['cluster', ...words, '--json', '-q'], { environment });
    const urls = cluster.nodes.map(({ url }) => url);
    const remote = { kind: 'remote', name: 'live', urls, clusterSize: 2, user: 'ops' };
    fs.writeFileSync(path.join(directory, 'clusters.json'), JSON.stringify({ clusters: [remote] }));
    const hint = expect.stringContaining('winnow serve --cluster live') as string;
    const atRest = jsonOf(await winnow('auto-scavenge', 'live', 'configure', '0 3 * * 0', '--yes'));
    expect(atRest).toMatchObject({ autoScavenge: { state: 'Waiting', coordinator: null }, hint });

    const service = await startServer({
      home: directory,
      words: ['--cluster', 'live', '--licensing:license-file', 'evaluation'],
      environment
    });
    try {
      const coordinator = { pid: service.child.pid, url: service.url };
      const configured = await winnow('auto-scavenge', 'live', 'configure', '0 4 * * 0', '--yes');
      expect(configured.exitCode).toBe(0);
      expect(jsonOf(configured)).toMatchObject({ autoScavenge: { schedule: '0 4 * * 0', coordinator } });
      expect(jsonOf(configured)).not.toHaveProperty('hint');
      // The process itself knows it, not only the file.
      expect((await ask(service, 'GET /auto-scavenge/status')).text).toContain('0 4 * * 0');
      const paused = jsonOf(await winnow('auto-scavenge', 'live', 'pause', '--yes'));
      expect(paused).toMatchObject({ autoScavenge: { state: 'Paused', coordinator } });
      const resumed = jsonOf(await winnow('auto-scavenge', 'live', 'resume', '--yes'));
      expect(resumed).toMatchObject({ autoScavenge: { state: 'Waiting' } });

      for (const node of cluster.nodes) node.polls = 1;
      const scavenged = await winnow('scavenge', 'live', '--threshold', '3', '--yes');
      expect(scavenged.exitCode).toBe(0);
      expect(jsonOf(scavenged)).toMatchObject({
        result: 'success',
        members: [{ result: 'success' }, { result: 'success' }]
      });
      expect(cluster.queries).toEqual(['?threshold=3', '?threshold=3']);
      expect(cluster.violations).toEqual([]);

      for (const node of cluster.nodes) node.polls = 1_000_000;
      const running = winnow('scavenge', 'live', '--yes');
      await expect.poll(() => cluster.nodes.some((node) => node.running), { timeout: 120_000 }).toBe(true);
      expect(jsonOf(await winnow('stop', 'live', '--yes'))).toMatchObject({
        autoScavenge: { state: 'Paused' }
      });
      expect((await running).exitCode).toBe(130);
      expect(cluster.nodes.some((node) => node.running)).toBe(false);
      expect(jsonOf(await winnow('status', 'live'))).toMatchObject({ autoScavenge: { coordinator } });
    } finally {
      await service.stop();
    }
  }, 600_000);
});

describe('the window', () => {
  it('can be asked by other processes of its home while it coordinates, and by nobody without the key', async () => {
    const world = new HostWorld();
    try {
      const [first, second] = [world.node('first'), world.node('second')];
      const { verbs } = world;
      await verbs.createCluster({ name: 'duo', nodeIds: [first.id, second.id] });
      await verbs.chooseLicence({ choice: 'evaluation' });
      await verbs.configureAutoScavenge({ cluster: 'duo', schedule: '0 3 * * *' });
      const home = path.join(world.home, 'clusters', 'duo');
      await expect.poll(() => leaseHolder(home)?.url ?? null, { timeout: 60_000 }).not.toBeNull();
      const holder = leaseHolder(home)!;
      expect(holder.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
      expect(await forwardToHolder(holder, 'pause')).toMatchObject({ status: 200 });
      expect(await verbs.autoScavengeStatus({ cluster: 'duo' })).toMatchObject({ state: 'Paused' });
      const stranger = await fetch(`${holder.url}/auto-scavenge/status`);
      expect(stranger.status).toBe(401);
      const began = await forwardToHolder(holder, {
        scavenge: { threshold: 1_000_000, scavengePoint: 'detached' }
      });
      expect(began.body).toHaveProperty('clusterScavengeId');
      await world.until('duo', ({ state }) => state === 'Waiting');
    } finally {
      await world.end();
    }
  }, 300_000);
});
