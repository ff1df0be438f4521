/** The growth of logs of a few records, each with something that large ones seldom have. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readGrowth, type LogGrowth } from '../../../../src-core/insight/growth/read-growth.ts';
import { SmallLog } from '../small-log.ts';

let log: SmallLog;
beforeEach(() => {
  log = new SmallLog();
});
afterEach(() => log.remove());

const breathe = (): Promise<void> => Promise.resolve();
const growth = async (entryBytes = 0): Promise<LogGrowth | undefined> =>
  readGrowth(await log.count(), { top: 10, breathe, entryBytes });

describe('the growth of a log', () => {
  it('is not known of one without records, and of one whose records are of one moment', async () => {
    expect(await growth()).toBeUndefined();
    log.remove();
    log = new SmallLog();
    log.append('a-1');
    log.append('a-1');
    expect(await growth()).toBeUndefined();
  });

  it('counts records of the server, the last of a chunk too, and leaves out what is older than its beginning', async () => {
    log.day = 2;
    log.append('a-1');
    log.appendSystem();
    log.completeChunk();
    // The clock went back: these are older than the beginning.
    log.day = 1;
    log.append('old-1');
    log.appendSystem();
    log.day = 5;
    log.append('b-1');
    log.appendSystem();
    const found = (await growth())!;
    expect(found.days).toBe(3);
    expect(found.categories.map(({ category }) => category).sort()).toEqual(['(others)', 'a', 'b']);
    const [a, b, others] = ['a', 'b', '(others)'].map((name) =>
      found.categories.find(({ category }) => category === name)
    );
    expect(a?.bytesPerDay).toBe(b?.bytesPerDay);
    // Two system records of 34 bytes with their frames.
    expect(others?.bytesPerDay).toBeCloseTo((2 * (34 + 8)) / 3, 9);
    expect(found.expiringDays).toBe(0);
    expect(found.expiringPerDay).toBe(0);
  });

  it('passes chunks without events, and puts categories that grow alike in the order of their names', async () => {
    log.append('c-1');
    log.append('a-1');
    log.completeChunk();
    log.appendSystem();
    log.completeChunk();
    log.day = 4;
    log.append('b-1');
    const found = (await growth())!;
    expect(found.categories.map(({ category }) => category)).toEqual(['a', 'b', 'c']);
    expect(new Set(found.categories.map(({ bytesPerDay }) => bytesPerDay)).size).toBe(1);
    expect(found.categoryCount).toBe(3);
  });

  it('begins with the only chunk of a log, however old that is', async () => {
    log.append('a-1');
    log.day = 90;
    log.append('a-1');
    expect((await growth())?.days).toBe(90);
  });
});
