/** Sorting more entries than memory holds. */
import { describe, expect, it } from 'vitest';
import { EntrySorter } from '../../../../src-core/index/rebuild/entry-sorter.ts';
import { Prng } from '../../../support/prng.ts';
import { MemoryFileSystem } from '../../../support/memory-file-system.ts';
import { guidName } from '../index-fixture.ts';

type Entry = [high: number, low: number, number: number, position: number];

function descending(a: Entry, b: Entry): number {
  const i = a.findIndex((value, at) => value !== b[at]);
  return i < 0 ? 0 : b[i]! - a[i]!;
}

/** Few hashes, numbers that fall now and then, some entries twice. */
function randomEntries(random: Prng, count: number): Entry[] {
  const entries: Entry[] = [];
  for (let position = 0; entries.length < count; position += 1 + random.below(3)) {
    const entry: Entry = [
      random.pick([7, 0xffffffff]),
      random.below(9) * 0x1fffffff,
      random.below(50),
      position
    ];
    entries.push(entry);
    if (random.chance(0.02)) entries.push([...entry]);
  }
  return entries;
}

async function sorted(entries: readonly Entry[], sizes: { entriesPerRun: number; maxRuns?: number }) {
  const fileSystem = new MemoryFileSystem();
  fileSystem.makeDirectory('/index');
  let id = 0;
  const sorter = new EntrySorter({
    fileSystem,
    directory: '/index',
    newGuid: () => guidName(id++),
    ...sizes
  });
  for (const entry of entries) sorter.add(...entry);
  const runCount = fileSystem.list('/index')!.length;
  const result: Entry[] = [];
  let told = 0;
  await sorter.drain({
    onEntry: (high, low, number, position) => result.push([high, low, number, position]),
    breathe: (count) => {
      told += count;
      return Promise.resolve();
    }
  });
  sorter.close();
  return { result, told, runCount, left: fileSystem.list('/index')!.length };
}

describe('sorting entries', () => {
  it.each([
    { count: 0, entriesPerRun: 10 },
    { count: 1, entriesPerRun: 10 },
    { count: 10, entriesPerRun: 10 },
    { count: 11, entriesPerRun: 10 },
    { count: 5000, entriesPerRun: 5000 },
    { count: 5000, entriesPerRun: 61 },
    { count: 20_000, entriesPerRun: 6000 },
    { count: 3000, entriesPerRun: 10, maxRuns: 7 },
    // More than the first buffer of entries, and runs of more than are written at once.
    { count: 90_000, entriesPerRun: 70_000 },
    { count: 90_000, entriesPerRun: 20_000, maxRuns: 2 }
  ])('gives $count entries with $entriesPerRun in memory in table order', async ({ count, ...sizes }) => {
    const entries = randomEntries(new Prng(count + sizes.entriesPerRun), count);
    const { result, told, runCount, left } = await sorted(entries, sizes);
    expect(result).toEqual([...entries].sort(descending));
    expect(told).toBe(entries.length);
    expect(runCount).toBe(Math.max(0, Math.ceil(entries.length / sizes.entriesPerRun) - 1));
    expect(left).toBe(0);
  });

  it('sorts entries of thousands of streams, a few each, and deletions', async () => {
    const random = new Prng(3);
    const hashes = Array.from(
      { length: 4000 },
      () => [random.below(2 ** 32), random.below(2 ** 32)] as const
    );
    const entries = Array.from({ length: 20_000 }, (_, position): Entry => {
      const [high, low] = random.pick(hashes);
      return [high, low, random.chance(0.05) ? 2 ** 63 : random.below(6), position * 2 ** 22];
    });
    for (const entriesPerRun of [20_000, 7000]) {
      const { result } = await sorted(entries, { entriesPerRun });
      expect(result).toEqual([...entries].sort(descending));
    }
  });

  it('sorts many hashes that begin with the same bits, and one that has most entries', async () => {
    const random = new Prng(4);
    const entries = Array.from({ length: 9000 }, (_, position): Entry => {
      const isBusy = random.chance(0.6);
      return isBusy
        ? [0x80000000, 5, position + random.below(3), position]
        : [0x12340000 + random.below(4), random.below(2 ** 32), random.below(9), position];
    });
    const { result } = await sorted(entries, { entriesPerRun: 9000 });
    expect(result).toEqual([...entries].sort(descending));
  });
});
