/** The commands as a script meets them: outputs against the shipped schemas, exit codes, streams, signals. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NodeFileSystem } from '../../../src-core/index.ts';
import { NodeRegistry } from '../../../src-main/settings/node-registry.ts';
import { schemaFiles } from '../../../src-main/contract/operations/report-schemas.ts';
import { removeUnpacked, unpackDatabase, unpackDamaged } from '../../support/golden.ts';
import { expectValid } from './published-schema.ts';
import { jsonOf, linesOf, runWinnow, type Finished } from './run-winnow.ts';

const SCHEMAS = fileURLToPath(new URL('../../../resources/schemas/', import.meta.url));

let directory: string;
let sample: string;
let rules: string;
let environment: Record<string, string>;

beforeAll(async () => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-cli-'));
  environment = { WINNOW_HOME: path.join(directory, 'home') };
  sample = path.join(directory, 'sample');
  rules = unpackDatabase({ name: 'rules', folder: 'after-t0' });
  await winnow('sample', sample, '--size', '1MiB', '--chunk-size', '256KiB', '--yes', '--json');
});
afterAll(() => {
  fs.rmSync(directory, { recursive: true, force: true });
  removeUnpacked();
});

function winnow(...words: string[]): Promise<Finished> {
  return runWinnow(words, { environment });
}

function copyOfSample(name: string): string {
  const copy = path.join(directory, name);
  fs.cpSync(sample, copy, { recursive: true });
  return copy;
}

function expectError(finished: Finished, exitCode: number, code: string): void {
  const value = linesOf(finished).at(-1);
  expectValid('error', value);
  expect(value).toMatchObject({ error: { code } });
  expect(finished.exitCode).toBe(exitCode);
}

describe('schemas', () => {
  it.each(schemaFiles().map((file) => [file.name, file.text]))('%s is current', (name, text) => {
    expect(fs.readFileSync(path.join(SCHEMAS, name), 'utf8')).toBe(text);
  });
});

describe('reports', () => {
  it.each([
    ['inspect', () => ['inspect', rules]],
    ['chunks', () => ['chunks', rules]],
    ['chunks', () => ['chunks', sample, '--weights']],
    ['index', () => ['index', sample]],
    ['verify', () => ['verify', sample, '--quick']],
    ['diff', () => ['diff', rules, rules]],
    ['extract', () => ['extract', sample, '--to', path.join(directory, 'extracted.jsonl')]],
    [
      'export',
      () => ['export', sample, '--category', 'order', '--to-database', path.join(directory, 'exported')]
    ],
    ['plan', () => ['plan', sample, '--scavenge-point', 'detached']],
    ['history', () => ['history', rules]],
    ['schedule', () => ['schedule', '0 3 * * SUN', '--time-zone', 'Europe/Berlin']]
  ])('%s prints one document that fits its schema', async (schema, words) => {
    const finished = await winnow(...words(), '--json');
    expectValid(schema, jsonOf(finished));
    expect(finished).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it.each([
    ['records', () => ['records', rules, '--data', 'base64'], 500],
    ['streams', () => ['streams', rules], 50],
    ['read', () => ['read', rules, 'tb-7', '--data', 'utf8'], 10],
    ['read', () => ['read', rules, '$all'], 500],
    ['index-entries', () => ['index', 'entries', sample], 1000]
  ])('%s prints one object per line that fits its schema', async (schema, words, least) => {
    const finished = await winnow(...words(), '--json');
    const lines = linesOf(finished);
    expect(lines.length).toBeGreaterThanOrEqual(least);
    for (const line of lines.slice(0, 50)) expectValid(schema, line);
    expect(finished).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('sample and scavenge print reports that fit their schemas', async () => {
    const target = path.join(directory, 'second-sample');
    const written = await winnow(
      'sample',
      target,
      '--size',
      '600KiB',
      '--chunk-size',
      '64KiB',
      '--yes',
      '--json'
    );
    expectValid('sample', jsonOf(written));
    const scavenged = await winnow('scavenge', target, '--scavenge-point', 'detached', '--yes', '--json');
    expectValid('scavenge', jsonOf(scavenged));
    expect(jsonOf(scavenged)).toMatchObject({ result: 'success', scavengePoint: { placement: 'detached' } });
    expect(scavenged.stderr).toContain('with weight');
  });

  it('prints tables for people, with positions grouped and no escape sequences off a terminal', async () => {
    const { stdout } = await winnow('chunks', rules);
    expect(stdout).toContain('chunk-000000.000002');
    expect(stdout).toContain('262,144');
    expect(stdout).not.toContain('\u001b');
  });

  it('names the database by the configuration file of a server', async () => {
    const file = path.join(directory, 'kurrentdb.conf');
    fs.writeFileSync(file, `Db: ${rules}\nclusterSize: 3\nCertificatePassword: secret\n`);
    const byFile = await winnow('inspect', '--config', file, '--json');
    expect(jsonOf(byFile)).toMatchObject({ dataDirectory: rules });
    const read = await winnow('read', '--config', file, 'tb-7', '--limit', '1', '--json');
    expect(linesOf(read)).toHaveLength(1);
  });
});

describe('records', () => {
  it('of one chunk, from and to a position, of a stream, of a type, up to a limit', async () => {
    const all = linesOf(await winnow('records', rules, '--json')) as { position: number; stream?: string }[];
    const ofChunk = linesOf(await winnow('records', rules, '--chunk', '9', '--json'));
    expect(ofChunk).toEqual(all.filter(({ position }) => Math.floor(position / 65536) === 9));
    const from = all[10]?.position ?? 0;
    const to = all[20]?.position ?? 0;
    const some = await winnow('records', rules, '--from', String(from - 1), '--to', String(to), '--json');
    expect(linesOf(some)).toEqual(all.slice(10, 20));
    const ofStream = await winnow('records', rules, '--stream', 'tb-7', '--limit', '5', '--json');
    expect(linesOf(ofStream)).toEqual(all.filter(({ stream }) => stream === 'tb-7').slice(0, 5));
  });

  it('begin with the first record behind a position within a record', async () => {
    const all = linesOf(await winnow('records', sample, '--json', '--limit', '20')) as { position: number }[];
    const inside = (all[9]?.position ?? 0) + 1;
    const some = await winnow('records', sample, '--from', String(inside), '--limit', '10', '--json');
    expect(linesOf(some)).toEqual(all.slice(10));
  });

  it('end with the error at damage, and go on behind it with --salvage', async () => {
    const damaged = copyOfSample('damaged');
    const chunk = path.join(damaged, 'chunk-000001.000000');
    fs.chmodSync(chunk, 0o644);
    const file = fs.openSync(chunk, 'r+');
    fs.writeSync(file, Buffer.alloc(100, 0xff), 0, 100, 5000);
    fs.closeSync(file);
    const whole = linesOf(await winnow('records', sample, '--json'));
    const cut = await winnow('records', damaged, '--json');
    expectError(cut, 12, 'LogCorrupt');
    expect(linesOf(cut).length).toBeGreaterThan(100);
    const salvaged = await winnow('records', damaged, '--json', '--salvage');
    expect(salvaged.exitCode).toBe(0);
    expect(salvaged.stderr).toContain('skipped');
    const lines = linesOf(salvaged) as Record<string, unknown>[];
    const records = lines.filter((row) => !('skipped' in row));
    expect(records.length).toBeGreaterThan(whole.length - 5);
    expect(records.length).toBeLessThan(whole.length);
    expect(lines.filter((row) => 'skipped' in row)).toMatchObject([
      { skipped: { file: 'chunk-000001.000000', why: expect.stringContaining('offset') as string } }
    ]);
  });
});

/** Counts the threads that a process starts, and tells at its end on stderr. */
const COUNTING_THREADS = `
  import threads from 'node:worker_threads';
  import { syncBuiltinESMExports } from 'node:module';
  let count = 0;
  const { Worker } = threads;
  threads.Worker = class extends Worker { constructor(...given) { super(...given); count++; } };
  syncBuiltinESMExports();
  if (threads.isMainThread) process.on('exit', () => process.stderr.write('threads: ' + count));
`;

it('answers an inspection without a thread for it, and a longer question with one', async () => {
  const counting = {
    ...environment,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(COUNTING_THREADS)}`
  };
  const inspected = await runWinnow(['inspect', rules], { environment: counting });
  expect(inspected).toMatchObject({ exitCode: 0, stderr: 'threads: 0' });
  const verified = await runWinnow(['verify', rules, '--quiet'], { environment: counting });
  expect(verified.stderr).toContain('threads: 1');
});

describe('exit codes', () => {
  it.each([
    ['an unknown command', ['inspct', 'x'], 'Did you mean inspect?'],
    ['an unknown option', ['inspect', 'x', '--jsn'], 'Did you mean --json?'],
    ['a wrong value', ['records', 'x', '--limit', 'many'], 'whole number'],
    ['too many arguments', ['inspect', 'x', 'y'], 'too many arguments'],
    ['no database', ['inspect'], 'No database is named'],
    [
      'more threads than throttling allows',
      ['plan', 'x', '--threads', '2', '--throttle-percent', '50'],
      'thread'
    ],
    ['sync only with a new point', ['plan', 'x', '--sync-only', '--scavenge-point', 'new'], 'sync'],
    ['a threshold below -1', ['plan', 'x', '--threshold', '-2'], 'at least -1'],
    ['a page size that is none', ['plan', 'x', '--page-size', '100'], 'page size'],
    ['a rate that is no size', ['verify', 'x', '--throttle', 'fast'], 'such as 65536'],
    ['a throttle above 100', ['plan', 'x', '--throttle-percent', '101'], 'from 1 to 100'],
    ['a schedule that is none', ['schedule', 'every day'], '']
  ])('is 2 for %s', async (_what, words, hint) => {
    const finished = await winnow(...words);
    expect(finished.exitCode).toBe(2);
    expect(finished.stdout).toBe('');
    expect(finished.stderr.toLowerCase()).toContain(hint.toLowerCase());
  });

  it('is 2 as JSON, too, when the command line is not understood', async () => {
    expectError(await winnow('inspect', '--wat', '--json'), 2, 'InvalidRequest');
  });

  it('is 10 where there is no database or no such stream', async () => {
    expectError(await winnow('inspect', path.join(directory, 'nothing'), '--json'), 10, 'DatabaseNotFound');
    expectError(await winnow('read', rules, 'no-such-stream', '--json'), 10, 'StreamNotFound');
    expectError(await winnow('read', rules, 'soft-deleted', '--json'), 10, 'StreamNotFound');
    expectError(await winnow('read', rules, 'hard-deleted', '--json'), 10, 'StreamDeleted');
  });

  it('is 11 for a command that writes while a server has the directory open; reading goes on', async () => {
    const held = copyOfSample('held');
    const release = new NodeFileSystem().tryLock(path.join(held, 'writer.chk'));
    try {
      expectError(
        await winnow('scavenge', held, '--scavenge-point', 'detached', '--yes', '--json'),
        11,
        'DatabaseInUse'
      );
      const inspected = await winnow('inspect', held, '--json');
      expect(inspected.exitCode).toBe(0);
      expect((await winnow('chunks', held)).stderr).toContain('The database is open in');
      expect(jsonOf(inspected)).toMatchObject({ inUse: { by: expect.any(String) as string } });
    } finally {
      release?.();
    }
  });

  it('is 1 for damage that verify finds, and 0 for hints alone', async () => {
    const damaged = unpackDamaged('damaged-a-record-data-byte');
    const found = await winnow('verify', damaged, '--json');
    expectValid('verify', jsonOf(found));
    expect(found.exitCode).toBe(1);
    expect((await winnow('verify', rules, '--quiet')).exitCode).toBe(0);
  });

  it('is 14 for encrypted chunks, before anything is written', async () => {
    const encrypted = copyOfSample('encrypted');
    const chunk = path.join(encrypted, 'chunk-000000.000000');
    fs.chmodSync(chunk, 0o644);
    const file = fs.openSync(chunk, 'r+');
    fs.writeSync(file, Buffer.from([4, 1]), 0, 2, 34);
    fs.closeSync(file);
    const before = fs.readdirSync(encrypted, { recursive: true }).toSorted();
    expectError(
      await winnow('scavenge', encrypted, '--scavenge-point', 'detached', '--yes', '--json'),
      14,
      'UnsupportedFormat'
    );
    expect(fs.readdirSync(encrypted, { recursive: true }).toSorted()).toEqual(before);
    expectError(await winnow('records', encrypted, '--json'), 14, 'UnsupportedFormat');
  });
});

describe('commands that write', () => {
  it('need --yes where there is no terminal', async () => {
    const target = path.join(directory, 'unasked');
    const refused = await winnow('sample', target);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('--dry-run');
    expect(fs.existsSync(target)).toBe(false);
    expectError(
      await winnow('scavenge', sample, '--scavenge-point', 'detached', '--json'),
      2,
      'InvalidRequest'
    );
  });

  it('write nothing with --dry-run', async () => {
    const target = path.join(directory, 'dry');
    expect((await winnow('sample', target, '--dry-run')).exitCode).toBe(0);
    expect(fs.existsSync(target)).toBe(false);
    const copy = copyOfSample('dry-scavenge');
    const planned = await winnow('scavenge', copy, '--scavenge-point', 'detached', '--dry-run', '--json');
    expectValid('plan', jsonOf(planned));
    expect(fs.readdirSync(copy, { recursive: true }).toSorted()).toEqual(
      fs.readdirSync(sample, { recursive: true }).toSorted()
    );
  });

  it('refuse a new scavenge point where nothing says that this is a single node', async () => {
    expectError(await winnow('scavenge', copyOfSample('bare'), '--yes', '--json'), 2, 'InvalidRequest');
  });

  it('write one for a single node by its configuration, and never for a member of a cluster', async () => {
    const file = path.join(directory, 'node.conf');
    const copy = copyOfSample('configured');
    fs.writeFileSync(file, `Db: ${copy}\nClusterSize: 3\n`);
    expectError(await winnow('plan', '--config', file, '--single-node', '--json'), 2, 'InvalidRequest');
    expectError(await winnow('plan', '--config', file, '--json'), 2, 'InvalidRequest');
    fs.writeFileSync(file, `Db: ${copy}\nClusterSize: 1\nDisableScavengeMerging: true\n`);
    const planned = jsonOf(await winnow('plan', '--config', file, '--json'));
    expect(planned).toMatchObject({ result: 'success', scavengePoint: { placement: 'new' } });
  });

  it('believe the answer that the window keeps in the registry', async () => {
    const copy = copyOfSample('registered');
    const registry = new NodeRegistry(environment['WINNOW_HOME'] ?? '', () => 0);
    const { id } = registry.open({ dataDirectory: copy });
    registry.edit(id, { isSingleNode: false });
    expectError(await winnow('plan', copy, '--single-node', '--json'), 2, 'InvalidRequest');
    registry.edit(id, { isSingleNode: true });
    expect(jsonOf(await winnow('plan', copy, '--json'))).toMatchObject({
      scavengePoint: { placement: 'new' }
    });
  });

  it('do what their plan said', async () => {
    const copy = copyOfSample('planned');
    const words = ['--single-node', '--now', '2026-06-01T00:00:00Z', '--json'];
    const plan = jsonOf(await winnow('plan', copy, ...words)) as Record<string, unknown>;
    const run = jsonOf(await winnow('scavenge', copy, ...words, '--yes')) as Record<string, unknown>;
    for (const member of [
      'scavengePoint',
      'recordsDiscarded',
      'indexEntriesDiscarded',
      'bytesBefore',
      'bytesAfter',
      'spaceSavedBytes',
      'leftInActiveChunk'
    ]) {
      expect(run[member], member).toEqual(plan[member]);
    }
    const again = jsonOf(await winnow('scavenge', copy, '--sync-only', '--yes', '--json'));
    expect(again).toMatchObject({ result: 'success', scavengePoint: null });
  });

  it('leave a history: of a single node in its log, with the retention asked for', async () => {
    const copy = copyOfSample('remembered');
    const words = ['--single-node', '--scavenge-history-max-age', '7', '--yes', '--json'];
    const run = jsonOf(await winnow('scavenge', copy, ...words)) as { scavengeId: string };
    const history = await winnow('history', copy, '--json');
    expectValid('history', jsonOf(history));
    expect(jsonOf(history)).toMatchObject({
      runs: [
        { scavengeId: run.scavengeId, result: 'success', placement: 'new', by: 'winnow', recordedIn: 'log' }
      ]
    });
    const metadata = linesOf(
      await winnow('read', copy, '$$$scavenges', '--backward', '--data', 'utf8', '--json')
    );
    expect(metadata[0]).toMatchObject({ data: expect.stringContaining('"$maxAge":604800,') as string });
    expect((await winnow('history', copy)).stdout).toContain(run.scavengeId);
    expect((await winnow('history', sample)).stdout).toBe('No scavenges known.\n');
  });

  it('take the retention of the history from the configuration, and refuse one that is none', async () => {
    const copy = copyOfSample('retained');
    const file = path.join(directory, 'retained.conf');
    fs.writeFileSync(file, `Db: ${copy}\nClusterSize: 1\nScavengeHistoryMaxAge: 3\n`);
    await winnow('scavenge', '--config', file, '--yes', '--stop-after', 'beginning');
    const [metadata] = linesOf(
      await winnow('read', copy, '$$$scavenges', '--backward', '--data', 'utf8', '--json')
    );
    expect(metadata).toMatchObject({ data: expect.stringContaining('"$maxAge":259200,') as string });
    fs.writeFileSync(file, `Db: ${copy}\nScavengeHistoryMaxAge: 0\n`);
    expectError(await winnow('plan', '--config', file, '--json'), 2, 'InvalidRequest');
  });

  it('stop after a phase and resume with the next run', async () => {
    const copy = copyOfSample('stopped');
    const words = ['--single-node', '--yes', '--json'];
    const first = await winnow('scavenge', copy, ...words, '--stop-after', 'calculation');
    expect(first.exitCode).toBe(0);
    expect(jsonOf(first)).toMatchObject({ result: 'stopped' });
    const second = jsonOf(await winnow('scavenge', copy, ...words));
    expect(second).toMatchObject({ result: 'success', resumed: true });
  });
});

describe('pipes and signals', () => {
  it('end quietly with 0 when the reader of a stream closes the pipe', async () => {
    const finished = await runWinnow(['records', rules, '--json'], {
      environment,
      onStdout: (_text, child) => child.closeStdout()
    });
    expect(finished).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('stop in an orderly way with 130 at the first signal', async () => {
    const target = path.join(directory, 'interrupted');
    // Progress that comes before the command has ended must not be answered by a second signal, which ends it at once.
    let isSignalled = false;
    const finished = await runWinnow(['sample', target, '--size', '2GiB', '--yes', '--progress', 'json'], {
      environment,
      onStderr: (_text, child) => {
        if (!isSignalled) child.signal('SIGINT');
        isSignalled = true;
      }
    });
    expect(finished.exitCode).toBe(130);
    expect(finished.stderr).toContain('Stopped.');
  });

  it('show progress as JSON on stderr when asked', async () => {
    const target = path.join(directory, 'progress');
    const { stderr } = await winnow('sample', target, '--size', '16MiB', '--yes', '--progress', 'json');
    const first = JSON.parse(stderr.split('\n')[0] ?? '') as unknown;
    expect(first).toMatchObject({ operation: 'writeSample', unit: 'bytes' });
  });
});

describe('help and completion', () => {
  it.each([
    ['inspect'],
    ['chunks'],
    ['records'],
    ['streams'],
    ['read'],
    ['index'],
    ['verify'],
    ['diff'],
    ['extract'],
    ['bundle'],
    ['export'],
    ['plan'],
    ['scavenge'],
    ['sample'],
    ['history'],
    ['schedule'],
    ['completion']
  ])('%s --help shows an example', async (command) => {
    const { exitCode, stdout } = await winnow(command, '--help');
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`winnow ${command}`);
    expect(stdout).toMatch(/Examples?:/);
  });

  it.each([['bash'], ['zsh'], ['fish']])('completes in %s', async (shell) => {
    const { exitCode, stdout } = await winnow('completion', shell);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('scavenge-point');
    expect(stdout).not.toContain('conformance');
  });

  it('says which commands there are when none is given', async () => {
    const { exitCode, stderr } = await winnow();
    expect(exitCode).toBe(2);
    expect(stderr).toContain('scavenge');
  });
});
