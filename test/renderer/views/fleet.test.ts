/** All nodes at a glance: what is known, what is not, and where each leads. */
import { screen, waitFor, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import type { FleetNode } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { localCluster } from '../fake-clusters.ts';
import { node } from '../fake-database.ts';
import { openWindow } from '../render-app.ts';

const named = (name: string) => ({ ...node, id: name, name, dataDirectory: `/data/${name}` });

function standing(name: string, known: Partial<FleetNode> = {}): FleetNode {
  return {
    name,
    dataDirectory: `/data/${name}`,
    indexDirectory: null,
    cluster: null,
    error: null,
    health: null,
    inUse: null,
    writerCheckpoint: 4096,
    logBytes: 10 * 1024 * 1024,
    indexBytes: 1024,
    freeBytes: 5 * 1024 * 1024,
    removableBytes: 2 * 1024 * 1024,
    diskFull: {
      withoutScavenges: { days: 9, at: '2026-12-02T00:00:00.0000000Z' },
      withScavenges: null
    },
    growthUnknown: null,
    coverage: null,
    lastScavenged: '2026-11-01T00:00:00.0000000Z',
    lastScavengedFrom: 'history',
    backupTarget: '/backups',
    lastBackup: {
      id: 'b',
      endedAt: '2026-11-20T00:00:00.000Z',
      verifiedAt: null,
      rehearsedAt: null,
      isRehearsedWell: null
    },
    backupError: null,
    nextBackup: null,
    scheduledBackupFailure: null,
    notes: [],
    needsLook: false,
    ...known
  };
}

async function openFleet() {
  const window = await openWindow((fake) => {
    fake.nodes = [named('good'), named('full'), named('unread'), named('gone')];
    fake.openNodeId = 'good';
    fake.clusters = [localCluster('trio', [fake.nodes[1]!])];
    fake.standings.set('good', standing('good'));
    fake.standings.set('full', standing('full', { notes: ['diskFullSoon'], needsLook: true }));
    fake.standings.set(
      'unread',
      standing('unread', {
        removableBytes: null,
        diskFull: null,
        backupTarget: null,
        lastBackup: null,
        lastScavenged: null,
        lastScavengedFrom: 'never',
        notes: ['neverScavenged', 'noBackup']
      })
    );
  });
  await window.user.click(screen.getByRole('button', { name: 'All nodes at a glance' }));
  await screen.findByRole('heading', { level: 1, name: 'All nodes' });
  const row = (name: string) => screen.findByRole('row', { name: new RegExp(name) });
  return { ...window, row };
}

test('each node has its line; what is not known is said so, and what cannot be asked says why', async () => {
  const { row } = await openFleet();
  await screen.findByText('4 nodes, 2 need a look');
  const good = await row('good');
  expect(good.textContent).toContain('2.00 MiB');
  expect(good.textContent).toContain('2 Dec 2026');
  expect(good.textContent).toContain('20 Nov 2026');
  const unread = await row('unread');
  expect(unread.textContent).toContain('not known');
  expect(unread.textContent).toContain('no target');
  expect(unread.textContent).toContain('never scavenged, no backup');
  expect((await row('gone')).textContent).toContain('There is no database any more.');
});

test('those that need a look stand alone when that is wanted, and a line leads to its node', async () => {
  const { user, row } = await openFleet();
  await screen.findByText('4 nodes, 2 need a look');
  await user.click(screen.getByRole('checkbox', { name: 'Only those that need a look' }));
  await waitFor(() => expect(screen.queryByRole('row', { name: /unread/ })).toBeNull());
  const full = await row('full');
  await user.hover(full);
  await user.click(within(full).getByRole('button', { name: 'More actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Backups' }));
  await waitFor(() => expect(document.title).toBe('full — Winnow'));
  expect(screen.getByRole('tab', { name: 'Backups' }).getAttribute('aria-selected')).toBe('true');
});

test('it can be asked again, and the clusters stand below with what is known of them', async () => {
  const { fake, user } = await openFleet();
  await screen.findByText('4 nodes, 2 need a look');
  const asked = fake.requestsOf('nodeStanding').length;
  await user.click(screen.getByRole('button', { name: 'Ask again' }));
  await waitFor(() => expect(fake.requestsOf('nodeStanding')).toHaveLength(asked + 4));
  const clusters = within(screen.getByRole('grid', { name: 'Clusters' }));
  expect(clusters.getByText('trio')).toBeTruthy();
  expect(clusters.getByText('directories here')).toBeTruthy();
});

test('a schedule without a time outside of quiet hours is told from none', async () => {
  const { user } = await openWindow((fake) => {
    fake.nodes = [named('good'), named('full')];
    fake.openNodeId = 'good';
    fake.clusters = [localCluster('trio', [fake.nodes[0]!]), localCluster('idle', [fake.nodes[1]!])];
    fake.schedule('trio', { schedule: '0 6 * * 6', nextTimes: [] });
  });
  await user.click(screen.getByRole('button', { name: 'All nodes at a glance' }));
  const clusters = within(await screen.findByRole('grid', { name: 'Clusters' }));
  const never = await clusters.findByText('never: quiet hours');
  expect(never.title).toBe('All times of the schedule are in quiet hours.');
  expect(clusters.getAllByText('none')).toHaveLength(2); // schedule and time of the other one
});
