/** The look that the window takes by itself: once for each state of a directory at rest, and never among what was asked. */
import { screen, waitFor } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import type { DoctorReport, InspectReport } from '../../../../src-main/contract/verbs/workbench-contract.ts';
import { inspection } from '../../fake-database.ts';
import type { FakeWorkbench } from '../../fake-workbench.ts';
import { openWindow } from '../../render-app.ts';

const unchecked: InspectReport = {
  ...inspection,
  health: {
    ...inspection.health,
    state: 'notChecked',
    checkedAt: null,
    by: 'inspect',
    words: 'Nobody has checked this directory yet.'
  }
};
const starts: DoctorReport = {
  prediction: { starts: true, then: 'runs', words: 'This node will start.', deletes: [] },
  findings: [],
  estimate: { work: [], readyMs: 0, rates: { hashBytesPerSecond: 1, recordsPerSecond: 1 } },
  server: { version: '24.6', isInferred: true },
  checked: { files: 1, bytes: 1, records: 1, indexEntries: 0 },
  notChecked: [],
  isPartial: false,
  directory: inspection.health.directory,
  ok: true
};
const looks = (fake: FakeWorkbench): number => fake.requestsOf('startWork').length;
const changed = { kind: 'changed' as const, nodeId: 'node-1', parts: ['checkpoints' as const] };

test('is taken after opening, changes what is said everywhere, and is not taken twice', async () => {
  const { fake } = await openWindow((prepared) => {
    prepared.looksByItself = true;
    prepared.answers['inspectDatabase'] = () => unchecked;
  });
  expect((await screen.findAllByText('not checked')).length).toBeGreaterThan(1);
  await waitFor(() => expect(looks(fake)).toBe(1));
  expect(fake.requestsOf('startWork')[0]).toMatchObject({ request: { thorough: false, unasked: true } });
  fake.answers['inspectDatabase'] = () => inspection;
  fake.finish(fake.work[0]!.id, starts);
  // In the title and in the overview; the side bar has the word alone.
  await waitFor(() => expect(screen.getAllByText(/^sound as of/)).toHaveLength(2));
  expect(screen.queryByText('not checked')).toBeNull();
  expect(screen.getByText('Nothing is running')).toBeTruthy();
  expect(looks(fake)).toBe(1);
});

test('is taken again when the directory has changed, and not while a server holds it', async () => {
  const { fake } = await openWindow((prepared) => {
    prepared.looksByItself = true;
  });
  await waitFor(() => expect(looks(fake)).toBe(1));
  fake.finish(fake.work[0]!.id, starts);
  const inUse = { by: 'KurrentDB', pid: 7 };
  const moved = { ...unchecked, health: { ...unchecked.health, directory: 'fedcba9876' } };
  fake.answers['inspectDatabase'] = () => ({ ...moved, inUse });
  fake.send(changed);
  await screen.findAllByText('running');
  expect(looks(fake)).toBe(1);
  fake.answers['inspectDatabase'] = () => moved;
  fake.send(changed);
  await waitFor(() => expect(looks(fake)).toBe(2));
});
