import { fireEvent, screen, waitFor, within } from '@testing-library/svelte';
import { beforeEach, expect, test } from 'vitest';
import { node } from '../fake-database.ts';
import { openWindow } from '../render-app.ts';

beforeEach(() => localStorage.clear());

const edge = (): HTMLElement => screen.getByRole('separator', { name: 'Width of the side bar' });

test('has two short lists of views', async () => {
  await openWindow();
  const names = (list: string): string[] =>
    within(screen.getByRole('tablist', { name: list }))
      .getAllByRole('tab')
      .map(({ textContent }) => textContent.trim());
  expect(names('Look')).toEqual(['Overview', 'Chunks', 'Records', 'Streams', 'Index', 'Usage']);
  expect(names('Do')).toEqual(expect.arrayContaining(['Scavenge', 'Backups', 'Check and repair', 'Erasure']));
});

test('is made wider and narrower by keys, within its bounds, and stays so', async () => {
  const { user } = await openWindow();
  edge().focus();
  await user.keyboard('{ArrowRight}');
  expect(edge().getAttribute('aria-valuenow')).toBe('236');
  await user.keyboard('{End}{ArrowRight}');
  expect(edge().getAttribute('aria-valuenow')).toBe('420');
  expect(localStorage.getItem('winnow.sideBarWidth')).toBe('420');
  await user.dblClick(edge());
  expect(edge().getAttribute('aria-valuenow')).toBe('220');
});

test('a menu shows by a button too, with what the right button shows', async () => {
  const { fake, user } = await openWindow();
  await user.click(screen.getByRole('button', { name: `Actions for ${node.name}` }));
  await user.click(await screen.findByRole('menuitem', { name: 'Show in file manager' }));
  await waitFor(() => expect(fake.requestsOf('showInFolder')).toEqual([{ nodeId: node.id }]));
});

test('a node that was removed comes back where the person was', async () => {
  const { fake, user, show } = await openWindow();
  await show('Streams');
  await user.click(screen.getByRole('button', { name: `Actions for ${node.name}` }));
  await user.click(await screen.findByRole('menuitem', { name: 'Remove from the list' }));
  await screen.findByText('Databases that you open are listed here.');
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByRole('tab', { name: 'Streams', selected: true })).toBeTruthy();
  expect(fake.requestsOf('recallNode')).toEqual([{ id: node.id }]);
});

test('a window opens where the last one was', async () => {
  localStorage.setItem('winnow.lastPlace', `winnow://${node.id}/streams`);
  location.hash = '';
  await openWindow((fake) => {
    fake.openNodeId = null;
  });
  expect(await screen.findByRole('tab', { name: 'Streams', selected: true })).toBeTruthy();
});

test('a name that is long is cut in its middle and whole to read', async () => {
  await openWindow((fake) => {
    fake.nodes = [{ ...node, name: 'production-europe-west-orders-node-3' }];
  });
  const line = screen.getByRole('button', { name: /^production-europe-west-orders-node-3/ });
  expect(line.querySelector('.cut')?.getAttribute('title')).toBe('production-europe-west-orders-node-3');
  await fireEvent.pointerOver(line);
});

test('the sample has a tour of four steps, which is shown once and left at any time', async () => {
  const sample = { ...node, isSample: true };
  const { user } = await openWindow((fake) => {
    fake.nodes = [sample];
  });
  const tour = (): HTMLElement => screen.getByRole('complementary', { name: 'Tour' });
  for (const view of ['Chunks', 'Scavenge', 'Check and repair']) {
    await user.click(within(tour()).getByRole('button', { name: 'Next' }));
    expect(await screen.findByRole('tab', { name: view, selected: true })).toBeTruthy();
  }
  await user.click(within(tour()).getByRole('button', { name: 'Done' }));
  expect(screen.queryByRole('complementary', { name: 'Tour' })).toBeNull();
});

test('the tour tells of the view that is shown, by whatever way it was reached', async () => {
  const { user } = await openWindow((fake) => {
    fake.nodes = [{ ...node, isSample: true }];
  });
  const tour = screen.getByRole('complementary', { name: 'Tour' });
  await user.click(screen.getByRole('tab', { name: 'Scavenge' }));
  expect(await within(tour).findByText('Tour, step 3 of 4')).toBeTruthy();
  await user.click(screen.getByRole('tab', { name: 'Streams' }));
  expect(within(tour).getByText('Tour, step 3 of 4')).toBeTruthy();
  await user.click(within(tour).getByRole('button', { name: 'Next' }));
  expect(await screen.findByRole('tab', { name: 'Check and repair', selected: true })).toBeTruthy();
});

test('another database has no tour', async () => {
  await openWindow();
  expect(screen.queryByRole('complementary', { name: 'Tour' })).toBeNull();
});
