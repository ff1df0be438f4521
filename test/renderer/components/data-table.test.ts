import { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { createRawSnippet } from 'svelte';
import { expect, test, vi } from 'vitest';
import DataTable from '../../../src-renderer/components/DataTable.svelte';

const cell = createRawSnippet((row: () => object) => ({
  render: () => `<span>${(row() as { name: string }).name}</span>`
}));
const columns = [
  { key: 'name', title: 'Name', width: '1fr', isSortable: true },
  { key: 'rare', title: 'Rare', width: '1fr', dropBelow: 2000 }
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
