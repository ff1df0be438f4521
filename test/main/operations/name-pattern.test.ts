import { expect, it } from 'vitest';
import { namePattern } from '../../../src-main/operations/read-streams-page.ts';

it.each([
  ['order', 'my-Order-1', true],
  ['order-*', 'order-1', true],
  ['order-*', 'my-order-1', false],
  ['*-7', 'order-7', true],
  ['*-7', 'order-71', false],
  ['a.c', 'abc', false],
  ['$$', '$$order', true],
  ['o*1*', 'order-12', true]
])('a search for %s and the stream %s: %s', (search, name, isFound) => {
  expect(namePattern(search).test(name)).toBe(isFound);
});
