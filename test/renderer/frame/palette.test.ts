import { screen, waitFor } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import { openWindow } from '../render-app.ts';

async function openPalette(user: { keyboard: (keys: string) => Promise<void> }): Promise<HTMLElement> {
  await user.keyboard('{Control>}k{/Control}');
  return screen.findByPlaceholderText(/An action, a node/);
}

test('reaches every view and shows its key', async () => {
  const { user } = await openWindow();
  await user.type(await openPalette(user), 'backups');
  expect(await screen.findByText('Ctrl 8')).toBeTruthy();
});

test('goes to a chunk by its number and to a record by its position', async () => {
  const { user } = await openWindow();
  await screen.findByText(/^4 chunks/);
  await user.type(await openPalette(user), '3');
  await user.keyboard('{Enter}');
  expect(await screen.findByRole('heading', { name: 'Chunk 2–3' })).toBeTruthy();
  await user.type(await openPalette(user), '1,048,600');
  await user.keyboard('{Enter}');
  expect(await screen.findByText('Records of chunk 1')).toBeTruthy();
});

test('finds streams in the engine', async () => {
  const { user } = await openWindow();
  await screen.findByText(/^4 chunks/);
  await user.type(await openPalette(user), 'pric');
  await user.click(await screen.findByText('prices'));
  expect(await screen.findByRole('heading', { name: 'prices' })).toBeTruthy();
});

test('runs an action, closes, and offers it first the next time', async () => {
  const { fake, user } = await openWindow();
  await user.type(await openPalette(user), 'change theme');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(fake.requestsOf('setTheme')).toEqual([{ theme: 'light' }]));
  await waitFor(() => expect(screen.queryByPlaceholderText(/An action, a node/)).toBeNull());
  await openPalette(user);
  expect(await screen.findByText('Recent')).toBeTruthy();
});

test('opens an address that was copied before', async () => {
  const { user } = await openWindow();
  await user.type(await openPalette(user), 'winnow://node-1/chunks/0');
  await user.keyboard('{Enter}');
  expect(await screen.findByRole('heading', { name: 'Chunk 0' })).toBeTruthy();
});

test('says why something cannot be done now, and does not do it', async () => {
  const { fake, user } = await openWindow((prepared) => {
    prepared.openNodeId = null;
  });
  await user.type(await openPalette(user), 'verify this database');
  const option = await screen.findByRole('option', { name: /Verify this database/ });
  expect(option.textContent).toContain('Open a node first.');
  await user.keyboard('{Enter}');
  expect(screen.queryByPlaceholderText(/An action, a node/)).not.toBeNull();
  expect(fake.work).toEqual([]);
});
