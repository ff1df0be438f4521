/** Counts of logs of a few records: of nothing, of equal ones, of names that are not there, with thresholds that are asked for. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readGrowth } from '../../../../src-core/insight/growth/read-growth.ts';
import { compareThresholds, usageSavings } from '../../../../src-core/insight/usage/compare-thresholds.ts';
import { indexSavings } from '../../../../src-core/insight/usage/index-savings.ts';
import { newestEvents } from '../../../../src-core/insight/usage/newest-events.ts';
import type { Usage } from '../../../../src-core/insight/usage/read-usage.ts';
import { sumUsage } from '../../../../src-core/insight/usage/usage-items.ts';
import { usageOfNames } from '../../../../src-core/insight/usage/usage-of-names.ts';
import { usageWithin } from '../../../../src-core/insight/usage/usage-within.ts';
import { weighedChunks } from '../../../../src-core/insight/usage/weighed-chunks.ts';
import { whatIf } from '../../../../src-core/insight/usage/what-if.ts';
import { scavengeEnvironment } from '../../../support/scavenge-environment.ts';
import { SmallLog } from '../small-log.ts';

let log: SmallLog;
beforeEach(() => {
  log = new SmallLog();
});
afterEach(() => log.remove());

const breathe = (): Promise<void> => Promise.resolve();
const { operation } = scavengeEnvironment();

describe('a count', () => {
  it('of a log without records has nothing, and no threshold frees any of it', async () => {
    const usage = await log.count();
    expect(await sumUsage(usage, 'stream', 10)).toMatchObject({
      total: { records: 0 },
      items: [],
      itemCount: 0
    });
    expect(await usageWithin(usage, { category: 'a' }, { by: 'type', top: 10, breathe })).toMatchObject({
      items: [],
      itemCount: 0
    });
    expect(await compareThresholds(usage, operation)).toEqual([]);
    expect((await usageSavings(usage, operation)).steps).toEqual([]);
  });

  it('has streams, types and categories with as many bytes in the order of their names', async () => {
    for (const name of ['b-2', 'a-1', 'c-3', 'b-1', 'a-2', 'c-1']) log.append(name);
    const usage = await log.count();
    const names = async (by: 'stream' | 'category') =>
      (await sumUsage(usage, by, 4)).items.map(({ name }) => name);
    expect(await names('stream')).toEqual(['a-1', 'a-2', 'b-1', 'b-2', '(others)']);
    expect(await names('category')).toEqual(['a', 'b', 'c']);
    const within = await usageWithin(usage, { category: 'b' }, { by: 'stream', top: 1, breathe });
    expect(within.items.map(({ name }) => name)).toEqual(['b-1', '(others)']);
  });

  it('says of each stream what it has, and what of it can go', async () => {
    for (const name of ['a-1', 'b-1', 'b-1', 'b-1']) log.append(name);
    log.events.setMetadata('b-1', '{"$maxCount":1}');
    log.completeChunk();
    const usage = await log.count();
    const { items } = await sumUsage(usage, 'stream', 10);
    const facts = items.map((item) => [item.name, item.records, item.indexBytes, item.discardableRecords]);
    expect(facts.toSorted()).toEqual([
      ['$$b-1', 1, 24, 0],
      ['a-1', 1, 24, 0],
      ['b-1', 3, 72, 2]
    ]);
    const [one, three] = ['a-1', 'b-1'].map((name) => items.find((item) => item.name === name)!);
    expect(three!.bytes).toBe(one!.bytes * 3);
    expect(three!.discardableBytes).toBe(one!.bytes * 2);
    expect(items.every(({ firstChunk, lastChunk }) => firstChunk === 0 && lastChunk === 0)).toBe(true);
  });

  it('gives only what is asked for by name, and of that only what the log has', async () => {
    for (const name of ['a-1', 'b-1']) log.append(name);
    const usage = await log.count({ mostNames: 1 });
    const found = await usageOfNames(usage, { streams: [], categories: ['b', 'nothing', ''] });
    expect(found.streams).toEqual([]);
    expect(found.categories).toMatchObject([{ name: 'b', records: 1 }]);
    const streams = await usageOfNames(usage, { streams: ['a-1', 'nothing-1'], categories: [] });
    expect(streams).toMatchObject({ streams: [{ name: 'a-1', records: 1 }], categories: [] });
    expect(await usageOfNames(usage, { streams: [], categories: [] })).toEqual({
      streams: [],
      categories: []
    });
  });

  it('has the links by their kind, with the index entry of each, and what of them can go', async () => {
    const link = (stream: string, target: string): void => {
      log.events.append(stream, [{ eventType: '$>', data: Buffer.from(target), isJson: false }]);
    };
    log.append('a-1');
    log.append('a-1');
    for (const target of ['0@a-1', '1@a-1', '2@a-1']) link('$ce-a', target);
    link('$et-made', '0@a-1');
    link('$streams', '0@a-1');
    for (const stream of ['mine', 'yours']) link(stream, '0@a-1');
    log.events.setMetadata('$ce-a', '{"$maxCount":1}');
    log.completeChunk();
    const { items, itemCount } = await sumUsage(await log.count(), 'link', 10);
    const entry = 24;
    expect(
      items
        .map(({ name, records, indexBytes, discardableRecords }) => [
          ...[name, records, indexBytes / entry, discardableRecords]
        ])
        .sort()
    ).toEqual([
      ['$ce-', 3, 3, 2],
      ['$et-', 1, 1, 0],
      ['$streams', 1, 1, 0],
      ['(no links)', 3, 3, 0],
      ['(other links)', 2, 2, 0]
    ]);
    const sizes = new Map(
      items.map(({ name, bytes, discardableBytes }) => [name, [bytes, discardableBytes]])
    );
    const [bytes, discardable] = sizes.get('$ce-')!;
    expect(discardable).toBe((bytes! / 3) * 2);
    expect(sizes.get('$streams')![1]).toBe(0);
    expect(itemCount).toBe(items.length);
  });

  it('answers for the thresholds that are asked for, as for those that it names itself', async () => {
    for (let i = 0; i < 40; i++) log.append('cut-1', 1000);
    log.events.setMetadata('cut-1', '{"$maxCount":1}');
    log.completeChunk();
    log.append('after');
    const usage = await log.count();
    const all = await compareThresholds(usage, operation);
    const [most] = all.filter(({ threshold }) => threshold > 0);
    const asked = await compareThresholds(usage, operation, [most!.threshold, most!.threshold + 1]);
    expect(asked[0]).toEqual(most);
    expect(asked[1]).toMatchObject({ threshold: most!.threshold + 1, chunks: 0, recordsDiscarded: 0 });
  });

  it('knows of a stream that has rules and no events that there is no last one to keep', async () => {
    log.events.setMetadata('empty-1', '{"$maxAge":1,"$tb":5}');
    log.append('full-1');
    log.events.setMetadata('full-1', '{"$tb":5}');
    log.completeChunk();
    const { last } = await newestEvents(await log.count(), breathe);
    expect(last.records).toBe(1);
  });
});

describe('a count of a log that no scavenge passes', () => {
  it('has its records, of which nothing can go, whatever is asked', async () => {
    log.append('a-1');
    log.append('a-1');
    log.events.setMetadata('a-1', '{"$maxCount":1}');
    const transaction = log.events.beginTransaction('$$a-2');
    log.events.writeInTransaction(transaction, { eventType: '$metadata', data: Buffer.from('{}') });
    log.events.commitTransaction(transaction);
    log.completeChunk();
    log.day = 3;
    log.append('a-2');
    const usage = await log.count();
    expect(usage.warnings).toMatchObject([{ code: 'noScavenge' }]);
    expect(usage.warnings[0]?.message).toMatch(/^Metadata of a-2 was written within an explicit transaction/);
    const { items } = await sumUsage(usage, 'category', 10);
    expect(items.find(({ name }) => name === 'a')).toMatchObject({ records: 3, discardableRecords: 0 });
    expect(await compareThresholds(usage, operation, [0])).toEqual([]);
    expect(await usageSavings(usage, operation)).toMatchObject({ spaceSaved: { total: 0 }, steps: [] });
    expect(await indexSavings(usage, weighedChunks(usage), operation)).toBe(0);
    const within = await usageWithin(usage, { category: 'a' }, { by: 'type', top: 10, breathe });
    expect(within.items).toMatchObject([{ name: 'made', records: 3, discardableRecords: 0 }]);
    const rule = { category: 'a', maxAgeSeconds: null, maxCount: 1 };
    expect(await whatIf(usage, rule, breathe)).toMatchObject({
      streams: 2,
      discardableBytes: 0,
      likelyBytes: 0
    });
    const growth = await readGrowth(usage, { top: 10, breathe });
    expect(growth).toMatchObject({ days: 3, removablePerDay: 0, expiringPerDay: 0 });
    expect(growth?.lastingPerDay).toBeGreaterThan(0);
  });

  it('is refused where that is so because the log contradicts itself', async () => {
    log.append('a-1');
    const { position } = log.appendTombstone('a-1', 1);
    log.append('b-1');
    log.completeChunk();
    const reading = log.count().then((usage) => usage.judgement());
    await expect(reading).rejects.toMatchObject({
      code: 'LogCorrupt',
      details: { reason: 'contradictoryRecord', stream: 'a-1', position }
    });
  });
});

describe('a count of more streams than one table holds', () => {
  /** Everything that is told of streams and categories. */
  async function told(usage: Usage) {
    const { operation: control } = scavengeEnvironment();
    return {
      streams: await sumUsage(usage, 'stream', 10_000),
      categories: await sumUsage(usage, 'category', 10_000),
      few: await sumUsage(usage, 'category', 5),
      thresholds: await compareThresholds(usage, control)
    };
  }

  it('comes to the same by way of a file, from what is kept, and in one table', async () => {
    log.remove();
    log = new SmallLog(4 * 1024 * 1024);
    // Long names, each of a category of its own, more of one part than a block has room for at first.
    for (let i = 0; i < 3000; i++) log.append(`${'category'.repeat(8)}${(i * 7919) % 3000}-1`, i % 50);
    const expected = await told(await log.count());
    expect(expected.categories.itemCount).toBe(3000);
    const options = { mostNames: 2000, keep: true };
    expect(await told(await log.count(options))).toEqual(expected);
    expect(await told(await log.count(options))).toEqual(expected);
  });

  it('needs no file where many records are of few streams', async () => {
    for (let i = 0; i < 300; i++) log.append(`s-${i % 3}`);
    const expected = await told(await log.count());
    expect(await told(await log.count({ mostNames: 250, keep: true }))).toEqual(expected);
  });
});
