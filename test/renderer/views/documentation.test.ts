/** The documentation in the window: opened from the menu, the title line and by a key; searched, and walked by its links. */
import { screen, waitFor, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import { openWindow } from '../render-app.ts';

test('the menu opens it at its first page, and a link leads to another page and back', async () => {
  const { fake, user } = await openWindow();
  fake.send({ kind: 'command', id: 'documentation' });
  const page = await screen.findByRole('article', { name: 'First steps' });
  expect(within(page).getByText('Nothing is deleted before', { exact: false })).toBeTruthy();
  await user.click(screen.getByRole('link', { name: 'Scavenge' }));
  const scavenge = await screen.findByRole('article', { name: 'Scavenge' });
  await user.click(within(scavenge).getAllByRole('link', { name: 'exactly that plan' })[0]!);
  await screen.findByRole('article', { name: 'Plan' });
  expect(screen.getByRole('link', { name: 'Run exactly that plan' }).getAttribute('aria-current')).toBe(
    'location'
  );
  await user.click(screen.getByRole('button', { name: 'Back' }));
  await screen.findByRole('article', { name: 'Scavenge' });
});

test('the title line and Shift with F1 open the page about the view that is shown', async () => {
  const { user, show } = await openWindow();
  await show('Erasure');
  await user.click(screen.getByRole('button', { name: 'Documentation' }));
  await screen.findByRole('article', { name: 'Erasure' });
  await show('Chunks');
  await user.keyboard('{Shift>}{F1}{/Shift}');
  await screen.findByRole('article', { name: 'Chunks' });
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('is searched by keys alone: the field, the places found, the place itself', async () => {
  const { fake, user } = await openWindow();
  fake.send({ kind: 'command', id: 'documentation' });
  await screen.findByRole('article', { name: 'First steps' });
  await user.keyboard('{Control>}f{/Control}');
  expect(document.activeElement).toBe(screen.getByRole('searchbox'));
  await user.keyboard('what truncation does');
  await screen.findByText(/^\d+ places? for “what truncation does”$/);
  await user.keyboard('{ArrowDown}{Enter}');
  await screen.findByRole('article', { name: 'Restore' });
  await user.click(screen.getByRole('searchbox'));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.getByRole('link', { name: 'Restore' })).toBeTruthy());
});

test('says so when nothing is found, and shows all pages again', async () => {
  const { fake, user } = await openWindow();
  fake.send({ kind: 'command', id: 'documentation' });
  await user.type(await screen.findByRole('searchbox'), 'xyzzy');
  await screen.findByText(/^Nothing is written about “xyzzy”/);
  await user.click(screen.getByRole('button', { name: 'Show all pages' }));
  await screen.findByRole('link', { name: 'Glossary' });
});
