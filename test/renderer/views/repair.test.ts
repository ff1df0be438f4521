import { screen, waitFor, within } from '@testing-library/svelte';
import { describe, expect, test } from 'vitest';
import type {
  FindingRow,
  IndexRebuildReport,
  RepairReport,
  VerifyReport
} from '../../../src-main/contract/verbs/workbench-contract.ts';
import { backup, nodeWithBackups } from '../fake-backups.ts';
import { inspection, verification } from '../fake-database.ts';
import { type FakeWorkbench } from '../fake-workbench.ts';
import { openWindow, type OpenWindow } from '../render-app.ts';

const checkpoint: FindingRow = {
  severity: 'damage',
  code: 'epochCheckpointInvalid',
  file: 'epoch.chk',
  offset: null,
  position: null,
  message: 'epoch.chk does not lead to an epoch.',
  remedy: 'Repair the checkpoint.',
  command: 'winnow repair'
};
const table: FindingRow = {
  ...checkpoint,
  code: 'tableInvalid',
  file: 'index/table-1',
  message: 'The table is damaged.',
  command: 'winnow index rebuild'
};
const damaged: VerifyReport = { ...verification, findings: [checkpoint, table] };

const repairPlan: RepairReport = {
  dryRun: true,
  planId: 'plan-of-repair',
  actions: [
    {
      code: 'epochCheckpointInvalid',
      file: 'epoch.chk',
      done: false,
      why: 'set to the newest epoch record',
      changes: [{ file: 'epoch.chk', kind: 'checkpoint', offset: null, old: 12_345, new: 65_536 }]
    }
  ],
  unrepaired: [
    {
      code: 'chunkTruncated',
      file: 'chunk-000004.000000',
      why: 'The log would have to be cut.',
      lost: {
        from: 4096,
        to: 8192,
        readableRecords: 3,
        streams: ['order-1'],
        moreStreams: 1,
        indexEntries: 2
      }
    }
  ],
  findings: [checkpoint],
  setAside: null,
  ok: false
};

const rebuildPlan: IndexRebuildReport = {
  actions: [
    { code: 'writeTable', file: null, done: false },
    { code: 'removeFile', file: 'table-1', done: false }
  ],
  entries: 1200,
  isEstimate: true,
  bytes: 30_000,
  scratchBytes: 60_000,
  end: 4096,
  planId: 'plan-of-rebuild'
};

async function openVerified(prepare: (fake: FakeWorkbench) => void = () => undefined): Promise<OpenWindow> {
  const opened = await openWindow((fake) => {
    fake.nodes = [nodeWithBackups];
    prepare(fake);
  });
  await opened.show('Check and repair');
  await opened.user.click(await screen.findByRole('button', { name: 'Verify' }));
  await waitFor(() => expect(opened.fake.work).toHaveLength(1));
  opened.fake.finish('work-1', damaged);
  await screen.findByText('2 places of damage found.');
  return opened;
}

describe('a finding with a remedy', () => {
  test('has a button that plans the repair of its kind', async () => {
    const { fake, user } = await openVerified();
    await user.click(screen.getByRole('button', { name: 'Repair…' }));
    await waitFor(() =>
      expect(fake.work.at(-1)).toMatchObject({
        name: 'repairDatabase',
        request: {
          only: ['epochCheckpointInvalid'],
          dryRun: true,
          usesBackups: false,
          acceptLoss: false,
          assumeStopped: false
        }
      })
    );
  });

  test('is repaired as planned after a confirmation, and can be verified again', async () => {
    const { fake, user } = await openVerified();
    await user.click(screen.getByRole('button', { name: 'Repair…' }));
    await waitFor(() => expect(fake.work).toHaveLength(2));
    fake.finish('work-2', repairPlan);
    const plan = within(await screen.findByRole('region', { name: 'Repair plan' }));
    expect(plan.getByText('set to the newest epoch record')).toBeTruthy();
    expect(plan.getByRole('row').textContent).toMatch(/epoch\.chk\s*12,345\s*65,536/);
    expect(plan.getByText('1 file would change. Nothing is deleted.')).toBeTruthy();
    expect(
      plan.getByText('3 records still readable between positions 4,096 and 8,192, of 2 streams')
    ).toBeTruthy();
    await user.click(plan.getByRole('button', { name: 'Repair 1 file…' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Repair orders?' });
    await waitFor(() => expect(document.activeElement?.textContent?.trim()).toBe('Cancel'));
    await user.click(within(dialog).getByRole('button', { name: 'Repair 1 file' }));
    await waitFor(() =>
      expect(fake.requestsOf('startWork').at(-1)).toMatchObject({
        name: 'repairDatabase',
        planId: 'plan-of-repair',
        request: { only: ['epochCheckpointInvalid'], dryRun: false }
      })
    );
    expect(screen.queryByRole('button', { name: 'Repair…' })).toBeNull();
    fake.finish('work-3', { ...repairPlan, dryRun: false, setAside: '/data/orders-set-aside-1' });
    expect(await screen.findByText('Repaired as planned; some damage is left.')).toBeTruthy();
    expect(screen.getByText('/data/orders-set-aside-1')).toBeTruthy();
    await user.click(screen.getAllByRole('button', { name: 'Verify again' })[0]!);
    await waitFor(() => expect(fake.work.at(-1)).toMatchObject({ name: 'verifyDatabase' }));
  });

  test('of the index plans a rebuild, which is run as planned', async () => {
    const { fake, user } = await openVerified();
    await user.click(screen.getByRole('button', { name: 'Rebuild the index…' }));
    await waitFor(() => expect(fake.work.at(-1)).toMatchObject({ name: 'planIndexRebuild' }));
    fake.finish('work-2', rebuildPlan);
    const plan = within(await screen.findByRole('region', { name: 'Index rebuild plan' }));
    expect(plan.getByText('1,200')).toBeTruthy();
    await user.click(plan.getByRole('button', { name: 'Rebuild the index…' }));
    const dialog = await screen.findByRole('alertdialog');
    await user.click(within(dialog).getByRole('button', { name: 'Rebuild the index' }));
    await waitFor(() =>
      expect(fake.requestsOf('startWork').at(-1)).toMatchObject({
        name: 'rebuildIndex',
        planId: 'plan-of-rebuild'
      })
    );
    fake.finish('work-3', { ...rebuildPlan, isEstimate: false });
    expect(await screen.findByText('The index was rebuilt with 1,200 entries.')).toBeTruthy();
  });
});

describe('a repair of everything', () => {
  test('may take chunks from the backups and cut the log only where that was ticked', async () => {
    const { fake, user } = await openVerified();
    await user.click(screen.getByRole('checkbox', { name: 'Take damaged and missing chunks from a backup' }));
    await user.click(screen.getByRole('checkbox', { name: 'Truncate the log where damage requires it' }));
    await user.click(screen.getByRole('button', { name: 'Plan a repair' }));
    await waitFor(() =>
      expect(fake.work.at(-1)?.request).toEqual({
        usesBackups: true,
        acceptLoss: true,
        assumeStopped: false,
        only: [],
        dryRun: true
      })
    );
    fake.finish('work-2', repairPlan);
    await user.click(await screen.findByRole('button', { name: 'Repair 1 file…' }));
    expect((await screen.findByRole('alertdialog')).textContent).toContain('the records after that are lost');
  });

  test('takes chunks from the backup that was given, with its key, and from none again', async () => {
    const { fake, user } = await openVerified();
    await user.click(screen.getByRole('button', { name: 'Give a backup…' }));
    expect(await screen.findByText('/chosen/backups')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Key file…' }));
    await screen.findByRole('button', { name: '/chosen/keyFile' });
    await user.click(screen.getByRole('button', { name: 'Plan a repair' }));
    await waitFor(() =>
      expect(fake.work.at(-1)?.request).toEqual({
        fromPlace: 'chosen-backups',
        keyPlace: 'chosen-keyFile',
        acceptLoss: false,
        assumeStopped: false,
        only: [],
        dryRun: true
      })
    );
    fake.finish('work-2', repairPlan);
    await user.click(await screen.findByRole('button', { name: 'Without it' }));
    expect(screen.getByRole('button', { name: 'Give a backup…' })).toBeTruthy();
  });

  test('takes chunks from the newest of several backups, or from the one that was chosen', async () => {
    const { fake, user } = await openVerified();
    expect(screen.queryByRole('combobox', { name: 'Which backup' })).toBeNull();
    await user.click(screen.getByRole('checkbox', { name: 'Take damaged and missing chunks from a backup' }));
    const choice = await screen.findByRole('combobox', { name: 'Which backup' });
    expect(choice).toHaveProperty('value', '');
    await user.selectOptions(choice, backup.id);
    await user.click(screen.getByRole('button', { name: 'Plan a repair' }));
    await waitFor(() =>
      expect(fake.work.at(-1)?.request).toMatchObject({ usesBackups: true, backupId: backup.id })
    );
  });

  test('is not offered while a server holds the directory', async () => {
    await openVerified((fake) => {
      fake.answers['inspectDatabase'] = () => ({ ...inspection, inUse: { by: 'kurrentd', pid: 7 } });
    });
    expect(screen.getByText('A running server holds this directory. Stop it first.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Plan a repair' })).toHaveProperty('disabled', true);
  });
});
