/** A table whose members cost something is complete for every reader, and makes what is asked for, once. */
import { expect, it } from 'vitest';
import { madeByNeed } from '../../../src-main/contract/made-by-need.ts';
import { requests } from '../../../src-main/contract/operations/operation-contract.ts';

it('makes a member when it is first asked for, and once', () => {
  const made: string[] = [];
  const maker = (name: string) => () => {
    made.push(name);
    return { name };
  };
  const table = madeByNeed({ one: maker('one'), two: maker('two') });
  expect(Object.keys(table)).toEqual(['one', 'two']);
  expect(Object.hasOwn(table, 'one') && !Object.hasOwn(table, 'three')).toBe(true);
  expect(made).toEqual([]);
  expect(table.two).toBe(table.two);
  expect(made).toEqual(['two']);
});

it('every operation has a request', () => {
  for (const name of Object.keys(requests) as (keyof typeof requests)[]) {
    expect(requests[name].safeParse(null).success, name).toBe(false);
  }
});
