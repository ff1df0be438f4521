/**
 * Random logs with transactions, deletes, metadata, epochs and scavenge points, of which random streams become a new database:
 * it is verified, read as readers read it, appended to and scavenged, and stream by stream its raw bytes have what those of the
 * source have, in the order of the numbers.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  EventAppender,
  LogWriter,
  NodeFileSystem,
  openDatabase,
  ticksFromIso
} from '../../../src-core/index.ts';
import { hashStream } from '../../../src-core/index/stream-hash.ts';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import { requests } from '../../../src-main/contract/operations/operation-contract.ts';
import type { EventRow } from '../../../src-main/contract/operations/reports.ts';
import { runReportOperation, runStreamOperation } from '../../../src-main/operations/operation-table.ts';
import { RandomLog } from '../../campaign/random-log.ts';
import { guidsFrom } from '../../support/crash-database.ts';
import { directoryTree } from '../../support/directory-tree.ts';
import { exportTo, extractionContext } from '../../support/extraction.ts';
import { damageOf, removeUnpacked, unpackDamaged, unpackDatabase } from '../../support/golden.ts';
import { naiveEvents, type NaiveEvent } from '../../support/naive-events.ts';
import { Prng } from '../../support/prng.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { seedList } from '../../support/seeds.ts';

const SEEDS = seedList(15);
const fileSystem = new NodeFileSystem();

let root = '';
let target = '';
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-export-model-'));
  target = path.join(root, 'new');
});
afterEach(() => {
  removeUnpacked();
  fs.rmSync(root, { recursive: true, force: true });
});

async function randomLog(seed: number): Promise<RandomLog> {
  const dataDirectory = path.join(root, 'db');
  fs.mkdirSync(dataDirectory);
  const log = new RandomLog({ dataDirectory, random: new Prng(seed), hasher: hashStream });
  log.grow({ steps: 300 });
  await log.growIndex();
  return log;
}

/** What of an event must be the same, wherever it lies. */
function factsOf({ eventNumber, eventType, eventId, ticks, isJson, data, metadata }: NaiveEvent) {
  return [eventNumber, eventType, eventId, ticks, isJson, data.toString('hex'), metadata.toString('hex')];
}

function byStream(events: readonly NaiveEvent[]): Map<string, NaiveEvent[]> {
  return Map.groupBy(events, ({ stream }) => stream);
}

/** By their numbers: members of transactions lie in the source before they are numbered. */
function inOrder(events: readonly NaiveEvent[]): NaiveEvent[] {
  return [...events].sort((a, b) => (BigInt(a.eventNumber) < BigInt(b.eventNumber) ? -1 : 1));
}

async function requireSound(dataDirectory: string): Promise<void> {
  const request = requests.verifyDatabase.parse({ dataDirectory });
  const { ok, findings } = await runReportOperation('verifyDatabase', request, extractionContext());
  expect(findings.filter(({ severity }) => severity === 'damage')).toEqual([]);
  expect(ok).toBe(true);
  const start = requests.examineStart.parse({ dataDirectory, thorough: true });
  const { prediction } = await runReportOperation('examineStart', start, extractionContext());
  expect(prediction.starts).toBe(true);
}

/** What a reader gets, or the code of its refusal. */
async function readerOf(dataDirectory: string, stream: string): Promise<unknown> {
  const request = requests.readStream.parse({
    dataDirectory,
    stream,
    data: 'hex',
    now: '2025-06-01T00:00:00Z'
  });
  const rows: EventRow[] = [];
  try {
    for await (const batch of runStreamOperation('readStream', request, extractionContext()))
      rows.push(...batch);
  } catch (error) {
    return (error as { code?: string }).code;
  }
  return rows.map(({ position: _place, ...row }) => row);
}

/** As a server would, that opened the new database. */
function appendTo(dataDirectory: string, stream: string, last: number): void {
  const database = openDatabase({ fileSystem, dataDirectory });
  const newGuid = guidsFrom(99);
  const writer = LogWriter.open({ fileSystem, directory: dataDirectory, newGuid }, database.chunkSet);
  const now = () => ticksFromIso('2025-07-01T00:00:00Z')!;
  const appender = new EventAppender({ writer, newGuid, now, lastEventNumber: () => last });
  appender.append(stream, [{ eventType: 'later', data: Buffer.from('{}') }]);
  writer.close();
  database.close();
}

describe('an exported database', () => {
  it.each(SEEDS)('has the chosen streams as they are, and lives on (seed %i)', async (seed) => {
    const { dataDirectory } = await randomLog(seed);
    const random = new Prng(seed * 31);
    const source = naiveEvents(dataDirectory);
    const names = [...byStream(source).keys()].filter(
      (name) => !name.startsWith('$$') && name !== '$epoch-information'
    );
    const streams = random.shuffled(names).slice(0, 1 + random.below(5));
    const inCategories = names.filter((name) => name.includes('-'));
    const categories =
      random.chance(0.3) && inCategories.length > 0 ? [random.pick(inCategories).split('-')[0]!] : [];
    const before = directoryTree(dataDirectory);
    const request = {
      dataDirectory,
      streams,
      categories,
      toDatabase: target,
      chunkSizeBytes: 16_384,
      check: true
    };
    const report = await exportTo(request);
    expect(directoryTree(dataDirectory)).toEqual(before);

    const isChosen = (name: string): boolean => {
      const own = name.startsWith('$$') ? name.slice(2) : name;
      return streams.includes(own) || categories.some((category) => own.startsWith(`${category}-`));
    };
    const wanted = byStream(source.filter(({ stream }) => isChosen(stream)));
    const found = byStream(naiveEvents(target).filter(({ stream }) => stream !== '$epoch-information'));
    expect([...found.keys()].sort()).toEqual([...wanted.keys()].sort());
    for (const [stream, events] of found) {
      expect(events.map(factsOf), stream).toEqual(inOrder(wanted.get(stream)!).map(factsOf));
    }
    const count = [...wanted.values()].reduce((sum, events) => sum + events.length, 0);
    expect(report).toMatchObject({ ok: true, events: count, check: { agrees: true, events: count } });
    expect(report.written).toMatchObject({ indexEntries: count + 1, chunkSize: 16_384 });

    await requireSound(target);
    for (const stream of wanted.keys()) {
      expect(await readerOf(target, stream), stream).toEqual(await readerOf(dataDirectory, stream));
    }
    // What the server writes by itself is nobody's to append to: a scavenge goes by $scavengePoints.
    const open = streams.find(
      (stream) =>
        !stream.startsWith('$') && !found.get(stream)!.some(({ eventNumber }) => eventNumber.length > 15)
    );
    if (open !== undefined) appendTo(target, open, Number(found.get(open)!.at(-1)!.eventNumber));
    await runScavenge(
      scavengeRequest(target, { scavengePoint: 'new', singleNode: true, threshold: -1 }),
      scavengeEnvironment()
    );
    await requireSound(target);
  });

  it.each(SEEDS.slice(0, 4))(
    'is the same from an encoded backup, and after a stop (seed %i)',
    async (seed) => {
      const { dataDirectory } = await randomLog(seed);
      const backups = path.join(root, 'backups');
      const backup = requests.createBackup.parse({ dataDirectory, target: backups, compress: true });
      await runReportOperation('createBackup', backup, extractionContext());
      const options = { categories: ['a', 'bc'], chunkSizeBytes: 8192 };
      await exportTo({ dataDirectory, toDatabase: target, ...options });
      const expected = naiveEvents(target).filter(({ stream }) => stream !== '$epoch-information');
      const other = path.join(root, 'other');
      const aborted = new AbortController();
      let calls = 0;
      const stopping = exportTo(
        { dataDirectory: backups, toDatabase: other, ...options },
        { signal: aborted.signal, onProgress: () => ++calls > 1 && aborted.abort() }
      );
      const stopped: unknown = await stopping.then(
        () => undefined,
        (error: unknown) => error
      );
      // On a busy machine the second report may be the last one, when nothing is left to stop.
      if (stopped !== undefined) {
        expect(stopped).toMatchObject({ name: 'OperationStopped' });
        expect(fs.existsSync(other)).toBe(false);
        await exportTo({ dataDirectory: backups, toDatabase: other, ...options });
      }
      const found = naiveEvents(other).filter(({ stream }) => stream !== '$epoch-information');
      expect(found.map(factsOf)).toEqual(expected.map(factsOf));
      await requireSound(other);
      expect(fs.readdirSync(root).sort()).toEqual(['backups', 'db', 'new', 'other']);
    }
  );

  it.each(['rules', 'tables'])('is made of the streams of a real server (%s)', async (name) => {
    const dataDirectory = unpackDatabase({ name, folder: 'before' });
    const all = naiveEvents(dataDirectory);
    const streams = [...byStream(all).keys()].filter((one) => !one.startsWith('$'));
    const report = await exportTo({ dataDirectory, streams, toDatabase: target });
    expect(report.written).toMatchObject({ chunkSize: 256 * 1024 * 1024, chunks: 1 });
    await requireSound(target);
    for (const stream of streams.slice(0, 40)) {
      expect(await readerOf(target, stream), stream).toEqual(await readerOf(dataDirectory, stream));
    }
  });

  it('of a damaged source lacks only what is named, and is sound', async () => {
    const name = 'damaged-a-record-length-prefix';
    const whole = unpackDatabase(damageOf(name).base);
    const streams = [...byStream(naiveEvents(whole)).keys()].filter((one) => !one.startsWith('$'));
    const report = await exportTo({ dataDirectory: unpackDamaged(name), streams, toDatabase: target });
    expect(report.ok).toBe(false);
    expect(report.unreadable[0]!.file).toMatch(/^chunk-/);
    await requireSound(target);
  });

  it('is refused where something lies, inside the source, without streams, and for another question', async () => {
    const { dataDirectory } = await randomLog(3);
    const refused = (request: object) =>
      expect(exportTo({ dataDirectory, streams: ['a-1'], toDatabase: target, ...request })).rejects;
    await refused({ streams: [] }).toThrow('No stream is named');
    await refused({ toDatabase: path.join(dataDirectory, 'new') }).toThrow('which is what is read');
    await refused({ toDatabase: root }).toThrow('contain one another');
    fs.mkdirSync(target);
    fs.writeFileSync(path.join(target, 'mine'), 'mine');
    await refused({}).toThrow('is not empty');
    expect(fs.readdirSync(target)).toEqual(['mine']);
    fs.rmSync(target, { recursive: true });
    fs.mkdirSync(`${target}.winnow-export`);
    fs.writeFileSync(path.join(`${target}.winnow-export`, 'winnow-export.json'), '{"version":1}');
    await refused({}).toThrow('not the state of an unfinished extraction');
    await refused({ startAfresh: true }).toThrow('No event was found of stream "a-1"');
    expect(fs.existsSync(`${target}.winnow-export`)).toBe(false);
    const [known] = naiveEvents(dataDirectory).map(({ stream }) => stream);
    expect(
      await exportTo({ dataDirectory, streams: [known!], toDatabase: target, startAfresh: true })
    ).toMatchObject({
      ok: true
    });
  });
});
