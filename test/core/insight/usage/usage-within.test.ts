/** What is inside a category and a stream adds up to what the whole count says of them. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ChunkDigests } from '../../../../src-core/digest/chunk-digests.ts';
import { readUsage, type Usage } from '../../../../src-core/insight/usage/read-usage.ts';
import { sumUsage, type UsageItem } from '../../../../src-core/insight/usage/usage-items.ts';
import { usageWithin, type UsagePart } from '../../../../src-core/insight/usage/usage-within.ts';
import { NodeFileSystem } from '../../../../src-core/storage/node-file-system.ts';
import { ticksFromIso } from '../../../../src-core/units/ticks.ts';
import { scavengeEnvironment } from '../../../support/scavenge-environment.ts';
import { SAMPLE_TIME, ScavengeSamples } from '../../../support/scavenge-sample.ts';

const samples = new ScavengeSamples();
const breathe = () => Promise.resolve();
let usage: Usage;

beforeAll(async () => {
  const size = { sizeBytes: 600_000, chunkSizeBytes: 65536, seed: 23 };
  const dataDirectory = await samples.write(size, { withPoint: true });
  const { operation, newGuid } = scavengeEnvironment();
  const fileSystem = new NodeFileSystem();
  usage = await readUsage({
    fileSystem,
    dataDirectory,
    effectiveNow: ticksFromIso(SAMPLE_TIME)!,
    digests: new ChunkDigests({ fileSystem, newGuid, threads: 1 }),
    operation,
    newGuid,
    // Several parts, so that a category lies in more than one of them.
    mostNames: 64
  });
});
afterAll(() => {
  usage.close();
  samples.removeAll();
});

const within = (part: UsagePart, by: 'stream' | 'type', top = 100_000) =>
  usageWithin(usage, part, { by, top, breathe });
const categoryOf = (name: string) =>
  name.includes('-') ? name.slice(0, name.indexOf('-')) : '(no category)';
const isOfRecords = ({ name }: UsageItem) => name !== '(commits)' && name !== '(system)';
const all = async (by: 'stream' | 'category' | 'type') =>
  (await sumUsage(usage, by, 100_000)).items.filter(isOfRecords);

it('gives each category the streams that the whole count has of it', async () => {
  const streams = await all('stream');
  const categories = await all('category');
  expect(categories.length).toBeGreaterThan(2);
  for (const { name: category, ...sum } of categories) {
    const { items, total, itemCount } = await within({ category }, 'stream');
    const expected = streams.filter(({ name }) => categoryOf(name) === category);
    expect(items.map(({ name }) => name).sort()).toEqual(expected.map(({ name }) => name).sort());
    expect(items.find(({ name }) => name === expected[0]!.name)).toEqual(expected[0]);
    expect(itemCount).toBe(expected.length);
    expect(sum).toMatchObject(total);
  }
});

it('gives all categories together the event types of the whole count', async () => {
  const sums = new Map<string, UsageItem>();
  for (const { name: category, ...sum } of await all('category')) {
    const { items, total } = await within({ category }, 'type');
    expect(sum).toMatchObject(total);
    for (const item of items) {
      const before = sums.get(item.name);
      sums.set(item.name, before ? added(before, item) : item);
    }
  }
  const byName = (a: UsageItem, b: UsageItem) => (a.name < b.name ? -1 : 1);
  expect([...sums.values()].sort(byName)).toEqual((await all('type')).sort(byName));
});

it('gives a stream its own event types, and a name that begins the same does not count', async () => {
  for (const { name: stream, ...sum } of (await all('stream')).slice(0, 20)) {
    expect(sum).toMatchObject((await within({ stream }, 'type')).total);
  }
  expect(await within({ stream: 'no-such-stream' }, 'type')).toEqual({
    total: { records: 0, bytes: 0, indexBytes: 0, discardableRecords: 0, discardableBytes: 0 },
    items: [],
    itemCount: 0
  });
});

it('makes one item of what a limit leaves out', async () => {
  const [largest] = await all('category');
  const part = { category: largest!.name };
  const { items, total, itemCount } = await within(part, 'stream', 2);
  expect(items).toHaveLength(3);
  expect(items[2]!.name).toBe('(others)');
  expect(items.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(total.bytes);
  expect(itemCount).toBe((await within(part, 'stream')).itemCount);
});

function added(a: UsageItem, b: UsageItem): UsageItem {
  return {
    name: a.name,
    records: a.records + b.records,
    bytes: a.bytes + b.bytes,
    indexBytes: a.indexBytes + b.indexBytes,
    discardableRecords: a.discardableRecords + b.discardableRecords,
    discardableBytes: a.discardableBytes + b.discardableBytes,
    firstChunk: Math.min(a.firstChunk, b.firstChunk),
    lastChunk: Math.max(a.lastChunk, b.lastChunk)
  };
}
