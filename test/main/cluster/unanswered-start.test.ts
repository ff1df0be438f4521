/** A request to start that was never answered may begin at any time: a pause asks that node, whatever happened meanwhile. */
import { beforeEach, expect, it } from 'vitest';
import { RemoteClusterAccess } from '../../../src-main/cluster/remote-cluster.ts';
import { SimulatedCluster } from '../../support/simulated-cluster.ts';

const SECOND = { address: '127.0.0.1', port: 2 };
const NO_PAUSES = { firstMs: 0, longestMs: 0 };

let cluster: SimulatedCluster;
let access: RemoteClusterAccess;
let asked: string[];
/** Requests to start are lost on their way. */
let areLost: boolean;

beforeEach(() => {
  cluster = new SimulatedCluster();
  for (let i = 0; i < 3; i++) cluster.addSilent(1000 - i);
  cluster.leader = cluster.nodes[0];
  asked = [];
  areLost = false;
  access = new RemoteClusterAccess({
    cluster: {
      ...{ kind: 'remote', name: 'live', clusterSize: 3 },
      urls: cluster.nodes.map(({ port }) => `http://127.0.0.1:${port}`)
    },
    authorization: cluster.authorization,
    log: () => undefined,
    pauses: NO_PAUSES,
    call: ({ method, url, authorization }) => {
      const { port, pathname } = new URL(url);
      asked.push(`${method} ${port} ${pathname}`);
      if (areLost && method === 'POST') return Promise.reject(new Error('no answer'));
      const answer = { status: 0, body: '' };
      cluster.nodes[Number(port) - 1]!.answer(`${method} ${pathname}`, authorization, {
        writeHead: (status) => {
          answer.status = status;
          return { end: (body = '') => (answer.body = body) };
        }
      });
      return Promise.resolve(answer);
    }
  });
});

async function startUnanswered(): Promise<void> {
  areLost = true;
  expect(await access.ask({ kind: 'start', member: SECOND })).toMatchObject({ kind: 'failed' });
  areLost = false;
}

const stop = async (): Promise<string> =>
  (await access.ask({ kind: 'stop', member: SECOND, scavengeId: undefined })).kind;
const stopsAsked = (): string[] => asked.filter((what) => what.startsWith('DELETE'));

it('is stopped by a pause although another node was in the way of the next attempt', async () => {
  await startUnanswered();
  cluster.nodes[2]!.startForeignRun(9);
  expect(await access.ask({ kind: 'start', member: SECOND })).toMatchObject({ kind: 'failed' });
  cluster.nodes[1]!.startForeignRun(9); // it begins at last
  expect(await stop()).toBe('stopped');
  expect(stopsAsked()).toEqual(['DELETE 2 /admin/scavenge/current']);
});

it('is over when that node says that it runs another one: this may be a person’s', async () => {
  await startUnanswered();
  cluster.nodes[1]!.startForeignRun(9);
  expect(await access.ask({ kind: 'start', member: SECOND })).toMatchObject({ kind: 'failed' });
  expect(await stop()).toBe('notFound');
  expect(stopsAsked()).toEqual([]);
});

it('is over when the next request is answered: what runs later is not asked to stop without its id', async () => {
  await startUnanswered();
  expect(await access.ask({ kind: 'start', member: SECOND })).toMatchObject({ kind: 'started' });
  cluster.nodes[1]!.runs = [];
  cluster.nodes[2]!.startForeignRun(9);
  expect(await access.ask({ kind: 'start', member: SECOND })).toMatchObject({ kind: 'failed' });
  expect(await stop()).toBe('notFound');
});

it('leaves alone what a node runs that was never asked', async () => {
  cluster.nodes[2]!.startForeignRun(9);
  expect(await access.ask({ kind: 'start', member: SECOND })).toMatchObject({ kind: 'failed' });
  expect(await stop()).toBe('notFound');
  expect(stopsAsked()).toEqual([]);
});
