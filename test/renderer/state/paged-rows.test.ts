import { expect, test, vi } from 'vitest';
import type { Page } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { PagedRows } from '../../../src-renderer/state/paged-rows.svelte.ts';

const fetchNumbers = (total: number) =>
  vi.fn(async (offset: number, limit: number): Promise<Page<number>> => ({
    rows: Array.from({ length: Math.max(0, Math.min(limit, total - offset)) }, (_, index) => offset + index),
    offset,
    total
  }));

test('fetches a page when one of its rows comes into sight, and only once', async () => {
  const fetch = fetchNumbers(1000);
  const rows = new PagedRows(fetch);
  await rows.restart();
  expect([rows.total, rows.rowAt(5)]).toEqual([1000, 5]);
  expect(rows.rowAt(450)).toBeUndefined();
  expect(rows.rowAt(451)).toBeUndefined();
  await vi.waitFor(() => expect(rows.rowAt(450)).toBe(450));
  expect(fetch).toHaveBeenCalledTimes(2);
});

test('drops the answer of a search that was replaced', async () => {
  const slow = Promise.withResolvers<Page<number>>();
  const rows = new PagedRows<number>(() => slow.promise);
  const first = rows.restart();
  await rows.restart(fetchNumbers(3));
  slow.resolve({ rows: [99], offset: 0, total: 1 });
  await first;
  expect([rows.total, rows.rowAt(0)]).toEqual([3, 0]);
});

test('keeps the rows shown until the new ones are there', async () => {
  const rows = new PagedRows(fetchNumbers(3));
  await rows.restart();
  const next = rows.restart(fetchNumbers(5));
  expect([rows.total, rows.rowAt(2)]).toEqual([3, 2]);
  await next;
  expect(rows.total).toBe(5);
});

test('shows a failure instead of rows', async () => {
  const rows = new PagedRows<number>(() => Promise.reject(new Error('disk')));
  await rows.restart();
  expect([rows.total, rows.error?.message]).toEqual([0, 'disk']);
});

test('lets far pages go', async () => {
  const fetch = fetchNumbers(200 * 100);
  const rows = new PagedRows(fetch);
  await rows.restart();
  for (let page = 1; page < 60; page++) {
    rows.rowAt(page * 200);
    await vi.waitFor(() => expect(rows.rowAt(page * 200)).toBe(page * 200));
  }
  const calls = fetch.mock.calls.length;
  expect(rows.rowAt(0)).toBeUndefined();
  await vi.waitFor(() => expect(rows.rowAt(0)).toBe(0));
  expect(fetch).toHaveBeenCalledTimes(calls + 1);
});
