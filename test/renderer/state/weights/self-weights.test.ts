/** The weights that the window computes by itself: once for each state, never in the way, never among what was asked. */
import { cleanup, screen, waitFor, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import { inspection, plan } from '../../fake-database.ts';
import type { FakeWorkbench } from '../../fake-workbench.ts';
import { openWindow } from '../../render-app.ts';

const weighings = (fake: FakeWorkbench): Record<string, unknown>[] =>
  fake
    .requestsOf('startWork')
    .map((request) => request as { name: string; request: Record<string, unknown> })
    .filter(({ name }) => name === 'planScavenge')
    .map(({ request }) => request);
const byItself = (fake: FakeWorkbench): void => {
  fake.weighsByItself = true;
};

test('are there after opening, with what a threshold would rewrite, and no plan that somebody asked for', async () => {
  const { fake, show, user } = await openWindow(byItself);
  await waitFor(() => expect(weighings(fake)).toHaveLength(1));
  expect(weighings(fake)[0]).toMatchObject({ unasked: true, threshold: 0, threads: 1 });
  expect(screen.getByText('Computing the weights of chunks')).toBeTruthy();
  fake.finish(fake.work[0]!.id, plan);
  expect(await screen.findByRole('button', { name: 'Compute the plan' })).toBeTruthy();
  await show('Chunks');
  const line = await screen.findByRole('slider', { name: 'Threshold' });
  expect(line.getAttribute('aria-valuetext')).toMatch(
    /^0\. Frees 977 KiB of 977 KiB, 2 chunks of 4 rewritten/
  );
  line.focus();
  await user.keyboard('{ArrowUp}{ArrowUp}');
  expect(line.getAttribute('aria-valuenow')).toBe('40');
  expect(line.getAttribute('aria-valuetext')).toMatch(/1 chunk of 4 rewritten/);
  const cells = within(screen.getByRole('listbox', { name: 'Chunk map' })).getAllByRole('option');
  expect(cells[1]!.getAttribute('aria-label')).toMatch(/left as it is$/);
  expect(weighings(fake)).toHaveLength(1);
});

test('begin again after something needed the room, and not after a person stopped them', async () => {
  const { fake, user } = await openWindow(byItself);
  await waitFor(() => expect(weighings(fake)).toHaveLength(1));
  fake.change(fake.work[0]!.id, { state: 'stopped', endedMs: 1 });
  await waitFor(() => expect(weighings(fake)).toHaveLength(2), { timeout: 5000 });
  await user.click(screen.getByRole('button', { name: 'Stop' }));
  fake.change(fake.work.at(-1)!.id, { state: 'stopped', endedMs: 2 });
  fake.send({ kind: 'changed', nodeId: 'node-1', parts: ['checkpoints'] });
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(weighings(fake)).toHaveLength(2);
});

test('are not begun for a window that was closed meanwhile', async () => {
  const { fake } = await openWindow(byItself);
  cleanup();
  const begun = weighings(fake).length;
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(weighings(fake)).toHaveLength(begun);
});

test('are not computed while a server holds the directory, nor in a browser', async () => {
  const inUse = await openWindow((fake) => {
    fake.weighsByItself = true;
    fake.answers['inspectDatabase'] = () => ({ ...inspection, inUse: { by: 'KurrentDB', pid: 7 } });
  });
  await inUse.show('Chunks');
  expect(await screen.findByText(/does not read the log by itself/)).toBeTruthy();
  await inUse.user.click(screen.getByRole('button', { name: 'Compute weights' }));
  expect(weighings(inUse.fake)).toHaveLength(1);
  expect(weighings(inUse.fake)[0]).not.toHaveProperty('unasked');
});
