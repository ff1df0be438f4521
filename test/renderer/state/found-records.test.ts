import { describe, expect, test } from 'vitest';
import type { RecordRow, RecordsFound } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { FoundRecords } from '../../../src-renderer/state/found-records.svelte.ts';

const END = 1000;

const rowsAt = (...positions: number[]): RecordRow[] =>
  positions.map((position) => ({ position, kind: 'commit' }) as RecordRow);

function found(rows: RecordRow[], nextFrom: number | null): RecordsFound {
  return { rows, nextFrom, searchedTo: nextFrom ?? END, searchEnd: END };
}

describe('records found by a search', () => {
  test('come over as many steps as are needed, and the search says when it is done', async () => {
    const records = new FoundRecords();
    const steps = [found([], 100), found(rowsAt(120), 200), found(rowsAt(900), null)];
    const asked: number[] = [];
    await records.start((from) => {
      asked.push(from);
      return Promise.resolve(steps.shift()!);
    });
    expect(asked).toEqual([0, 100, 200]);
    expect(records.count).toBe(2);
    expect(records.isDone).toBe(true);
    expect(records.searchedTo).toBe(END);
  });

  test('wait once a page is there, and go on when the end of the list comes into sight', async () => {
    const records = new FoundRecords();
    const page = (from: number): RecordsFound =>
      found(rowsAt(...Array.from({ length: 200 }, (_, i) => from + i)), from === 0 ? 200 : null);
    await records.start((from) => Promise.resolve(page(from)));
    expect([records.count, records.isDone]).toEqual([200, false]);
    records.rowAt(10);
    await Promise.resolve();
    expect(records.isSearching).toBe(false);
    records.rowAt(199);
    await expect.poll(() => records.isDone).toBe(true);
    expect(records.count).toBe(400);
    expect(records.rowAt(399)?.position).toBe(399);
  });

  test('stop where they are told to, keep what was found, and go on from there', async () => {
    const records = new FoundRecords();
    const answers: ((value: RecordsFound) => void)[] = [];
    const search = records.start(() => new Promise((resolve) => answers.push(resolve)));
    answers[0]!(found(rowsAt(5), 100));
    await expect.poll(() => answers.length).toBe(2);
    records.stop();
    answers[1]!(found(rowsAt(150), null));
    await search;
    expect([records.count, records.isDone, records.isSearching]).toEqual([1, false, false]);
    const rest = records.continueSearch();
    answers[2]!(found(rowsAt(150), null));
    await rest;
    expect([records.count, records.isDone]).toEqual([2, true]);
  });

  test('of a search that was replaced are dropped', async () => {
    const records = new FoundRecords();
    let late: (value: RecordsFound) => void = () => undefined;
    const first = records.start(() => new Promise((resolve) => (late = resolve)));
    await records.start(() => Promise.resolve(found(rowsAt(7), null)));
    late(found(rowsAt(1, 2, 3), null));
    await first;
    expect(records.rowAt(0)?.position).toBe(7);
    expect(records.count).toBe(1);
  });

  test('stay until as many are found again in a log that has changed', async () => {
    const records = new FoundRecords();
    const page = (from: number): RecordsFound =>
      found(rowsAt(...Array.from({ length: 200 }, (_, i) => from + 2 * i)), from === 0 ? 400 : null);
    await records.start((from) => Promise.resolve(page(from)));
    records.rowAt(199);
    await expect.poll(() => records.count).toBe(400);
    const answers: ((value: RecordsFound) => void)[] = [];
    const again = records.refresh(() => new Promise((resolve) => answers.push(resolve)));
    answers[0]!(page(0));
    await expect.poll(() => answers.length).toBe(2);
    expect([records.count, records.indexOf(500), records.isSearching]).toEqual([400, 250, true]);
    answers[1]!(found(rowsAt(500, 501), null));
    await again;
    expect([records.count, records.indexOf(500), records.indexOf(502)]).toEqual([202, 200, -1]);
  });

  test('are known by their positions', async () => {
    const records = new FoundRecords();
    expect(records.indexOf(0)).toBe(-1);
    await records.start(() => Promise.resolve(found(rowsAt(5, 90, 1000), null)));
    expect([5, 90, 1000, 4, 6, 1001].map((position) => records.indexOf(position))).toEqual([
      0, 1, 2, -1, -1, -1
    ]);
  });

  test('give their place to the error of a filter that means nothing', async () => {
    const records = new FoundRecords();
    await records.start(() => Promise.resolve(found(rowsAt(7), null)));
    await records.start(() => Promise.reject(new Error('no')));
    expect(records.count).toBe(0);
    expect(records.error?.message).toBe('no');
  });
});
