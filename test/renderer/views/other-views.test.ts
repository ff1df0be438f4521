import { screen, waitFor, within } from '@testing-library/svelte';
import { describe, expect, test } from 'vitest';
import { node, plan, scheduleReport, verification } from '../fake-database.ts';
import { Refusal } from '../fake-workbench.ts';
import { openWindow } from '../render-app.ts';

describe('streams', () => {
  test('are searched in the engine while typing, with their rules in words', async () => {
    const { fake, user, show } = await openWindow();
    await show('Streams');
    expect(await screen.findByText('keep 20 events, keep for 2 days')).toBeTruthy();
    await user.type(screen.getByRole('searchbox'), 'order');
    await waitFor(() => expect(screen.queryByText('prices')).toBeNull());
    expect(fake.callsOf('readStreamsPage').at(-1)).toMatchObject({ search: 'order', offset: 0 });
  });

  test('are sorted by the engine', async () => {
    const { fake, user, show } = await openWindow();
    await show('Streams');
    await user.click(await screen.findByRole('button', { name: 'Sort by Events' }));
    await waitFor(() =>
      expect(fake.callsOf('readStreamsPage').at(-1)).toMatchObject({ sort: 'events', descending: true })
    );
  });

  test('show their events as a reader sees them', async () => {
    const { user, show } = await openWindow();
    await show('Streams');
    await user.click(await screen.findByText('order-1'));
    const events = await screen.findByRole('grid', { name: 'Events, as a reader sees them' });
    expect(await within(events).findByText('OrderPlaced')).toBeTruthy();
    expect(screen.getByText('00000000000000ff')).toBeTruthy();
  });

  test('have a metadata history and the chunks they lie in', async () => {
    const { user, show, fake } = await openWindow();
    await show('Streams');
    await user.click(await screen.findByText('order-1'));
    await user.click(await screen.findByRole('tab', { name: 'Metadata' }));
    const history = await screen.findByRole('list', { name: 'Metadata, newest first' });
    expect(within(history).getByText('keep 5 events')).toBeTruthy();
    expect(within(history).getByText('keep 50 events')).toBeTruthy();
    await user.click(screen.getByRole('tab', { name: 'Places' }));
    const places = await screen.findByRole('grid', { name: 'Chunks that hold its events' });
    expect(await within(places).findByText('2–3')).toBeTruthy();
    expect(
      screen.getByText('3 entries of the index point to events that a scavenge has removed.')
    ).toBeTruthy();
    await user.dblClick(within(places).getByText('chunk-000000.000000'));
    await screen.findByRole('heading', { name: 'Records of chunk 0' });
    expect(fake.callsOf('searchRecords').at(-1)).toMatchObject({ filter: 'stream:order-1', chunk: 0 });
  });

  test('that are deleted have a state and no events', async () => {
    const { user, show } = await openWindow();
    await show('Streams');
    await user.click(await screen.findByText('gone'));
    expect(await screen.findByText('A reader sees no events.')).toBeTruthy();
  });
});

describe('the index', () => {
  test('shows levels, tables and what only the log holds', async () => {
    const { show } = await openWindow();
    await show('Index');
    expect(await screen.findByText('Level 1')).toBeTruthy();
    expect(screen.getByText('Entries only in the log').nextElementSibling?.textContent).toContain('7');
    expect(await screen.findByText('table-0')).toBeTruthy();
  });

  test('looks up a stream', async () => {
    const { fake, user, show } = await openWindow();
    await show('Index');
    await user.type(await screen.findByRole('textbox', { name: 'Name of a stream' }), 'order-1{Enter}');
    const answer = await screen.findByRole('article', { name: 'Index look-up of order-1' });
    expect(await within(answer).findByText(/2 entries for hash a1b2c3d4e5f60718/)).toBeTruthy();
    expect(within(answer).getByText('xxHash a1b2c3d4, murmur e5f60718')).toBeTruthy();
    expect(within(answer).getByText('the filter says no')).toBeTruthy();
    expect(within(answer).getAllByText('OrderPlaced').length).toBeGreaterThan(0);
    expect(fake.callsOf('lookUpStream')).toEqual([{ stream: 'order-1' }]);
  });

  test('shows one table with the fill of its filter and its entries', async () => {
    const { user, show } = await openWindow();
    await show('Index');
    await user.click(await screen.findByText('table-0'));
    const detail = await screen.findByRole('article', { name: 'Table table-0' });
    expect(await within(detail).findByRole('img', { name: '13 % of its bits set' })).toBeTruthy();
    expect(await within(detail).findByText('ffff000011112222')).toBeTruthy();
  });

  test('shows the text of its map', async () => {
    const { show } = await openWindow();
    await show('Index');
    expect((await screen.findByText(/^0123456789ABCDEF/)).textContent).toContain('0,0,table-0');
  });
});

describe('a schedule', () => {
  test('is said in words first, with its next times', async () => {
    const { user, show } = await openWindow();
    await show('Schedule');
    expect(await screen.findByRole('heading', { name: 'No schedule yet' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Saturdays at 6' }));
    expect(await screen.findByRole('heading', { name: 'At 06:00 AM, only on Saturday' })).toBeTruthy();
    expect(screen.getByText('Sat 2026-01-03 06:00 UTC')).toBeTruthy();
  });

  test('that is wrong says precisely why and keeps the last sentence', async () => {
    const { fake, user, show } = await openWindow();
    await show('Schedule');
    await user.click(await screen.findByRole('button', { name: 'Saturdays at 6' }));
    await screen.findByRole('heading', { name: 'At 06:00 AM, only on Saturday' });
    fake.answers['describeSchedule'] = (request) => {
      if (request['expression'] === '61 * * * *') {
        throw new Refusal('InvalidRequest', 'Minute 61 is above 59.', 'Correct it.');
      }
      return scheduleReport;
    };
    const field = screen.getByRole('textbox', { name: 'CRON expression' });
    await user.clear(field);
    await user.type(field, '61 * * * *');
    expect(await screen.findByText(/Minute 61 is above 59/)).toBeTruthy();
    expect(field.getAttribute('aria-invalid')).toBe('true');
  });
});

describe('verification', () => {
  test('groups findings, damage before hints, each with its remedy and command', async () => {
    const { fake, user, show } = await openWindow();
    await show('Check and repair');
    await user.click(await screen.findByRole('button', { name: 'Verify' }));
    await waitFor(() => expect(fake.work).toHaveLength(1));
    fake.finish(fake.work[0]!.id, verification);
    expect(await screen.findByText('1 place of damage found.')).toBeTruthy();
    const messages = screen
      .getAllByText(/does? not match its hash|newer version of this chunk|do not match its hash/)
      .map((element) => element.textContent);
    expect(messages).toEqual([
      'The bytes of the chunk do not match its hash.',
      'A newer version of this chunk is in use.'
    ]);
    await user.click(screen.getByRole('button', { name: 'Copy the command' }));
    expect(fake.requestsOf('copyText')).toEqual([{ text: 'winnow restore' }]);
    expect(screen.getByText('secondary indexes')).toBeTruthy();
  });
});

describe('the overview', () => {
  test('answers what a scavenge would free', async () => {
    const { fake, user } = await openWindow();
    await user.click(await screen.findByRole('button', { name: 'Compute the plan' }));
    await waitFor(() => expect(fake.work).toHaveLength(1));
    fake.finish(fake.work[0]!.id, plan);
    expect(
      await screen.findByText('A scavenge would free 977 KiB (20 %) by rewriting 2 chunks.')
    ).toBeTruthy();
  });

  test('says of checkpoints what they mean and how far they are behind', async () => {
    await openWindow();
    const table = within(await screen.findByRole('grid', { name: 'Checkpoints' }));
    const index = await table.findByRole('row', { name: /^index / });
    expect(within(index).getByText('the index on disk ends here')).toBeTruthy();
    expect(within(index).getByText('1.00 MiB')).toBeTruthy();
    const chaser = table.getByRole('row', { name: /^chaser / });
    expect(within(chaser).getByText('at the writer')).toBeTruthy();
  });
});

describe('the first screen', () => {
  test('opens a directory chosen in a dialog', async () => {
    const { user } = await openWindow((fake) => {
      fake.openNodeId = null;
    });
    await user.click(screen.getByRole('button', { name: /Open a data directory/ }));
    expect(await screen.findAllByText(/sound as of/)).not.toEqual([]);
  });

  test('creates the sample database, follows its writing and opens it', async () => {
    const { fake, user } = await openWindow((prepared) => {
      prepared.openNodeId = null;
    });
    await user.click(screen.getByRole('button', { name: /Create the sample database/ }));
    expect(await screen.findByText('Writing the sample database…')).toBeTruthy();
    fake.finish(fake.work[0]!.id, { dataDirectory: '', chunks: 1, records: 1, streams: 1, bytes: 1 });
    fake.send({ kind: 'open', nodeId: node.id });
    expect(await screen.findAllByText(/sound as of/)).not.toEqual([]);
  });

  test('renames a node and takes one off the list', async () => {
    const { fake, user } = await openWindow((prepared) => {
      prepared.openNodeId = null;
    });
    await user.click(screen.getByRole('button', { name: 'Rename: orders' }));
    await user.clear(screen.getByRole('textbox', { name: 'Rename' }));
    await user.type(screen.getByRole('textbox', { name: 'Rename' }), 'prod-1{Enter}');
    await user.click(await screen.findByRole('button', { name: 'Remove from this list: prod-1' }));
    expect(await screen.findByText('Databases that you open are listed here.')).toBeTruthy();
    expect(fake.requestsOf('forgetNode')).toEqual([{ id: 'node-1' }]);
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByRole('button', { name: 'Rename: prod-1' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });
});
