/** What cannot be read is never said to be empty, nor to be on its way. */
import { screen, waitFor, within } from '@testing-library/svelte';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../fake-workbench.ts';
import { openWindow } from '../render-app.ts';

const refuse = (): never => {
  throw new Refusal('LogCorrupt', 'Chunk 0 cannot be read.', 'Verify the database.');
};

describe('rows that cannot be read', () => {
  test('are not said to be on their way: records', async () => {
    const { show } = await openWindow((fake) => (fake.answers['searchRecords'] = refuse));
    await show('Records');
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Chunk 0 cannot be read.');
    expect(screen.queryByText('Reading the database…')).toBeNull();
  });

  test('are not said to be none: streams', async () => {
    const { show } = await openWindow((fake) => (fake.answers['readStreamsPage'] = refuse));
    await show('Streams');
    await screen.findByText('Chunk 0 cannot be read.');
    expect(screen.queryByText('This log holds no stream.')).toBeNull();
  });

  test('are not said to be none: events', async () => {
    const { user, show } = await openWindow((fake) => (fake.answers['readEventsPage'] = refuse));
    await show('Streams');
    await user.click(await screen.findByText('order-1'));
    await screen.findByText('Chunk 0 cannot be read.');
    expect(screen.queryByText('A reader sees no events.')).toBeNull();
    // Nothing else can be done from here.
    await user.click(screen.getByRole('button', { name: 'What helps' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Errors' })).toBeTruthy();
  });
});

test('a database that cannot be read again is not said to be read again', async () => {
  const { fake, user } = await openWindow();
  const header = screen.getByRole('banner');
  await screen.findByRole('heading', { level: 1 });
  fake.answers['inspectDatabase'] = refuse;
  await user.click(within(header).getByRole('button', { name: 'Refresh' }));
  await screen.findByText('Chunk 0 cannot be read.');
  await waitFor(() => expect(within(header).queryByText('refreshing…')).toBeNull());
});

test('a database that could never be read: each view says what it needs, and offers what can be done', async () => {
  const { user, fake, show } = await openWindow((prepared) => (prepared.answers['inspectDatabase'] = refuse));
  for (const view of ['Chunks', 'Scavenge', 'Usage']) {
    await show(view);
    const place = await screen.findByRole('region', { name: view });
    expect(within(place).getByRole('button', { name: 'Restore a backup…' })).toBeTruthy();
  }
  await user.click(screen.getByRole('button', { name: 'Check and repair…' }));
  await screen.findByRole('tab', { name: 'Check and repair', selected: true });
  await waitFor(() => expect(fake.work).toMatchObject([{ name: 'examineStart' }]));
});

test('what is said above every view is not said again below', async () => {
  const { fake, user, show } = await openWindow((prepared) => (prepared.answers['readStreamsPage'] = refuse));
  await show('Streams');
  await screen.findByText('Chunk 0 cannot be read.');
  fake.answers['inspectDatabase'] = refuse;
  await user.click(screen.getByRole('button', { name: 'Refresh' }));
  await screen.findByRole('button', { name: 'Will a server start here?' });
  await waitFor(() => expect(screen.getAllByText('Chunk 0 cannot be read.').length).toBe(1));
  // In place of the rows there is why, and what can be done.
  await screen.findByText('No rows: the database cannot be read now; above is why.');
  expect(screen.queryByText('0 streams')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Restore a backup…' }));
  await screen.findByRole('tab', { name: 'Restore', selected: true });
});

test.each([
  ['Streams', 'readStreamCategories', 'Categories'],
  ['Index', 'inspectIndex', null]
] as const)('nor in %s as %s: there is why, once, and what can be done', async (view, verb, way) => {
  const { fake, user, show } = await openWindow((prepared) => (prepared.answers[verb] = refuse));
  await show(view);
  if (way !== null) await user.click(await screen.findByRole('button', { name: way }));
  await screen.findByText('Chunk 0 cannot be read.');
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
  fake.answers['inspectDatabase'] = refuse;
  await user.click(screen.getByRole('button', { name: 'Refresh' }));
  await screen.findByText('No rows: the database cannot be read now; above is why.');
  expect(screen.getAllByText('Chunk 0 cannot be read.').length).toBe(1);
});
