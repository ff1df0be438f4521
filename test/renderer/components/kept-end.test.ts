import { expect, test } from 'vitest';
import { keptEnd } from '../../../src-renderer/components/kept-end.ts';

const end = (name: string, ...among: string[]): string => [...name].slice(-keptEnd(name, among)).join('');

test('of names that differ before their common end the word in which they differ stays', () => {
  const names = ['archive-of-the-northern-region', 'archive-of-the-southern-region'];
  expect(names.map((name) => end(name, ...names))).toEqual(['northern-region', 'southern-region']);
});

test('names that differ in their last characters or in their first one keep as much as any', () => {
  expect(end('customer-orders-1', 'customer-orders-2')).toBe('orders-1');
  expect(end('customer-correspondence', 'archived-correspondence')).toBe('pondence');
  expect(end('customer-correspondence', 'customer-correspondence')).toBe('pondence');
});

test('a long end is kept no further than leaves room for a beginning', () => {
  const [one, other] = ['a1', 'a2'].map((name) => `${name}${'-of-the-same-place'.repeat(3)}`);
  expect(keptEnd(one!, [other!])).toBe(24);
});
