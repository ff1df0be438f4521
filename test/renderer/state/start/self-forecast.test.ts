/** The forecast of the next start, taken by itself where it is looked at: after the doctor's check, once for each state. */
import { screen, waitFor, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import type { DoctorReport, StartupReport } from '../../../../src-main/contract/verbs/workbench-contract.ts';
import { inspection, node } from '../../fake-database.ts';
import type { FakeWorkbench } from '../../fake-workbench.ts';
import { openWindow, type OpenWindow } from '../../render-app.ts';

const rates = { hashBytesPerSecond: 1, recordsPerSecond: 1 };
const starts: DoctorReport = {
  prediction: { starts: true, then: 'runs', words: 'This node will start.', deletes: [] },
  findings: [],
  estimate: { work: [], readyMs: 12_000, rates },
  server: { version: '24.6', isInferred: true },
  checked: { files: 1, bytes: 1, records: 1, indexEntries: 0 },
  notChecked: [],
  isPartial: false,
  directory: inspection.health.directory,
  ok: true
};
const forecast = {
  estimatedMs: 9000,
  preparedMs: 9000,
  words: 'The next start takes about 9 seconds.',
  prediction: starts.prediction,
  parts: [],
  rates,
  preparation: { steps: [], refusal: null, notes: [] },
  server: starts.server,
  notChecked: []
} as unknown as StartupReport;

const forecasts = (fake: FakeWorkbench): { request: object }[] =>
  fake.requestsOf('startWork').flatMap((asked) => {
    const { name, request } = asked as { name: string; request: object };
    return name === 'forecastStartup' ? [{ request }] : [];
  });
const answer = () => within(screen.getByRole('region', { name: 'How long does the next start take?' }));

async function openCheck(): Promise<OpenWindow> {
  const opened = await openWindow((fake) => {
    fake.looksByItself = true;
  });
  await opened.show('Check and repair');
  return opened;
}

test('follows the doctor, whose answer stands first, and is not an activity of a person', async () => {
  const { fake } = await openCheck();
  await waitFor(() => expect(fake.work).toHaveLength(1));
  expect(forecasts(fake)).toEqual([]);
  fake.finish(fake.work[0]!.id, starts);
  await waitFor(() => expect(forecasts(fake)).toHaveLength(1));
  expect(forecasts(fake)[0]!.request).toEqual({ applyTruncation: false, mergeTables: false, unasked: true });
  expect(await answer().findByText(/^About 12.* s, by the check above\./)).toBeTruthy();
  expect(answer().queryByRole('button', { name: 'Stop' })).toBeNull();
  fake.finish(fake.work.find(({ name }) => name === 'forecastStartup')!.id, forecast);
  expect(await answer().findByText(/takes about 9 seconds/)).toBeTruthy();
});

test('shows how far it is, and Stop, once it takes longer than a second; what was stopped stays stopped', async () => {
  const { fake, user, show } = await openCheck();
  await waitFor(() => expect(fake.work).toHaveLength(1));
  fake.finish(fake.work[0]!.id, starts);
  await waitFor(() => expect(forecasts(fake)).toHaveLength(1));
  const { id } = fake.work.find(({ name }) => name === 'forecastStartup')!;
  const stop = await answer().findByRole('button', { name: 'Stop' }, { timeout: 5000 });
  await user.click(stop);
  expect(fake.requestsOf('stopWork')).toEqual([{ id }]);
  fake.change(id, { state: 'stopped', endedMs: Date.now(), directory: inspection.health.directory });
  expect(await answer().findByText('The estimate was stopped.')).toBeTruthy();
  await show('Overview');
  await show('Check and repair');
  expect(await answer().findByText('The estimate was stopped.')).toBeTruthy();
  expect(forecasts(fake)).toHaveLength(1);
});

test('is taken again of other files, and not while a server holds them', async () => {
  const { fake } = await openCheck();
  await waitFor(() => expect(fake.work).toHaveLength(1));
  fake.finish(fake.work[0]!.id, starts);
  await waitFor(() => expect(forecasts(fake)).toHaveLength(1));
  fake.finish(fake.work.find(({ name }) => name === 'forecastStartup')!.id, forecast);
  const moved = { ...inspection, health: { ...inspection.health, directory: 'fedcba9876' } };
  const changed = { kind: 'changed' as const, nodeId: node.id, parts: ['checkpoints' as const] };
  fake.answers['inspectDatabase'] = () => ({ ...moved, inUse: { by: 'KurrentDB', pid: 7 } });
  fake.send(changed);
  await screen.findAllByText('running');
  expect(forecasts(fake)).toHaveLength(1);
  fake.answers['inspectDatabase'] = () => moved;
  fake.send(changed);
  await waitFor(() => {
    const check = fake.work.find(({ name, endedMs }) => name === 'examineStart' && endedMs === null);
    if (check) fake.finish(check.id, { ...starts, directory: 'fedcba9876' });
    expect(forecasts(fake)).toHaveLength(2);
  });
});
