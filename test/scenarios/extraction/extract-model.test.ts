/**
 * Random logs with transactions, deletes, metadata, epochs and scavenge points, and random questions: what is extracted is
 * what a few lines that read the raw bytes of the chunk files find, in every format, from the node and from its backups.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashStream } from '../../../src-core/index/stream-hash.ts';
import { EngineError, NodeFileSystem, ticksToIso } from '../../../src-core/index.ts';
import { CSV_COLUMNS } from '../../../src-main/operations/extraction/csv-rows.ts';
import { requests } from '../../../src-main/contract/operations/operation-contract.ts';
import { runReportOperation } from '../../../src-main/operations/operation-table.ts';
import { RandomLog } from '../../campaign/random-log.ts';
import { extract, extractionContext, linesOfFile, type ExtractedLine } from '../../support/extraction.ts';
import { naiveEvents, type NaiveEvent } from '../../support/naive-events.ts';
import { Prng } from '../../support/prng.ts';
import { seedList } from '../../support/seeds.ts';

const SEEDS = seedList(12);

let root = '';
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-extract-model-'));
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

async function randomLog(seed: number): Promise<RandomLog> {
  const dataDirectory = path.join(root, 'db');
  fs.mkdirSync(dataDirectory);
  const log = new RandomLog({ dataDirectory, random: new Prng(seed), hasher: hashStream });
  log.grow({ steps: 250 });
  await log.growIndex();
  return log;
}

interface Question {
  streams?: string[];
  categories?: string[];
  types?: string[];
  fromTime?: string;
  toTime?: string;
  fromPosition?: number;
  toPosition?: number;
  systemStreams?: boolean;
}

function randomQuestion(random: Prng, events: readonly NaiveEvent[]): Question {
  const some = (): NaiveEvent => random.pick(events);
  const question: Question = {};
  if (random.chance(0.4)) question.streams = [some().stream, some().stream];
  if (random.chance(0.4)) question.categories = [some().stream.split('-')[0]!, 'nothing'];
  if (random.chance(0.3)) question.types = [some().eventType];
  if (random.chance(0.3)) question.systemStreams = true;
  const [one, other] = [some(), some()].sort((a, b) => a.position - b.position);
  if (random.chance(0.3)) question.fromPosition = one!.position + random.below(3);
  if (random.chance(0.3)) question.toPosition = other!.position + 1 + random.below(3);
  if (random.chance(0.3)) question.fromTime = ticksToIso(one!.ticks);
  if (random.chance(0.3)) question.toTime = ticksToIso(other!.ticks + 1n);
  const { fromPosition = 0, toPosition = Infinity } = question;
  if (fromPosition >= toPosition) delete question.toPosition;
  return question;
}

/** The rules of the page about it, in their simplest form. */
function isWanted(event: NaiveEvent, question: Question): boolean {
  const { streams, categories, types, fromPosition = 0, toPosition = Infinity } = question;
  const { stream, position, ticks } = event;
  const category = stream.includes('-') ? stream.slice(0, stream.indexOf('-')) : undefined;
  const withSystem = question.systemStreams === true || types?.some((type) => type.startsWith('$')) === true;
  const isNamed =
    streams || categories
      ? (streams ?? []).includes(stream) || (category !== undefined && (categories ?? []).includes(category))
      : withSystem || !stream.startsWith('$');
  const isInTime =
    (question.fromTime === undefined || ticksToIso(ticks) >= question.fromTime) &&
    (question.toTime === undefined || ticksToIso(ticks) < question.toTime);
  const isOfType = types === undefined || types.includes(event.eventType);
  return isNamed && isInTime && isOfType && position >= fromPosition && position < toPosition;
}

/** Named, and not among what is wanted; metadata show that their stream is there. */
function absentOf({ streams = [], categories = [] }: Question, wanted: readonly NaiveEvent[]) {
  const met = wanted.flatMap(({ stream }) =>
    stream.startsWith('$$') ? [stream, stream.slice(2)] : [stream]
  );
  return {
    streams: [...new Set(streams)].filter((name) => !met.includes(name)).sort(),
    categories: [...new Set(categories)]
      .filter((name) => !met.some((one) => one.startsWith(`${name}-`)))
      .sort()
  };
}

function isBounded({ types, fromTime, toTime, fromPosition, toPosition }: Question): boolean {
  return [types, fromTime, toTime, fromPosition, toPosition].some((bound) => bound !== undefined);
}

function lineOf(event: NaiveEvent): ExtractedLine {
  const { stream, eventType, eventId, ticks, position, isJson } = event;
  const parsed = (bytes: Buffer): unknown => {
    try {
      return JSON.parse(bytes.toString('utf8'));
    } catch {
      return undefined;
    }
  };
  const number = BigInt(event.eventNumber);
  const data = isJson ? parsed(event.data) : undefined;
  const metadata = event.metadata.length === 0 ? null : parsed(event.metadata);
  return {
    stream,
    eventNumber: number > BigInt(Number.MAX_SAFE_INTEGER) ? String(number) : Number(number),
    eventType,
    eventId,
    time: ticksToIso(ticks),
    position,
    isJson,
    ...(data === undefined ? { data: event.data.toString('base64'), dataEncoding: 'base64' } : { data }),
    ...(metadata === undefined
      ? { metadata: event.metadata.toString('base64'), metadataEncoding: 'base64' }
      : { metadata })
  };
}

async function takeBackup(dataDirectory: string, more: object): Promise<string> {
  const target = path.join(root, 'backups');
  const request = requests.createBackup.parse({ dataDirectory, target, ...more });
  await runReportOperation('createBackup', request, extractionContext());
  return target;
}

describe('an extraction', () => {
  it.each(SEEDS)('has what the raw bytes of the chunks have, for any question (seed %i)', async (seed) => {
    const { dataDirectory } = await randomLog(seed);
    const random = new Prng(seed * 7919);
    const events = naiveEvents(dataDirectory);
    for (let i = 0; i < 8; i++) {
      const question = i === 0 ? { systemStreams: true } : randomQuestion(random, events);
      const to = path.join(root, `out-${i}.jsonl`);
      const wanted = events.filter((event) => isWanted(event, question));
      const run = () => extract({ dataDirectory, to, ...question, check: i % 2 === 0 });
      if (wanted.length === 0 && (question.streams || question.categories) && !isBounded(question)) {
        await expect(run()).rejects.toThrow('Nothing was written.');
        expect(fs.existsSync(to)).toBe(false);
        continue;
      }
      const report = await run();
      const lines = linesOfFile(to);
      expect(lines).toEqual(wanted.map(lineOf));
      const absent = absentOf(question, wanted);
      expect({ streams: report.absent.streams.sort(), categories: report.absent.categories.sort() }).toEqual(
        absent
      );
      expect(report).toMatchObject({
        ok: isBounded(question) || absent.streams.length + absent.categories.length === 0,
        events: wanted.length,
        bytes: wanted.reduce((sum, { framedLength }) => sum + framedLength, 0),
        unreadableCount: 0,
        check: { agrees: i % 2 === 0 && !question.types ? true : null }
      });
      expect(report.streams.largest.reduce((sum, one) => sum + one.events, 0)).toBe(wanted.length);
      expect(report.files).toHaveLength(1);
      expect(report.files[0]!.bytes).toBe(fs.statSync(to).size);
    }
  });

  it.each(SEEDS.slice(0, 6))('is the same from a backup, however it is stored (seed %i)', async (seed) => {
    const { dataDirectory } = await randomLog(seed);
    const keyFile = path.join(root, 'key.txt');
    const isEncrypted = seed % 3 === 0;
    if (isEncrypted) {
      const key = requests.makeBackupKey.parse({ file: keyFile });
      await runReportOperation('makeBackupKey', key, extractionContext());
    }
    const keys = isEncrypted ? { keyFile } : {};
    const target = await takeBackup(dataDirectory, { compress: seed % 2 === 0, ...keys });
    const wanted = naiveEvents(dataDirectory).map(lineOf);
    const to = path.join(root, 'out.jsonl');
    const report = await extract({ dataDirectory: target, to, systemStreams: true, ...keys });
    expect(linesOfFile(to)).toEqual(wanted);
    expect(report.source).toMatchObject({ kind: 'backup' });
    expect(report.ok).toBe(true);
  });

  it.each(SEEDS.slice(0, 6))('has the same cells as CSV and as Parquet (seed %i)', async (seed) => {
    const { dataDirectory } = await randomLog(seed);
    const [jsonl, csv, parquet] = ['jsonl', 'csv', 'parquet'].map((format) =>
      path.join(root, `out.${format}`)
    );
    await extract({ dataDirectory, to: jsonl!, systemStreams: true });
    await extract({ dataDirectory, to: csv!, format: 'csv', systemStreams: true });
    await extract({ dataDirectory, to: parquet!, format: 'parquet', systemStreams: true });
    const events = naiveEvents(dataDirectory);
    const [names, ...rows] = parseCsv(fs.readFileSync(csv!, 'utf8'));
    expect(names).toEqual([...CSV_COLUMNS]);
    const cells = rows.map((row) => Object.fromEntries(row.map((cell, i) => [names![i]!, cell])));
    const bytesOf = (text: unknown, encoding: unknown): Buffer =>
      Buffer.from(typeof text === 'string' ? text : '', encoding === 'base64' ? 'base64' : 'utf8');
    expect(
      cells.map((row) => [
        row['stream'],
        row['eventNumber'],
        row['eventType'],
        row['eventId'],
        row['position']
      ])
    ).toEqual(
      events.map((one) => [one.stream, one.eventNumber, one.eventType, one.eventId, String(one.position)])
    );
    expect(cells.map((row) => bytesOf(row['data'], row['dataEncoding']).toString('hex'))).toEqual(
      events.map(({ data }) => data.toString('hex'))
    );
    const file = fs.readFileSync(parquet!);
    const read: Record<string, unknown>[] = await parquetReadObjects({
      file: file.buffer.slice(file.byteOffset, file.byteOffset + file.length),
      utf8: true
    });
    expect(
      read.map((row) => [row['stream'], row['eventNumber'], row['time'], row['position'], row['isJson']])
    ).toEqual(
      events.map((one) => [
        one.stream,
        BigInt(one.eventNumber),
        ticksToIso(one.ticks),
        BigInt(one.position),
        one.isJson
      ])
    );
    expect(read.map((row) => bytesOf(row['data'], row['dataEncoding']).toString('hex'))).toEqual(
      events.map(({ data }) => data.toString('hex'))
    );
    expect(read.map((row) => bytesOf(row['metadata'], row['metadataEncoding']).toString('hex'))).toEqual(
      events.map(({ metadata }) => metadata.toString('hex'))
    );
    expect((read[0]!['timestamp'] as Date).toISOString().slice(0, 23)).toBe(
      ticksToIso(events[0]!.ticks).slice(0, 23)
    );
  });

  it.each(SEEDS.slice(0, 8))(
    'of parts in a directory is that of one file, cut anywhere (seed %i)',
    async (seed) => {
      const { dataDirectory } = await randomLog(seed);
      const whole = path.join(root, 'whole.jsonl');
      await extract({ dataDirectory, to: whole });
      const to = path.join(root, 'parts');
      const report = await extract({ dataDirectory, to: `${to}/`, partBytes: 2000 });
      const names = fs.readdirSync(to).filter((name) => name.startsWith('part-'));
      expect(names.sort()).toEqual(report.files.map(({ file }) => file));
      const joined = names.map((name) => fs.readFileSync(path.join(to, name), 'utf8')).join('');
      expect(joined).toBe(fs.readFileSync(whole, 'utf8'));
      const manifest = JSON.parse(fs.readFileSync(path.join(to, 'manifest.json'), 'utf8')) as {
        files: unknown;
      };
      expect(manifest.files).toEqual(report.files);
      expect(fs.readdirSync(to)).toHaveLength(names.length + 1);
    }
  );

  it.each(SEEDS.slice(0, 10))(
    'continues where it was stopped, and ends as if it had not been (seed %i)',
    async (seed) => {
      const { dataDirectory } = await randomLog(seed);
      for (const format of ['jsonl', 'csv', 'parquet'] as const) {
        const whole = path.join(root, `whole.${format}`);
        const to = path.join(root, `out.${format}`);
        const groupRows = 5;
        const once = await extract({ dataDirectory, to: whole, format, groupRows });
        const request = { dataDirectory, to, format, groupRows, checkpointBytes: 500, bytesPerSecond: 0 };
        const { fileSystem, calls } = failingAfter(12 + (seed % 7));
        await expect(extract(request, { fileSystem })).rejects.toThrow(/full/);
        expect(calls()).toBeGreaterThan(0);
        expect(fs.existsSync(to)).toBe(false);
        const { resumedAt: at } = await extract({ ...request, dryRun: true });
        expect(at).toBeGreaterThan(0);
        const report = await extract(request);
        expect(report.resumedAt).toBe(at);
        expect(fs.readFileSync(to)).toEqual(fs.readFileSync(whole));
        const { resumedAt: _one, files, to: _to, sourceBytes: _bytes, ...rest } = report;
        const { resumedAt: _other, files: others, to: _whole, sourceBytes: _all, ...expected } = once;
        expect(rest).toEqual(expected);
        expect(files.map(({ sha256, bytes }) => [sha256, bytes])).toEqual(
          others.map(({ sha256, bytes }) => [sha256, bytes])
        );
        expect(fs.readdirSync(root).filter((name) => name.startsWith(`out.${format}.`))).toEqual([]);
      }
    }
  );
});

/** RFC 4180, by hand. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (let at = 0; at < text.length;) {
    let cell = '';
    if (text[at] === '"') {
      for (at++; !(text[at] === '"' && text[at + 1] !== '"'); at++) {
        cell += text[at]!;
        if (text[at] === '"') at++;
      }
      at++;
    } else {
      while (at < text.length && text[at] !== ',' && text[at] !== '\n') cell += text[at++]!;
    }
    rows.at(-1)!.push(cell);
    if (text[at] === '\n' && at + 1 < text.length) rows.push([]);
    at++;
  }
  return rows;
}

/** A disk that is full after so many writes and flushes of files that are created. */
function failingAfter(most: number): { fileSystem: NodeFileSystem; calls: () => number } {
  let count = 0;
  const fileSystem = new NodeFileSystem();
  const open = fileSystem.open.bind(fileSystem);
  fileSystem.open = (file, mode) => {
    const opened = open(file, mode);
    if (mode === 'read') return opened;
    const [write, sync] = [opened.write.bind(opened), opened.sync.bind(opened)];
    const counted = (act: () => void): void => {
      count++;
      if (count > most) {
        throw new EngineError({
          code: 'StorageFailed',
          message: 'The disk is full.',
          remedy: 'Free space.',
          details: { file, osCode: 'ENOSPC' }
        });
      }
      act();
    };
    opened.write = (...words) => counted(() => write(...words));
    opened.sync = () => counted(() => sync());
    return opened;
  };
  return { fileSystem, calls: () => count };
}
