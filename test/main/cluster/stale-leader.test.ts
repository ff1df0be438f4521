/** A member that has become the leader since the coordinator decided: the newest gossip counts, and it resigns first. */
import { describe, expect, it } from 'vitest';
import { RemoteClusterAccess } from '../../../src-main/cluster/remote-cluster.ts';
import { SimulatedCluster } from '../../support/simulated-cluster.ts';

function accessTo(cluster: SimulatedCluster, asked: string[]): RemoteClusterAccess {
  return new RemoteClusterAccess({
    cluster: {
      kind: 'remote',
      name: 'live',
      urls: cluster.nodes.map(({ port }) => `http://127.0.0.1:${port}`),
      clusterSize: cluster.nodes.length
    },
    authorization: cluster.authorization,
    log: () => undefined,
    call: ({ method, url, authorization }) => {
      const { port, pathname } = new URL(url);
      asked.push(`${method} ${port} ${pathname}`);
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
}

function clusterOf(size: number): SimulatedCluster {
  const cluster = new SimulatedCluster();
  for (let i = 0; i < size; i++) cluster.addSilent(1000 - i);
  cluster.leader = cluster.nodes[0];
  return cluster;
}

const FIRST = { address: '127.0.0.1', port: 1 };

describe('a start that was decided before', () => {
  it('is not carried out on the node that leads by now', async () => {
    const cluster = clusterOf(3);
    const asked: string[] = [];
    const reply = await accessTo(cluster, asked).ask({ kind: 'start', member: FIRST });
    expect(reply).toMatchObject({ kind: 'failed', fault: { kind: 'later' } });
    expect(asked.filter((what) => what.startsWith('POST'))).toEqual([]);
  });

  it('is carried out on the leader for a person, who chose it', async () => {
    const reply = await accessTo(clusterOf(3), []).askNow({ kind: 'start', member: FIRST });
    expect(reply).toMatchObject({ kind: 'started' });
  });

  it('is carried out on the only node of a cluster, and on any that does not lead', async () => {
    const single = clusterOf(1);
    expect(await accessTo(single, []).ask({ kind: 'start', member: FIRST })).toMatchObject({
      kind: 'started'
    });
    const three = clusterOf(3);
    three.leader = three.nodes[1];
    expect(await accessTo(three, []).ask({ kind: 'start', member: FIRST })).toMatchObject({
      kind: 'started'
    });
  });
});
