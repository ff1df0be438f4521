import { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { createRawSnippet } from 'svelte';
import { describe, expect, test, vi } from 'vitest';
import type { Column, RowAction } from '../../../src-renderer/components/table-column.ts';
import DataTable from '../../../src-renderer/components/DataTable.svelte';
import { FakeWorkbench } from '../fake-workbench.ts';

const cell = createRawSnippet((row: () => object) => ({
  render: () => `<span>${(row() as { name: string }).name}</span>`
}));
const nameOf = (row: object): string => (row as { name: string }).name;
const columns: Column[] = [
  { key: 'name', title: 'Name', width: '1fr', isSortable: true, value: nameOf },
  { key: 'rare', title: 'Rare', width: '1fr', dropBelow: 2000, value: nameOf }
];
const base = {
  label: 'Things',
  columns,
  cell,
  count: 100_000,
  rowAt: (index: number) => ({ name: `row ${index}` })
};

test('renders only the rows in sight and says how many there are', async () => {
  render(DataTable, base);
  const table = screen.getByRole('grid', { name: 'Things' });
  await waitFor(() => expect(within(table).getAllByRole('row').length).toBeGreaterThan(10));
  expect(within(table).getAllByRole('row').length).toBeLessThan(100);
  expect(table.getAttribute('aria-rowcount')).toBe('100000');
});

test('follows a list that becomes shorter and longer', async () => {
  const { rerender } = render(DataTable, base);
  const rows = () => screen.getAllByRole('row').map((row) => row.getAttribute('aria-rowindex'));
  await waitFor(() => expect(rows().length).toBeGreaterThan(10));
  await rerender({ count: 3 });
  expect(rows()).toEqual(['1', '2', '3']);
  await rerender({ count: 4 });
  expect(rows()).toEqual(['1', '2', '3', '4']);
});

test('is one tab stop in which arrows move and Enter opens', async () => {
  const onselect = vi.fn();
  const onopen = vi.fn();
  const { rerender } = render(DataTable, { ...base, onselect, onopen, selected: null });
  const user = userEvent.setup();
  screen.getByRole('grid').focus();
  await user.keyboard('{ArrowDown}');
  expect(onselect).toHaveBeenLastCalledWith(0);
  await rerender({ selected: 5 });
  await user.keyboard('{ArrowUp}{End}{Home}{Enter}');
  expect(onselect.mock.calls.slice(1).map(([index]: number[]) => index)).toEqual([4, 99_999, 0]);
  expect(onopen).toHaveBeenCalledWith(5);
  expect(screen.getByRole('grid').getAttribute('aria-activedescendant')).toMatch(/-row-5$/);
});

test('leaves out columns that have no room', () => {
  render(DataTable, base);
  expect(screen.queryByText('Rare')).toBeNull();
});

test('reports the order that was asked for', async () => {
  const onsort = vi.fn();
  render(DataTable, { ...base, sort: { key: 'name', isDescending: false }, onsort });
  await fireEvent.click(screen.getByRole('button', { name: 'Name, sorted ascending' }));
  expect(onsort).toHaveBeenCalledWith({ key: 'name', isDescending: true });
});

describe('several rows', () => {
  const chosenRows = (): (string | null)[] =>
    within(screen.getByRole('grid'))
      .getAllByRole('row', { selected: true })
      .map((row) => row.getAttribute('aria-rowindex'));

  test('are chosen by Shift and arrows, by Ctrl and a click, and copied as tab-separated text', async () => {
    const fake = new FakeWorkbench().install();
    const onselect = vi.fn();
    const { rerender } = render(DataTable, { ...base, onselect, selected: 1 });
    onselect.mockImplementation((selected: number) => void rerender({ selected }));
    const user = userEvent.setup();
    screen.getByRole('grid').focus();
    await user.keyboard('{Shift>}{ArrowDown}{/Shift}');
    await waitFor(() => expect(chosenRows()).toEqual(['2', '3']));
    await fireEvent.click(screen.getByText('row 5'), { ctrlKey: true });
    await waitFor(() => expect(chosenRows()).toEqual(['2', '3', '6']));
    screen.getByRole('grid').focus();
    await user.keyboard('{Control>}c{/Control}');
    await waitFor(() => expect(fake.requestsOf('copyText')).toEqual([{ text: 'Name\nrow 1\nrow 2\nrow 5' }]));
    expect(screen.getByText('Copied 3 rows.')).toBeTruthy();
  });

  test('are one again when the order changes', async () => {
    const { rerender } = render(DataTable, {
      ...base,
      selected: 1,
      sort: { key: 'name', isDescending: true }
    });
    const user = userEvent.setup();
    screen.getByRole('grid').focus();
    await user.keyboard('{Control>}a{/Control}');
    await waitFor(() => expect(chosenRows().length).toBeGreaterThan(5));
    await rerender({ sort: { key: 'name', isDescending: false } });
    expect(chosenRows()).toEqual(['2']);
  });
});

describe('columns', () => {
  const titles = (): (string | null)[] =>
    within(screen.getByRole('toolbar', { name: 'Columns of Things' }))
      .getAllByRole('button')
      .map((button) => button.textContent.trim());
  const wide: Column[] = [
    { key: 'name', title: 'Name', width: '200px', isSortable: true, value: nameOf },
    { key: 'other', title: 'Other', width: '1fr', value: nameOf }
  ];

  test('are moved and resized by keyboard, and kept under the name of the table', async () => {
    const { unmount } = render(DataTable, { ...base, name: 'things', columns: wide });
    const user = userEvent.setup();
    const head = screen.getByRole('toolbar', { name: 'Columns of Things' });
    within(head).getAllByRole('button')[0]!.focus();
    await user.keyboard('{Control>}{Shift>}{ArrowRight}{/Shift}{/Control}');
    expect(titles()).toEqual(['Other', 'Name']);
    await user.keyboard('{Shift>}{ArrowRight}{/Shift}');
    unmount();
    render(DataTable, { ...base, name: 'things', columns: wide });
    expect(titles()).toEqual(['Other', 'Name']);
    expect(localStorage.getItem('winnow.table.things')).toMatch(/"widths":\{.*"name":\d+/);
  });

  test('are chosen, ordered and reset in a menu', async () => {
    render(DataTable, { ...base, columns: wide });
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Columns and export' }));
    await user.click(await screen.findByRole('button', { name: 'Move Other up' }));
    expect(titles()).toEqual(['Other', 'Name']);
    await user.click(screen.getByRole('checkbox', { name: 'Name' }));
    expect(titles()).toEqual(['Other']);
    await user.click(screen.getByRole('button', { name: 'Reset columns' }));
    expect(titles()).toEqual(['Name', 'Other']);
    expect(localStorage.getItem('winnow.table.Things')).toBeNull();
  });
});

describe('rows as a file', () => {
  test('are asked for in steps and written as they come', async () => {
    const fake = new FakeWorkbench().install();
    const readRows = vi.fn(async (offset: number, limit: number) =>
      Array.from({ length: Math.min(limit, 1200 - offset) }, (_, at) => ({ name: `row ${offset + at}` }))
    );
    render(DataTable, { ...base, count: 1200, readRows });
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Columns and export' }));
    await user.click(await screen.findByRole('button', { name: 'Export as CSV…' }));
    expect(await screen.findByText('Exported 1,200 rows to rows.csv.')).toBeTruthy();
    expect(readRows.mock.calls.map(([offset]) => offset)).toEqual([0, 500, 1000]);
    expect(fake.requestsOf('openSavedFile')).toEqual([{ name: 'Things', form: 'csv' }]);
    const written = fake.requestsOf('writeSavedFile').map((request) => (request as { text: string }).text);
    expect(written).toHaveLength(4);
    expect(written.join('').split('\r\n')).toHaveLength(1202);
    expect(fake.requestsOf('endSavedFile')).toEqual([{ id: 'file-1', isComplete: true }]);
  });

  test('name members of JSON as the columns say, else by their keys, and the end of a range beside its start', async () => {
    const fake = new FakeWorkbench().install();
    const columns = base.columns.map((column, at) =>
      at === 0 ? { ...column, member: 'chunkStart', further: { member: 'chunkEnd', value: () => 7 } } : column
    );
    render(DataTable, { ...base, columns });
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Columns and export' }));
    await user.click(await screen.findByRole('button', { name: 'Export as JSON…' }));
    await waitFor(() => expect(fake.requestsOf('endSavedFile')).toHaveLength(1));
    const text = fake
      .requestsOf('writeSavedFile')
      .map((request) => (request as { text: string }).text)
      .join('');
    const [first] = JSON.parse(text) as object[];
    // The other column is not shown.
    expect(first).toEqual({ chunkStart: 'row 0', chunkEnd: 7 });
  });

  test('leave no file where a step fails, and the failure is told', async () => {
    const fake = new FakeWorkbench().install();
    const readRows = vi.fn(() => Promise.reject(new Error('The engine has gone.')));
    render(DataTable, { ...base, readRows });
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Columns and export' }));
    await user.click(await screen.findByRole('button', { name: 'Export as JSON…' }));
    expect(await screen.findByText(/The engine has gone/)).toBeTruthy();
    expect(fake.requestsOf('endSavedFile')).toEqual([{ id: 'file-1', isComplete: false }]);
  });
});

test('a row has a menu behind its button and its right side, with what can be done and why not', async () => {
  const run = vi.fn();
  const actions = (): RowAction[] => [
    { label: 'Show it', run },
    { label: 'Remove it', run, whyNot: 'It is in use.' }
  ];
  const { rerender } = render(DataTable, {
    ...base,
    selected: null,
    actions,
    onselect: (selected: number) => void rerender({ selected })
  });
  await fireEvent.contextMenu(await screen.findByText('row 2'));
  const item = await screen.findByRole('menuitem', { name: 'Show it' });
  expect(screen.getByRole('menuitem', { name: /It is in use/ }).getAttribute('aria-disabled')).toBe('true');
  const user = userEvent.setup();
  await user.click(item);
  await waitFor(() => expect(run).toHaveBeenCalledOnce());
  await user.hover(screen.getByText('row 3'));
  await user.click(within(screen.getByText('row 3').closest('[role=row]')!).getByRole('button'));
  expect(await screen.findByRole('menuitem', { name: 'Copy row' })).toBeTruthy();
});
