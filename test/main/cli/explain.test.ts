/** `winnow explain` as a user meets it: words, JSON, exit codes; on databases, backups and running nodes. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockDirectory, NodeFileSystem } from '../../../src-core/index.ts';
import {
  explainOutput,
  explainReport,
  type ExplainReport
} from '../../../src-main/contract/operations/explain-reports.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { jsonOf, runWinnow } from './run-winnow.ts';

let home: string;
let environment: Record<string, string>;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'winnow-explain-'));
  environment = { WINNOW_HOME: join(home, 'home') };
});
afterEach(() => {
  removeUnpacked();
  rmSync(home, { recursive: true, force: true });
});

const explain = (...words: string[]) => runWinnow(['explain', ...words], { environment });

async function explained(...words: string[]): Promise<ExplainReport> {
  const finished = await explain(...words, '--json');
  expect(finished, finished.stderr).toMatchObject({ exitCode: 0 });
  return explainReport.parse(jsonOf(finished));
}

async function sample(): Promise<string> {
  const directory = join(home, 'sample');
  const words = [
    'sample',
    directory,
    '--size',
    '2MiB',
    '--seed',
    '3',
    '--now',
    '2026-01-01T00:00:00Z',
    '--yes'
  ];
  expect((await runWinnow(words, { environment })).exitCode).toBe(0);
  return directory;
}

const NOW = ['--now', '2026-01-01T00:00:00Z'];

describe('winnow explain', () => {
  it('answers for a stream, an event, a position and a chunk, each as its schema says', async () => {
    const directory = await sample();
    const stream = await explained(directory, '--stream', 'metrics', ...NOW);
    if (stream.kind !== 'stream') throw new Error('not a stream');
    expect(stream.ranges[0]).toMatchObject({ from: 0, verdict: 'discard', rule: 'maxAge' });
    expect(stream.ranges.at(-1)).toMatchObject({ verdict: 'keep', to: stream.lastEvent });
    expect(stream.scavenge.placement).toBe('detached');
    const event = await explained(directory, '--stream', 'metrics', '--event', '0', ...NOW);
    expect(event).toMatchObject({ kind: 'event', stream: 'metrics', eventNumber: 0, verdict: 'discard' });
    if (event.kind !== 'event') throw new Error('not an event');
    expect(await explained(directory, '--position', String(event.position), ...NOW)).toEqual(event);
    const chunk = await explained(directory, '--chunk', String(event.chunk), ...NOW);
    expect(chunk).toMatchObject({ kind: 'chunk', verdict: 'rewrite', chunk: event.chunk });
  });

  it('tells several positions at once what it tells each of them', async () => {
    const directory = await sample();
    const listed = await runWinnow(['records', directory, '--stream', 'metrics', '--limit', '5', '--json'], {
      environment
    });
    const positions = listed.stdout
      .trim()
      .split('\n')
      .map((line) => String((JSON.parse(line) as { position: number }).position));
    const words = positions.flatMap((position) => ['--position', position]);
    const page = explainOutput.parse(jsonOf(await explain(directory, ...words, ...NOW, '--json')));
    if (page.kind !== 'records') throw new Error('not records');
    expect(page.known).toBe(true);
    for (const [index, position] of positions.entries()) {
      const { verdict, rule, until } = (await explained(directory, '--position', position, ...NOW)) as never;
      expect(page.records[index]).toEqual({ position: Number(position), verdict, rule, until });
    }
    const { stdout } = await explain(directory, ...words, ...NOW);
    expect(stdout).toMatch(/position +verdict +rule +until\n/);
    expect(stdout).toContain('for a scavenge  detached');
  });

  it('calls a position inside a record a wrong question, not damage', async () => {
    const finished = await explain(await sample(), '--position', '3', '--json', ...NOW);
    expect(finished.exitCode).toBe(2);
    expect(jsonOf(finished)).toMatchObject({
      error: { code: 'InvalidRequest', details: { field: 'position' } }
    });
  });

  it('says it in words', async () => {
    const directory = await sample();
    const { stdout, exitCode } = await explain(directory, '--stream', 'metrics', '--event', '0', ...NOW);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^Event 0 of "metrics" is removed\. \$maxAge of 2 days discards it since 20/);
    expect(stdout).toContain('for a scavenge  detached');
    const chunk = await explain(directory, '--chunk', '0', '--threshold', '1000000', ...NOW);
    expect(chunk.stdout).toContain('below the threshold of 1000000, so it is not rewritten');
  });

  it('takes the number of a tombstone', async () => {
    const directory = await sample();
    const { stdout } = await runWinnow(['streams', directory, '--state', 'hardDeleted', '--json'], {
      environment
    });
    const names = stdout.split('\n').flatMap((line) => /"stream":"([^"$]+)"/.exec(line)?.[1] ?? []);
    const number = '9223372036854775807';
    const answer = await explained(directory, '--stream', names[0]!, '--event', number, ...NOW);
    expect(answer).toMatchObject({ eventNumber: number, rule: 'tombstone', verdict: 'keep' });
  });

  it('ends with 10 for what is not there and with 2 for half a question', async () => {
    const directory = unpackDatabase({ name: 'plain', folder: 'after' });
    expect((await explain(directory, '--stream', 'there is no such stream')).exitCode).toBe(10);
    expect((await explain(directory)).exitCode).toBe(2);
    expect((await explain(directory, '--event', '3')).exitCode).toBe(2);
    expect((await explain(directory, '--stream', 'a', '--chunk', '3')).exitCode).toBe(2);
    expect((await explain(directory, '--chunk', '4000')).exitCode).toBe(2);
  });

  it('looks into a plain backup where it lies', async () => {
    const directory = await sample();
    const target = join(home, 'backups');
    const words = ['backup', 'create', directory, '--to', target, '--yes'];
    expect((await runWinnow(words, { environment })).exitCode).toBe(0);
    const id = readdirSync(target).find((name) => /^\d{8}T/.test(name))!;
    const asked = ['--stream', 'metrics', '--event', '0', ...NOW];
    expect(await explained(join(target, id), ...asked)).toEqual(await explained(directory, ...asked));
  });

  it('works while somebody has the directory open, and says so', async () => {
    const directory = await sample();
    const release = lockDirectory({
      fileSystem: new NodeFileSystem(),
      dataDirectory: directory,
      assumeStopped: false
    });
    try {
      const { exitCode, stderr } = await explain(directory, '--stream', 'metrics', ...NOW);
      expect(exitCode).toBe(0);
      expect(stderr).toContain('The database is open in');
    } finally {
      release();
    }
  });
});
