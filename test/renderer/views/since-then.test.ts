/** What the page holds of a directory is of a state of it: it goes, or says so, when work or others change that state. */
import { screen, waitFor } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import type { WorkName, WorkReply } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { inspection, plan } from '../fake-database.ts';
import type { FakeWorkbench } from '../fake-workbench.ts';
import { openWindow, type OpenWindow } from '../render-app.ts';

type NodeWork = Exclude<WorkName, 'writeSample'>;

async function done(fake: FakeWorkbench, name: NodeWork, reply: unknown): Promise<void> {
  const started = await window.workbench.startWork({ name, nodeId: 'node-1', request: {} });
  if (!started.ok) throw new Error('not started');
  fake.finish(started.value.id, reply as WorkReply);
}

const restored = { result: 'success' };

async function openScavenge(): Promise<OpenWindow> {
  const opened = await openWindow();
  await opened.show('Scavenge');
  await screen.findByRole('heading', { name: 'Options' });
  return opened;
}

const WRITING: NodeWork[] = ['runRestore', 'undoRestore', 'repairDatabase', 'rebuildIndex'];

test.each(WRITING)('plan and threshold slider are gone after %s', async (name) => {
  const { fake, user } = await openScavenge();
  const heavy = plan.chunks.map((chunk, index) => ({ ...chunk, weight: 10 * (index + 1) }));
  await done(fake, 'planScavenge', { ...plan, chunks: heavy });
  await screen.findByRole('region', { name: 'Plan' });
  await user.click(screen.getByRole('button', { name: 'Options' }));
  await screen.findByRole('slider', { name: 'Threshold' });
  await done(fake, name, restored);
  await waitFor(() => expect(screen.queryByRole('slider', { name: 'Threshold' })).toBeNull());
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Plan' }).disabled).toBe(true);
});

test('the end of a scavenge is no longer told once a restore has made another database of it', async () => {
  const { fake } = await openScavenge();
  await done(fake, 'runScavenge', plan);
  await screen.findByText('The scavenge is complete.');
  await done(fake, 'runRestore', restored);
  await waitFor(() => expect(screen.queryByText('The scavenge is complete.')).toBeNull());
});

test('a verification says that it is of the state before a restore', async () => {
  const { fake, show } = await openWindow();
  await show('Check and repair');
  const checked = { files: 1, bytes: 1, records: 1, indexEntries: 1 };
  await done(fake, 'verifyDatabase', { findings: [], checked, notChecked: [], ok: true });
  await screen.findByText(/no damage|nothing is wrong|in order/i);
  expect(document.querySelector('.since')).toBeNull();
  await done(fake, 'runRestore', restored);
  await screen.findByText(/^This shows the state before “runRestore”/);
});

test('a verification says that files have changed since, no matter who changed them', async () => {
  const { fake, show } = await openWindow();
  await show('Check and repair');
  const checked = { files: 1, bytes: 1, records: 1, indexEntries: 1 };
  await done(fake, 'verifyDatabase', { findings: [], checked, notChecked: [], ok: true });
  const { health } = inspection;
  fake.answers['inspectDatabase'] = () => ({ ...inspection, health: { ...health, directory: 'another' } });
  // Work of the fake begins a moment ahead of the clock.
  const [verified] = fake.work;
  await waitFor(() => expect(Date.now()).toBeGreaterThan(verified!.startedMs));
  fake.send({ kind: 'changed', nodeId: 'node-1', parts: ['chunks'] });
  await screen.findByText('Files in this directory have changed since.');
});
