import { expect, test } from 'vitest';
import {
  above,
  below,
  crumbsOf,
  kindOf,
  optionsOf,
  pathOf,
  questionOf
} from '../../../src-renderer/state/usage/usage-path.ts';
import { filterOf } from '../../../src-renderer/views/usage/usage-actions.ts';

const top = pathOf({});
const order = below(top, 'order')!;
const stream = below(order, 'order-1')!;

test('the map begins with categories and leads down to streams and their event types', () => {
  expect(kindOf(top)).toBe('category');
  expect(questionOf(top)).toBeNull();
  expect(kindOf(order)).toBe('stream');
  expect(questionOf(order)).toEqual({ category: 'order', stream: null, by: 'stream' });
  expect(kindOf(stream)).toBe('type');
  expect(questionOf(stream)).toEqual({ category: null, stream: 'order-1', by: 'type' });
  expect(below(stream, 'Placed')).toBeNull();
  expect(crumbsOf(stream).map(({ name }) => name)).toEqual([null, 'order', 'order-1']);
});

test('a category also shows its event types, and what stands for several leads nowhere', () => {
  const types = pathOf({ category: 'order', inside: 'type' });
  expect(questionOf(types)).toEqual({ category: 'order', stream: null, by: 'type' });
  for (const name of ['(others)', '(commits)', '(system)', '']) expect(below(top, name)).toBeNull();
  expect(below(top, '(no category)')).not.toBeNull();
  expect(below(pathOf({ by: 'type' }), 'Placed')).toBeNull();
  expect(below(pathOf({ by: 'stream' }), 'order-1')).toMatchObject({ by: 'stream', stream: 'order-1' });
});

test('a step up chooses what one came from', () => {
  expect(above(stream)).toEqual({ path: order, item: 'order-1' });
  expect(above(order)).toMatchObject({ item: 'order' });
  expect(above(top)).toBeNull();
});

test('a path survives as options, and leaves out what is the default', () => {
  expect(Object.values(optionsOf(top)).every((option) => option === null)).toBe(true);
  for (const path of [top, order, stream, pathOf({ by: 'link' })]) {
    const options = Object.entries(optionsOf(path)).filter(([, value]) => value !== null);
    expect(pathOf(Object.fromEntries(options) as Record<string, string>)).toEqual(path);
  }
  expect(pathOf({ by: 'nonsense', inside: 'nonsense' })).toEqual(top);
});

test('an item leads to its records by a filter, where there is one', () => {
  expect(filterOf(top, 'order')).toBe('stream:order-*');
  expect(filterOf(order, 'order 1')).toBe('stream:"order 1"');
  expect(filterOf(stream, 'Placed')).toBe('stream:order-1 type:Placed');
  expect(filterOf(pathOf({ category: 'order', inside: 'type' }), 'Placed')).toBe(
    'stream:order-* type:Placed'
  );
  expect(filterOf(top, '(no category)')).toBeNull();
  expect(filterOf(top, '(others)')).toBeNull();
  expect(filterOf(pathOf({ by: 'link' }), '$ce-')).toBeNull();
});
