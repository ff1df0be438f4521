/** What is counted against a naive count over random databases, and what can go against the plan of the scavenger. */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../../src-core/database/database.ts';
import { EventAppender } from '../../../../src-core/database/event-appender.ts';
import { compareThresholds, usageSavings } from '../../../../src-core/insight/usage/compare-thresholds.ts';
import type { Usage } from '../../../../src-core/insight/usage/read-usage.ts';
import { sumUsage } from '../../../../src-core/insight/usage/usage-items.ts';
import { LogWriter } from '../../../../src-core/log/log-writer.ts';
import { planScavenge, runScavenge } from '../../../../src-core/scavenge/run-scavenge.ts';
import { NodeFileSystem } from '../../../../src-core/storage/node-file-system.ts';
import { TICKS_PER_SECOND, ticksFromIso, ticksToIso } from '../../../../src-core/units/ticks.ts';
import { Prng } from '../../../support/prng.ts';
import { answers, read, type ReadOptions } from './usage-answers.ts';
import {
  scavengeEnvironment,
  scavengeRequest,
  temporaryDirectory
} from '../../../support/scavenge-environment.ts';
import { SAMPLE_TIME, ScavengeSamples } from '../../../support/scavenge-sample.ts';
import { seedList, seedsFrom } from '../../../support/seeds.ts';

const fileSystem = new NodeFileSystem();
const samples = new ScavengeSamples();
const directories: string[] = [];

afterEach(() => {
  samples.removeAll();
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

function directory(): string {
  const made = temporaryDirectory();
  directories.push(made);
  return made;
}

function planOf(dataDirectory: string, threshold: number, now = SAMPLE_TIME) {
  const request = scavengeRequest(dataDirectory, {
    scavengePoint: 'detached',
    threshold,
    alwaysKeepScavenged: false,
    startAfresh: true,
    winnowHome: directory(),
    scratchDirectory: directory(),
    now
  });
  return planScavenge(request, scavengeEnvironment());
}

interface Sum {
  records: number;
  bytes: number;
}

/** One walk over all records, a map, additions. */
function naiveCount(
  dataDirectory: string,
  nameOf: (stream: string, type: string) => string
): Map<string, Sum> {
  const database = openDatabase({ fileSystem, dataDirectory });
  const sums = new Map<string, Sum>();
  const cursor = database.log.cursor();
  while (cursor.next()) {
    const { record } = cursor;
    const name =
      record.kind === 'prepare'
        ? nameOf(record.stream, record.eventType)
        : record.kind === 'commit'
          ? '(commits)'
          : '(system)';
    const sum = sums.get(name) ?? { records: 0, bytes: 0 };
    sum.records++;
    sum.bytes += record.length + 8;
    sums.set(name, sum);
  }
  cursor.close();
  database.close();
  return sums;
}

function linkKind(stream: string, type: string): string {
  if (type !== '$>' && type !== '$@') return '(no links)';
  if (stream.startsWith('$ce-')) return '$ce-';
  if (stream.startsWith('$et-')) return '$et-';
  return stream === '$streams' ? '$streams' : '(other links)';
}

function categoryOf(stream: string): string {
  const dash = stream.indexOf('-');
  return dash < 0 ? '(no category)' : stream.slice(0, dash);
}

/** Events of new streams at the end of the log, some of them links into older ones. */
function appendEvents(dataDirectory: string, seed: number, count: number): void {
  const prng = new Prng(seed);
  const database = openDatabase({ fileSystem, dataDirectory });
  const { newGuid } = scavengeEnvironment();
  const writer = LogWriter.open({ fileSystem, directory: dataDirectory, newGuid }, database.chunkSet);
  const appender = new EventAppender({
    writer,
    newGuid,
    now: () => ticksFromIso(SAMPLE_TIME)!,
    lastEventNumber: () => -1
  });
  for (let i = 0; i < count; i++) {
    const stream = `late${seed}-${prng.below(9)}`;
    const target = `${prng.below(9)}@cart-${prng.below(200)}`;
    const isLink = prng.chance(0.3);
    const data = Buffer.from(isLink ? target : JSON.stringify({ text: 'x'.repeat(prng.below(300)) }));
    if (i === 20) appender.setMetadata(`cart-${prng.below(40)}`, '{"$maxCount":1}');
    appender.append(isLink ? `$ce-late${seed}` : stream, [{ eventType: isLink ? '$>' : 'Added', data }]);
  }
  writer.close();
  database.close();
}

const NAMES = {
  stream: (stream: string) => stream,
  category: (stream: string) => categoryOf(stream),
  type: (_: string, type: string) => type,
  link: linkKind
} as const;

async function expectNaive(usage: Usage, dataDirectory: string): Promise<void> {
  for (const by of ['stream', 'category', 'type', 'link'] as const) {
    const naive = naiveCount(dataDirectory, NAMES[by]);
    const { items, total, itemCount } = await sumUsage(usage, by, 1_000_000);
    const counted = new Map(items.map(({ name, records, bytes }) => [name, { records, bytes }]));
    expect(counted, by).toEqual(naive);
    expect(itemCount).toBe(naive.size);
    expect(items.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(total.bytes);
    expect(items.reduce((sum, { discardableBytes }) => sum + discardableBytes, 0)).toBe(
      total.discardableBytes
    );
  }
}

describe('usage', () => {
  it.each(seedList(3))(
    'counts what a naive count counts, and frees what the plan frees (seed %i)',
    async (seed) => {
      const size = { sizeBytes: 1_500_000, chunkSizeBytes: 262_144, seed };
      const dataDirectory = await samples.write(size, { withPoint: false });
      if (seed === 3) {
        const request = scavengeRequest(dataDirectory, {
          scavengePoint: 'new',
          singleNode: true,
          now: '2025-12-20T00:00:00Z'
        });
        await runScavenge(request, scavengeEnvironment());
      }
      const usage = await read(dataDirectory);
      await expectNaive(usage, dataDirectory);
      const plan = await planOf(dataDirectory, -1);
      const { total } = await sumUsage(usage, 'stream', 10);
      expect(total.discardableRecords).toBe(
        plan.recordsDiscarded + keptLarger(plan.warnings.map(({ message }) => message))
      );
      expect(total.discardableRecords).toBeGreaterThan(0);
      const { operation } = scavengeEnvironment();
      const rows = await compareThresholds(usage, operation);
      expect(rows.map(({ threshold }) => threshold).slice(0, 2)).toEqual([-1, 0]);
      for (const row of rows) {
        const { chunkCount, recordsDiscarded, spaceSaved } = await planOf(dataDirectory, row.threshold);
        expect(row).toMatchObject({ chunksRewritten: chunkCount.rewritten, recordsDiscarded, spaceSaved });
      }
      const { spaceSaved, steps } = await usageSavings(usage, operation);
      expect(spaceSaved).toEqual((await planOf(dataDirectory, 0)).spaceSaved);
      expect(steps.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(spaceSaved.total);
      expect(steps[0]).toEqual({ cause: 'records', bytes: total.discardableBytes });
      usage.close();
    }
  );

  it('reads only what is new in a second run, and says the same as a first one', async () => {
    const size = { sizeBytes: 1_500_000, chunkSizeBytes: 262_144, seed: 5 };
    const dataDirectory = await samples.write(size, { withPoint: false });
    const keep = directory();
    const first = await read(dataDirectory, { keep });
    expect(first.chunksKnown).toBe(0);
    const firstAnswers = await answers(first);
    first.close();
    const again = await read(dataDirectory, { keep });
    // The chunk that is being written has no digest.
    expect(again).toMatchObject({ chunksRead: 1, chunksKnown: first.chunksRead - 1 });
    expect(again.bytesRead).toBe(again.session.database.log.chunks.at(-1)!.dataSize);
    expect(await answers(again)).toEqual(firstAnswers);
    again.close();

    for (const [round, now] of [
      '2026-01-01T00:00:00Z',
      '2026-01-03T00:00:00Z',
      '2026-02-20T00:00:00Z'
    ].entries()) {
      const knownBefore = chunkFiles(dataDirectory);
      appendEvents(dataDirectory, 10 + round, round === 0 ? 10 : 400);
      const later = await read(dataDirectory, { keep, now });
      await expectNaive(later, dataDirectory);
      const afresh = await read(dataDirectory, { now });
      expect(await answers(later)).toEqual(await answers(afresh));
      const plan = await planOf(dataDirectory, -1, now);
      const { total } = await sumUsage(later, 'type', 10);
      expect(total.discardableRecords).toBe(
        plan.recordsDiscarded + keptLarger(plan.warnings.map(({ message }) => message))
      );
      // What was completed is never read again, whatever has expired meanwhile.
      expect(later.chunksKnown).toBe(knownBefore - 1);
      later.close();
      afresh.close();
    }
  });

  it.each(seedsFrom(21, 3))(
    'says the same at any time with a count that is kept, and without (seed %i)',
    async (seed) => {
      const prng = new Prng(seed);
      const size = { sizeBytes: 700_000, chunkSizeBytes: 131_072, seed };
      const dataDirectory = await samples.write(size, { withPoint: false });
      appendEvents(dataDirectory, seed, 60);
      const keep = directory();
      const counts = () =>
        readdirSync(keep)
          .filter((name) => name.endsWith('.usage'))
          .map((name) => statSync(join(keep, name), { bigint: true }).mtimeNs);
      const answersAt = async (options: ReadOptions) => {
        const usage = await read(dataDirectory, options);
        const answered = await answers(usage);
        usage.close();
        return answered;
      };
      let takenUp = 0;
      let ticks: bigint = ticksFromIso(SAMPLE_TIME)!;
      for (let round = 0; round < 24; round++) {
        const before = counts();
        const seconds = BigInt(prng.below(4) === 0 ? prng.below(40 * 86_400) : prng.below(1200));
        ticks += seconds * TICKS_PER_SECOND;
        const now = ticksToIso(ticks);
        expect(await answersAt({ keep, now }), `at ${now}`).toEqual(await answersAt({ now }));
        if (String(counts()) === String(before)) takenUp++;
      }
      // At the same time nothing is counted again.
      const now = ticksToIso(ticksFromIso(SAMPLE_TIME)!);
      await answersAt({ keep, now });
      const counted = counts();
      await answersAt({ keep, now });
      expect(counts()).toEqual(counted);
      expect(takenUp).toBeGreaterThan(0);
      expect(takenUp).toBeLessThan(24);
    }
  );

  it.each(seedsFrom(11, 2))(
    'says the same with digests, without, with damaged ones, and part by part (seed %i)',
    async (seed) => {
      const prng = new Prng(seed);
      const size = { sizeBytes: 1_500_000, chunkSizeBytes: 262_144, seed };
      const dataDirectory = await samples.write(size, { withPoint: false });
      appendEvents(dataDirectory, seed, 200);
      const keep = directory();
      const answersWith = async (options: ReadOptions) => {
        const usage = await read(dataDirectory, options);
        const { chunksRead } = usage;
        const answered = await answers(usage);
        usage.close();
        return { answered, chunksRead };
      };
      const { answered: expected, chunksRead: all } = await answersWith({});
      expect(await answersWith({ keep })).toEqual({ answered: expected, chunksRead: all });
      expect(await answersWith({ keep })).toEqual({ answered: expected, chunksRead: 1 });
      expect((await answersWith({ keep, mostNames: 50 })).answered).toEqual(expected);
      for (let round = 0; round < 3; round++) {
        const { digests, isCountWhole } = damage(keep, prng);
        const { answered, chunksRead } = await answersWith({ keep });
        expect(answered).toEqual(expected);
        // A count that is still whole is taken as it is: of a digest it needs no more than its head.
        if (isCountWhole) expect(chunksRead).toBeLessThanOrEqual(digests + 1);
        else expect(chunksRead).toBe(digests + 1);
        await answersWith({ keep }); // what was cut or flipped was removed, and is made again
        expect(readdirSync(keep).filter(isDigest)).toHaveLength(all - 1);
        expect(await answersWith({ keep })).toEqual({ answered: expected, chunksRead: 1 });
      }
    },
    60_000
  );
});

const isDigest = (name: string) => name.endsWith('.digest');

/** Deletes, cuts or flips each file by lot: how many digests, and whether the count made of them is left whole. */
function damage(keep: string, prng: Prng): { digests: number; isCountWhole: boolean } {
  let digests = 0;
  let isCountWhole = false;
  // By size: the names are made of what the disk calls the chunks, another thing at each run.
  const files = readdirSync(keep)
    .map((name) => ({ name, bytes: readFileSync(join(keep, name)) }))
    .sort((a, b) => a.bytes.length - b.bytes.length || a.bytes.compare(b.bytes));
  for (const { name, bytes } of files) {
    const file = join(keep, name);
    const at = prng.below(bytes.length);
    const lot = prng.below(4);
    if (lot === 0) rmSync(file);
    else if (lot === 1) writeFileSync(file, bytes.subarray(0, at));
    else if (lot === 2) {
      bytes[at] = bytes[at]! ^ (1 << prng.below(8));
      writeFileSync(file, bytes);
    }
    if (isDigest(name)) digests += lot < 3 ? 1 : 0;
    else isCountWhole ||= lot === 3;
  }
  return { digests, isCountWhole };
}

function chunkFiles(dataDirectory: string): number {
  return readdirSync(dataDirectory).filter((name) => name.startsWith('chunk-')).length;
}

/** Records that could go from chunks that would not become smaller. */
function keptLarger(messages: readonly string[]): number {
  return messages.reduce(
    (sum, message) => sum + Number(/with (\d+) deleted or expired/.exec(message)?.[1] ?? 0),
    0
  );
}
