/** The clusters, the licence and the other nodes of a served page: who may do what, and what a page cannot reach. */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERB_NAMES } from '../../../../src-main/contract/verbs/channels.ts';
import type {
  AutoScavengeSnapshot,
  ClusterEntry,
  ErrorReport,
  LicenceState,
  NodeEntry,
  StartState
} from '../../../../src-main/contract/verbs/workbench-contract.ts';
import { whyAbsent } from '../../../../src-main/http/ui/verb-access.ts';
import { ClusterRegistry } from '../../../../src-main/settings/cluster-registry.ts';
import { NodeRegistry } from '../../../../src-main/settings/node-registry.ts';
import { SimulatedCluster } from '../../../support/simulated-cluster.ts';
import { Browser, eventsUntil, loggedIn, startPage, type PageRun } from './served-page-run.ts';

let run: PageRun;
let admin: Browser;
let ops: Browser;
let joe: Browser;
beforeAll(async () => {
  run = await startPage();
  [admin, ops, joe] = await Promise.all([loggedIn(run, 'admin'), loggedIn(run, 'ops'), loggedIn(run, 'joe')]);
}, 60_000);
afterAll(() => run.close());

async function valueOf<T>(answer: Promise<Response>): Promise<T> {
  const response = await answer;
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
  return JSON.parse(text) as T;
}

async function refusalOf(answer: Promise<Response>): Promise<ErrorReport & { status: number }> {
  const response = await answer;
  return { ...((await response.json()) as ErrorReport), status: response.status };
}

/** A database in a folder. */
function copyTo(directory: string): string {
  fs.cpSync(run.database, directory, { recursive: true });
  return directory;
}

describe('what a browser does not have', () => {
  it('is decided verb by verb, each with its reason', () => {
    const absent = VERB_NAMES.filter((verb) => whyAbsent(verb) !== undefined);
    expect(absent.toSorted()).toEqual([
      'changePreferences',
      'copyText',
      'endSavedFile',
      'nodeServiceState',
      'openConfiguration',
      'openDropped',
      'openSavedFile',
      'preferences',
      'setTheme',
      'showInFolder',
      'startNodeService',
      'stopNodeService',
      'tellObstacles',
      'writeSavedFile',
      'zoom'
    ]);
    for (const verb of absent) expect(whyAbsent(verb)).toMatch(/^[A-Z].*\.$/);
  });
});

describe('nodes', () => {
  it('are opened by an operator in the folders that the service was started with, and seen by all', async () => {
    const chosenPath = copyTo(path.join(run.allowed, 'second'));
    expect((await joe.verb('openDirectory', { chosenPath })).status).toBe(403);
    const node = await valueOf<NodeEntry>(ops.verb('openDirectory', { chosenPath }));
    expect(node.dataDirectory).toBe(chosenPath);
    const { nodes, openNodeId } = await valueOf<StartState>(joe.verb('start'));
    expect(nodes.map(({ dataDirectory }) => dataDirectory)).toEqual([run.database, chosenPath]);
    expect(openNodeId).not.toBe(node.id);
    const asked = { name: 'inspectDatabase', nodeId: node.id, request: {} };
    expect((await joe.verb('call', asked)).status).toBe(200);
  });

  it('outside are neither opened, nor shown, nor asked about', async () => {
    const outside = copyTo(path.join(path.dirname(run.home), 'outside'));
    const { id } = new NodeRegistry(run.home, Date.now).open({ dataDirectory: outside });
    const { nodes } = await valueOf<StartState>(admin.verb('start'));
    expect(nodes.map(({ dataDirectory }) => dataDirectory)).not.toContain(outside);
    // It is in the person's own list: a target for backups may be chosen there, it is no node of the page.
    const refusal = await refusalOf(admin.verb('openDirectory', { chosenPath: outside }));
    expect(refusal).toMatchObject({ status: 400, code: 'InvalidRequest', details: { field: 'path' } });
    for (const request of [
      admin.verb('call', { name: 'inspectDatabase', nodeId: id, request: {} }),
      admin.verb('watchNode', { id }),
      admin.verb('changeNode', { id, name: 'mine' }),
      admin.verb('startWork', { name: 'verifyDatabase', nodeId: id, request: {} }),
      admin.verb('clusterOfNode', { nodeId: id })
    ]) {
      expect(await refusalOf(request)).toMatchObject({ status: 404, code: 'DatabaseNotFound' });
    }
    fs.symlinkSync(outside, path.join(run.allowed, 'link'));
    const linked = await refusalOf(
      admin.verb('openDirectory', { chosenPath: path.join(run.allowed, 'link') })
    );
    expect(linked.status).toBe(400);
  });

  it('are taken off the list and put back, except for the hosted one', async () => {
    const { nodes, openNodeId } = await valueOf<StartState>(ops.verb('start'));
    const second = nodes.find(({ id }) => id !== openNodeId)!;
    expect((await joe.verb('forgetNode', { id: second.id })).status).toBe(403);
    expect(await refusalOf(ops.verb('forgetNode', { id: openNodeId }))).toMatchObject({ status: 400 });
    await valueOf(ops.verb('forgetNode', { id: second.id }));
    expect((await valueOf<StartState>(ops.verb('start'))).nodes).toHaveLength(1);
    await valueOf(ops.verb('recallNode', { id: second.id }));
    expect((await valueOf<StartState>(ops.verb('start'))).nodes).toHaveLength(2);
  });

  it('get a sample database beside them, without leading any page to it', async () => {
    expect((await joe.verb('createSample')).status).toBe(403);
    const followed = await joe.ask('GET /ui/events');
    await valueOf(ops.verb('createSample'));
    const events = await eventsUntil(
      followed,
      ({ data }) => (data as { nodes?: NodeEntry[] }).nodes?.some(({ isSample }) => isSample) === true
    );
    expect(events.map(({ data }) => (data as { kind?: string }).kind)).not.toContain('open');
  }, 60_000);
});

describe('clusters', () => {
  it('are read by all, run by operators, and made by administrators', async () => {
    const { nodes } = await valueOf<StartState>(ops.verb('start'));
    const chosenPath = copyTo(path.join(run.allowed, 'third'));
    const { id: third } = await valueOf<NodeEntry>(ops.verb('openDirectory', { chosenPath }));
    const second = nodes.find(({ dataDirectory }) => path.basename(dataDirectory) === 'second')!.id;
    const nodeIds = [second, third];
    // Started with --single-node.
    const single = nodes.find(({ dataDirectory }) => dataDirectory === run.database)!.id;
    const refused = await refusalOf(admin.verb('createCluster', { name: 'duo', nodeIds: [single, second] }));
    expect(refused).toMatchObject({ status: 400, details: { field: 'nodeId' } });
    for (const browser of [joe, ops])
      expect((await browser.verb('createCluster', { name: 'duo', nodeIds })).status).toBe(403);
    await valueOf<ClusterEntry>(admin.verb('createCluster', { name: 'duo', nodeIds }));
    const [duo] = await valueOf<ClusterEntry[]>(joe.verb('listClusters'));
    expect(duo).toMatchObject({ name: 'duo', kind: 'local', clusterSize: 2 });
    const asked = { cluster: 'duo', schedule: '0 6 * * 6' };
    expect((await joe.verb('configureAutoScavenge', asked)).status).toBe(403);
    const snapshot = await valueOf<AutoScavengeSnapshot>(ops.verb('configureAutoScavenge', asked));
    expect(snapshot.schedule).toBe('0 6 * * 6');
    const seen = await valueOf<AutoScavengeSnapshot>(joe.verb('autoScavengeStatus', { cluster: 'duo' }));
    expect(seen.members).toHaveLength(2);
  });

  it('run their schedule in the service once there is a licence, and the API of the service says the same', async () => {
    for (const browser of [joe, ops])
      expect((await browser.verb('chooseLicence', { choice: 'evaluation' })).status).toBe(403);
    const licence = await valueOf<LicenceState>(admin.verb('chooseLicence', { choice: 'evaluation' }));
    expect(licence).toMatchObject({ isValid: true, isEvaluation: true });
    const snapshot = await valueOf<AutoScavengeSnapshot>(ops.verb('autoScavengeStatus', { cluster: 'duo' }));
    expect(snapshot).toMatchObject({ state: 'Waiting', coordinator: { kind: 'thisService' } });
    expect(snapshot.nextTimes).toHaveLength(5);
    const skipped = await valueOf<AutoScavengeSnapshot>(ops.verb('skipAutoScavenge', { cluster: 'duo' }));
    expect(skipped.skipped).not.toBeNull();
    const before = fs
      .readdirSync(path.join(run.allowed, 'second'))
      .filter((name) => name.startsWith('chunk-'));
    await valueOf(ops.verb('runAutoScavengeNow', { cluster: 'duo' }));
    await expect
      .poll(
        async () => {
          const { members } = await valueOf<AutoScavengeSnapshot>(
            joe.verb('autoScavengeStatus', { cluster: 'duo' })
          );
          return members.map(({ step }) => step);
        },
        { timeout: 60_000 }
      )
      .toEqual(['success', 'success']);
    const after = fs
      .readdirSync(path.join(run.allowed, 'second'))
      .filter((name) => name.startsWith('chunk-'));
    // Members get no point of their own: no further chunk.
    expect(after.length).toBeLessThanOrEqual(before.length);
    const quietHours = { from: '08:00', to: '09:00', days: [1] };
    const quiet = await valueOf<AutoScavengeSnapshot>(
      ops.verb('setQuietHours', { cluster: 'duo', quietHours })
    );
    expect(quiet.quietHours).toEqual(quietHours);
    await valueOf(ops.verb('pauseAutoScavenge', { cluster: 'duo' }));
    expect((await joe.verb('resumeAutoScavenge', { cluster: 'duo' })).status).toBe(403);
  }, 90_000);

  it('send their snapshots to the pages that are there', async () => {
    const followed = await joe.ask('GET /ui/events');
    await valueOf(joe.verb('followCluster', { cluster: 'duo' }));
    const events = await eventsUntil(
      followed,
      ({ data }) => (data as { kind?: string }).kind === 'autoScavenge'
    );
    expect((events.at(-1)!.data as { snapshot: AutoScavengeSnapshot }).snapshot.cluster).toBe('duo');
    expect((await joe.verb('followCluster', { cluster: 'nothing' })).status).toBe(400);
  });

  it('with directories that the page does not show are not there', async () => {
    const outside = path.join(path.dirname(run.home), 'outside');
    new ClusterRegistry(run.home).register({
      kind: 'local',
      name: 'hidden',
      members: [{ dataDirectory: outside }]
    });
    const names = (await valueOf<ClusterEntry[]>(admin.verb('listClusters'))).map(({ name }) => name);
    expect(names).toEqual(['duo']);
    for (const [verb, request] of [
      ['autoScavengeStatus', { cluster: 'hidden' }],
      ['forgetCluster', { cluster: 'hidden' }],
      ['renameCluster', { cluster: 'hidden', name: 'shown' }],
      ['runAutoScavengeNow', { cluster: 'hidden' }]
    ] as const) {
      expect([verb, (await admin.verb(verb, request)).status]).toEqual([verb, 400]);
    }
  });

  it('of running nodes keep the password and the authority that an administrator gave', async () => {
    const running = new SimulatedCluster();
    await running.start(3);
    try {
      const urls = [running.nodes[0]!.url];
      const request = { name: 'live', urls, clusterSize: 3 };
      expect((await ops.verb('createCluster', request)).status).toBe(403);
      await valueOf(admin.verb('createCluster', request));
      const access = { cluster: 'live', user: 'ops', password: 'changeit' };
      expect((await ops.verb('setClusterAccess', access)).status).toBe(403);
      const entry = await valueOf<ClusterEntry>(admin.verb('setClusterAccess', access));
      expect(entry).toMatchObject({ user: 'ops', password: 'file' });
      expect(JSON.stringify(entry)).not.toContain('changeit');
      const snapshot = await valueOf<AutoScavengeSnapshot>(
        joe.verb('autoScavengeStatus', { cluster: 'live' })
      );
      expect(snapshot.members.filter(({ isAlive }) => isAlive)).toHaveLength(3);
      const wrong = { name: '../../ca.pem', text: 'this is no certificate' };
      const refused = await refusalOf(
        admin.verb('chooseClusterAuthority', { cluster: 'live', uploaded: wrong })
      );
      expect(refused).toMatchObject({ status: 400, code: 'InvalidRequest' });
      const path = await refusalOf(
        admin.verb('chooseClusterAuthority', { cluster: 'live', chosenPath: '/etc/passwd' })
      );
      expect(path.status).toBe(400);
    } finally {
      await running.close();
    }
  });

  it('answer strange requests with a refusal', async () => {
    const strange: unknown[] = [null, [], 'x', { cluster: null }, { cluster: '' }, { cluster: '../x' }, {}];
    const long = { cluster: 'x'.repeat(100_000) };
    for (const verb of VERB_NAMES.filter((name) => /cluster|auto|scavenge|quiet|licence/i.test(name))) {
      if (whyAbsent(verb) !== undefined) continue;
      for (const request of [...strange, long]) {
        const { status } = await admin.verb(verb, request);
        expect([verb, JSON.stringify(request)?.slice(0, 40), status < 500]).toEqual([
          verb,
          JSON.stringify(request)?.slice(0, 40),
          true
        ]);
      }
    }
  });
});
