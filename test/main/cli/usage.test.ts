/** `winnow usage`, `winnow forecast`, `winnow projections` and `winnow thresholds` as a user meets them: words, JSON, CSV, ncdu, threads, what is kept. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  forecastDocument,
  projectionsReport,
  thresholdsReport,
  usageReport
} from '../../../src-main/contract/operations/usage-reports.ts';
import { scavengeReport } from '../../../src-main/contract/operations/reports.ts';
import { jsonOf, runWinnow } from './run-winnow.ts';

const NOW = ['--now', '2026-01-01T00:00:00Z'];
let home: string;
let directory: string;
let environment: Record<string, string>;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'winnow-usage-test-'));
  environment = { WINNOW_HOME: join(home, 'home') };
  directory = join(home, 'sample');
  const size = ['--size', '3MiB', '--chunk-size', '512KiB', '--seed', '4'];
  const made = await runWinnow(['sample', directory, ...size, ...NOW, '--yes'], { environment });
  expect(made, made.stderr).toMatchObject({ exitCode: 0 });
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const usage = (...words: string[]) => runWinnow(['usage', directory, ...NOW, ...words], { environment });

async function reported(...words: string[]) {
  const finished = await usage(...words, '--json');
  expect(finished, finished.stderr).toMatchObject({ exitCode: 0 });
  return usageReport.parse(jsonOf(finished));
}

describe('winnow usage', () => {
  it('adds up to the total by whatever, with a limit too, and knows the second time what it has counted', async () => {
    const name = createHash('sha256').update(directory).digest('hex').slice(0, 32);
    const former = join(home, 'home', 'usage', name);
    mkdirSync(former, { recursive: true });
    writeFileSync(join(former, 'usage.db'), 'counts of an older version');
    const first = await reported('--threads', '2');
    expect(first).toMatchObject({ by: 'stream', itemCount: first.items.length });
    for (const by of ['stream', 'category', 'type', 'link']) {
      const report = await reported('--by', by, '--top', '3');
      expect(report.total).toEqual(first.total);
      // The chunk that is being written has no digest.
      expect(report).toMatchObject({ by, chunksRead: 1, chunksKnown: first.chunksRead - 1 });
      expect(report.items.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(first.total.bytes);
      expect(report.items.reduce((sum, { records }) => sum + records, 0)).toBe(first.total.records);
    }
    expect(readdirSync(join(home, 'home', 'digests'))).toEqual([name]);
    expect(existsSync(join(home, 'home', 'usage'))).toBe(false);
  });

  it('gives each stream the bytes that winnow streams gives it', async () => {
    const { items } = await reported();
    const { stdout } = await runWinnow(['streams', directory, '--json', ...NOW], { environment });
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { stream: string; bytes: number });
    const streams = new Map(
      rows.filter(({ bytes }) => bytes > 0).map(({ stream, bytes }) => [stream, bytes])
    );
    const counted = items.filter(({ name }) => name !== '(commits)' && name !== '(system)');
    expect(new Map(counted.map(({ name, bytes }) => [name, bytes]))).toEqual(streams);
  });

  it('shows tables with causes, days and rules to people', async () => {
    const { stdout, exitCode } = await usage(
      '--by',
      'category',
      '--calendar',
      '--what-if',
      'session:maxAge=1d'
    );
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/category +records +bytes +removable/);
    expect(stdout).toContain('tombstones of deleted streams');
    expect(stdout).toContain('session: maxAge 86,400 s');
    expect(stdout).toMatch(/2026-01-\d\d +/);
    const wrong = await usage('--what-if', 'session:maxAge');
    expect(wrong.exitCode).toBe(2);
  });

  it('writes CSV, and directories of streams that ncdu can load', async () => {
    const csv = (await usage('--csv', '--by', 'type')).stdout.split('\r\n');
    expect(csv[0]).toBe(
      'name,records,bytes,indexBytes,discardableRecords,discardableBytes,firstChunk,lastChunk'
    );
    expect(csv.length).toBeGreaterThan(5);
    const document = JSON.parse((await usage('--ncdu')).stdout) as unknown[];
    expect(document.slice(0, 2)).toEqual([1, 0]);
    const { total } = await reported();
    expect(ncduBytes(document[3])).toBe(total.bytes);
  });
});

describe('winnow forecast', () => {
  it('says how fast the log grows, by category, and when the disk is full', async () => {
    const words = ['forecast', directory, ...NOW];
    const finished = await runWinnow([...words, '--json', '--days', '7'], { environment });
    expect(finished, finished.stderr).toMatchObject({ exitCode: 0 });
    const document = forecastDocument.parse(jsonOf(finished));
    const { growth, full, freeBytes, freedNowBytes, curve, byCategory } = document;
    const { spaceSaved } = await reported();
    expect(freedNowBytes).toBe(spaceSaved.total);
    const rates = growth!;
    const sum = byCategory.reduce((bytes, { bytesPerDay }) => bytes + bytesPerDay, 0);
    const left = rates.lastingPerDay + rates.expiringPerDay + rates.removablePerDay;
    expect(Math.abs(sum - left)).toBeLessThan(byCategory.length + 3);
    expect(curve.map(({ day }) => day)).toEqual(Array.from({ length: 7 }, (_, day) => `2026-01-0${day + 1}`));
    const days = freeBytes / rates.writtenPerDay;
    if (days > 36_500) expect(full.withoutScavenges).toBeNull();
    else expect(full.withoutScavenges!.days).toBeCloseTo(days, 1);
    // As scripts ask for it.
    expect(document.bytesPerDay).toBe(rates.writtenPerDay);
    expect(document.fullAt).toBe(full.withoutScavenges?.at ?? null);
    expect(document.fullAtAfterScavenges).toBe(full.withScavenges?.at ?? null);
    const { stdout } = await runWinnow([...words, '--top', '2'], { environment });
    expect(stdout).toMatch(/^grows by +\S+ \S+ a day$/m);
    expect(stdout).toMatch(/^full with regular scavenges +\S+/m);
    expect(stdout).toMatch(/category +a day +stays +expires +removable\n.*\n.*\n\(others\)/);
  });

  it('refuses a curve of too many days', async () => {
    const finished = await runWinnow(['forecast', directory, '--days', '366'], { environment });
    expect(finished.exitCode).toBe(2);
    expect(finished.stderr).toContain('365');
  });
});

describe('winnow plan', () => {
  const plan = (...words: string[]) =>
    runWinnow(['plan', directory, '--scavenge-point', 'detached', ...NOW, '--json', ...words], {
      environment
    });

  it('says in JSON by which rules records go, adding up to all that go; without on request', async () => {
    const report = scavengeReport.parse(jsonOf(await plan()));
    expect(report.byRule!.length).toBeGreaterThan(2);
    const records = report.byRule!.reduce((sum, one) => sum + one.records, 0);
    const bytes = report.byRule!.reduce((sum, one) => sum + one.bytes, 0);
    expect([records, bytes]).toEqual([report.recordsDiscarded, report.removed!.bytes]);
    expect(records).toBeGreaterThan(0);
    const without = scavengeReport.parse(jsonOf(await plan('--no-breakdown')));
    expect([without.byRule, without.removed]).toEqual([undefined, undefined]);
    expect(without.planId).toBe(report.planId);
  });
});

describe('winnow projections', () => {
  it('says of links what usage says of them, and what doing without would save', async () => {
    const words = ['projections', directory, ...NOW];
    const finished = await runWinnow([...words, '--json'], { environment });
    expect(finished, finished.stderr).toMatchObject({ exitCode: 0 });
    const report = projectionsReport.parse(jsonOf(finished));
    const { items, unfreeable } = await reported('--by', 'link');
    for (const source of ['$ce-', '$et-'] as const) {
      const { records, bytes, indexBytes } = items.find(({ name }) => name === source)!;
      expect(report.sources.find((price) => price.source === source)).toMatchObject({
        projection: source === '$ce-' ? '$by_category' : '$by_event_type',
        records,
        bytes,
        indexBytes
      });
      expect(report.savings).toContainEqual(
        expect.objectContaining({ measure: 'switchOff', source, bytes: bytes + indexBytes })
      );
    }
    const dead = report.sources.reduce((sum, { deadRecords }) => sum + deadRecords, 0);
    expect(dead).toBe(unfreeable.find(({ cause }) => cause === 'deadLinks')?.records ?? 0);
    const both = report.savings.filter(({ measure }) => measure === 'switchOff');
    expect(report.savings.find(({ measure }) => measure === 'secondaryIndexes')?.bytes).toBe(
      both.reduce((sum, { bytes }) => sum + bytes, 0)
    );
    expect(report.amplification?.bytes).toBeGreaterThan(1);
    const { stdout } = await runWinnow([...words, '--top', '1'], { environment });
    expect(stdout).toMatch(/written by +records +bytes +index +dead links +a day +streams/);
    expect(stdout).toContain('$by_category ($ce-)');
    expect(stdout).toMatch(/secondary indexes instead of \$ce- and \$et- +\S+ \S+ +\S+ \S+/);
  });
});

describe('winnow thresholds', () => {
  it('frees less and less with rising thresholds, and says what its times go by', async () => {
    const words = ['thresholds', directory, ...NOW];
    const finished = await runWinnow([...words, '--json'], { environment });
    expect(finished, finished.stderr).toMatchObject({ exitCode: 0 });
    const { rows, rate } = thresholdsReport.parse(jsonOf(finished));
    expect(rate?.source).toBe('measured');
    expect(rows[0]).toMatchObject({ threshold: -1 });
    const freed = rows.map(({ bytesFreed }) => bytesFreed);
    expect(freed[0]).toBeGreaterThan(0);
    expect(freed).toEqual([...freed].sort((a, b) => b - a));
    const text = (await runWinnow([...words, '--threshold', '0', '--threshold', '700'], { environment }))
      .stdout;
    expect(text).toMatch(/threshold +would free +chunk files +index +records +chunks/);
    // One number: the plan up to the same point says it too, and so does the usage report.
    const planWords = ['plan', directory, '--scavenge-point', 'detached', ...NOW];
    const planned = await runWinnow([...planWords, '--json'], { environment });
    const report = scavengeReport.parse(jsonOf(planned));
    expect(report.spaceSaved).toEqual(rows.find(({ threshold }) => threshold === 0)?.spaceSaved);
    expect((await runWinnow(planWords, { environment })).stdout).toMatch(/would free +\S+ KiB: /);
    const { spaceSaved, savings } = await reported();
    expect(spaceSaved).toEqual(report.spaceSaved);
    expect(savings.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(report.spaceSavedBytes);
    expect(text).toContain('by a short measurement of this disk');
  });
});

/** Sum of a directory as ncdu's format has it: an array whose first element names it. */
function ncduBytes(directory: unknown): number {
  if (!Array.isArray(directory)) throw new Error('not a directory');
  const [head, ...items] = directory as [{ name: string }, ...unknown[]];
  expect(typeof head.name).toBe('string');
  return items.reduce<number>((sum, item) => {
    if (Array.isArray(item)) return sum + ncduBytes(item);
    const file = item as { name: string; asize: number; dsize: number };
    expect(file.name).not.toContain('/');
    return sum + file.asize;
  }, 0);
}
