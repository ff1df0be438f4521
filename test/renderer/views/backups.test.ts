import { screen, waitFor, within } from '@testing-library/svelte';
import { describe, expect, test } from 'vitest';
import type { WorkReply } from '../../../src-main/contract/verbs/workbench-contract.ts';
import {
  backup,
  backupPlan,
  backupsReport,
  backupVerification,
  encryptedBackup,
  erased,
  erasurePlan,
  laterBackup,
  nodeWithBackups,
  prunePlan,
  rekeyPlan
} from '../fake-backups.ts';
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

describe('the directory of the backups', () => {
  test('is asked for where none has been chosen, and then its catalogue is shown', async () => {
    const { fake, user, show } = await openWindow();
    await show('Backups');
    await user.click(await screen.findByRole('button', { name: 'Choose a directory…' }));
    expect(fake.requestsOf('chooseBackupTarget')).toEqual([{ nodeId: 'node-1' }]);
    expect(await screen.findByRole('grid', { name: 'Backups in this directory' })).toBeTruthy();
    expect(screen.getByText('/backups')).toBeTruthy();
  });

  test('lists the newest backup first, with what is known of it in words', async () => {
    await openBackups();
    const table = await screen.findByRole('grid', { name: 'Backups in this directory' });
    const rows = await within(table).findAllByRole('row');
    expect(rows).toHaveLength(2);
    expect(rows[0]!.textContent).toMatch(/differential.*1\.00 MiB.*damaged, .*not yet/);
    expect(rows[1]!.textContent).toMatch(/full.*5\.00 MiB.*intact, .*not yet/);
  });

  test('says so when it is empty', async () => {
    await openBackups((fake) => {
      fake.answers['listBackups'] = () => ({ ...backupsReport, backups: [] });
    });
    expect(await screen.findByText('There are no backups in this directory yet.')).toBeTruthy();
  });

  test('names unfinished and damaged backups', async () => {
    await openBackups((fake) => {
      fake.answers['listBackups'] = () => ({
        ...backupsReport,
        unfinished: ['20260103T050000Z-0000'],
        damaged: [{ id: '20260104T050000Z-1111', message: 'Its manifest is not whole.' }]
      });
    });
    expect(await screen.findByText(/^Unfinished.*20260103T050000Z-0000$/)).toBeTruthy();
    expect(screen.getByText('20260104T050000Z-1111: Its manifest is not whole.')).toBeTruthy();
  });

  test('that cannot be read says why and is read again on demand', async () => {
    let isBroken = true;
    const { user } = await openBackups((fake) => {
      fake.answers['listBackups'] = () => {
        if (isBroken) throw new Refusal('StorageFailed', 'The disk is not there.', 'Mount it.');
        return backupsReport;
      };
    });
    expect(await screen.findByText('The disk is not there.')).toBeTruthy();
    isBroken = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('grid', { name: 'Backups in this directory' })).toBeTruthy();
  });

  test('can be reached although the database cannot be read', async () => {
    await openBackups((fake) => {
      fake.answers['inspectDatabase'] = () => {
        throw new Refusal('LogCorrupt', 'The log is damaged.', 'Restore it.');
      };
    });
    expect(await screen.findByRole('grid', { name: 'Backups in this directory' })).toBeTruthy();
  });
});

describe('a backup', () => {
  test('is planned first, then taken as planned, and can be verified at once', async () => {
    const { fake, user } = await openBackups();
    await user.selectOptions(screen.getByRole('combobox', { name: 'Backup kind' }), 'full');
    await user.click(screen.getByRole('button', { name: 'Plan a backup' }));
    await finishNewest(fake, 'planBackup', backupPlan);
    await user.click(await screen.findByRole('button', { name: 'Copy 5.00 MiB' }));
    expect(fake.work.at(-1)).toMatchObject({ name: 'createBackup', request: { mode: 'full' } });
    expect(screen.getByRole('button', { name: 'Plan a backup' })).toHaveProperty('disabled', true);
    const fresh = { ...backup, verified: null };
    await finishNewest(fake, 'createBackup', { ...backupsReport, backups: [fresh] });
    expect(await screen.findByText(`The backup ${backup.id} is complete.`)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Verify new backup' }));
    expect(fake.work.at(-1)).toMatchObject({ name: 'verifyBackup', request: { id: backup.id } });
    await finishNewest(fake, 'verifyBackup', backupVerification);
    expect(await screen.findByText('The backup is intact.')).toBeTruthy();
  });

  test('is not offered where there is no room for it', async () => {
    const { fake, user } = await openBackups();
    await user.click(screen.getByRole('button', { name: 'Plan a backup' }));
    await finishNewest(fake, 'planBackup', { ...backupPlan, freeBytes: 10 });
    expect(await screen.findByText('Not enough free space: /backups needs 5.00 MiB more.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Copy 5.00 MiB' })).toHaveProperty('disabled', true);
  });

  test('that fails shows why, until the outcome is closed', async () => {
    const { fake, user } = await openBackups();
    await user.click(screen.getByRole('button', { name: 'Plan a backup' }));
    await waitFor(() => expect(fake.work).toHaveLength(1));
    const error = {
      code: 'InvalidRequest',
      message: 'A scavenge is running.',
      remedy: 'Stop it.',
      details: {}
    };
    fake.change('work-1', { state: 'failed', endedMs: 5, error });
    expect(await screen.findByText('A scavenge is running.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByText('A scavenge is running.')).toBeNull());
    expect(fake.work).toEqual([]);
  });

  test('shows what it holds, and is rehearsed', async () => {
    const opened = await openBackups();
    await chooseBackup(opened);
    expect(await screen.findByText('9 files, 4 of them chunks')).toBeTruthy();
    await opened.user.click(screen.getByRole('button', { name: 'Rehearse backup' }));
    const report = { ...backupVerification, streams: 20, truncatesTo: 0 };
    await finishNewest(opened.fake, 'rehearseBackup', report);
    expect(await screen.findByText(/^The rehearsal passed/)).toBeTruthy();
  });
});

describe('pruning', () => {
  test('shows what would go and removes it only after a confirmation with the focus on Cancel', async () => {
    const { fake, user } = await openBackups();
    const last = await screen.findByRole('spinbutton', { name: 'the last' });
    await user.clear(last);
    await user.type(last, '1');
    await user.click(screen.getByRole('button', { name: 'Plan pruning' }));
    expect(fake.work.at(-1)?.request).toEqual({
      retention: { last: 1, daily: 0, weekly: 4, monthly: 12 },
      dryRun: true
    });
    await finishNewest(fake, 'pruneBackups', prunePlan);
    expect(await screen.findByText('Would keep 1, remove 1 and free 4.00 MiB')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Remove 1 backup…' }));
    const dialog = await screen.findByRole('alertdialog');
    expect(dialog.textContent).toContain('Data that no other backup holds can then no longer be restored');
    await waitFor(() => expect(document.activeElement?.textContent?.trim()).toBe('Cancel'));
    await user.click(within(dialog).getByRole('button', { name: 'Remove 1 backup' }));
    await waitFor(() =>
      expect(fake.requestsOf('startWork').at(-1)).toMatchObject({
        name: 'pruneBackups',
        planId: 'plan-of-prune',
        request: { retention: { last: 1 }, dryRun: false }
      })
    );
    await finishNewest(fake, 'pruneBackups', { ...prunePlan, dryRun: false });
    expect(await screen.findByText('1 kept, 1 removed, 4.00 MiB freed.')).toBeTruthy();
  });

  test('is not offered when nothing would be kept', async () => {
    const { user } = await openBackups();
    for (const name of ['the last', 'weekly', 'monthly']) {
      await user.clear(await screen.findByRole('spinbutton', { name }));
    }
    expect(screen.getByText('Keep at least one backup.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Plan pruning' })).toHaveProperty('disabled', true);
  });
});

describe('erasure inside a backup', () => {
  const request = { id: backup.id, erase: { kind: 'scavenge', scavengePoint: 'detached', threshold: -1 } };

  test('is planned with what was chosen, run by that plan, and ends with the removal of the old generation', async () => {
    const opened = await openBackups();
    const { fake, user } = opened;
    await chooseBackup(opened);
    await user.click(screen.getByRole('button', { name: 'Erase inside…' }));
    await user.click(await screen.findByRole('radio', { name: /^The end of its last completed chunk/ }));
    const threshold = screen.getByRole('spinbutton', { name: 'Least weight of a chunk' });
    await user.clear(threshold);
    await user.type(threshold, '-1');
    await user.click(screen.getByRole('button', { name: 'Plan the erasure' }));
    await waitFor(() => expect(fake.work.at(-1)?.request).toEqual(request));
    await finishNewest(fake, 'planBackupErasure', erasurePlan);
    const plan = await screen.findByRole('region', { name: 'Plan of the erasure' });
    expect(plan.textContent).toMatch(/at most 4\.00 MiB in the target.*900 MiB free/);
    expect(plan.textContent).toContain(`Backup ${laterBackup.id}`);
    expect(screen.queryByRole('form')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Store the new generation…' }));
    const dialog = await screen.findByRole('alertdialog');
    await waitFor(() => expect(document.activeElement?.textContent?.trim()).toBe('Cancel'));
    await user.click(within(dialog).getByRole('button', { name: 'Store the new generation' }));
    await waitFor(() =>
      expect(fake.requestsOf('startWork').at(-1)).toMatchObject({
        name: 'eraseInBackup',
        planId: 'plan-of-erasure',
        request
      })
    );
    await finishNewest(fake, 'eraseInBackup', erased);
    expect(await screen.findByText('The old generation is still there')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Plan to remove the old generation' }));
    await waitFor(() => expect(fake.work.at(-1)?.request).toEqual({ ...request, removeOld: true }));
    await finishNewest(fake, 'planBackupErasure', { ...erasurePlan, newBackup: erased.newBackup });
    expect((await screen.findByRole('region', { name: 'Plan of the removal' })).textContent).toContain(
      'Reads every byte of the new generation once more'
    );
  });

  test('with too little room for the gathered backup cannot be begun', async () => {
    const opened = await openBackups();
    const { fake, user } = opened;
    await chooseBackup(opened);
    await user.click(screen.getByRole('button', { name: 'Erase inside…' }));
    await user.click(await screen.findByRole('button', { name: 'Plan the erasure' }));
    await finishNewest(fake, 'planBackupErasure', {
      ...erasurePlan,
      scratch: { directory: '/tmp/gathered', neededBytes: 8 * 1024, freeBytes: 2 * 1024 }
    });
    expect(await screen.findByText('Not enough room: /tmp/gathered needs 6.00 KiB more.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Store the new generation…' })).toHaveProperty(
      'disabled',
      true
    );
  });
});

describe('encrypting the backups for other keys', () => {
  const open = (own = false): Promise<OpenWindow> =>
    openBackups((fake) => {
      fake.answers['listBackups'] = () => ({ ...backupsReport, backups: [encryptedBackup, laterBackup] });
      if (own) fake.nodes = [{ ...nodeWithBackups, backupKey: { kind: 'password', file: '/home/k.txt' } }];
    });
  const openForm = async ({ user }: OpenWindow, row: number): Promise<void> => {
    const table = await screen.findByRole('grid', { name: 'Backups in this directory' });
    await user.pointer({ target: (await within(table).findAllByRole('row'))[row]!, keys: '[MouseRight]' });
    await user.click(await screen.findByRole('menuitem', { name: 'Encrypt backups for other keys…' }));
  };

  test('is planned for the keys in a chosen file, run by that plan, and says what the old keys still open', async () => {
    const opened = await open();
    const { fake, user } = opened;
    await openForm(opened, 1);
    const form = await screen.findByRole('form', { name: 'Encrypt backups for other keys' });
    const plan = within(form).getByRole('button', { name: 'Plan the encryption' });
    expect(plan).toHaveProperty('disabled', true);
    await user.click(within(form).getByRole('button', { name: 'Choose a key file…' }));
    await waitFor(() => expect(plan).toHaveProperty('disabled', false));
    await user.click(plan);
    const { newKeysPlace } = await waitFor(() => {
      expect(fake.work.at(-1)?.request).toMatchObject({ dryRun: true });
      return fake.work.at(-1)!.request as { newKeysPlace: string };
    });
    expect(newKeysPlace).toBeTruthy();
    await finishNewest(fake, 'rekeyBackups', rekeyPlan);
    const planned = await screen.findByRole('region', { name: 'Plan of the encryption' });
    expect(planned.textContent).toMatch(/1 backup.*5\.00 MiB.*age1anna.*age1ben/);
    expect(planned.textContent).toContain(`The backup ${laterBackup.id} is not encrypted`);
    await user.click(screen.getByRole('button', { name: 'Encrypt for these keys…' }));
    const dialog = await screen.findByRole('alertdialog');
    expect(dialog.textContent).toContain('no longer with the old ones');
    await user.click(within(dialog).getByRole('button', { name: 'Encrypt for these keys' }));
    await waitFor(() =>
      expect(fake.requestsOf('startWork').at(-1)).toMatchObject({
        name: 'rekeyBackups',
        planId: 'plan-of-rekey',
        request: { newKeysPlace, dryRun: false }
      })
    );
    const rekeyed = [{ of: backup.id, id: 'new-1', stored: 8, shared: 1 }];
    await finishNewest(fake, 'rekeyBackups', { ...rekeyPlan, result: 'rekeyed', rekeyed });
    expect(await screen.findByText('Encrypted again and read back: 1 backup.')).toBeTruthy();
    expect(screen.getByText(`${backup.id} is now new-1`)).toBeTruthy();
    expect(screen.getByText('The next backups have another key')).toBeTruthy();
    // One of them is plain: nobody may believe that the old keys are out.
    expect(screen.queryByText(/old keys open none/)).toBeNull();
  });

  test('takes the key of the next backups where there is one, and needs no file then', async () => {
    const opened = await open(true);
    const { fake, user } = opened;
    await openForm(opened, 1);
    await screen.findByRole('radio', { name: /^The key of the next backups/ });
    await user.click(screen.getByRole('button', { name: 'Plan the encryption' }));
    await waitFor(() => expect(fake.work.at(-1)?.request).toEqual({ dryRun: true }));
    await finishNewest(fake, 'rekeyBackups', {
      ...rekeyPlan,
      result: 'exists',
      due: [],
      plain: [],
      warnings: []
    });
    expect(await screen.findByText(/^No backup in this directory is encrypted for other keys/)).toBeTruthy();
  });

  test('is not offered for a backup that is not encrypted, with the reason', async () => {
    const { user } = await open();
    const table = await screen.findByRole('grid', { name: 'Backups in this directory' });
    await user.pointer({ target: (await within(table).findAllByRole('row'))[0]!, keys: '[MouseRight]' });
    const item = await screen.findByRole('menuitem', { name: /^Encrypt backups for other keys/ });
    expect(item.getAttribute('aria-disabled')).toBe('true');
    expect(item.textContent + (item.getAttribute('title') ?? '')).toContain('not encrypted');
  });
});
