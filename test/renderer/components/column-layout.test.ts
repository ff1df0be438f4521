import { describe, expect, test } from 'vitest';
import {
  DEFAULT_LAYOUT,
  fittedTracks,
  leastWidthOf,
  orderedColumns,
  parseLayout,
  shownColumns,
  trackOf,
  withMoved,
  withShown,
  withWidths
} from '../../../src-renderer/components/column-layout.ts';

const columns = [
  { key: 'a', width: '60px' },
  { key: 'b', width: 'minmax(100px, 1fr)' },
  { key: 'c', width: '80px', dropBelow: 500 },
  { key: 'd', width: '80px', isOptional: true }
];
const keysOf = (list: readonly { key: string }[]): string[] => list.map(({ key }) => key);

describe('the columns of a table', () => {
  test('are those that have room, and what is chosen whether it has room or not', () => {
    expect(keysOf(shownColumns(columns, DEFAULT_LAYOUT, 400))).toEqual(['a', 'b']);
    const chosen = withShown(withShown(DEFAULT_LAYOUT, 'c', true), 'd', true);
    expect(keysOf(shownColumns(columns, chosen, 400))).toEqual(['a', 'b', 'c', 'd']);
  });

  test('go before their bound where the table would scroll sideways', () => {
    const wide = withWidths(DEFAULT_LAYOUT, { b: 400 });
    expect(keysOf(shownColumns(columns, wide, 560))).toEqual(['a', 'b']);
    expect(keysOf(shownColumns(columns, withShown(wide, 'c', true), 560))).toEqual(['a', 'b', 'c']);
    expect(keysOf(shownColumns(columns, DEFAULT_LAYOUT, 560))).toEqual(['a', 'b', 'c']);
  });

  test('that can grow give room where a little is missing, and no more than a part of it', () => {
    const two = columns.slice(0, 2);
    expect(fittedTracks(two, DEFAULT_LAYOUT, 400)).toEqual({
      tracks: '60px minmax(100px, 1fr)',
      leastWidth: 172
    });
    // 172, the edges of a row and the scroll bar are 236.
    expect(fittedTracks(two, DEFAULT_LAYOUT, 216)).toEqual({
      tracks: '60px minmax(80px, 1fr)',
      leastWidth: 152
    });
    expect(fittedTracks(two, DEFAULT_LAYOUT, 100)).toEqual({
      tracks: '60px minmax(60px, 1fr)',
      leastWidth: 132
    });
    const dragged = withWidths(DEFAULT_LAYOUT, { b: 100 });
    expect(fittedTracks(two, dragged, 216)).toEqual({ tracks: '60px 100px', leastWidth: 172 });
  });

  test('never all go: one stays', () => {
    const hidden = columns.reduce((layout, { key }) => withShown(layout, key, false), DEFAULT_LAYOUT);
    expect(keysOf(shownColumns(columns, hidden, 400))).toEqual(['a']);
  });

  test('move among those that are shown; hidden ones stay beside their neighbours', () => {
    const keys = ['a', 'b', 'd'];
    const moved = withMoved(DEFAULT_LAYOUT, { columns, keys, key: 'd', to: 0 });
    expect(keysOf(orderedColumns(columns, moved))).toEqual(['d', 'a', 'b', 'c']);
    const last = withMoved(moved, { columns, keys: ['d', 'a', 'b'], key: 'd', to: 9 });
    expect(keysOf(orderedColumns(columns, last))).toEqual(['a', 'b', 'd', 'c']);
  });

  test('of a later version stand where they stand by default', () => {
    const older = { ...DEFAULT_LAYOUT, order: ['c', 'a', 'gone'] };
    expect(keysOf(orderedColumns(columns, older))).toEqual(['c', 'd', 'a', 'b']);
  });

  test('are as wide as they were dragged, within bounds, and need that room at least', () => {
    const dragged = withWidths(DEFAULT_LAYOUT, { a: 5, b: 250.4 });
    expect(columns.slice(0, 2).map((column) => trackOf(column, dragged))).toEqual(['36px', '250px']);
    expect(leastWidthOf(columns.slice(0, 2), dragged)).toBe(36 + 12 + 250);
    expect(leastWidthOf(columns.slice(0, 2), DEFAULT_LAYOUT)).toBe(60 + 12 + 100);
  });
});

test.each([
  ['nothing', null],
  ['no JSON', '{'],
  ['another thing', '7'],
  ['members of other kinds', '{"order":"a","shown":[1],"widths":{"a":"wide"}}']
])('what is kept as %s is the default', (_name, text) => {
  const { order, shown, widths } = parseLayout(text);
  expect([order.length, Object.keys(shown).length, Object.keys(widths).length]).toEqual([0, 0, 0]);
});
