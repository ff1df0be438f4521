/** Prices of projections in logs of a few records: without time, without links, with more categories than are shown. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projectionPrices } from '../../../../src-core/insight/projections/projection-prices.ts';
import { SmallLog } from '../small-log.ts';

let log: SmallLog;
beforeEach(() => {
  log = new SmallLog(1024 * 1024);
});
afterEach(() => log.remove());

const breathe = (): Promise<void> => Promise.resolve();
const prices = async (top: number) => projectionPrices(await log.count(), { top, breathe });

describe('prices of projections', () => {
  it('are not known by the day where a log covers less than one', async () => {
    log.append('a-1');
    log.day = 0.9;
    log.append('a-1');
    const found = await prices(10);
    expect(found).toMatchObject({ days: null, own: { records: 2, bytesPerDay: null }, sources: [] });
    expect(found.categories.map(({ category, links }) => [category, links])).toEqual([['a', []]]);
  });

  it('leave out what has a type of two characters that is no link', async () => {
    for (const eventType of ['$x', '$>', '$@'])
      log.events.append('$ce-a', [{ eventType, data: Buffer.from('0@a-1') }]);
    const { sources, own } = await prices(10);
    expect(own.records).toBe(1);
    expect(sources).toMatchObject([{ source: '$ce-', streams: 1, records: 2 }]);
  });

  it('are known by the day where the first and the last chunk have no events', async () => {
    log.appendSystem();
    log.completeChunk();
    log.append('a-1');
    log.day = 2;
    log.append('a-1');
    log.completeChunk();
    log.appendSystem();
    const found = await prices(10);
    expect(found.days).toBe(2);
    expect(found.own.bytesPerDay).toBe((found.own.bytes + found.own.indexBytes) / 2);
  });

  it('are those of the first names among many categories that are alike', async () => {
    const names = Array.from({ length: 1100 }, (_, i) => `k${String((i * 7) % 1100).padStart(4, '0')}`);
    for (const name of names) log.append(`${name}-1`, 10);
    log.append('large-1', 500);
    const found = await prices(3);
    expect(found.categoryCount).toBe(1101);
    expect(found.categories.map(({ category }) => category)).toEqual(['large', 'k0000', 'k0001']);
  });
});
