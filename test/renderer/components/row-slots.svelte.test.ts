import { fireEvent, render } from '@testing-library/svelte';
import { createRawSnippet } from 'svelte';
import { expect, test } from 'vitest';
import type { RevealsRows } from '../../../src-renderer/components/row-height.ts';
import RowSlots from '../../../src-renderer/components/RowSlots.svelte';

const ROW_HEIGHT = 28;
/** As the tests' window says it of every element. */
const HEIGHT = 560;

const row = createRawSnippet((index: () => number) => ({
  render: () => '<span class="row"></span>',
  setup: (element) => {
    $effect.pre(() => {
      const at = index();
      (element as HTMLElement).dataset['index'] = String(at);
    });
  }
}));

async function shown(count: number, spare = 3) {
  const container = document.createElement('div');
  document.body.append(container);
  const { component, rerender } = render(
    RowSlots,
    { count, rowHeight: ROW_HEIGHT, spare, container, row },
    { baseElement: container }
  );
  const elements = () => [...container.querySelectorAll<HTMLElement>('.row')];
  const indexes = () => elements().map(({ dataset }) => Number(dataset['index']));
  const scrollTo = async (top: number): Promise<void> => {
    container.scrollTop = top;
    await fireEvent.scroll(container);
  };
  await Promise.resolve();
  return { container, list: component as RevealsRows, rerender, elements, indexes, scrollTo };
}

const sorted = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b);
const range = (first: number, end: number): number[] =>
  Array.from({ length: end - first }, (_, at) => first + at);

test('every row in sight is there once, wherever it is scrolled to', async () => {
  const count = 1000;
  const { indexes, scrollTo, elements } = await shown(count);
  const made = elements().length;
  for (const top of [0, 1, 27, 28, 5000, 4987, 13, (count * ROW_HEIGHT) / 2, count * ROW_HEIGHT - HEIGHT]) {
    await scrollTo(top);
    const there = sorted(indexes());
    const first = there[0]!;
    expect(there, `at ${top}`).toEqual(range(first, first + made));
    expect(first * ROW_HEIGHT, `at ${top}`).toBeLessThanOrEqual(top);
    expect((first + made) * ROW_HEIGHT, `at ${top}`).toBeGreaterThanOrEqual(top + HEIGHT);
  }
});

test('a row that leaves lends its element; one that stays keeps its own', async () => {
  const { elements, scrollTo } = await shown(1000);
  const before = new Map(elements().map((element) => [element.dataset['index'], element]));
  await scrollTo(10 * ROW_HEIGHT);
  const after = elements();
  expect(new Set(after)).toEqual(new Set(before.values()));
  const stayed = after.filter(({ dataset }) => Number(dataset['index']) < before.size);
  expect(stayed.length).toBeGreaterThan(10);
  for (const element of stayed) expect(before.get(element.dataset['index'])).toBe(element);
});

test('each row stands at its place', async () => {
  const { elements, scrollTo } = await shown(1000);
  await scrollTo(7000);
  for (const element of elements())
    expect(element.parentElement!.style.top).toBe(`${Number(element.dataset['index']) * ROW_HEIGHT}px`);
});

test('a list that becomes shorter, longer or empty shows what there is', async () => {
  const { indexes, scrollTo, rerender } = await shown(1000);
  await scrollTo(500 * ROW_HEIGHT);
  await rerender({ count: 5 });
  expect(sorted(indexes())).toEqual([0, 1, 2, 3, 4]);
  await rerender({ count: 0 });
  expect(indexes()).toEqual([]);
  await rerender({ count: 2 });
  expect(sorted(indexes())).toEqual([0, 1]);
});

test('a row is brought into sight by as little as needed', async () => {
  const { container, list, indexes } = await shown(1000);
  list.reveal(3);
  expect(container.scrollTop).toBe(0);
  list.reveal(100);
  expect(container.scrollTop).toBe(101 * ROW_HEIGHT - HEIGHT);
  await Promise.resolve();
  expect(indexes()).toContain(100);
  list.reveal(90);
  expect(container.scrollTop).toBe(101 * ROW_HEIGHT - HEIGHT);
  list.reveal(20);
  expect(container.scrollTop).toBe(20 * ROW_HEIGHT);
});
