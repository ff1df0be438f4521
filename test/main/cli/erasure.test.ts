/** `winnow erasure` from the command line: its report, its page, rechecks, encrypted backups, what it does not read. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { NodeFileSystem, openDatabase } from '../../../src-core/index.ts';
import { erasureReport, type ErasureReport } from '../../../src-main/contract/operations/erasure-reports.ts';
import { NodeRegistry } from '../../../src-main/settings/node-registry.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { jsonOf, runWinnow, type Finished } from './run-winnow.ts';

// Each test starts processes, which take their time on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-erasure-'));
const home = path.join(root, 'home');
const key = path.join(root, 'node.key');
let db: string;
let stream: string;

beforeAll(async () => {
  db = unpackDatabase({ name: 'tables', folder: 'before' });
  stream = someStream(db);
  await winnow(['backup', 'key', key]);
});
afterAll(() => {
  removeUnpacked();
  fs.rmSync(root, { recursive: true, force: true });
});

const winnow = (words: string[]): Promise<Finished> =>
  runWinnow(words, { environment: { WINNOW_HOME: home } });

async function report(words: string[]): Promise<ErasureReport> {
  const finished = await winnow(['erasure', ...words, '--json', '--quiet']);
  expect(finished).toMatchObject({ exitCode: 0, stderr: '' });
  return erasureReport.parse(jsonOf(finished));
}

/** A stream with events whose name is no system one. */
function someStream(dataDirectory: string): string {
  const database = openDatabase({ fileSystem: new NodeFileSystem(), dataDirectory });
  const cursor = database.log.cursor();
  try {
    while (cursor.next()) {
      if (cursor.record.kind === 'prepare' && !cursor.record.stream.startsWith('$'))
        return cursor.record.stream;
    }
    throw new Error('The log holds no such stream.');
  } finally {
    cursor.close();
    database.close();
  }
}

it('names the places of a stream with their remedies, and every file with its hash', async () => {
  const { streams, files, complete, notes } = await report([db, '--stream', stream, '--stream', 'never-was']);
  const [found, absent] = streams;
  expect(found).toMatchObject({ stream, asked: 'stream', erased: false, dataErased: false });
  expect(found!.places).toContainEqual(expect.objectContaining({ kind: 'log', what: 'event' }));
  expect(found!.places).toContainEqual(expect.objectContaining({ kind: 'index', what: 'indexEntry' }));
  expect(found!.places.every(({ remedy }) => remedy.length > 20)).toBe(true);
  expect(absent).toMatchObject({ stream: 'never-was', erased: true, places: [] });
  expect(complete).toBe(true);
  const onDisk = fs
    .readdirSync(db, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile());
  expect(files).toHaveLength(onDisk.length);
  expect(notes.map(({ place }) => place)).toContain('bloom filters');
});

it('refuses without a name, and a file that is no report', async () => {
  expect((await winnow(['erasure', db])).exitCode).toBe(2);
  expect((await winnow(['erasure', db, '--event', 'no-guid'])).exitCode).toBe(2);
  expect((await winnow(['erasure', db, '--recheck', path.join(db, 'writer.chk')])).exitCode).toBe(2);
  expect((await winnow(['erasure', path.join(root, 'nothing'), '--stream', 'a'])).exitCode).toBe(10);
});

it('ends with 1 under --exit-code only when something is left or was not examined', async () => {
  expect((await winnow(['erasure', db, '--stream', stream, '--exit-code'])).exitCode).toBe(1);
  const gone = await winnow(['erasure', db, '--stream', 'never-was', '--exit-code']);
  expect(gone.exitCode).toBe(0);
  expect(gone.stdout).toContain('Nothing requested is left.');
});

it('names what it cannot read as not examined, and what is written there all the same', async () => {
  const copy = path.join(root, 'copy');
  fs.cpSync(db, copy, { recursive: true });
  fs.writeFileSync(path.join(copy, 'kurrent.ddb'), `....${stream}....`);
  fs.writeFileSync(path.join(copy, 'notes.txt'), 'nothing');
  fs.mkdirSync(path.join(copy, '.snapshots'));
  const { complete, notExamined, streams } = await report([copy, '--stream', stream]);
  expect(complete).toBe(false);
  expect(notExamined.map(({ place }) => place).sort()).toEqual(['.snapshots', 'kurrent.ddb', 'notes.txt']);
  expect(streams[0]!.places).toContainEqual(
    expect.objectContaining({ kind: 'other', what: 'bytes', file: 'kurrent.ddb' })
  );
});

it('looks into the backups of a known node and of named targets, encrypted ones only with the key', async () => {
  const plain = path.join(root, 'plain-backups');
  const encoded = path.join(root, 'encoded-backups');
  await winnow(['backup', 'create', db, '--to', plain, '--yes']);
  await winnow(['backup', 'create', db, '--to', encoded, '--compress', '--key-file', key, '--yes']);
  const registry = new NodeRegistry(home, () => 1);
  const node = registry.open({ dataDirectory: db });
  registry.edit(node.id, { backupTarget: plain });

  const withoutKey = await report([db, '--stream', stream, '--backup', encoded]);
  expect(withoutKey.backupTargets.sort()).toEqual([encoded, plain].sort());
  const backupsIn = ({ streams }: ErasureReport, target: string) =>
    streams[0]!.places.filter(({ kind, file }) => kind === 'backup' && file.startsWith(target));
  expect(backupsIn(withoutKey, plain).length).toBeGreaterThan(0);
  expect(backupsIn(withoutKey, encoded)).toEqual([]);
  expect(withoutKey.notExamined).toEqual([expect.objectContaining({ place: encoded })]);

  const withKey = await report([db, '--stream', stream, '--backup-target', encoded, '--key-file', key]);
  expect(withKey.complete).toBe(true);
  const counts = (places: ErasureReport['streams'][number]['places']) =>
    places.map(({ what, records }) => `${what} ${records}`).sort();
  expect(counts(backupsIn(withKey, encoded))).toEqual(counts(backupsIn(withKey, plain)));
  registry.forget(node.id);

  const missing = await report([db, '--stream', stream, '--backup', path.join(root, 'no-target')]);
  expect(missing.complete).toBe(false);
});

it('holds the files against an earlier report and asks the same again', async () => {
  const copy = path.join(root, 'recheck');
  fs.cpSync(db, copy, { recursive: true });
  const first = await winnow(['erasure', copy, '--stream', stream, '--category', 'x', '--json']);
  const earlier = path.join(root, 'earlier.json');
  fs.writeFileSync(earlier, first.stdout);
  const gone = fs.readdirSync(path.join(copy, 'index')).find((name) => name.endsWith('.bloomfilter'))!;
  fs.rmSync(path.join(copy, 'index', gone), { force: true });
  fs.chmodSync(path.join(copy, 'epoch.chk'), 0o644);
  fs.appendFileSync(path.join(copy, 'epoch.chk'), ' ');
  fs.writeFileSync(path.join(copy, 'left.tmp'), 'a');

  const { recheck, streams } = await report([copy, '--recheck', earlier]);
  expect(streams.map(({ stream, asked }) => [stream, asked])).toEqual([
    [stream, 'stream'],
    ['x', 'category']
  ]);
  expect(recheck!.changes).toEqual([
    { file: 'epoch.chk', state: 'changed' },
    { file: `index/${gone}`, state: 'gone' },
    { file: 'left.tmp', state: 'new' }
  ]);
  expect(recheck!.unchanged).toBe(erasureReport.parse(jsonOf(first)).files.length - 2);
});

it('writes a page that holds names as text only and loads nothing', async () => {
  const page = path.join(root, 'report.html');
  const name = '<script>alert(1)</script>\u202e"&';
  await winnow(['erasure', db, '--stream', name, '--stream', stream, '--html', page]);
  const text = fs.readFileSync(page, 'utf8');
  expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;\\u{202e}&quot;&amp;');
  expect(text).not.toMatch(/<script|<link|<img|https?:\/\//);
  expect(text).toContain(stream);
  expect(text).toMatch(/[0-9a-f]{64}/);
});
