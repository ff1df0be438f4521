import { screen, waitFor, within } from '@testing-library/svelte';
import { describe, expect, test } from 'vitest';
import type { NodeEntry, WorkReply } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { remediesOf } from '../../../src-renderer/state/restore/restore-step.ts';
import { backup, backupsReport, nodeWithBackups, restored, restorePlan } from '../fake-backups.ts';
import { inspection } from '../fake-database.ts';
import { Refusal, type FakeWorkbench } from '../fake-workbench.ts';
import { openWindow, type OpenWindow } from '../render-app.ts';

async function openBackups(prepare: (fake: FakeWorkbench) => void = () => undefined): Promise<OpenWindow> {
  const opened = await openWindow((fake) => {
    fake.nodes = [nodeWithBackups];
    prepare(fake);
  });
  await opened.show('Backups');
  return opened;
}

/** Waits until the newest work is of that kind and ends it well. */
async function finishNewest(fake: FakeWorkbench, name: string, result: WorkReply): Promise<void> {
  await waitFor(() => expect(fake.work.at(-1)).toMatchObject({ name, endedMs: null }));
  fake.finish(fake.work.at(-1)!.id, result);
}

/** The full backup, which is the older of the two. */
async function chooseBackup({ user }: OpenWindow): Promise<void> {
  const table = await screen.findByRole('grid', { name: 'Backups in this directory' });
  await user.click((await within(table).findAllByRole('row'))[1]!);
}

function lastRequest(fake: FakeWorkbench): unknown {
  return fake.requestsOf('startWork').at(-1);
}

describe('a restore', () => {
  async function planRestore(opened: OpenWindow, plan = restorePlan): Promise<void> {
    await chooseBackup(opened);
    await opened.user.click(await screen.findByRole('button', { name: 'Restore backup…' }));
    await opened.user.click(await screen.findByRole('button', { name: /orders.*this node/ }));
    await finishNewest(opened.fake, 'planRestore', plan);
    await screen.findByRole('region', { name: 'Restore plan' });
  }

  test('says what is replaced, lost and moved aside, and what the server does next', async () => {
    const opened = await openBackups();
    await planRestore(opened);
    const plan = within(screen.getByRole('region', { name: 'Restore plan' }));
    expect(plan.getByText('a log that ends at 5,242,880')).toBeTruthy();
    expect(plan.getByText('1.00 MiB at the end of the log, which the backup does not hold')).toBeTruthy();
    expect(plan.getByText('/data/orders.before-restore-1')).toBeTruthy();
    expect(plan.getByText('5.00 MiB needed, 900 MiB free')).toBeTruthy();
    expect(plan.getByText('1 file: the server creates it again')).toBeTruthy();
    expect(plan.getByText(/start it a second time/)).toBeTruthy();
  });

  test('is confirmed with what is lost, follows its plan, and advises a full backup', async () => {
    const opened = await openBackups();
    const { fake, user } = opened;
    await planRestore(opened);
    await user.click(screen.getByRole('button', { name: 'Replace orders…' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Restore onto orders?' });
    expect(dialog.textContent).toContain('1.00 MiB at the end of the log');
    expect(dialog.textContent).toContain('nothing is deleted');
    await waitFor(() => expect(document.activeElement?.textContent?.trim()).toBe('Cancel'));
    await user.click(within(dialog).getByRole('button', { name: 'Replace orders' }));
    await waitFor(() =>
      expect(fake.requestsOf('startWork').at(-1)).toMatchObject({
        name: 'runRestore',
        planId: 'plan-of-restore',
        request: { id: backup.id, applyTruncation: false }
      })
    );
    await finishNewest(fake, 'runRestore', restored);
    expect(await screen.findByText('The backup was restored.')).toBeTruthy();
    expect(screen.getByText(/^This backup is of this node/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Take a full backup' }));
    await waitFor(() =>
      expect(fake.work.at(-1)).toMatchObject({ name: 'createBackup', request: { mode: 'full' } })
    );
  });

  test('leaves the full backup until the server has cut the log', async () => {
    const opened = await openBackups((fake) => {
      fake.answers['inspectDatabase'] = () => ({
        ...inspection,
        checkpoints: { ...inspection.checkpoints, truncate: 4_194_304 }
      });
    });
    await planRestore(opened);
    await opened.user.click(screen.getByRole('button', { name: 'Replace orders…' }));
    const dialog = await screen.findByRole('alertdialog');
    await opened.user.click(within(dialog).getByRole('button', { name: 'Replace orders' }));
    await finishNewest(opened.fake, 'runRestore', restored);
    expect(await screen.findByText(/^A full backup is possible after the first start/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Take a full backup' })).toHaveProperty('disabled', true);
  });

  test.each([
    [
      'too little room',
      { space: [{ directory: '/data', neededBytes: 9, freeBytes: 8 }] },
      /not enough free space/
    ]
  ])('is not offered with %s', async (_what, change, notice) => {
    const opened = await openBackups();
    await planRestore(opened, { ...restorePlan, ...change });
    expect(screen.getByText(notice)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Replace orders…' })).toHaveProperty('disabled', true);
  });

  test('is not offered while a server holds the directory', async () => {
    const opened = await openBackups((fake) => {
      fake.answers['inspectDatabase'] = () => ({ ...inspection, inUse: { by: 'kurrentd', pid: 7 } });
    });
    await planRestore(opened);
    expect(screen.getByText('A running server holds this directory. Stop it first.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Replace orders…' })).toHaveProperty('disabled', true);
  });

  test('is planned again when the log has changed', async () => {
    const opened = await openBackups();
    await planRestore(opened);
    opened.fake.answers['inspectDatabase'] = () => ({
      ...inspection,
      checkpoints: { ...inspection.checkpoints, writer: 6_000_000 }
    });
    opened.fake.send({ kind: 'changed', nodeId: 'node-1', parts: ['checkpoints'] });
    await opened.user.click(await screen.findByRole('button', { name: 'Make the plan again' }));
    expect(opened.fake.work.at(-1)).toMatchObject({ name: 'planRestore', request: { id: backup.id } });
  });
});

describe('an unfinished restore', () => {
  const broken = (restoreState: string) => (fake: FakeWorkbench) => {
    fake.answers['inspectDatabase'] = () => ({ ...inspection, restoreState });
  };

  test('is shown on the overview and can be finished', async () => {
    const { fake, user } = await openWindow(broken('movingIn'));
    expect(await screen.findByText(/a server refuses to start here/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Finish the restore' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Finish the restore?' });
    await user.click(within(dialog).getByRole('button', { name: 'Finish the restore' }));
    await finishNewest(fake, 'continueRestore', restored);
    expect(await screen.findByText('The backup was restored.')).toBeTruthy();
  });

  test('can be taken back, and says when the old database is untouched', async () => {
    const { fake, user } = await openWindow(broken('copying'));
    expect(await screen.findByText(/The old database is unchanged so far/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Put the old files back' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Put the old files back?' });
    await user.click(within(dialog).getByRole('button', { name: 'Put the old files back' }));
    await finishNewest(fake, 'undoRestore', { backup: 'b', dataDirectory: '/data/orders', undone: true });
    expect(await screen.findByText(/^The restore was undone/)).toBeTruthy();
  });

  test('that only lacks its last step cannot be taken back', async () => {
    await openWindow(broken('finishing'));
    expect(await screen.findByRole('button', { name: 'Finish the restore' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Put the old files back' })).toBeNull();
  });
});

describe('the three steps', () => {
  const other: NodeEntry = {
    ...nodeWithBackups,
    id: 'node-2',
    name: 'orders-2',
    dataDirectory: '/data/orders-2'
  };

  test('restore the backups of the node that is shown to another', async () => {
    const { fake, user, show } = await openBackups((fake) => (fake.nodes = [nodeWithBackups, other]));
    await show('Restore');
    const table = await screen.findByRole('grid', { name: 'Backups to restore from' });
    expect(await within(table).findAllByRole('row')).toHaveLength(2);
    await user.click(screen.getByRole('button', { name: 'Choose where to' }));
    await user.click(await screen.findByText('Truncate the log during the restore'));
    const places = within(screen.getByRole('region', { name: 'Restore to' }));
    await user.click(places.getByRole('button', { name: /^orders-2/ }));
    const newest = backupsReport.backups.at(-1)!.id;
    await waitFor(() =>
      expect(lastRequest(fake)).toEqual({
        name: 'planRestore',
        nodeId: 'node-2',
        request: { id: newest, fromNode: 'node-1', applyTruncation: true, assumeStopped: false }
      })
    );
    await finishNewest(fake, 'planRestore', { ...restorePlan, replaces: null });
    await user.click(await screen.findByRole('button', { name: 'Restore to orders-2' }));
    await waitFor(() => expect(lastRequest(fake)).toMatchObject({ name: 'runRestore', nodeId: 'node-2' }));
  });

  test('take a copy made by hand to a chosen directory, from the first screen, and open it', async () => {
    const { fake, user } = await openWindow((fake) => {
      fake.openNodeId = null;
      fake.answers['listBackups'] = () => ({ ...backupsReport, backups: [] });
    });
    await user.click(await screen.findByRole('button', { name: /^Restore a backup/ }));
    await user.click(await screen.findByRole('button', { name: 'Choose a directory…' }));
    expect(await screen.findByText('No catalogue here')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Choose where to' }));
    await user.click(await screen.findByRole('button', { name: /^Another directory…/ }));
    await waitFor(() =>
      expect(lastRequest(fake)).toEqual({
        name: 'planRestore',
        nodeId: null,
        request: {
          fromPlace: 'chosen-backups',
          toPlace: 'chosen-restoreTo',
          applyTruncation: false,
          assumeStopped: false
        }
      })
    );
    await finishNewest(fake, 'planRestore', { ...restorePlan, replaces: null });
    await user.click(await screen.findByRole('button', { name: /^Restore to/ }));
    await finishNewest(fake, 'runRestore', restored);
    await user.click(await screen.findByRole('button', { name: 'Open this database' }));
    expect(fake.requestsOf('openChosen')).toEqual([{ id: 'chosen-restoreTo' }]);
  });

  test('ask for the key of an encrypted backup where it does not open, and plan again with it', async () => {
    const { fake, user } = await openBackups();
    await chooseBackup({ user } as OpenWindow);
    await user.click(await screen.findByRole('button', { name: 'Restore backup…' }));
    await user.click(await screen.findByRole('button', { name: /orders.*this node/ }));
    await waitFor(() => expect(fake.work.at(-1)).toMatchObject({ name: 'planRestore' }));
    const error = {
      code: 'UnsupportedFormat',
      message: 'It is encrypted.',
      remedy: '',
      details: { reason: 'keyMissing' }
    };
    fake.change(fake.work.at(-1)!.id, { state: 'failed', endedMs: 1, error });
    await user.type(await screen.findByLabelText('Password'), 'correct horse');
    await user.click(screen.getByRole('button', { name: 'Use password' }));
    await waitFor(() => expect(lastRequest(fake)).toMatchObject({ request: { passwordId: 'password-1' } }));
    expect(JSON.stringify(fake.requestsOf('startWork'))).not.toContain('horse');
  });

  test('are offered where a directory that was opened is empty', async () => {
    const { user } = await openWindow((fake) => {
      fake.nodes = [nodeWithBackups];
      fake.answers['inspectDatabase'] = () => {
        throw new Refusal('DatabaseNotFound', '/data/orders is not a database.');
      };
    });
    await user.click(await screen.findByRole('button', { name: 'Restore a backup here…' }));
    expect(await screen.findByRole('grid', { name: 'Backups to restore from' })).toBeTruthy();
  });

  test('make a waiting truncation, after it was seen and confirmed', async () => {
    const { fake, user, show } = await openWindow((fake) => {
      fake.nodes = [nodeWithBackups];
      fake.answers['inspectDatabase'] = () => ({
        ...inspection,
        checkpoints: { ...inspection.checkpoints, truncate: 4_194_304 }
      });
    });
    await show('Restore');
    await user.click(await screen.findByRole('button', { name: 'Truncate now…' }));
    const cut = {
      dataDirectory: '/data/orders',
      applied: false,
      requested: 4_194_304,
      truncatesTo: 4_194_304,
      cutBytes: 2048,
      removed: [],
      bytesRemoved: 0,
      reopened: null,
      nextStart: 'The server starts as usual.',
      warnings: []
    };
    await finishNewest(fake, 'cutLog', cut);
    await user.click(await screen.findByRole('button', { name: 'Truncate the log…' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Truncate the log?' });
    expect(dialog.textContent).toContain('2.00 KiB');
    await user.click(within(dialog).getByRole('button', { name: 'Truncate the log' }));
    await waitFor(() =>
      expect(lastRequest(fake)).toMatchObject({ name: 'cutLog', request: { dryRun: false } })
    );
    await finishNewest(fake, 'cutLog', { ...cut, applied: true });
    expect(await screen.findByText('The log was truncated.')).toBeTruthy();
  });
});

test.each([
  ['UnsupportedFormat', { reason: 'wrongPassword' }, 'giveKey'],
  ['UnsupportedFormat', { reason: 'keyMissing' }, 'giveKey'],
  ['InvalidRequest', { field: '--key-file' }, 'giveKey'],
  ['DatabaseInUse', { reason: 'restoreUnfinished' }, 'resume'],
  ['DatabaseInUse', {}, 'planAgain'],
  ['LogCorrupt', {}, 'anotherBackup'],
  ['DatabaseNotFound', {}, 'anotherBackup'],
  ['StorageFailed', {}, 'planAgain'],
  ['PlanStale', {}, 'planAgain']
])('%s %o is helped first by: %s', (code, details, first) => {
  expect(remediesOf({ code, message: '', remedy: '', details })[0]).toBe(first);
});
