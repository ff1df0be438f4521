/**
 * Events of databases of real servers as files: what the servers' own lists of records say is there; damage, of which
 * everything outside the ranges that are named is still extracted; payloads to the byte; what is refused before anything is
 * written.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EventAppender, NodeFileSystem, LogWriter, OperationStopped } from '../../../src-core/index.ts';
import { PrepareFlag } from '../../../src-core/records/log-record.ts';
import { requests } from '../../../src-main/contract/operations/operation-contract.ts';
import { runReportOperation } from '../../../src-main/operations/operation-table.ts';
import { guidsFrom } from '../../support/crash-database.ts';
import { directoryTree } from '../../support/directory-tree.ts';
import { extract, extractionContext, linesOfFile } from '../../support/extraction.ts';
import {
  damageOf,
  expectedOf,
  goldenNames,
  removeUnpacked,
  unpackDamaged,
  unpackDatabase
} from '../../support/golden.ts';

let root = '';
let to = '';
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-extract-'));
  to = path.join(root, 'out.jsonl');
});
afterEach(() => {
  removeUnpacked();
  fs.rmSync(root, { recursive: true, force: true });
});

const STORIES = [
  { name: 'rules', folder: 'before' },
  { name: 'rules', folder: 'after-t0' },
  { name: 'tables', folder: 'before' }
];

const BYTE_OF_A_PAYLOAD = new Set(['damaged-a-record-data-byte', 'damaged-a-in-last-ongoing-chunk']);

describe('the databases of real servers', () => {
  it.each(STORIES)('give the events that the server lists ($name, $folder)', async (story) => {
    const dataDirectory = unpackDatabase(story);
    const report = await extract({ dataDirectory, to, systemStreams: true });
    const wanted = expectedOf(story.name, story.folder).records.filter(({ type, flags, pos }) => {
      const bits = Number(flags);
      const isEvent = (bits & (PrepareFlag.data | PrepareFlag.streamDelete)) !== 0;
      return type === 'Prepare' && isEvent && (bits & PrepareFlag.isCommitted) !== 0 && pos < report.end;
    });
    const lines = linesOfFile(to);
    const positions = new Set(lines.map(({ position }) => position));
    expect(wanted.filter(({ pos }) => !positions.has(pos))).toEqual([]);
    const byPosition = new Map(wanted.map((one) => [one.pos, one]));
    for (const { position, stream } of lines) {
      const listed = byPosition.get(position);
      if (listed) expect(stream).toBe(listed.stream);
    }
    // The others are members of transactions, which the list shows without the number of their commit.
    expect(report).toMatchObject({ ok: true, events: lines.length });
  });

  const damaged = goldenNames().filter((name) => /^damaged-[abcdghij]-/.test(name));
  it.each(damaged)('lose only what is named (%s)', async (name) => {
    const bad = unpackDamaged(name);
    const before = directoryTree(bad);
    const report = await extract({ dataDirectory: bad, to, systemStreams: true });
    expect(directoryTree(bad)).toEqual(before);
    const lines = linesOfFile(to);
    const whole = path.join(root, 'whole.jsonl');
    await extract({ dataDirectory: unpackDatabase(damageOf(name).base), to: whole, systemStreams: true });
    const events = linesOfFile(whole);
    const found = new Map(lines.map((line) => [line.position, line]));
    const lost = events.filter(({ position }) => position < report.end && !found.has(position));
    const isNamed = (position: number): boolean =>
      report.unreadable.some(({ from, to: end }) => position >= from && position < end);
    expect(lost.filter(({ position }) => !isNamed(position))).toEqual([]);
    if (lost.length > 0) expect(report.ok).toBe(false);
    // A changed byte of a payload is only seen by a verification; everything else is as it was.
    const others = events.filter(({ position }) => found.has(position));
    const changed = others.filter(
      (line) => JSON.stringify(line) !== JSON.stringify(found.get(line.position))
    );
    expect(changed.length).toBeLessThanOrEqual(BYTE_OF_A_PAYLOAD.has(name) ? 1 : 0);
  });
});

function writeEvents(payloads: { data: Uint8Array; isJson: boolean; metadata?: Uint8Array }[]): string {
  const directory = path.join(root, 'db');
  fs.mkdirSync(directory);
  const newGuid = guidsFrom(3);
  const fileSystem = new NodeFileSystem();
  const writer = LogWriter.create({ fileSystem, directory, chunkSizeBytes: 65_536, newGuid });
  const appender = new EventAppender({
    writer,
    newGuid,
    now: () => 639_000_000_000_000_001n,
    lastEventNumber: () => -1
  });
  for (const payload of payloads) appender.append('s-1', [{ eventType: 'happened', ...payload }]);
  writer.close();
  return directory;
}

describe('payloads', () => {
  const text = (value: string): Buffer => Buffer.from(value, 'utf8');

  it('are exact: large numbers, repeated members, line breaks, bytes that are no text', async () => {
    const dataDirectory = writeEvents([
      {
        data: text('{"n":12345678901234567890,"n":1.10}'),
        isJson: true,
        metadata: text('[9007199254740993]')
      },
      { data: text('{\r\n  "a": "x\\ny"\n}\n'), isJson: true, metadata: Buffer.from([0xff, 0xfe]) },
      { data: text('{"a":"\u2028\u2029\u0085"}'), isJson: true },
      { data: text('\ufeff{}'), isJson: true },
      { data: Buffer.from([0x22, 0xff, 0x22]), isJson: true },
      { data: text('not json'), isJson: true },
      { data: text('{"a":1}'), isJson: false },
      { data: Buffer.alloc(0), isJson: false }
    ]);
    await extract({ dataDirectory, to });
    const raw = fs.readFileSync(to, 'utf8').split('\n');
    expect(raw[0]).toContain('"data":{"n":12345678901234567890,"n":1.10},"metadata":[9007199254740993]}');
    expect(raw[1]).toContain('"data":{ "a": "x\\ny" },"metadata":"//4=","metadataEncoding":"base64"}');
    expect(raw[2]).toContain('"data":{"a":"\\u2028\\u2029\\u0085"},"metadata":null}');
    expect(raw.slice(3, 8).map((line) => /"data":(.*),"metadata"/.exec(line)![1])).toEqual([
      `"${text('\ufeff{}').toString('base64')}","dataEncoding":"base64"`,
      '"Iv8i","dataEncoding":"base64"',
      `"${text('not json').toString('base64')}","dataEncoding":"base64"`,
      `"${text('{"a":1}').toString('base64')}","dataEncoding":"base64"`,
      '"","dataEncoding":"base64"'
    ]);
    expect(raw[0]).toMatch(
      /^\{"stream":"s-1","eventNumber":0,"eventType":"happened","eventId":"[0-9a-f-]{36}","time":"2025-11-29T08:00:00\.0000001Z","position":0,"isJson":true,"data":/
    );
  });
});

describe('what is refused', () => {
  const database = () => writeEvents([{ data: Buffer.from('{}'), isJson: true }]);
  const refusal = (request: Parameters<typeof extract>[0]) => expect(extract(request)).rejects;

  it('an output that exists, lies in the source, or has no directory: nothing is written', async () => {
    const dataDirectory = database();
    fs.writeFileSync(to, 'mine');
    await refusal({ dataDirectory, to }).toMatchObject({
      code: 'InvalidRequest',
      details: { field: '--to' }
    });
    expect(fs.readFileSync(to, 'utf8')).toBe('mine');
    const before = directoryTree(dataDirectory);
    await refusal({ dataDirectory, to: path.join(dataDirectory, 'out.jsonl') }).toThrow(
      'which is what is read'
    );
    await refusal({ dataDirectory, to: path.join(dataDirectory, 'index', '..', 'x') }).toThrow(
      'which is what is read'
    );
    await refusal({ dataDirectory, to: path.join(root, 'none', 'x') }).toThrow('There is no directory');
    expect(directoryTree(dataDirectory)).toEqual(before);
    fs.mkdirSync(path.join(root, 'full'));
    fs.writeFileSync(path.join(root, 'full', 'mine'), '');
    await refusal({ dataDirectory, to: path.join(root, 'full') }).toThrow('is not empty');
    const report = await extract({ dataDirectory, to, overwrite: true });
    expect(report.events).toBe(1);
    expect(linesOfFile(to)).toHaveLength(1);
  });

  it('times and positions that are none, and a source that is none', async () => {
    const dataDirectory = database();
    await refusal({ dataDirectory, to, fromTime: 'yesterday' }).toMatchObject({ code: 'InvalidRequest' });
    await refusal({ dataDirectory, to, fromTime: '2026-01-02T00:00Z', toTime: '2026-01-01T00:00Z' }).toThrow(
      'not after'
    );
    await refusal({ dataDirectory, to, fromPosition: 5, toPosition: 5 }).toThrow('not after');
    await refusal({ dataDirectory: path.join(root, 'nothing'), to }).toMatchObject({
      code: 'DatabaseNotFound'
    });
    expect(fs.existsSync(to)).toBe(false);
  });

  it('to write what another process is writing', async () => {
    const dataDirectory = database();
    fs.writeFileSync(`${to}.winnow-part`, '');
    const unlock = new NodeFileSystem().tryLock(`${to}.winnow-part`);
    await refusal({ dataDirectory, to }).toMatchObject({ code: 'DatabaseInUse' });
    unlock?.();
    expect(await extract({ dataDirectory, to })).toMatchObject({ events: 1 });
  });

  it('to continue what another question began; begun afresh it is forgotten', async () => {
    const dataDirectory = writeEvents(
      Array.from({ length: 50 }, (_, i) => ({ data: Buffer.from(`{"i":${i}}`), isJson: true }))
    );
    fs.writeFileSync(`${to}.winnow-extract.json`, '{"version":1,"question":"another"}');
    await refusal({ dataDirectory, to }).toThrow('not the state of an unfinished extraction');
    const stopped = new AbortController();
    stopped.abort();
    const once = await extract({ dataDirectory, to, startAfresh: true });
    expect(once).toMatchObject({ events: 50, resumedAt: null });
    expect(fs.readdirSync(root).sort()).toEqual(['db', 'out.jsonl']);
  });
});

describe('a plan', () => {
  it('says what would be done, and writes nothing', async () => {
    const dataDirectory = writeEvents([{ data: Buffer.from('{}'), isJson: true }]);
    const report = await extract({ dataDirectory, to, dryRun: true });
    expect(report).toMatchObject({
      dryRun: true,
      events: 0,
      files: [],
      resumedAt: null,
      source: { kind: 'database' }
    });
    expect(report.sourceBytes).toBeGreaterThan(65_536);
    expect(fs.readdirSync(root)).toEqual(['db']);
  });
});

describe('a stop', () => {
  it('leaves nothing under the final name, and the next run goes on', async () => {
    const dataDirectory = path.join(root, 'db');
    const sample = requests.writeSample.parse({ dataDirectory, sizeBytes: 4 * 1024 * 1024, seed: 5 });
    await runReportOperation('writeSample', sample, extractionContext());
    const controller = new AbortController();
    const run = extract(
      { dataDirectory, to, checkpointBytes: 100_000 },
      { signal: controller.signal, onProgress: (done) => done > 1_000_000 && controller.abort() }
    );
    await expect(run).rejects.toBeInstanceOf(OperationStopped);
    expect(fs.existsSync(to)).toBe(false);
    const report = await extract({ dataDirectory, to });
    expect(report.resumedAt).toBeGreaterThan(100_000);
    const again = path.join(root, 'again.jsonl');
    const once = await extract({ dataDirectory, to: again });
    expect(fs.readFileSync(to)).toEqual(fs.readFileSync(again));
    expect([report.events, report.streams, report.types]).toEqual([once.events, once.streams, once.types]);
  });
});

it('a directory into which a restore is being moved is in use, and no target of backups', async () => {
  const dataDirectory = path.join(root, 'between');
  fs.mkdirSync(dataDirectory);
  fs.writeFileSync(path.join(dataDirectory, 'winnow-restore.json'), '{"phase":"movingIn","backup":"b"}');
  await expect(extract({ dataDirectory, to })).rejects.toMatchObject({
    code: 'DatabaseInUse',
    details: { reason: 'restoreUnfinished' }
  });
});
