/** What running members tell of themselves: disk, last scavenge, version, reign; and what of it is not to be believed. */
import { afterEach, describe, expect, it } from 'vitest';
import { driveIn, lastEnds } from '../../../src-main/cluster/member-details.ts';
import { RemoteClusterAccess } from '../../../src-main/cluster/remote-cluster.ts';
import { SimulatedCluster } from '../../support/simulated-cluster.ts';

describe('the disk that a server tells of', () => {
  it('is the one it tells of, whatever its name', () => {
    const body = { 'sys-drive-/mnt/a-b-availableBytes': 10, 'sys-drive-/mnt/a-b-totalBytes': 20 };
    expect(driveIn(JSON.stringify(body))).toEqual({ freeBytes: 10, totalBytes: 20 });
  });

  it.each([
    ['nothing', ''],
    ['no object', '[1]'],
    ['no disk', '{"proc-id":1}'],
    [
      'two disks',
      '{"sys-drive-C-availableBytes":1,"sys-drive-C-totalBytes":2,"sys-drive-D-availableBytes":1}'
    ],
    ['no size', '{"sys-drive-C-availableBytes":-1,"sys-drive-C-totalBytes":2}'],
    ['words', '{"sys-drive-C-availableBytes":"many","sys-drive-C-totalBytes":2}']
  ])('is not known where it tells %s', (_what, body) => {
    expect(driveIn(body)).toBeUndefined();
  });
});

describe('the last scavenge', () => {
  const entry = (node: string, updated: string, result = 'Success', eventType = '$scavengeCompleted') => ({
    eventType,
    updated,
    data: JSON.stringify({ nodeEndpoint: node, result })
  });

  it('is the newest that succeeded on each node', () => {
    const entries = [
      entry('Node-1:2113', '2026-08-08T04:00:00Z', 'Stopped'),
      entry('node-1:2113', '2026-08-01T04:00:00Z'),
      entry('node-1:2113', '2026-07-01T04:00:00Z'),
      entry('node-2:2113', '2026-08-02T04:00:00Z', 'Success', '$scavengeStarted')
    ];
    expect([...lastEnds(JSON.stringify({ entries }))]).toEqual([['node-1:2113', '2026-08-01T04:00:00Z']]);
  });

  it.each([
    '',
    '{}',
    '{"entries":7}',
    '{"entries":[{}]}',
    '{"entries":[{"eventType":"$scavengeCompleted"}]}'
  ])('is not known from %s', (body) => {
    expect(lastEnds(body).size).toBe(0);
  });

  it('is not known from a time that is none, or data that is no JSON', () => {
    const entries = [
      entry('a:1', 'yesterday'),
      { eventType: '$scavengeCompleted', updated: '2026-08-01T04:00:00Z', data: '{' }
    ];
    expect(lastEnds(JSON.stringify({ entries })).size).toBe(0);
  });
});

describe('running members', () => {
  let cluster: SimulatedCluster;
  afterEach(() => cluster.close());

  function accessTo(now: () => number): RemoteClusterAccess {
    return new RemoteClusterAccess({
      cluster: { kind: 'remote', name: 'live', urls: [cluster.nodes[0]!.url], clusterSize: 3 },
      authorization: cluster.authorization,
      log: () => undefined,
      clock: now
    });
  }

  it('are asked once in a while, and a member that is down leaves the others known', async () => {
    cluster = new SimulatedCluster();
    await cluster.start(3);
    const [one, two, three] = cluster.nodes;
    one!.drive = { freeBytes: 5, totalBytes: 10 };
    two!.faults.isDown = true;
    cluster.recordEnd(three!, '2026-08-01T04:00:00Z');
    let now = 0;
    const access = accessTo(() => now);
    const look = async () => {
      const gossip = (await access.gossip())!;
      return { gossip, details: await access.detailsOf(gossip) };
    };
    const { gossip, details } = await look();
    expect(gossip[0]).toMatchObject({ version: '26.2.0', epochNumber: 1 });
    const nothing = { freeBytes: null, totalBytes: null, lastScavenged: null };
    expect(Object.fromEntries(details)).toEqual({
      [`127.0.0.1:${one!.port}`]: { ...nothing, freeBytes: 5, totalBytes: 10 },
      [`127.0.0.1:${three!.port}`]: { ...nothing, lastScavenged: '2026-08-01T04:00:00Z' }
    });
    one!.drive = { freeBytes: 4, totalBytes: 10 };
    expect((await look()).details).toBe(details);
    now = 31_000;
    expect((await look()).details.get(`127.0.0.1:${one!.port}`)?.freeBytes).toBe(4);
  });
});
