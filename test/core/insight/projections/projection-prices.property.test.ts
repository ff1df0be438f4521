/** Prices of projections against a naive walk over random logs, and dead links against what a scavenge really left. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../../src-core/database/database.ts';
import { EventAppender } from '../../../../src-core/database/event-appender.ts';
import { ChunkDigests } from '../../../../src-core/digest/chunk-digests.ts';
import {
  projectionPrices,
  type ProjectionPrices
} from '../../../../src-core/insight/projections/projection-prices.ts';
import { readUsage } from '../../../../src-core/insight/usage/read-usage.ts';
import { LogWriter } from '../../../../src-core/log/log-writer.ts';
import { PrepareFlag } from '../../../../src-core/records/log-record.ts';
import { runScavenge } from '../../../../src-core/scavenge/run-scavenge.ts';
import { NodeFileSystem } from '../../../../src-core/storage/node-file-system.ts';
import { TICKS_PER_SECOND, ticksFromIso } from '../../../../src-core/units/ticks.ts';
import { Prng } from '../../../support/prng.ts';
import {
  scavengeEnvironment,
  scavengeRequest,
  temporaryDirectory
} from '../../../support/scavenge-environment.ts';
import { SAMPLE_TIME, ScavengeSamples } from '../../../support/scavenge-sample.ts';
import { seedList } from '../../../support/seeds.ts';

const fileSystem = new NodeFileSystem();
const samples = new ScavengeSamples();
const SOURCES = ['$ce-', '$et-', '$bc-', '$streams', '(other links)', '(checkpoints and state)'] as const;
const DAY_MS = 86_400_000;
const NOW = '2026-03-01T00:00:00Z';

afterEach(() => samples.removeAll());

/** A log of a few categories with every source of links, cut chunks and all, a record about each twenty minutes. */
async function writeLog(seed: number): Promise<string> {
  const prng = new Prng(seed);
  const dataDirectory = await samples.write(
    { sizeBytes: 130_000, chunkSizeBytes: 65_536, seed },
    { withPoint: false }
  );
  const database = openDatabase({ fileSystem, dataDirectory });
  const { newGuid } = scavengeEnvironment();
  const writer = LogWriter.open({ fileSystem, directory: dataDirectory, newGuid }, database.chunkSet);
  let now: bigint = ticksFromIso(SAMPLE_TIME)!;
  const appender = new EventAppender({ writer, newGuid, now: () => now, lastEventNumber: () => -1 });
  const next = new Map<string, number>();
  const closed = new Set<string>();
  const append = (stream: string, eventType: string, data: string): number => {
    if (closed.has(stream)) return -1;
    appender.append(stream, [{ eventType, data: Buffer.from(data) }]);
    const number = next.get(stream) ?? 0;
    next.set(stream, number + 1);
    return number;
  };
  for (let i = 0; i < 900; i++) {
    now += BigInt(prng.below(2400)) * TICKS_PER_SECOND;
    const category = prng.pick(['late', 'new', 'x y', '$sys', 'ünü']);
    const stream = prng.chance(0.1) ? `alone${prng.below(3)}` : `${category}-${prng.below(12)}`;
    const number = append(stream, prng.pick(['Made', 'Sent']), 'x'.repeat(prng.below(200)));
    const target = `${number}@${stream}`;
    if (number >= 0 && prng.chance(0.7)) append(`$ce-${category}`, '$>', target);
    if (number >= 0 && prng.chance(0.5)) append('$et-Made', '$>', target);
    if (number >= 0 && prng.chance(0.2)) append(`$bc-${prng.below(5)}`, '$>', target);
    if (number === 0) append('$streams', '$>', target);
    if (number >= 0 && prng.chance(0.1)) append(`own-${prng.below(3)}`, '$>', target);
    if (prng.chance(0.03)) append('$category-late', '$@', stream);
    if (prng.chance(0.03))
      append('own-0', '$>', prng.pick(['', 'no link', '12', '@x', '99999999999999999@y']));
    if (prng.chance(0.05)) append('$projections-$by_category-checkpoint', '$ProjectionCheckpoint', '{}');
    if (prng.chance(0.02) && !closed.has(stream))
      appender.setMetadata(stream, `{"$maxCount":${1 + prng.below(3)}}`);
    if (prng.chance(0.01)) appender.setMetadata(`$ce-${category}`, '{"$maxCount":40}');
    if (prng.chance(0.01)) appender.setMetadata('$projections-$by_category-checkpoint', '{"$maxCount":1}');
    if (prng.chance(0.01) && !closed.has(stream)) {
      appender.hardDelete(stream);
      closed.add(stream);
    }
  }
  writer.close();
  database.close();
  return dataDirectory;
}

interface Asked {
  mostNames?: number;
  top?: number;
  now?: string;
  /** Where what is found is kept. */
  kept?: string;
  /** Called each time that links are counted for a while. */
  onWork?: () => void;
}

async function pricesOf(
  dataDirectory: string,
  { mostNames, top = 1000, now = NOW, kept, onWork }: Asked = {}
): Promise<ProjectionPrices & { dead: number }> {
  const { operation, newGuid } = scavengeEnvironment();
  const usage = await readUsage({
    fileSystem,
    dataDirectory,
    effectiveNow: ticksFromIso(now)!,
    digests: new ChunkDigests({
      fileSystem,
      newGuid,
      threads: 1,
      ...(kept === undefined ? {} : { directory: kept })
    }),
    operation,
    newGuid
  });
  try {
    const prices = await projectionPrices(usage, {
      top,
      breathe: () => {
        onWork?.();
        return Promise.resolve();
      },
      ...(mostNames === undefined ? {} : { mostNames })
    });
    return { ...prices, dead: usage.counts.deadLinks.records };
  } finally {
    usage.close();
  }
}

interface Walked {
  position: number;
  stream: string;
  type: string;
  data: string;
  size: number;
  isEvent: boolean;
  number: number;
  ms: number;
}

function walk(dataDirectory: string): Walked[] {
  const database = openDatabase({ fileSystem, dataDirectory });
  const walked: Walked[] = [];
  const cursor = database.log.cursor();
  while (cursor.next()) {
    const { record } = cursor;
    if (record.kind !== 'prepare') continue;
    walked.push({
      position: record.position,
      stream: record.stream,
      type: record.eventType,
      data: Buffer.from(record.data).toString(),
      size: record.length + 8,
      isEvent: (record.flags & (PrepareFlag.data | PrepareFlag.streamDelete)) !== 0,
      number: record.eventNumber,
      ms: (record.timeHigh * 4294967296 + record.timeLow) / 10_000
    });
  }
  cursor.close();
  database.close();
  return walked;
}

function sourceOf({ stream, type }: Walked): string | null {
  if (stream.replace(/^\$\$/, '').startsWith('$projections-')) return '(checkpoints and state)';
  if (type !== '$>' && type !== '$@') return null;
  const named = SOURCES.slice(0, 3).find((name) => stream.startsWith(name));
  return named ?? (stream === '$streams' ? '$streams' : '(other links)');
}

const categoryOf = (stream: string): string =>
  stream.includes('-') ? stream.slice(0, stream.indexOf('-')) : '(no category)';

function targetOf({ type, data }: Walked): { number: number; stream: string } | null {
  const match = type === '$>' ? /^(\d{1,16})@(.+)$/s.exec(data) : null;
  return match && { number: Number(match[1]), stream: match[2]! };
}

describe('prices of projections', () => {
  it.each(seedList(4))('are what a naive walk adds up (seed %i)', async (seed) => {
    const dataDirectory = await writeLog(seed);
    const records = walk(dataDirectory);
    const prices = await pricesOf(dataDirectory);
    const sumOf = (some: Walked[]) => ({
      records: some.length,
      bytes: some.reduce((sum, { size }) => sum + size, 0),
      indexBytes: some.filter(({ isEvent }) => isEvent).length * 24
    });
    expect(prices.own).toMatchObject(sumOf(records.filter((record) => sourceOf(record) === null)));
    const newest = records.reduce((most, { ms }) => Math.max(most, ms), 0);
    const fromMs = Math.max(Math.min(...records.slice(0, 500).map(({ ms }) => ms)), newest - 30 * DAY_MS);
    expect(prices.days).toBeCloseTo((newest - fromMs) / DAY_MS, 6);
    for (const source of SOURCES) {
      const some = records.filter((record) => sourceOf(record) === source);
      const priced = prices.sources.find((price) => price.source === source);
      if (some.length === 0) {
        expect(priced, source).toBeUndefined();
        continue;
      }
      expect(priced, source).toMatchObject(sumOf(some));
      const recent = sumOf(some.filter(({ ms }) => ms >= fromMs));
      expect(priced!.bytesPerDay).toBeCloseTo((recent.bytes + recent.indexBytes) / prices.days!, 3);
      if (source !== '(other links)') {
        expect(priced!.streams, source).toBe(
          new Set(
            records
              .filter(({ stream }) => sourceOf({ stream, type: '$>' } as Walked) === source)
              .map(({ stream }) => stream)
          ).size
        );
      }
    }
    const categories = new Map<string, Walked[]>();
    const into = (category: string, record: Walked) =>
      categories.set(category, [...(categories.get(category) ?? []), record]);
    for (const record of records) {
      const source = sourceOf(record);
      if (source === '(checkpoints and state)') continue;
      const target = source === null ? null : targetOf(record);
      into(
        source === null ? categoryOf(record.stream) : target ? categoryOf(target.stream) : '(not known)',
        record
      );
    }
    expect(prices.categoryCount).toBe(categories.size);
    expect(prices.categories.length).toBe(categories.size);
    for (const priced of prices.categories) {
      const some = categories.get(priced.category)!;
      expect(priced).toMatchObject(sumOf(some.filter((record) => sourceOf(record) === null)));
      for (const source of SOURCES.slice(0, 5)) {
        const links = some.filter((record) => sourceOf(record) === source);
        const link = priced.links.find((price) => price.source === source);
        if (links.length === 0) expect(link).toBeUndefined();
        else expect(link).toMatchObject({ ...sumOf(links), indexBytes: links.length * 24 });
      }
    }
    expect(prices.categories.reduce((sum, { linkBytes }) => sum + linkBytes, 0)).toBe(
      prices.sources
        .slice(0, 5)
        .reduce((sum, price) => sum + (price.source === SOURCES[5] ? 0 : price.bytes), 0)
    );
  });

  // The bound of how much further the new point reaches is that of these logs.
  it.each([5, 6])('call those links dead that point nowhere after a scavenge (seed %i)', async (seed) => {
    const dataDirectory = await writeLog(seed);
    const prices = await pricesOf(dataDirectory);
    expect(prices.sources.reduce((sum, { deadRecords }) => sum + deadRecords, 0)).toBe(prices.dead);
    expect(prices.dead).toBeGreaterThan(20);
    const scavenged = samples.copy(dataDirectory);
    const request = scavengeRequest(scavenged, {
      scavengePoint: 'new',
      singleNode: true,
      threshold: -1,
      now: NOW
    });
    await runScavenge(request, scavengeEnvironment());
    const left = walk(scavenged);
    const before = new Set(walk(dataDirectory).map(({ stream, number }) => `${number}@${stream}`));
    const after = new Set(left.map(({ stream, number }) => `${number}@${stream}`));
    // The new point reaches a little further: into the chunk that is active now.
    const deadAfter = left.filter((record) => {
      const target = targetOf(record);
      return (
        target !== null &&
        before.has(`${target.number}@${target.stream}`) &&
        !after.has(`${target.number}@${target.stream}`)
      );
    }).length;
    const ofThese = prices.categories.reduce(
      (sum, { links }) => sum + links.reduce((all, { deadRecords }) => all + deadRecords, 0),
      0
    );
    expect(ofThese).toBe(prices.dead);
    expect(deadAfter).toBeGreaterThanOrEqual(prices.dead);
    expect(deadAfter).toBeLessThanOrEqual(prices.dead * 1.1);
  });

  it('say the same when the categories do not fit into one table', async () => {
    const dataDirectory = await writeLog(7);
    const { dead: _, ...whole } = await pricesOf(dataDirectory);
    const { dead: __, ...inParts } = await pricesOf(dataDirectory, { mostNames: 3 });
    expect(inParts).toEqual(whole);
  });

  it('are kept as long as what records are judged by, for as many categories as were asked for', async () => {
    const dataDirectory = await writeLog(9);
    const kept = temporaryDirectory();
    let work = 0;
    const onWork = () => work++;
    const isCounted = async (asked: Asked): Promise<boolean> => {
      work = 0;
      const prices = await pricesOf(dataDirectory, { ...asked, kept, onWork });
      const wasCounted = work > 0;
      expect(prices).toEqual(await pricesOf(dataDirectory, asked));
      return wasCounted;
    };
    try {
      expect(await isCounted({})).toBe(true);
      expect(await isCounted({})).toBe(false);
      expect(await isCounted({ top: 2 })).toBe(true);
      expect(await isCounted({ top: 2 })).toBe(false);
      expect(await isCounted({})).toBe(true);
      // On another day, the days of expiry are counted again.
      expect(await isCounted({ now: '2026-03-02T00:00:00Z' })).toBe(true);
      const database = openDatabase({ fileSystem, dataDirectory });
      const { newGuid } = scavengeEnvironment();
      const writer = LogWriter.open({ fileSystem, directory: dataDirectory, newGuid }, database.chunkSet);
      const appender = new EventAppender({
        writer,
        newGuid,
        now: () => ticksFromIso(NOW)!,
        lastEventNumber: () => -1
      });
      appender.append('$ce-late', [{ eventType: '$>', data: Buffer.from('0@late-0') }]);
      writer.close();
      database.close();
      expect(await isCounted({ now: '2026-03-02T00:00:00Z' })).toBe(true);
      for (const name of readdirSync(kept).filter((file) => file.endsWith('.table'))) {
        const file = join(kept, name);
        const bytes = readFileSync(file);
        bytes[bytes.length - 1]! ^= 1;
        writeFileSync(file, bytes);
      }
      expect(await isCounted({ now: '2026-03-02T00:00:00Z' })).toBe(true);
    } finally {
      rmSync(kept, { recursive: true, force: true });
    }
  });

  it('of a log without projections are none', async () => {
    const dataDirectory = await samples.write(
      { sizeBytes: 70_000, chunkSizeBytes: 65_536, seed: 8 },
      { withPoint: false }
    );
    const { sources, categories, own } = await pricesOf(dataDirectory);
    const links = walk(dataDirectory).filter((record) => sourceOf(record) !== null);
    expect(sources.reduce((sum, { records }) => sum + records, 0)).toBe(links.length);
    expect(own.records).toBeGreaterThan(0);
    expect(categories.length).toBeGreaterThan(0);
  });
});
