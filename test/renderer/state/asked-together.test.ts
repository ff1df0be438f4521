import { expect, test } from 'vitest';
import { AskedTogether } from '../../../src-renderer/state/asked-together.svelte.ts';

const { signal } = new AbortController();
const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

test('what is gathered for an export is asked in steps, once, and known then', async () => {
  const asked: number[][] = [];
  const values = new AskedTogether<number, string>();
  values.restart(async (keys) => {
    asked.push(keys);
    return new Map(keys.filter((key) => key !== 7).map((key) => [key, `value ${key}`]));
  });
  await values.gather(numbers(500), signal);
  expect(asked.map(({ length }) => length)).toEqual([200, 200, 100]);
  expect([values.known(499), values.known(7)]).toEqual(['value 499', undefined]);
  await values.gather(numbers(500), signal);
  expect(asked.length).toBe(3);
});

test('where nothing is known, an export asks no further and has empty cells', async () => {
  let questions = 0;
  const values = new AskedTogether<number, string>();
  values.restart(async () => {
    questions++;
    return null;
  });
  await values.gather(numbers(1000), signal);
  expect(questions).toBe(1);
  expect(values.known(1)).toBeUndefined();
});
