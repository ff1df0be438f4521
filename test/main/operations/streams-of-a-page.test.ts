/** Filters of the list of streams, their categories, and what could be freed of them: each against the long way. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { NodeFileSystem } from '../../../src-core/index.ts';
import {
  STREAM_STATES,
  type Replies,
  type ReportOperation,
  type RequestOf
} from '../../../src-main/contract/operations/operation-contract.ts';
import type { StreamRow } from '../../../src-main/contract/operations/reports.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { runOperation } from '../../support/testing-context.ts';

const home = mkdtempSync(join(tmpdir(), 'winnow-streams-'));
const fileSystem = new NodeFileSystem();
afterEach(removeUnpacked);
afterAll(() => rmSync(home, { recursive: true, force: true }));

function run<N extends ReportOperation>(operation: N, members: RequestOf<N>): Promise<Replies[N]> {
  return runOperation(operation, members, {
    fileSystem,
    clock: () => Date.UTC(2026, 10, 21, 12)
  });
}

const NAMES = ['rules', 'soft-deletes', 'hard-deletes'].filter((name) => {
  try {
    unpackDatabase({ name, folder: 'before' });
    return true;
  } catch {
    return false;
  }
});

const categoryOf = ({ stream }: StreamRow): string =>
  stream.includes('-') ? stream.slice(0, stream.indexOf('-')) : '(no category)';

it.each(NAMES)('filters by state, rule and category as rows say it, of %s', async (name) => {
  const dataDirectory = unpackDatabase({ name, folder: 'before' });
  const page = (members: object) => run('readStreamsPage', { dataDirectory, limit: 1000, ...members });
  const all = (await page({})).rows;
  const namesOf = (rows: readonly StreamRow[]) => rows.map(({ stream }) => stream);
  for (const state of STREAM_STATES) {
    const expected = namesOf(all.filter((row) => row.state === state));
    expect(namesOf((await page({ states: [state] })).rows), state).toEqual(expected);
  }
  const limited = all.filter(({ metadata }) => metadata?.maxCount != null);
  expect(namesOf((await page({ rules: ['maxCount'] })).rows)).toEqual(namesOf(limited));
  const { categories, totalBytes } = await run('readStreamCategories', { dataDirectory });
  expect(totalBytes).toBe(all.reduce((sum, { bytes }) => sum + bytes, 0));
  expect(categories.reduce((sum, { streams }) => sum + streams, 0)).toBe(all.length);
  for (const { name: category, streams, events, bytes } of categories) {
    const rows = all.filter((row) => categoryOf(row) === category);
    expect({ streams, events, bytes }, category).toEqual({
      streams: rows.length,
      events: rows.reduce((sum, row) => sum + row.eventCount, 0),
      bytes: rows.reduce((sum, row) => sum + row.bytes, 0)
    });
    expect(namesOf((await page({ category })).rows)).toEqual(namesOf(rows));
  }
});

it('tells of named streams and categories what usage tells of all, once that is known', async () => {
  const dataDirectory = unpackDatabase({ name: 'rules', folder: 'before' });
  const place = { dataDirectory, winnowHome: join(home, 'winnow') };
  const { rows } = await run('readStreamsPage', { dataDirectory, limit: 1000 });
  const streams = rows.map(({ stream }) => stream);
  const categories = [...new Set(rows.map(categoryOf))];
  const ask = () => run('usageOfStreams', { ...place, streams, categories, onlyKnown: true });
  expect(await ask()).toEqual({ known: false, streams: [], categories: [] });
  const byStream = await run('readUsage', { ...place, by: 'stream' });
  const byCategory = await run('readUsage', { ...place, by: 'category' });
  const told = await ask();
  expect(told.known).toBe(true);
  for (const [items, found] of [
    [byStream.items, told.streams],
    [byCategory.items, told.categories]
  ] as const) {
    expect(found.length).toBeGreaterThan(0);
    for (const one of found) {
      const { discardableRecords, discardableBytes } = items.find(({ name }) => name === one.name)!;
      expect(one).toEqual({ name: one.name, discardableRecords, discardableBytes });
    }
  }
});

it('orders by what is removable where that is known, and by name elsewhere', async () => {
  const dataDirectory = unpackDatabase({ name: 'rules', folder: 'before' });
  const place = { dataDirectory, winnowHome: join(home, 'ordered') };
  const names = async (members: object) =>
    (await run('readStreamsPage', { ...place, limit: 1000, ...members })).rows.map(({ stream }) => stream);
  const byName = await names({});
  const asked = { sort: 'removable', descending: true } as const;
  const unknown = await run('readStreamsPage', { dataDirectory, limit: 1000, ...asked });
  expect(unknown.rows.map(({ stream }) => stream)).toEqual(byName);
  const { items } = await run('readUsage', { ...place, by: 'stream' });
  const removable = new Map(items.map(({ name, discardableBytes }) => [name, discardableBytes]));
  const of = (name: string): number => removable.get(name) ?? 0;
  const largestFirst = byName.toSorted((a, b) => of(b) - of(a));
  expect(of(largestFirst[0]!)).toBeGreaterThan(0);
  expect(await names(asked)).toEqual(largestFirst);
  expect(await names({ sort: 'removable' })).toEqual(byName.toSorted((a, b) => of(a) - of(b)));
});
