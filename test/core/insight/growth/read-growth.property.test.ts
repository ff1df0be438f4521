/** How fast a log grows, against a naive walk that knows the rules it wrote. */
import { afterEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../../src-core/database/database.ts';
import { EventAppender } from '../../../../src-core/database/event-appender.ts';
import { ChunkDigests } from '../../../../src-core/digest/chunk-digests.ts';
import { readGrowth, type LogGrowth } from '../../../../src-core/insight/growth/read-growth.ts';
import { readUsage } from '../../../../src-core/insight/usage/read-usage.ts';
import { LogWriter } from '../../../../src-core/log/log-writer.ts';
import { NodeFileSystem } from '../../../../src-core/storage/node-file-system.ts';
import { TICKS_PER_SECOND, ticksFromIso } from '../../../../src-core/units/ticks.ts';
import { Prng } from '../../../support/prng.ts';
import { scavengeEnvironment } from '../../../support/scavenge-environment.ts';
import { SAMPLE_TIME, ScavengeSamples } from '../../../support/scavenge-sample.ts';
import { seedList } from '../../../support/seeds.ts';

const fileSystem = new NodeFileSystem();
const samples = new ScavengeSamples();
const DAY_SECONDS = 86_400;
const AGE_DAYS = { gb: 4, gc: 9 } as const;
const COUNTS = { gd: 3 } as const;

afterEach(() => samples.removeAll());

interface Written {
  stream: string;
  number: number;
  seconds: number;
}

interface Grown {
  dataDirectory: string;
  /** Seconds of `SAMPLE_TIME` and after at which it ends. */
  endSeconds: number;
  written: Written[];
}

/** `days` of records after a small sample: without rules, with maximum ages, with a maximum count, deleted. */
async function grow(seed: number, days: number): Promise<Grown> {
  const prng = new Prng(seed);
  const dataDirectory = await samples.write(
    { sizeBytes: 20_000, chunkSizeBytes: 65_536, seed },
    { withPoint: false }
  );
  const database = openDatabase({ fileSystem, dataDirectory });
  const { newGuid } = scavengeEnvironment();
  const writer = LogWriter.open({ fileSystem, directory: dataDirectory, newGuid }, database.chunkSet);
  const start: bigint = ticksFromIso(SAMPLE_TIME)!;
  let seconds = 0;
  const appender = new EventAppender({
    writer,
    newGuid,
    now: () => start + BigInt(seconds) * TICKS_PER_SECOND,
    lastEventNumber: () => -1
  });
  const next = new Map<string, number>();
  const deleted = new Set<string>();
  const written: Written[] = [];
  const steps = 2000;
  for (let i = 0; i < steps; i++) {
    seconds += prng.below(Math.floor((2 * days * DAY_SECONDS) / steps));
    const category = prng.pick(['ga', 'gb', 'gc', 'gd', 'ge']);
    const stream = `${category}-${prng.below(20)}`;
    if (deleted.has(stream)) continue;
    const number = next.get(stream) ?? 0;
    if (number === 0) {
      if (category in AGE_DAYS)
        appender.setMetadata(stream, `{"$maxAge":${AGE_DAYS[category as 'gb'] * DAY_SECONDS}}`);
      if (category in COUNTS) appender.setMetadata(stream, `{"$maxCount":${COUNTS[category as 'gd']}}`);
    }
    appender.append(stream, [{ eventType: 'Made', data: Buffer.alloc(prng.below(300)) }]);
    next.set(stream, number + 1);
    written.push({ stream, number, seconds });
    if (category === 'ge' && prng.chance(0.05)) {
      appender.hardDelete(stream);
      deleted.add(stream);
    }
  }
  writer.close();
  database.close();
  return { dataDirectory, endSeconds: seconds, written };
}

async function growthOf(
  { dataDirectory, endSeconds }: Grown,
  top = 1000
): Promise<{
  growth: LogGrowth | undefined;
  pointPosition: number;
}> {
  const { operation, newGuid } = scavengeEnvironment();
  const usage = await readUsage({
    fileSystem,
    dataDirectory,
    effectiveNow: ticksFromIso(SAMPLE_TIME)! + BigInt(endSeconds) * TICKS_PER_SECOND,
    digests: new ChunkDigests({ fileSystem, newGuid, threads: 1 }),
    operation,
    newGuid
  });
  try {
    const growth = await readGrowth(usage, { top, breathe: () => Promise.resolve() });
    return { growth, pointPosition: usage.point!.position };
  } finally {
    usage.close();
  }
}

/** Bytes with index entries a day, by category and by what becomes of them. */
function naive(grown: Grown, growth: LogGrowth, pointPosition: number): Map<string, Record<string, number>> {
  const newest = new Map(grown.written.map(({ stream, number }) => [stream, number]));
  const database = openDatabase({ fileSystem, dataDirectory: grown.dataDirectory });
  // A scavenge counts up to its point.
  const newestBefore = new Map<string, number>();
  const deletedBefore = new Set<string>();
  const before = database.log.cursor();
  while (before.next() && before.record.position < pointPosition) {
    const { record: known } = before;
    if (known.kind !== 'prepare') continue;
    newestBefore.set(known.stream, known.eventNumber);
    if (known.isTombstone) deletedBefore.add(known.stream);
  }
  before.close();
  const rates = new Map<string, Record<string, number>>();
  const cursor = database.log.cursor();
  while (cursor.next()) {
    const { record } = cursor;
    if (record.kind !== 'prepare' || record.ticks < growth.from) continue;
    const { stream, eventNumber } = record;
    const category = stream.slice(0, stream.indexOf('-'));
    if (!/^g[a-e]$/.test(category)) continue;
    const isNewest = eventNumber === newest.get(stream);
    const endTicks = ticksFromIso(SAMPLE_TIME)! + BigInt(grown.endSeconds) * TICKS_PER_SECOND;
    const ageSeconds = Number(endTicks - record.ticks) / Number(TICKS_PER_SECOND);
    const maxDays = AGE_DAYS[category as 'gb'] as number | undefined;
    const isTombstone = record.eventType === '$streamDeleted';
    const isGone =
      (deletedBefore.has(stream) && !isTombstone) ||
      (eventNumber < (newestBefore.get(stream) ?? -1) &&
        maxDays !== undefined &&
        ageSeconds > maxDays * DAY_SECONDS) ||
      (category in COUNTS && eventNumber <= (newestBefore.get(stream) ?? -1) - COUNTS[category as 'gd']);
    const fate =
      isGone && record.position < pointPosition
        ? 'removablePerDay'
        : maxDays !== undefined && !isNewest
          ? 'expiringPerDay'
          : 'lastingPerDay';
    const rate = rates.get(category) ?? { lastingPerDay: 0, expiringPerDay: 0, removablePerDay: 0 };
    rate[fate]! += (record.length + 8 + 24) / growth.days;
    rates.set(category, rate);
  }
  cursor.close();
  database.close();
  return rates;
}

describe('the growth of a log', () => {
  it.each(seedList(3))('is what a naive walk adds up, by what becomes of it (seed %i)', async (seed) => {
    const grown = await grow(seed, 22);
    const { growth, pointPosition } = await growthOf(grown);
    expect(growth!.days).toBeGreaterThan(15);
    const rates = naive(grown, growth!, pointPosition);
    for (const [category, rate] of rates) {
      const counted = growth!.categories.find((row) => row.category === category)!;
      for (const [name, bytes] of Object.entries(rate)) {
        expect(counted[name as 'lastingPerDay'], `${category} ${name}`).toBeCloseTo(bytes, 3);
      }
    }
    expect(growth!.removablePerDay).toBeGreaterThan(0);
    expect(growth!.expiringPerDay).toBeGreaterThan(0);
    expect(growth!.expiringDays).toBeGreaterThan(AGE_DAYS.gb);
    expect(growth!.expiringDays).toBeLessThan(AGE_DAYS.gc);
    expect(growth!.writtenPerDay).toBeGreaterThan(growth!.logPerDay);
  });

  it('looks back thirty days at most, from the first record of a chunk on', async () => {
    const { growth } = await growthOf(await grow(4, 90));
    expect(growth!.days).toBeLessThanOrEqual(30);
    expect(growth!.days).toBeGreaterThan(10);
  });

  it('is not known of a log that covers less than a day', async () => {
    const grown = await grow(5, 0.2);
    const { growth } = await growthOf(grown);
    // The sample before it is older: what is recent begins with a chunk, not with the sample.
    if (growth) expect(growth.days).toBeGreaterThanOrEqual(1);
  });

  it('says the same in sum whatever the number of categories shown', async () => {
    const grown = await grow(6, 22);
    const [all, few] = [(await growthOf(grown)).growth!, (await growthOf(grown, 2)).growth!];
    const sum = ({ categories }: LogGrowth) => categories.reduce((bytes, row) => bytes + row.bytesPerDay, 0);
    expect(few.categories.map(({ category }) => category)).toEqual([
      ...all.categories.slice(0, 2).map(({ category }) => category),
      '(others)'
    ]);
    expect(sum(few)).toBeCloseTo(sum(all), 3);
    expect(sum(all)).toBeCloseTo(all.lastingPerDay + all.expiringPerDay + all.removablePerDay, 3);
  });
});
