import { expect, test } from 'vitest';
import { arrangeRows } from '../../../src-renderer/components/arrange-rows.ts';
import type { Column } from '../../../src-renderer/components/table-column.ts';

interface Row {
  name: string;
  weight: number | null;
  isBroken?: boolean;
}
const columns: Column<'name' | 'weight', Row>[] = [
  { key: 'name', title: 'Name', width: '1fr', value: ({ name }) => name },
  { key: 'weight', title: 'Weight', width: '1fr', value: ({ weight }) => weight }
];
const rows: Row[] = [
  { name: 'b', weight: 2 },
  { name: 'a', weight: null },
  { name: 'c', weight: 10 },
  { name: 'd', weight: null, isBroken: true }
];
const names = (sort: { key: 'name' | 'weight'; isDescending: boolean } | null): string =>
  arrangeRows(rows, { columns, sort, filters: {}, isFirst: ({ isBroken }) => isBroken === true })
    .map(({ name }) => name)
    .join('');

test('what is not known comes last in either direction, and what is wrong first', () => {
  expect(names({ key: 'weight', isDescending: false })).toBe('dbca');
  expect(names({ key: 'weight', isDescending: true })).toBe('dcba');
  expect(names(null)).toBe('bacd');
});

test('a row that stands for the rest comes last in every order', () => {
  for (const isDescending of [false, true]) {
    const sort = { key: 'weight' as const, isDescending };
    const arranged = arrangeRows(rows, { columns, sort, filters: {}, isLast: ({ name }) => name === 'c' });
    expect(arranged.at(-1)?.name).toBe('c');
  }
});

test('only rows of the wanted values are left', () => {
  const wanted = arrangeRows(rows, { columns, sort: null, filters: { name: ['a', 'c'], weight: [] } });
  expect(wanted.map(({ name }) => name)).toEqual(['a', 'c']);
});
