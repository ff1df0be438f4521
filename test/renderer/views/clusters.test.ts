import { screen, waitFor, within } from '@testing-library/svelte';
import { describe, expect, test } from 'vitest';
import { autoScavenge, localCluster, memberSnapshot, remoteCluster, remoteState } from '../fake-clusters.ts';
import { node } from '../fake-database.ts';
import { Refusal } from '../fake-workbench.ts';
import { openWindow } from '../render-app.ts';

const other = { ...node, id: 'other', name: 'other', dataDirectory: '/data/other' };
const sideBar = () => within(screen.getByRole('navigation', { name: 'Nodes' }));

describe('the side bar', () => {
  test('has nodes in their clusters and the others below', async () => {
    await openWindow((fake) => {
      fake.nodes = [node, other];
      fake.clusters = [localCluster('trio', [other]), remoteCluster];
    });
    const trio = within(await sideBar().findByRole('list', { name: 'trio' }));
    // Its line and the menu of that.
    expect(trio.getAllByRole('button')).toHaveLength(2);
    expect(trio.getByRole('button', { name: /^other/ })).toBeTruthy();
    const live = within(sideBar().getByRole('list', { name: 'live' }));
    expect(live.getByRole('button', { name: /^n1\.example:2113/ })).toBeTruthy();
  });

  test('tells the state of a node also when it is collapsed', async () => {
    const { user } = await openWindow();
    await user.click(screen.getByRole('button', { name: 'Collapse the side bar' }));
    const line = sideBar().getByRole('button', { name: new RegExp(`^${node.name}`) });
    expect(line.title).toContain(node.dataDirectory);
    expect(line.querySelector('.glyph')).not.toBeNull();
    await user.click(screen.getByRole('button', { name: 'Expand the side bar' }));
  });

  test('asks before a cluster is taken off the list', async () => {
    const { fake, user } = await openWindow((prepared) => {
      prepared.clusters = [remoteCluster];
    });
    await user.click(await sideBar().findByRole('button', { name: /^live/ }));
    await user.click(await screen.findByRole('button', { name: 'Remove cluster…' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(fake.requestsOf('forgetCluster')).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Remove cluster' }));
    await waitFor(() => expect(fake.requestsOf('forgetCluster')).toEqual([{ cluster: 'live' }]));
    await waitFor(() => expect(sideBar().queryByRole('list', { name: 'live' })).toBeNull());
  });
});

describe('a running cluster', () => {
  test('says what its nodes are and scavenge, and forgets the password that was typed', async () => {
    const { fake, user } = await openWindow((prepared) => {
      prepared.clusters = [remoteCluster];
    });
    await user.click(await sideBar().findByRole('button', { name: /^live/ }));
    const row = within(await screen.findByRole('row', { name: /n1\.example/ }));
    expect(await row.findByText('last: Success')).toBeTruthy();
    await user.click(row.getByRole('button', { name: 'Start scavenge' }));
    expect(await row.findByText('running (abcdef01)')).toBeTruthy();
    const password = screen.getByLabelText<HTMLInputElement>('New password');
    await user.type(password, 'secret');
    await user.click(screen.getByRole('button', { name: 'Save access' }));
    await waitFor(() =>
      expect(fake.requestsOf('setClusterAccess')).toEqual([
        { cluster: 'live', user: 'ops', password: 'secret' }
      ])
    );
    await waitFor(() => expect(password.value).toBe(''));
  });

  test('tells the same of its members beside its schedule, also when another one leads', async () => {
    const told = { epoch: 7, epochId: 'a', version: '26.2.0', freeBytes: 4e9, totalBytes: 8e9 };
    const member = (id: string, role: string) =>
      memberSnapshot(id, `${id}.example:2113`, {
        role,
        isLeader: role === 'Leader',
        told: { ...told, lastScavenged: null }
      });
    const first = [member('r1', 'Leader'), member('r2', 'Follower')];
    const { fake, user } = await openWindow((prepared) => {
      prepared.clusters = [remoteCluster];
      prepared.schedules.set('live', { members: first });
    });
    await user.click(await sideBar().findByRole('button', { name: /^live/ }));
    /** Of a member: what stands in the columns that both views have. */
    const factsOf = async (name: RegExp): Promise<(string | null)[]> =>
      within(await screen.findByRole('row', { name }))
        .getAllByRole('gridcell')
        .slice(1, 7)
        .map(({ textContent }) => textContent);
    const before = await factsOf(/r2\.example/);
    expect(before).toEqual(['Follower', '26.2.0', '4,096', '7', '3.73 GiB', 'not known']);
    fake.send({
      kind: 'autoScavenge',
      snapshot: autoScavenge('live', [member('r1', 'Follower'), member('r2', 'Leader')], {
        takenAtMs: Date.now() + 1
      })
    });
    await waitFor(async () => expect((await factsOf(/r2\.example/))[0]).toBe('Leader'));
    fake.schedules.set('live', { members: [member('r1', 'Follower'), member('r2', 'Leader')] });
    await user.click(screen.getByRole('tab', { name: 'Schedule' }));
    expect(await factsOf(/r2\.example/)).toEqual(['Leader', ...before.slice(1)]);
    const row = await screen.findByRole('row', { name: /r2\.example/ });
    expect(within(row).getByText('leader, last')).toBeTruthy();
  });

  test('that refuses a scavenge says why where it was asked', async () => {
    const { user } = await openWindow((prepared) => {
      prepared.clusters = [remoteCluster];
      prepared.remote = {
        ...prepared.remote,
        start: () => {
          throw new Refusal('RemoteNodeFailed', 'Another member scavenges.', 'Wait for it.');
        },
        look: (id) => remoteState(id)
      };
    });
    await user.click(await sideBar().findByRole('button', { name: /^live/ }));
    await user.click(await screen.findByRole('button', { name: 'Start scavenge' }));
    expect((await screen.findByRole('alert')).textContent).toContain(
      'Another member scavenges. Wait for it.'
    );
  });
});

describe('the page of a node', () => {
  test('says why it counts as a member of a cluster, and lets that be changed', async () => {
    const { fake, user } = await openWindow((prepared) => {
      prepared.nodes = [{ ...node, isSingleNode: null, clusterSize: 3 }];
    });
    await user.keyboard('{Control>}k{/Control}');
    await user.type(await screen.findByRole('combobox'), 'node properties');
    await user.keyboard('{Enter}');
    expect(
      await screen.findByText('Its configuration has ClusterSize 3, so it is treated as a member.')
    ).toBeTruthy();
    await user.click(screen.getByRole('radio', { name: 'Single node' }));
    await waitFor(() => expect(fake.requestsOf('changeNode')).toEqual([{ id: node.id, isSingleNode: true }]));
    expect(await screen.findByText('You set it to single node.')).toBeTruthy();
  });

  test('serves the node and says where', async () => {
    const { fake, user } = await openWindow();
    await user.keyboard('{Control>}k{/Control}');
    await user.type(await screen.findByRole('combobox'), 'node properties');
    await user.keyboard('{Enter}');
    await user.click(await screen.findByRole('button', { name: 'Start service' }));
    expect(await screen.findByText('http://127.0.0.1:2999')).toBeTruthy();
    expect(fake.requestsOf('startNodeService')).toEqual([{ nodeId: node.id, host: '127.0.0.1', port: 0 }]);
  });
});
