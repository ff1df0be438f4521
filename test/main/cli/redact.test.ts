/** `winnow redact` as a user meets it: plan, run, certificate, what readers and checks say afterwards, what is refused. */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErasureReport } from '../../../src-main/contract/operations/erasure-reports.ts';
import type { RedactionReport } from '../../../src-main/contract/operations/redaction-reports.ts';
import type { RecordRow } from '../../../src-main/contract/operations/reports.ts';
import { directoryTree } from '../../support/directory-tree.ts';
import { runWinnow } from './run-winnow.ts';

const root = fs.mkdtempSync(path.join(tmpdir(), 'winnow-redact-'));
const sample = path.join(root, 'sample');
const environment = { WINNOW_HOME: path.join(root, 'home') };
const schema = new URL('../../../resources/schemas/redact.json', import.meta.url);
const validate = new Ajv2020({ strict: false }).compile(
  JSON.parse(fs.readFileSync(schema, 'utf8')) as object
);
type Event = Extract<RecordRow, { kind: 'prepare' }> & { data: string };
let copies = 0;
let events: Event[] = [];
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

const winnow = (...words: string[]) => runWinnow(words, { environment });
async function json<T = RedactionReport>(...words: string[]): Promise<T> {
  const { stdout, exitCode, stderr } = await winnow(...words, '--json', '--quiet');
  expect([exitCode, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as T;
}
async function rows<T>(...words: string[]): Promise<T[]> {
  const { stdout } = await winnow(...words, '--json', '--quiet');
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}
function copy(): string {
  const db = path.join(root, `copy-${copies++}`);
  fs.cpSync(sample, db, { recursive: true });
  return db;
}
/** As its content: of a compressed file what it was made of. */
function contentOf(file: string): Buffer {
  const bytes = fs.readFileSync(file);
  return file.endsWith('.zst') ? zstdDecompressSync(bytes) : bytes;
}
/** Files below a directory that hold these bytes. */
function holding(directory: string, text: string): string[] {
  if (!fs.existsSync(directory)) return [];
  const names = fs.readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => {
    const file = path.join(directory, name);
    return fs.statSync(file).isFile() && contentOf(file).includes(text);
  });
}

beforeAll(async () => {
  await winnow('sample', sample, '--size', '3MiB', '--chunk-size', '1MiB', '--seed', '7', '--yes', '--quiet');
  const all = await rows<RecordRow & { data: string }>('records', sample, '--data', 'utf8');
  const texts = new Map<string, number>();
  for (const { data } of all) texts.set(data, (texts.get(data) ?? 0) + 1);
  events = all.filter(
    (record): record is Event =>
      record.kind === 'prepare' &&
      !record.stream.startsWith('$') &&
      record.eventType !== '$>' &&
      record.dataLength > 40 &&
      record.chunk < 3 &&
      texts.get(record.data) === 1
  );
});

describe('winnow redact', () => {
  it('shows a plan that changes nothing, does exactly that, and leaves no byte of the data', async () => {
    const db = copy();
    const before = directoryTree(db);
    const chosen = [events[3]!, events.at(-1)!];
    const ids = chosen.flatMap(({ eventId }) => ['--event', eventId]);
    const plan = await json('redact', db, ...ids, '--dry-run');
    expect(directoryTree(db)).toEqual(before);
    expect(validate(plan), JSON.stringify(validate.errors)).toBe(true);
    expect(plan).toMatchObject({ result: 'planned', notFound: [], swept: [], elsewhere: [] });
    expect(plan.events.map(({ state }) => state)).toEqual(['toRedact', 'toRedact']);
    for (const { data } of chosen) expect(holding(db, data)).toHaveLength(1);

    const page = path.join(root, 'certificate.html');
    const report = await json('redact', db, ...ids, '--plan', plan.planId!, '--yes', '--html', page);
    expect(validate(report), JSON.stringify(validate.errors)).toBe(true);
    expect(report.events.map(({ state }) => state)).toEqual(['redacted', 'redacted']);
    expect(report.chunks).toHaveLength(2);
    expect(report.chunks.map(({ dataBytes }) => dataBytes)).toEqual(
      chosen.map(({ dataLength }) => dataLength)
    );
    for (const { data } of chosen) expect(holding(db, data)).toEqual([]);
    const html = fs.readFileSync(page, 'utf8');
    expect(html).toContain('Certificate of redaction');
    for (const { sha256Before, sha256After, newFile } of report.chunks) {
      expect(html).toContain(sha256Before!);
      expect(html).toContain(sha256After!);
      expect(fs.existsSync(path.join(db, newFile!))).toBe(true);
    }
  });

  it('leaves a node that readers, verify and doctor find in order', async () => {
    const db = copy();
    const event = events[10]!;
    await json('redact', db, '--stream', event.stream, '--number', String(event.eventNumber), '--yes');
    const read = await rows<{ eventId: string; eventNumber: number; dataLength: number; data?: string }>(
      ...['read', db, event.stream, '--from', String(event.eventNumber), '--limit', '1', '--data', 'utf8']
    );
    expect(read).toMatchObject([{ eventId: event.eventId, dataLength: 0, data: '' }]);
    const [stored] = await rows<RecordRow & { data: string }>(
      ...['records', db, '--from', String(event.position), '--limit', '1', '--data', 'hex']
    );
    expect(stored).toMatchObject({ dataLength: event.dataLength, data: 'ff'.repeat(event.dataLength) });
    expect(stored?.kind === 'prepare' && stored.flags).toContain('isRedacted');
    expect(await json<{ ok: boolean }>('verify', db)).toMatchObject({ ok: true });
    expect(await json<{ ok: boolean }>('doctor', db)).toMatchObject({ ok: true });

    const erased: ErasureReport = await json<ErasureReport>('erasure', db, '--event', event.eventId);
    expect(erased.streams).toMatchObject([
      { erased: false, dataErased: true, places: [{ kind: 'log', what: 'redacted', records: 1 }] }
    ]);

    const scavenge = ['--scavenge-point', 'detached', '--threshold', '-1', '--always-keep-scavenged'];
    await json('scavenge', db, ...scavenge, '--yes');
    const [kept] = await rows<RecordRow & { data: string }>(
      ...['records', db, '--from', String(event.position), '--limit', '1', '--data', 'hex']
    );
    expect({ ...kept, fileOffset: 0 }).toEqual({ ...stored, fileOffset: 0 });
    expect(await json('redact', db, '--event-id', event.eventId, '--yes')).toMatchObject({
      events: [{ state: 'alreadyRedacted' }],
      chunks: []
    });
  });

  it('names a file that a scavenge keeps, in which the data still are', async () => {
    const db = copy();
    await json('scavenge', db, ...['--scavenge-point', 'detached', '--keep-replaced', '7d', '--yes']);
    const kept = new Set(
      (await rows<RecordRow>('records', db)).flatMap((row) => (row.kind === 'prepare' ? [row.eventId] : []))
    );
    const event = events.find(({ eventId }) => kept.has(eventId))!;
    const report = await json('redact', db, '--event', event.eventId, '--yes');
    expect(report.elsewhere).toMatchObject([{ kind: 'other', what: 'event' }]);
    expect(report.elsewhere[0]?.remedy).toContain('--undo --forget');
    expect(holding(db, event.data)).toEqual([report.elsewhere[0]?.file]);
  });

  it.each([['as they are'], ['compressed', '--compress']])(
    'leaves no byte of the data in a backup whose files are stored %s',
    async (_how, ...options) => {
      const target = path.join(root, `backups-${options.length}`);
      await json('backup', 'create', sample, '--to', target, '--yes', ...options);
      const { backups } = await json<{ backups: { id: string }[] }>('backup', 'list', target);
      const chosen = [events[3]!, events.at(-1)!];
      for (const { data } of chosen) expect(holding(target, data)).toHaveLength(1);
      const ids = chosen.flatMap(({ eventId }) => ['--event', eventId]);
      const scratch = path.join(root, 'scratch');
      const words = [
        'redact',
        `${target}@${backups[0]!.id}`,
        ...ids,
        '--scratch',
        scratch,
        '--remove-old',
        '--yes'
      ];
      expect(await json<{ oldRemoved: boolean }>(...words)).toMatchObject({ oldRemoved: true });
      for (const place of [target, scratch, environment.WINNOW_HOME])
        for (const { data } of chosen) expect(holding(place, data)).toEqual([]);
      // The rest is there: what is searched can be read.
      expect(holding(target, events[20]!.data)).toHaveLength(1);
    }
  );

  it.each([
    ['no event', [], 2, 'No event is named'],
    ['a number without a stream', ['--number', '3'], 2, 'only together'],
    ['no id', ['--event', 'seven'], 2, 'is not an event id'],
    ['an unknown id', ['--event', '12345678-1234-1234-1234-1234567890ab'], 2, 'holds no record']
  ])('refuses %s', async (_what, words, exitCode, text) => {
    const result = await winnow('redact', sample, ...words, '--yes');
    expect([result.exitCode, result.stderr]).toEqual([exitCode, expect.stringContaining(text)]);
  });

  it('says in the plan what it would refuse', async () => {
    const active = (await rows<RecordRow>('records', sample, '--chunk', '3')).find(
      (row) =>
        row.kind === 'prepare' && !row.stream.startsWith('$') && row.dataLength > 0 && row.eventType !== '$>'
    );
    if (active?.kind !== 'prepare') throw new Error('an event');
    const plan = await json('redact', sample, '--event', active.eventId, '--dry-run');
    expect(plan.events).toMatchObject([{ state: 'refused', refusal: { reason: 'activeChunk' } }]);
    const run = await winnow('redact', sample, '--event', active.eventId, '--yes');
    expect([run.exitCode, run.stderr]).toEqual([2, expect.stringContaining('--scavenge-point new')]);
  });

  it('refuses a plan of another state, a question without a terminal, and an encrypted chunk', async () => {
    const db = copy();
    const [first, second] = [events[0]!, events[1]!];
    const { planId } = await json('redact', db, '--event', first.eventId, '--dry-run');
    await json('redact', db, '--event', second.eventId, '--yes');
    const stale = await winnow('redact', db, '--event', first.eventId, '--plan', planId!, '--yes', '--json');
    expect([stale.exitCode, stale.stdout]).toEqual([12, expect.stringContaining('PlanStale')]);
    const asked = await winnow('redact', db, '--event', first.eventId);
    expect([asked.exitCode, asked.stderr]).toEqual([2, expect.stringContaining('--yes')]);

    const chunk = path.join(db, 'chunk-000001.000000');
    const bytes = fs.readFileSync(chunk);
    bytes[35] = 1;
    fs.chmodSync(chunk, 0o644);
    fs.writeFileSync(chunk, bytes);
    const before = directoryTree(db);
    const encrypted = await winnow('redact', db, '--event', first.eventId, '--yes', '--json');
    expect([encrypted.exitCode, encrypted.stdout]).toEqual([
      14,
      expect.stringContaining('UnsupportedFormat')
    ]);
    expect(directoryTree(db)).toEqual(before);
  });

  it('overwrites nothing where its certificate cannot be written', async () => {
    const db = copy();
    const before = directoryTree(db);
    for (const html of [path.join(root, 'no-such-directory', 'certificate.html'), '/dev/null']) {
      const done = await winnow(
        'redact',
        db,
        '--event',
        events[0]!.eventId,
        '--html',
        html,
        '--yes',
        '--quiet'
      );
      expect([done.exitCode, done.stderr]).toEqual([15, expect.stringContaining('Could not write')]);
    }
    expect(directoryTree(db)).toEqual(before);
  });

  it('says of a directory that does not exist just that', async () => {
    const nowhere = path.join(root, 'nowhere');
    for (const words of [
      ['redact', nowhere, '--event', events[0]!.eventId, '--yes'],
      ['scavenge', '--undo', nowhere, '--yes'],
      ['forecast', nowhere]
    ]) {
      const { exitCode, stderr } = await winnow(...words, '--quiet');
      expect([words[0], exitCode, stderr]).toEqual([words[0], 10, expect.stringContaining('does not exist')]);
    }
  });
});
