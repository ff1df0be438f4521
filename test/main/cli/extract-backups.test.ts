/** `winnow extract` and `export` from backups as they are stored: compressed, encrypted, in an object store, damaged. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportReport, extractReport } from '../../../src-main/contract/operations/extraction-reports.ts';
import { linesOfFile } from '../../support/extraction.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { S3_BUCKET, S3_ENVIRONMENT, startS3Server, type S3Server } from '../../support/s3-server.ts';
import { jsonOf, runWinnow } from './run-winnow.ts';

let root = '';
let database = '';
let server: S3Server | undefined;
const out = (name: string) => path.join(root, name);
const winnow = (words: string[], stdin?: string) =>
  runWinnow([...words, '--quiet'], {
    environment: { ...S3_ENVIRONMENT, WINNOW_HOME: out('home') },
    ...(stdin === undefined ? {} : { stdin })
  });

beforeAll(async () => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-extract-backups-'));
  database = unpackDatabase({ name: 'rules', folder: 'after-t0' });
  server = await startS3Server();
  expect((await winnow(['backup', 'key', out('own.key')])).exitCode).toBe(0);
  expect((await winnow(['extract', database, '--system', '--to', out('expected.jsonl')])).exitCode).toBe(0);
});
afterAll(async () => {
  await server?.remove();
  removeUnpacked();
  fs.rmSync(root, { recursive: true, force: true });
});

/** Takes a backup and gives what reads it. */
async function backUp(target: string, ...options: string[]): Promise<void> {
  const made = await winnow(['backup', 'create', database, '--to', target, '--yes', ...options]);
  expect([made.exitCode, made.stderr]).toEqual([0, '']);
}

/** Rows below the head; data may have line ends in quotes. */
function csvRowCount(file: Buffer): number {
  return (
    file
      .toString('utf8')
      .replaceAll(/"(?:[^"]|"")*"/g, '')
      .trim()
      .split('\n').length - 1
  );
}

describe('an object store', () => {
  const place = `s3://${S3_BUCKET}/nodes/one`;
  const access = () => ['--s3-endpoint', server!.endpoint, '--key-file', out('own.key')];
  beforeAll(() => backUp(place, '--compress', ...access()));

  it('gives the events of its compressed and encrypted backup, the same to the byte as the node', async () => {
    const done = await winnow(['extract', place, '--system', '--to', out('s3.jsonl'), '--json', ...access()]);
    expect(done.exitCode).toBe(0);
    expect(extractReport.parse(jsonOf(done))).toMatchObject({ ok: true });
    expect(fs.readFileSync(out('s3.jsonl')).equals(fs.readFileSync(out('expected.jsonl')))).toBe(true);
  });

  it.each(['csv', 'parquet'])('gives the same %s as the node, to the byte', async (format) => {
    const [ofNode, ofStore] = [out(`node.${format}`), out(`store.${format}`)];
    expect((await winnow(['extract', database, '--system', '--to', ofNode])).exitCode).toBe(0);
    expect((await winnow(['extract', place, '--system', '--to', ofStore, ...access()])).exitCode).toBe(0);
    expect(fs.readFileSync(ofStore).equals(fs.readFileSync(ofNode))).toBe(true);
    const file = fs.readFileSync(ofStore);
    const positions =
      format === 'csv'
        ? csvRowCount(file)
        : (
            await parquetReadObjects({
              file: file.buffer.slice(file.byteOffset, file.byteOffset + file.length)
            })
          ).length;
    expect(positions).toBe(linesOfFile(out('expected.jsonl')).length);
  });

  it('gives an exported database, which is sound and holds the events of its streams', async () => {
    const streams = linesOfFile(out('expected.jsonl')).map(({ stream }) => stream);
    const [stream] = streams.filter((name) => !name.startsWith('$'));
    const words = ['export', place, '--stream', stream!, '--to-database', out('exported'), '--json'];
    const done = await winnow([...words, ...access()]);
    expect(done.exitCode).toBe(0);
    const { events } = exportReport.parse(jsonOf(done));
    expect((await winnow(['verify', out('exported')])).exitCode).toBe(0);
    await winnow(['extract', out('exported'), '--stream', stream!, '--to', out('of-export.jsonl')]);
    const wanted = linesOfFile(out('expected.jsonl')).filter((line) => line.stream === stream);
    const facts = (lines: typeof wanted) =>
      lines.map(({ eventNumber, eventId, data }) => [eventNumber, eventId, data]);
    expect(facts(linesOfFile(out('of-export.jsonl')))).toEqual(facts(wanted));
    expect(events).toBeGreaterThanOrEqual(wanted.length);
  });

  it('without its key is refused and nothing is written', async () => {
    const refused = await winnow([
      'extract',
      place,
      '--to',
      out('no.jsonl'),
      '--s3-endpoint',
      server!.endpoint
    ]);
    expect([refused.exitCode, refused.stderr]).toEqual([14, expect.stringContaining('--key-file')]);
    expect(fs.readdirSync(root).filter((name) => name.startsWith('no.'))).toEqual([]);
  });
});

describe('a damaged compressed backup', () => {
  it('gives what can be read, and names the chunk and the positions that cannot', async () => {
    const target = out('compressed');
    await backUp(target, '--compress');
    const [id] = fs
      .readdirSync(target)
      .filter((name) => fs.existsSync(path.join(target, name, 'manifest.json')));
    const data = path.join(target, id!, 'data');
    const chunks = fs.readdirSync(data).filter((name) => name.endsWith('.zst'));
    const [damaged] = chunks;
    fs.chmodSync(path.join(data, damaged!), 0o644);
    const bytes = fs.readFileSync(path.join(data, damaged!));
    bytes.fill(0xee, Math.floor(bytes.length / 2));
    fs.writeFileSync(path.join(data, damaged!), bytes);
    const done = await winnow(['extract', target, '--system', '--to', out('damaged.jsonl'), '--json']);
    expect([done.exitCode, done.stderr]).toEqual([1, '']);
    const report = extractReport.parse(jsonOf(done));
    expect(report.ok).toBe(false);
    const file = damaged!.replace('.zst', '');
    expect(report.unreadable.some((range) => range.file.startsWith(file.slice(0, 12)))).toBe(true);
    const expected = new Set(linesOfFile(out('expected.jsonl')).map(({ position }) => position));
    const found = linesOfFile(out('damaged.jsonl')).map(({ position }) => position);
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter((position) => !expected.has(position))).toEqual([]);
    const holes = report.unreadable;
    const lost = [...expected].filter((position) => !found.includes(position));
    expect(lost.filter((at) => !holes.some(({ from, to }) => from <= at && at < to))).toEqual([]);
  });
});
