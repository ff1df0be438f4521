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
