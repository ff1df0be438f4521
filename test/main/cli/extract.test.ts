/** `winnow extract`: exit codes, documents and lines that scripts rely on. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NodeFileSystem } from '../../../src-core/index.ts';
import { exportReport, extractReport } from '../../../src-main/contract/operations/extraction-reports.ts';
import { linesOfFile } from '../../support/extraction.ts';
import { removeUnpacked, unpackDamaged, unpackDatabase } from '../../support/golden.ts';
import { jsonOf, linesOf, runWinnow } from './run-winnow.ts';

let root = '';
let database = '';
beforeAll(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-extract-command-'));
  database = unpackDatabase({ name: 'rules', folder: 'before' });
});
afterAll(() => {
  removeUnpacked();
  fs.rmSync(root, { recursive: true, force: true });
});

const extract = (...words: string[]) => runWinnow(['extract', ...words, '--quiet']);
const out = (name: string) => path.join(root, name);

describe('winnow extract', () => {
  it('writes the events that `read $all` shows, without a question, and exits with 0', async () => {
    const done = await extract(database, '--system', '--to', out('all.jsonl'), '--json');
    expect(done.exitCode).toBe(0);
    const report = extractReport.parse(jsonOf(done));
    const lines = linesOfFile(out('all.jsonl'));
    expect(report).toMatchObject({ ok: true, events: lines.length });
    const read = linesOf(await runWinnow(['read', database, '$all', '--json'])) as { eventId: string }[];
    const ids = new Set(lines.map(({ eventId }) => eventId));
    expect(read.filter(({ eventId }) => !ids.has(eventId))).toEqual([]);
    expect(Object.keys(lines[0]!).slice(0, 9)).toEqual([
      'stream',
      'eventNumber',
      'eventType',
      'eventId',
      'time',
      'position',
      'isJson',
      'data',
      'metadata'
    ]);
  });

  it('takes streams, categories and types, each more than once, and the format from the name', async () => {
    const streams = [...new Set(linesOfFile(out('all.jsonl')).map(({ stream }) => stream))];
    const [one, other] = streams.filter((stream) => !stream.startsWith('$'));
    const done = await extract(
      database,
      '--stream',
      one!,
      '--stream',
      other!,
      '--to',
      out('two.csv'),
      '--json'
    );
    const report = extractReport.parse(jsonOf(done));
    expect(report.format).toBe('csv');
    expect(report.streams.largest.map(({ name }) => name).sort()).toEqual([one, other].sort());
    expect(fs.readFileSync(out('two.csv'), 'utf8').split('\n')[0]).toBe(
      'stream,eventNumber,eventType,eventId,time,position,isJson,isRedacted,data,dataEncoding,metadata,metadataEncoding'
    );
    expect((await extract(database, '--to', out('x.parquet'))).exitCode).toBe(0);
    expect(fs.readFileSync(out('x.parquet')).subarray(0, 4).toString()).toBe('PAR1');
  });

  it('exits with 1 where something could not be read, and names chunk and positions', async () => {
    const bad = unpackDamaged('damaged-a-record-length-prefix');
    const done = await extract(bad, '--to', out('bad.jsonl'));
    expect(done.exitCode).toBe(1);
    expect(done.stdout).toMatch(/not read chunk-\d{6}\.\d{6}, positions [\d,]+ to [\d,]+/);
  });

  it('says which stream or category is not in the log, and leaves no empty file for it', async () => {
    const none = await extract(
      database,
      '--stream',
      'no-such',
      '--category',
      'nor-this',
      '--to',
      out('none.jsonl')
    );
    expect(none.exitCode).toBe(10);
    expect(none.stderr).toContain('No event was found of stream "no-such", category "nor-this".');
    expect(fs.readdirSync(root).filter((name) => name.startsWith('none'))).toEqual([]);
    const [known] = linesOfFile(out('all.jsonl')).map(({ stream }) => stream);
    const some = await extract(
      database,
      '--stream',
      known!,
      '--stream',
      'no-such',
      '--to',
      out('some.jsonl'),
      '--json'
    );
    expect(some.exitCode).toBe(1);
    const report = extractReport.parse(jsonOf(some));
    expect(report).toMatchObject({ ok: false, absent: { streams: ['no-such'], categories: [] } });
    expect(report.summary).toContain('No event was found of stream "no-such".');
    expect(linesOfFile(out('some.jsonl')).length).toBe(report.events);
  });

  it('finds nothing within bounds without calling that a failure, and says so', async () => {
    const [known] = linesOfFile(out('all.jsonl')).map(({ stream }) => stream);
    const words = [
      '--stream',
      known!,
      '--from-time',
      '2199-01-01T00:00:00Z',
      '--to',
      out('later.jsonl'),
      '--json'
    ];
    const done = await extract(database, ...words);
    expect(done.exitCode).toBe(0);
    expect(extractReport.parse(jsonOf(done))).toMatchObject({
      ok: true,
      events: 0,
      absent: { streams: [known] }
    });
  });

  it('exits with 2 for what is missing or exists, with 10 where there is no log', async () => {
    const again = await extract(database, '--to', out('all.jsonl'));
    expect([again.exitCode, again.stderr]).toEqual([2, expect.stringContaining('overwrite')]);
    expect((await extract(database)).exitCode).toBe(2);
    expect((await extract('--to', out('y.jsonl'))).exitCode).toBe(2);
    expect((await extract(database, '--to', out('y.jsonl'), '--from-time', 'monday')).exitCode).toBe(2);
    expect((await extract(out('nothing'), '--to', out('y.jsonl'))).exitCode).toBe(10);
    // What replaces a file is asked about, and there is nobody to ask.
    expect((await extract(database, '--to', out('all.jsonl'), '--overwrite')).exitCode).toBe(2);
    expect((await extract(database, '--to', out('all.jsonl'), '--overwrite', '--yes')).exitCode).toBe(0);
    const dry = await extract(database, '--to', out('y.jsonl'), '--dry-run', '--json');
    expect(extractReport.parse(jsonOf(dry)).dryRun).toBe(true);
    expect(fs.existsSync(out('y.jsonl'))).toBe(false);
  });

  it('never puts its file in the place of a link or a pipe, asked to replace it or not', async () => {
    fs.writeFileSync(out('precious.txt'), 'precious');
    fs.symlinkSync(out('precious.txt'), out('link.jsonl'));
    fs.symlinkSync(out('nowhere'), out('dangling.jsonl'));
    execFileSync('mkfifo', [out('pipe.jsonl')]);
    for (const name of ['link.jsonl', 'dangling.jsonl', 'pipe.jsonl']) {
      const refused = await extract(database, '--to', out(name), '--overwrite', '--yes');
      expect([2, 15]).toContain(refused.exitCode);
      expect(refused.stderr).toMatch(/is a link|named pipe/);
    }
    expect((await extract(database, '--to', out('dangling.jsonl'))).exitCode).toBe(2);
    expect(fs.readFileSync(out('precious.txt'), 'utf8')).toBe('precious');
    expect(fs.lstatSync(out('link.jsonl')).isSymbolicLink()).toBe(true);
    expect(fs.lstatSync(out('pipe.jsonl')).isFIFO()).toBe(true);
    for (const name of ['link.jsonl', 'dangling.jsonl', 'pipe.jsonl']) fs.rmSync(out(name));
  });

  it('reads the log of a node that is in use, and says so', async () => {
    const unlock = new NodeFileSystem().tryLock(path.join(database, 'writer.chk'));
    try {
      const done = await extract(database, '--to', out('live.jsonl'));
      expect(done.exitCode).toBe(0);
      expect(done.stdout).toContain('a server has it open: its log up to the writer checkpoint');
    } finally {
      unlock?.();
    }
  });

  it('continues after it was stopped with Ctrl+C, which exits with 130', async () => {
    const sample = out('sample');
    await runWinnow(['sample', sample, '--size', '24MiB', '--yes', '--quiet']);
    const words = ['extract', sample, '--to', out('stopped.jsonl'), '--progress', 'json'];
    const stopped = await runWinnow(words, {
      onStderr: (text, child) => {
        if (text.includes('"extracting"')) child.signal('SIGINT');
      }
    });
    if (stopped.exitCode === 130) expect(fs.existsSync(out('stopped.jsonl'))).toBe(false);
    else expect(stopped.exitCode).toBe(0); // it was faster
    const again = await runWinnow([...words, ...(stopped.exitCode === 0 ? ['--overwrite', '--yes'] : [])]);
    expect(again.exitCode).toBe(0);
    expect((await extract(sample, '--to', out('whole.jsonl'))).exitCode).toBe(0);
    expect(fs.readFileSync(out('stopped.jsonl')).equals(fs.readFileSync(out('whole.jsonl')))).toBe(true);
  });
});

describe('winnow export', () => {
  it('makes a database that the other commands open, and refuses what lies there', async () => {
    const [stream] = linesOfFile(out('all.jsonl'))
      .map((line) => line.stream)
      .filter((name) => !name.startsWith('$'));
    const words = ['export', database, '--stream', stream!, '--to-database', out('new'), '--quiet'];
    const dry = await runWinnow([...words, '--dry-run', '--json']);
    expect(exportReport.parse(jsonOf(dry))).toMatchObject({ dryRun: true, written: null });
    expect(fs.existsSync(out('new'))).toBe(false);
    const done = await runWinnow([...words, '--json']);
    expect(done.exitCode).toBe(0);
    const report = exportReport.parse(jsonOf(done));
    expect(report.streams.largest.map(({ name }) => name)).toContain(stream);
    expect((await runWinnow(['verify', out('new'), '--quiet'])).exitCode).toBe(0);
    const read = (directory: string) =>
      runWinnow(['read', directory, stream!, '--json', '--now', '2026-01-01T00:00:00Z']);
    const numbers = async (directory: string) =>
      (linesOf(await read(directory)) as { eventNumber: number; eventId: string }[]).map((row) => [
        row.eventNumber,
        row.eventId
      ]);
    expect(await numbers(out('new'))).toEqual(await numbers(database));
    const none = ['export', database, '--stream', 'no-such', '--to-database', out('none'), '--quiet'];
    const refused = await runWinnow(none);
    expect(refused.exitCode).toBe(10);
    expect(refused.stderr).toContain('No event was found of stream "no-such".');
    expect(fs.readdirSync(root).filter((name) => name.includes('none'))).toEqual([]);
    expect((await runWinnow(words)).exitCode).toBe(2);
    expect((await runWinnow(['export', database, '--to-database', out('other')])).exitCode).toBe(2);
  });
});
