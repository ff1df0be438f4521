import { screen, waitFor, within } from '@testing-library/svelte';
import { describe, expect, test } from 'vitest';
import { recordDescription } from '../fake-database.ts';
import { Refusal } from '../fake-workbench.ts';
import { openWindow } from '../render-app.ts';

describe('records', () => {
  test('of the whole log are filtered by what is written, and the filter is part of the address', async () => {
    const { user, show, fake } = await openWindow();
    await show('Records');
    await screen.findByRole('heading', { name: 'Records of the log' });
    const line = screen.getByRole('combobox', { name: 'Record filter' });
    await user.type(line, 'stream:order-12');
    await screen.findByText('1 record');
    const table = screen.getByRole('grid', { name: 'Records of the log' });
    expect(within(table).getAllByRole('row')).toHaveLength(1);
    await waitFor(() =>
      expect(fake.callsOf('searchRecords').at(-1)).toEqual({
        filter: 'stream:order-12',
        from: 0,
        limit: 200
      })
    );
  });

  test('say which word of a filter means nothing, and where', async () => {
    const { user, show } = await openWindow((fake) => {
      fake.answers['searchRecords'] = (request) => {
        if (request['filter'] === '') return { rows: [], nextFrom: null, searchedTo: 0, searchEnd: 0 };
        const refusal = new Refusal('InvalidRequest', '"colour" is nothing to filter by.', 'Use a key.');
        Object.assign(refusal.report.details, { field: 'filter', offset: 2, length: 10 });
        throw refusal;
      };
    });
    await show('Records');
    const line = await screen.findByRole('combobox', { name: 'Record filter' });
    await user.type(line, 'a colour:red');
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('"colour" is nothing to filter by.');
    expect(alert.querySelector('mark')?.textContent).toBe('colour:red');
    expect(line.getAttribute('aria-invalid')).toBe('true');
  });

  test('offer the next words by keyboard', async () => {
    const { user, show } = await openWindow();
    await show('Records');
    const line = await screen.findByRole('combobox', { name: 'Record filter' });
    await user.type(line, 'ki');
    expect(screen.getByRole('option', { name: /^kind:/ })).toBeTruthy();
    await user.keyboard('{ArrowDown}{Enter}');
    expect((line as HTMLInputElement).value).toBe('kind:');
    await user.keyboard('{ArrowDown}{Enter}');
    expect((line as HTMLInputElement).value).toBe('kind:prepare ');
  });

  test('of a chunk are gone to by position, into the line of the record', async () => {
    const { user, show } = await openWindow();
    await show('Records');
    const field = await screen.findByRole('textbox', { name: 'Go to position' });
    await user.type(field, '60,001{Enter}');
    await screen.findByRole('heading', { name: 'Records of chunk 0' });
    await waitFor(() =>
      expect(
        screen.getByRole('grid', { name: 'Records of chunk 0' }).getAttribute('aria-activedescendant')
      ).toMatch(/row-301$/)
    );
  });

  test('that were chosen stay so when the log changes, found by a filter or of a chunk', async () => {
    const { user, fake, show } = await openWindow();
    await show('Records');
    const chosen = (grid: HTMLElement) => within(grid).queryByRole('row', { selected: true });
    const changeLog = async (verb: 'searchRecords' | 'readChunkPage'): Promise<void> => {
      const asked = fake.callsOf(verb).length;
      fake.send({ kind: 'changed', nodeId: 'node-1', parts: ['chunks'] });
      await waitFor(() => expect(fake.callsOf(verb).length).toBeGreaterThan(asked));
    };
    const log = await screen.findByRole('grid', { name: 'Records of the log' });
    await user.click(await within(log).findByText('order-12'));
    const position = chosen(log)!.textContent;
    await changeLog('searchRecords');
    await waitFor(() => expect(chosen(log)?.textContent).toBe(position));
    await user.type(screen.getByRole('textbox', { name: 'Go to position' }), '60,001{Enter}');
    const chunk = await screen.findByRole('grid', { name: 'Records of chunk 0' });
    await waitFor(() => expect(chosen(chunk)?.id).toMatch(/row-301$/));
    await changeLog('readChunkPage');
    await waitFor(() => expect(chosen(chunk)?.id).toMatch(/row-301$/));
  });

  test('show a value that is longer than its line as a whole, with its line breaks, and what it hides', async () => {
    const note = `${'first '.repeat(20)}\nsecond \u202eline`;
    const data = new TextEncoder().encode(JSON.stringify({ order: 7, note }));
    const { user, show } = await openWindow((fake) => {
      fake.answers['describeRecord'] = () => ({
        ...recordDescription,
        bytes: data,
        totalLength: data.length,
        fields: [{ name: 'Data', value: '', offset: 0, length: data.length, meaning: 'data' as const }]
      });
    });
    await show('Records');
    const grid = await screen.findByRole('grid', { name: 'Records of the log' });
    await user.click((await within(grid).findAllByRole('row'))[0]!);
    const tree = await screen.findByRole('tree', { name: 'Data and metadata as JSON' });
    await user.click(await within(tree).findByRole('treeitem', { name: /^order/ }));
    expect(screen.queryByRole('region', { name: /^Whole value/ })).toBeNull();
    await user.keyboard('{ArrowDown}');
    const whole = await screen.findByRole('region', { name: 'Whole value of note' });
    expect(whole.textContent).toBe(`${'first '.repeat(20)}\nsecond \\u202eline`);
  });
});
