import { screen, waitFor, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import type { DoctorReport, StartFindingRow } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { Refusal } from '../fake-workbench.ts';
import { openWindow } from '../render-app.ts';

const behind: StartFindingRow = {
  severity: 'damage',
  code: 'chaserBeyondWriter',
  file: 'chaser.chk',
  offset: 0,
  position: 4096,
  message: 'chaser.chk (4096) is ahead of writer.chk (1024).',
  remedy: 'Restore both from one backup.',
  command: 'winnow repair',
  effect: 'refuses',
  wouldDo: 'It ends with exit code 1 before it is ready.',
  serverSays: "Checkpoint 'chaser' has greater value than writer checkpoint."
};
const refused: DoctorReport = {
  prediction: {
    starts: false,
    then: 'refuses',
    words: 'This node will not start: the chaser is ahead.',
    deletes: []
  },
  findings: [
    behind,
    {
      ...behind,
      severity: 'hint',
      code: 'temporaryFile',
      message: 'A file is left over.',
      wouldDo: 'It removes the file.',
      command: null,
      effect: 'none',
      serverSays: null
    }
  ],
  estimate: {
    work: [
      {
        what: 'hashChunks',
        why: 'The server hashes completed chunks.',
        bytes: 1_000_000,
        records: null,
        entries: null,
        files: null,
        ms: 4,
        rate: { perSecond: 250_000_000, of: 'bytes', basis: 'assumed' },
        isInBackground: true
      }
    ],
    readyMs: 0,
    rates: { hashBytesPerSecond: 250_000_000, recordsPerSecond: 100_000 }
  },
  server: { version: 'before 24.6.0', isInferred: true },
  checked: { files: 1, bytes: 1, records: 1, indexEntries: 0 },
  notChecked: ['hashes of chunks: 5 bytes'],
  isPartial: false,
  directory: '0123456789',
  ok: false
};

test('says in one sentence whether a server starts, and why, with a button that plans the remedy', async () => {
  const { fake, user, show } = await openWindow();
  await show('Check and repair');
  const section = within(await screen.findByRole('region', { name: 'Will a server start here?' }));
  await user.selectOptions(section.getByRole('combobox', { name: 'Server version' }), '24.10');
  await user.click(section.getByRole('button', { name: 'Check start' }));
  await waitFor(() =>
    expect(fake.work).toMatchObject([
      { name: 'examineStart', request: { thorough: false, serverVersion: '24.10' } }
    ])
  );
  fake.finish('work-1', refused);
  expect(await section.findByText('This node will not start: the chaser is ahead.')).toBeTruthy();
  const wrong = within(screen.getByRole('region', { name: 'Findings' }));
  expect(wrong.getByText('It ends with exit code 1 before it is ready.', { exact: false })).toBeTruthy();
  expect(wrong.getByText("Checkpoint 'chaser' has greater value than writer checkpoint.")).toBeTruthy();
  expect(wrong.getByText('1 hint, for information')).toBeTruthy();
  expect(section.getByText('hashes of chunks: 5 bytes')).toBeTruthy();
  await user.click(wrong.getByRole('button', { name: 'Repair…' }));
  await waitFor(() =>
    expect(fake.work.at(-1)).toMatchObject({
      name: 'repairDatabase',
      request: { only: ['chaserBeyondWriter'], dryRun: true }
    })
  );
});

test('a start that deletes chunks is not drawn as good news, and names the files', async () => {
  const { fake, user, show } = await openWindow();
  await show('Check and repair');
  const section = within(await screen.findByRole('region', { name: 'Will a server start here?' }));
  await user.click(section.getByRole('button', { name: 'Check start' }));
  await waitFor(() => expect(fake.work).toMatchObject([{ name: 'examineStart' }]));
  const words = 'This node will start: it deletes the whole log.';
  const deletes = [{ file: 'chunk-000000.000002', bytes: 69_632 }];
  const prediction: DoctorReport['prediction'] = { starts: true, then: 'truncatesAndRuns', words, deletes };
  const pending = { ...behind, code: 'truncatePending' };
  fake.finish('work-1', { ...refused, prediction, findings: [pending] });
  const verdict = await section.findByText(words);
  expect(verdict.closest('.verdict')?.classList).toContain('damaged');
  expect(section.getByText('chunk-000000.000002')).toBeTruthy();
});

test('is asked from the palette', async () => {
  const { fake, user } = await openWindow();
  await screen.findByRole('tab', { name: 'Check and repair' });
  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByPlaceholderText(/An action, a node/), 'will a server');
  await user.click(await screen.findByRole('option', { name: /Will a server start here/ }));
  await waitFor(() => expect(fake.work).toMatchObject([{ name: 'examineStart' }]));
  expect(await screen.findByRole('region', { name: 'Will a server start here?' })).toBeTruthy();
});

test('is offered where the database cannot be opened, and looks at once', async () => {
  const { fake, user } = await openWindow((prepared) => {
    prepared.answers['inspectDatabase'] = () => {
      throw new Refusal('LogCorrupt', 'The log is damaged.', 'Look at it.');
    };
  });
  await user.click(await screen.findByRole('button', { name: 'Will a server start here?' }));
  await waitFor(() => expect(fake.work).toMatchObject([{ name: 'examineStart' }]));
  fake.finish('work-1', refused);
  expect(await screen.findByText('This node will not start: the chaser is ahead.')).toBeTruthy();
});

test('the answer about a start is not kept for a directory that can no longer be read', async () => {
  const { fake, user, show } = await openWindow();
  await show('Check and repair');
  await user.click(await screen.findByRole('button', { name: 'Check start' }));
  await waitFor(() => expect(fake.work.length).toBe(1));
  fake.finish('work-1', refused);
  await screen.findByText(refused.prediction.words);
  fake.answers['inspectDatabase'] = () => {
    throw new Refusal('DatabaseNotFound', 'The directory does not exist.', 'Choose another one.');
  };
  await user.click(screen.getByRole('button', { name: 'Refresh' }));
  await waitFor(() => expect(fake.work.length).toBe(2));
  expect(screen.queryByText(refused.prediction.words)).toBeNull();
});
