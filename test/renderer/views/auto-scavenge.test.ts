import { cleanup, screen, waitFor, within } from '@testing-library/svelte';
import { describe, expect, test } from 'vitest';
import type { AutoScavengeSnapshot } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { autoScavenge, localCluster, memberSnapshot, remoteCluster } from '../fake-clusters.ts';
import { node } from '../fake-database.ts';
import { openWindow, type OpenWindow } from '../render-app.ts';

const other = { ...node, id: 'other', name: 'other', dataDirectory: '/data/other' };

async function openSchedule(schedule: Partial<AutoScavengeSnapshot> = {}): Promise<OpenWindow> {
  const opened = await openWindow((fake) => {
    fake.nodes = [node, other];
    fake.clusters = [localCluster('trio', [node, other])];
    fake.schedules.set('trio', schedule);
  });
  await opened.show('Schedule');
  await screen.findByRole('region', { name: 'State' });
  return opened;
}

describe('the auto-scavenge of a cluster', () => {
  test('says its state, who runs it and its members in their order', async () => {
    await openSchedule({ state: 'Waiting', schedule: '0 6 * * SAT', nextTimes: [] });
    const state = screen.getByRole('region', { name: 'State' });
    expect(within(state).getByText('Waiting')).toBeTruthy();
    expect(within(state).getByText(/This window, while it is open/)).toBeTruthy();
    const members = within(screen.getByRole('region', { name: /^Members, in the order/ }));
    const rows = await members.findAllByRole('row');
    expect(rows.map((row) => row.textContent.includes('other'))).toEqual([false, true]);
  });

  test('says that nobody runs it, or which process', async () => {
    await openSchedule({ coordinatedBy: 'nobody', coordinator: { kind: 'nobody' } });
    expect(within(screen.getByRole('region', { name: 'State' })).getByText(/Nobody/)).toBeTruthy();
    cleanup();
    await openSchedule({
      coordinatedBy: 'process',
      coordinator: { kind: 'process', pid: 4711, url: 'http://127.0.0.1:2113' }
    });
    expect(screen.getByText(/Process 4711 at http:\/\/127\.0\.0\.1:2113/)).toBeTruthy();
  });

  test('is set with the zone that is chosen, and then is what holds', async () => {
    const { fake, user } = await openSchedule();
    expect(screen.getByRole('heading', { name: 'No schedule yet' })).toBeTruthy();
    expect(screen.getByText(/a proposal; nothing is saved/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'every night at 2' }));
    await user.click(await screen.findByRole('button', { name: 'Save schedule' }));
    await waitFor(() =>
      expect(fake.requestsOf('configureAutoScavenge')).toEqual([
        { cluster: 'trio', schedule: '0 2 * * *', timeZone: 'UTC' }
      ])
    );
  });

  test('takes a zone that is found by typing a part of its name', async () => {
    const { fake, user } = await openSchedule();
    const zone = screen.getByRole('combobox', { name: 'Time zone' });
    await user.click(zone);
    await user.type(zone, 'toky');
    await user.click(await screen.findByRole('option', { name: 'Asia/Tokyo' }));
    await user.click(screen.getByRole('button', { name: 'Save schedule' }));
    await waitFor(() =>
      expect(fake.requestsOf('configureAutoScavenge')).toMatchObject([{ timeZone: 'Asia/Tokyo' }])
    );
  });

  test('takes a zone by a name that the list does not have', async () => {
    const { user } = await openSchedule();
    const zone = screen.getByRole('combobox', { name: 'Time zone' });
    await user.click(zone);
    await user.type(zone, 'US/Pacific');
    expect(await screen.findByRole('option', { name: 'US/Pacific' })).toBeTruthy();
    await user.type(zone, 'x');
    await waitFor(() => expect(screen.queryByRole('option', { name: /Pacific/ })).toBeNull());
  });

  test('is chosen in words, which are written as CRON, and the other way round', async () => {
    const { fake, user } = await openSchedule();
    const inWords = within(screen.getByRole('group', { name: 'Schedule in words' }));
    const field: HTMLInputElement = screen.getByRole('textbox', { name: 'CRON expression' });
    await user.click(inWords.getByRole('button', { name: 'Wed' }));
    expect(field.value).toBe('0 6 * * WED,SAT');
    await user.selectOptions(inWords.getByLabelText('Every'), 'hours');
    expect(field.value).toBe('0 */6 * * *');
    expect(screen.getByRole('button', { name: 'every six hours' }).getAttribute('aria-pressed')).toBe('true');
    await user.clear(field);
    await user.type(field, '30 1 * * 1-5');
    expect(screen.getByRole('button', { name: 'workdays at 1:30' }).getAttribute('aria-pressed')).toBe(
      'true'
    );
    expect(inWords.getByRole('button', { name: 'Fri' }).getAttribute('aria-pressed')).toBe('true');
    await user.clear(field);
    await user.type(field, '0 6,18 * * *');
    expect((inWords.getByLabelText('Every') as unknown as HTMLSelectElement).value).toBe('other');
    expect(fake.requestsOf('configureAutoScavenge')).toEqual([]);
  });

  test('runs at once, and leaves out the next run', async () => {
    const { fake, user } = await openSchedule({
      state: 'Waiting',
      schedule: '0 6 * * SAT',
      nextTimes: ['2026-08-08T06:00:00+02:00']
    });
    await user.click(screen.getByRole('button', { name: 'Skip the next' }));
    expect(await screen.findByText(/^Skipped: Sat 2026-08-08/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Run now' }));
    expect(await screen.findByText('In progress')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Run now' })).toBeNull();
    expect(fake.requestsOf('skipAutoScavenge')).toEqual([{ cluster: 'trio' }]);
    expect(fake.requestsOf('runAutoScavengeNow')).toEqual([{ cluster: 'trio' }]);
  });

  test('that the cluster keeps by itself can neither be run at once nor skipped from here', async () => {
    await openSchedule({
      state: 'Waiting',
      coordinatedBy: 'cluster',
      schedule: '0 6 * * SAT',
      nextTimes: ['2026-08-08T06:00:00+02:00']
    });
    expect(screen.queryByRole('button', { name: 'Run now' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Skip the next' })).toBeNull();
  });

  test('is paused and resumed', async () => {
    const { fake, user } = await openSchedule({ state: 'Waiting', schedule: '0 6 * * SAT' });
    await user.click(screen.getByRole('button', { name: 'Pause' }));
    await user.click(await screen.findByRole('button', { name: 'Resume' }));
    await screen.findByRole('button', { name: 'Pause' });
    expect(fake.requestsOf('pauseAutoScavenge')).toEqual([{ cluster: 'trio' }]);
    expect(fake.requestsOf('resumeAutoScavenge')).toEqual([{ cluster: 'trio' }]);
  });

  test('says that quiet hours hold it up, and that they end by themselves', async () => {
    await openSchedule({
      state: 'Paused',
      pausedBy: 'quietHours',
      isQuietNow: true,
      quietHours: { from: '20:00', to: '06:00', days: [1, 2, 3, 4, 5] }
    });
    expect(screen.getByText(/It resumes by itself when they end/)).toBeTruthy();
    const quiet = within(screen.getByRole('region', { name: 'Quiet hours' }));
    expect(quiet.getByText(/20:00 to 06:00, Mon, Tue, Wed, Thu, Fri/)).toBeTruthy();
    expect(quiet.getByText('(until the next day)')).toBeTruthy();
  });

  describe('its maintenance window', () => {
    const maintenance = () => within(screen.getByRole('region', { name: 'Maintenance window' }));
    const fill = async (user: OpenWindow['user'], label: string, time: string): Promise<void> => {
      const field = maintenance().getByLabelText(label);
      await user.clear(field);
      await user.type(field, time);
      await user.tab();
    };
    const night = (member: number, day: number, bytesFreed: number) => ({
      from: `2026-11-${day}T02:00:00.000Z`,
      to: `2026-11-${day}T04:00:00.000Z`,
      endsAt: `2026-11-${day}T03:10:00.000Z`,
      member,
      chunksRead: 3,
      chunks: 2,
      bytesFreed,
      lostMs: 0
    });
    const member = (change: object) => ({
      node: '/data/orders',
      kind: 'local' as const,
      state: null,
      bytesFreed: 3 * 1024 * 1024,
      threads: 1,
      throttlePercent: 100,
      nights: [night(1, 25, 1024 * 1024), night(1, 26, 2 * 1024 * 1024)],
      throughAt: '2026-11-26T03:10:00.000Z',
      why: null,
      ...change
    });

    test('is said as the hours in which scavenges run, shown beside the quiet hours that it means, and taken off', async () => {
      const { fake, user } = await openSchedule({ state: 'Waiting', schedule: '0 6 * * SAT' });
      expect(maintenance().getByText('None: scavenges run at any hour')).toBeTruthy();
      await fill(user, 'Scavenges run from', '01:30');
      await fill(user, 'until', '03:00');
      await user.click(maintenance().getByRole('button', { name: 'Save maintenance window' }));
      expect(fake.requestsOf('setQuietHours')).toEqual([
        { cluster: 'trio', quietHours: { window: '01:30-03:00' } }
      ]);
      expect(
        await maintenance().findByText('Scavenges run only from 01:30 to 03:00, every day')
      ).toBeTruthy();
      const quiet = within(screen.getByRole('region', { name: 'Quiet hours' }));
      expect(quiet.getByText(/03:00 to 01:30, every day/)).toBeTruthy();
      // None of the schedule's times is inside: it is offered to begin with the window.
      await user.click(maintenance().getByRole('button', { name: 'Begin at 01:30 every night' }));
      expect(fake.requestsOf('configureAutoScavenge')).toEqual([{ cluster: 'trio', schedule: '30 1 * * *' }]);
      await user.click(maintenance().getByRole('button', { name: 'No maintenance window' }));
      expect(await maintenance().findByText('None: scavenges run at any hour')).toBeTruthy();
    });

    test('an empty window is neither saved nor planned', async () => {
      const { user } = await openSchedule();
      await fill(user, 'until', '02:00');
      expect(maintenance().getByText('The window is empty.')).toBeTruthy();
      for (const name of ['Plan the nights', 'Save maintenance window']) {
        expect(maintenance().getByRole('button', { name })).toHaveProperty('disabled', true);
      }
    });

    test('is planned by nights and members before it is saved', async () => {
      const { fake, user } = await openSchedule();
      await user.click(maintenance().getByRole('button', { name: 'Plan the nights' }));
      expect(fake.requestsOf('startWork')).toContainEqual({
        name: 'planCluster',
        nodeId: node.id,
        request: { window: '02:00-04:00', otherNodes: ['other'] }
      });
      expect(await maintenance().findByRole('button', { name: 'Stop' })).toBeTruthy();
      const work = fake.work.find(({ name }) => name === 'planCluster')!;
      fake.finish(work.id, {
        window: '02:00-04:00',
        timeZone: 'Asia/Tokyo',
        members: [member({}), member({ node: '/data/other', nights: [night(2, 27, 512)] })],
        bytesFreed: 6 * 1024 * 1024,
        throughAt: '2026-11-27T03:10:00.000Z'
      });
      const plan = within(await maintenance().findByRole('region', { name: 'Plan of the nights' }));
      expect(plan.getByText(/^All members are done by .*, after 3 nights\.$/)).toBeTruthy();
      expect(plan.getByText(/Would free 6/)).toBeTruthy();
      expect(plan.getByRole('img', { name: 'What each night would free: 3 nights, 2 members' })).toBeTruthy();
      const rows = within(plan.getByRole('grid', { name: 'Nights of the maintenance window' }));
      expect((await rows.findAllByText(node.name)).length).toBe(2);
      expect(rows.getByText('other')).toBeTruthy();
      expect(maintenance().getByText(/time zone of this machine \(Asia\/Tokyo\)/)).toBeTruthy();
      await fill(user, 'until', '05:00');
      expect(maintenance().getByText('This plan is of the window 02:00-04:00.')).toBeTruthy();
      expect(fake.requestsOf('setQuietHours')).toEqual([]);
    });

    test('of members that are not known says so, and why', async () => {
      const { fake, user } = await openSchedule();
      await user.click(maintenance().getByRole('button', { name: 'Plan the nights' }));
      const unknown = { bytesFreed: null, nights: null, throughAt: null, why: 'There is no database.' };
      fake.finish(fake.work.find(({ name }) => name === 'planCluster')!.id, {
        window: '02:00-04:00',
        timeZone: 'UTC',
        members: [member({}), member({ node: '/data/other', ...unknown })],
        bytesFreed: null,
        throughAt: null
      });
      expect(await maintenance().findByText('It is not known when the last member is done.')).toBeTruthy();
      expect(maintenance().getByText(/^other: There is no database\./)).toBeTruthy();
    });
  });

  test('offers for each condition that is not met what can be done', async () => {
    const { fake, user } = await openSchedule({
      checklist: [
        { item: 'licence', isOk: false, words: 'There is no valid licence.', action: 'chooseLicence' },
        { item: 'members', isOk: true, words: 'All members are there.', action: null }
      ]
    });
    const conditions = within(screen.getByRole('region', { name: 'Conditions' }));
    expect(conditions.getByText('The schedule does not run: one condition is not met.')).toBeTruthy();
    await user.click(conditions.getByRole('button', { name: 'Use the evaluation licence' }));
    await waitFor(() => expect(fake.requestsOf('chooseLicence')).toEqual([{ choice: 'evaluation' }]));
    expect(await screen.findByText('Licensed to evaluation until 2027-01-01.')).toBeTruthy();
  });

  test('shows snapshots as they come, but none of another cluster and none that is older', async () => {
    const { fake } = await openSchedule({ state: 'Waiting', schedule: '0 6 * * SAT' });
    const members = [memberSnapshot('a', 'one', { step: 'success' }), memberSnapshot('b', 'two')];
    const later = Date.now() + 60_000;
    fake.send({
      kind: 'autoScavenge',
      snapshot: autoScavenge('trio', members, { state: 'InProgress', takenAtMs: later })
    });
    fake.send({
      kind: 'autoScavenge',
      snapshot: autoScavenge('trio', members, { state: 'Paused', takenAtMs: later - 1 })
    });
    fake.send({
      kind: 'autoScavenge',
      snapshot: autoScavenge('others', members, { state: 'Paused', takenAtMs: later + 1 })
    });
    expect(await screen.findByText('In progress')).toBeTruthy();
    expect(screen.getByText('done')).toBeTruthy();
  });

  test('of a cluster that schedules itself takes no zone and no quiet hours', async () => {
    const { fake, user } = await openWindow((prepared) => {
      prepared.clusters = [remoteCluster];
      prepared.schedules.set('live', { coordinatedBy: 'cluster', state: 'Waiting', schedule: '0 6 * * 6' });
    });
    await user.click(await screen.findByRole('button', { name: /^live/ }));
    await user.click(await screen.findByRole('tab', { name: 'Schedule' }));
    expect(await screen.findByText(/This cluster runs its own auto-scavenge/)).toBeTruthy();
    expect(screen.queryByRole('region', { name: 'Quiet hours' })).toBeNull();
    const maintenance = within(screen.getByRole('region', { name: 'Maintenance window' }));
    expect(maintenance.queryByRole('button', { name: 'Save maintenance window' })).toBeNull();
    expect(maintenance.getByText(/its nights cannot be planned/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'every night at 2' }));
    await user.click(await screen.findByRole('button', { name: 'Save new schedule' }));
    await waitFor(() =>
      expect(fake.requestsOf('configureAutoScavenge')).toEqual([{ cluster: 'live', schedule: '0 2 * * *' }])
    );
  });
});
