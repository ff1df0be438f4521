/**
 * `winnow backup scavenge` as a real process, killed while it gathers the backup, while it scavenges, and when that is done:
 * the same command continues with what is there, and ends as one that nobody killed. Plain, compressed, encrypted, in a store.
 * And `winnow redact` of a backup, killed between two chunks.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { writeKeyFile } from '../../../src-main/backup/encodings/key-file.ts';
import { COMMAND_LINE } from '../../support/command-line.ts';
import { recordCampaign } from '../../support/proof-record.ts';
import { useS3Credentials } from '../../support/s3-credentials.ts';
import { S3_BUCKET, startS3Server } from '../../support/s3-server.ts';

const CHUNK = /^chunk-\d{6}\.\d{6}$/;
let root: string;
const cleanUps: (() => Promise<void>)[] = [];

beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-killed-erasure-'));
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  vi.unstubAllEnvs();
  fs.rmSync(root, { recursive: true, force: true });
});

interface End {
  isKilled: boolean;
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** Kills the command as soon as `until` is true. */
async function winnow(words: readonly string[], until?: () => boolean): Promise<End> {
  const env = { ...process.env, WINNOW_HOME: path.join(root, 'home') };
  const child = spawn(process.execPath, [COMMAND_LINE, ...words], { cwd: root, env });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const watch = until && setInterval(() => until() && child.kill('SIGKILL'), 1);
  const [exitCode, signal] = await new Promise<[number | null, string | null]>((resolve) =>
    child.on('close', (...end) => resolve(end))
  );
  clearInterval(watch);
  return { isKilled: signal === 'SIGKILL', exitCode, stdout, stderr };
}

async function done(...words: string[]): Promise<string> {
  const end = await winnow(words);
  expect(end.exitCode, end.stderr).toBe(0);
  return end.stdout;
}

/** Chunks below a directory, each with what tells it from another file that has its name, or its inode after it. */
function chunksBelow(directory: string): Map<string, string> {
  const found = new Map<string, string>();
  const names = (() => {
    try {
      return fs.readdirSync(directory, { recursive: true, encoding: 'utf8' });
    } catch {
      return []; // it is being changed
    }
  })();
  for (const name of names) {
    if (!CHUNK.test(path.basename(name))) continue;
    const facts = fs.statSync(path.join(directory, name), { throwIfNoEntry: false, bigint: true });
    if (facts) found.set(path.basename(name), `${facts.ino} ${facts.mtimeNs}`);
  }
  return found;
}

function recordsOf(dataDirectory: string): string[] {
  const database = openDatabase({ fileSystem: new NodeFileSystem(), dataDirectory });
  const records: string[] = [];
  for (const cursor = database.log.cursor(); cursor.next();)
    records.push(`${cursor.record.position} ${cursor.record.payload.toString('base64')}`);
  database.close();
  return records;
}

/** How far the note in a scratch directory says that the work has come. */
function stepIn(scratch: string): string {
  try {
    return (JSON.parse(fs.readFileSync(path.join(scratch, 'steps.json'), 'utf8')) as { step: string }).step;
  } catch {
    return ''; // not yet
  }
}

const isRewritten = (name: string): boolean => !name.endsWith('.000000');

it.each(['plain', 'compressed', 'encrypted', 'store'] as const)(
  'continues with every step that is done (%s)',
  async (kind) => {
    let target = 'backups';
    const access: string[] = [];
    if (kind === 'encrypted' || kind === 'store') {
      await writeKeyFile(path.join(root, 'key'), '2026-01-01T00:00:00Z');
      access.push('--key-file', 'key');
    }
    if (kind === 'store') {
      useS3Credentials();
      const server = await startS3Server();
      cleanUps.push(() => server.remove());
      target = `s3://${S3_BUCKET}/killed/one`;
      access.push('--s3-endpoint', server.endpoint);
    }
    const compress = kind === 'plain' ? [] : ['--compress'];
    await done('sample', 'db', '--size', '2MiB', '--chunk-size', '64KiB', '--yes', '--quiet');
    await done('backup', 'create', 'db', '--to', target, ...compress, ...access, '--yes', '--quiet');
    const s3 = access.filter(
      (_word, at) => access[at] === '--s3-endpoint' || access[at - 1] === '--s3-endpoint'
    );
    const list = async () =>
      (JSON.parse(await done('backup', 'list', target, ...s3, '--json')) as { backups: { id: string }[] })
        .backups;
    const { id } = (await list())[0]!;
    const words = [
      ...['backup', 'scavenge', target, '--backup', id, '--scavenge-point', 'detached', '--threshold', '-1'],
      ...['--scratch', 'scratch', ...access, '--yes', '--json']
    ];
    const scratch = path.join(root, 'scratch', `winnow-backup-erasure-${id}`);
    const step = (): string => stepIn(scratch);

    const gathering = await winnow(words, () => chunksBelow(scratch).size >= 12);
    expect([gathering.isKilled, step()], gathering.stderr + gathering.stdout).toEqual([true, 'gathering']);
    const staged = chunksBelow(scratch);

    // What was gathered whole is the same file when more has come: later the scavenge replaces it.
    const kept = new Set<string>();
    const scavenging = await winnow(words, () => {
      const now = chunksBelow(scratch);
      if (now.size > staged.size)
        for (const [name, file] of staged) if (now.get(name) === file) kept.add(name);
      return step() === 'erasing' && [...now.keys()].filter(isRewritten).length >= 3;
    });
    expect([scavenging.isKilled, step()], scavenging.stderr + scavenging.stdout).toEqual([true, 'erasing']);
    expect([...kept].sort()).toEqual([...staged.keys()].sort());
    const scavenged = chunksBelow(scratch);

    const storing = await winnow(words, () => step() === 'erased');
    expect([storing.isKilled, step()], storing.stderr + storing.stdout).toEqual([true, 'erased']);
    expect(storing.stderr).toContain('Continues in');
    const erased = chunksBelow(scratch);
    // The chunk that was just switched when the kill came may be made again: its checkpoint was not on the disk yet.
    const made = [...scavenged].filter(([name]) => isRewritten(name)).sort();
    const madeAgain = made.filter(([name, file]) => erased.get(name) !== file).map(([name]) => name);
    expect(madeAgain).toEqual(made.slice(made.length - madeAgain.length).map(([name]) => name));
    expect(madeAgain.length).toBeLessThanOrEqual(1);

    const last = await winnow(words);
    expect(last.exitCode, last.stderr).toBe(0);
    expect(last.stderr).toContain('Continues in');
    const report = JSON.parse(last.stdout) as { newBackup: { id: string }; scavenge: { chunks: unknown[] } };
    expect(report).toMatchObject({ result: 'rewritten', verified: { ok: true } });
    expect(fs.existsSync(scratch)).toBe(false);
    expect((await list()).map((backup) => backup.id).sort()).toEqual([id, report.newBackup.id].sort());

    const restore = async (backup: string, to: string): Promise<void> => {
      const words = ['restore', `${target}@${backup}`, '--to', to, '--apply-truncation', ...access];
      await done(...words, '--yes', '--quiet');
    };
    await restore(report.newBackup.id, 'new');
    // The same backup's database, scavenged where nobody stops it.
    await restore(id, 'old');
    const point = [
      '--scavenge-point',
      'detached',
      '--threshold',
      '-1',
      '--no-merge',
      '--always-keep-scavenged'
    ];
    await done('scavenge', 'old', ...point, '--yes', '--quiet');
    expect(recordsOf(path.join(root, 'new'))).toEqual(recordsOf(path.join(root, 'old')));
    await done('verify', 'new', '--quiet');
    recordCampaign({
      ...{ name: `killed: scavenge of a backup, step by step, ${kind}`, promise: 'threads' },
      ...{ operation: 'scavenge of a backup', faults: 'SIGKILL while it gathers, scavenges, stores' },
      counts: { kills: 3, cases: 1 }
    });
  }
);

interface RedactionOfBackup {
  result: string;
  redaction: {
    events: { state: string; file: string }[];
    chunks: Record<string, unknown>[];
    swept: string[];
  };
  newBackup: { id: string };
}

it('a redaction continues with the chunks that are done, and its certificate names all of them', async () => {
  await done('sample', 'db', '--size', '2MiB', '--chunk-size', '64KiB', '--yes', '--quiet');
  for (const target of ['cut', 'whole'])
    await done('backup', 'create', 'db', '--to', target, '--yes', '--quiet');
  const read = await done('read', 'db', '$all', '--json', '--quiet');
  const events = read
    .trim()
    .split('\n')
    .map(
      (line) => JSON.parse(line) as { stream: string; eventId: string; eventType: string; dataLength: number }
    )
    .filter(
      ({ stream, eventType, dataLength }) => !stream.startsWith('$') && eventType !== '$>' && dataLength > 20
    );
  const ids = events.filter((_, i) => i % Math.ceil(events.length / 60) === 0).map(({ eventId }) => eventId);
  const redact = async (target: string, until?: (scratch: string) => boolean) => {
    const list = await done('backup', 'list', target, '--json');
    const { id } = (JSON.parse(list) as { backups: { id: string }[] }).backups[0]!;
    const scratch = path.join(root, 'scratch', `winnow-backup-erasure-${id}`);
    const asked = ids.flatMap((event) => ['--event', event]);
    const words = ['redact', `${target}@${id}`, ...asked, '--scratch', 'scratch', '--yes', '--json'];
    return { id, scratch, end: await winnow(words, until && (() => until(scratch))) };
  };
  const whole = await redact('whole');
  expect(whole.end.exitCode, whole.end.stderr + whole.end.stdout).toBe(0);
  const expected = JSON.parse(whole.end.stdout) as RedactionOfBackup;
  expect(expected.redaction.chunks.length).toBeGreaterThan(8);

  let kills = 0;
  let made = new Map<string, string>();
  for (const more of [2, 3]) {
    // On a busy machine the first kill comes late; the second is to come while the run makes chunks of its own.
    const wanted = made.size + more;
    const cut = await redact(
      'cut',
      (scratch) => [...chunksBelow(scratch).keys()].filter(isRewritten).length >= wanted
    );
    expect([cut.end.isKilled, stepIn(cut.scratch)], cut.end.stderr + cut.end.stdout).toEqual([
      true,
      'erasing'
    ]);
    if (kills++ > 0) expect(cut.end.stderr).toContain('Continues in');
    const now = chunksBelow(cut.scratch);
    for (const [name, file] of made) expect(now.get(name), name).toBe(file);
    made = new Map([...now].filter(([name]) => isRewritten(name)));
    expect(made.size).toBeGreaterThanOrEqual(wanted);
  }
  const last = await redact('cut');
  expect(last.end.exitCode, last.end.stderr + last.end.stdout).toBe(0);
  expect(last.end.stderr).toContain('Continues in');
  const report = JSON.parse(last.end.stdout) as RedactionOfBackup;
  expect(report.result).toBe('rewritten');
  const { events: told, chunks, swept } = expected.redaction;
  expect(report.redaction).toMatchObject({ result: 'redacted', events: told, chunks, swept });
  await done(
    'restore',
    `cut@${report.newBackup.id}`,
    '--to',
    'new',
    '--apply-truncation',
    '--yes',
    '--quiet'
  );
  await done('verify', 'new', '--quiet');
  const found = JSON.parse(
    await done('redact', 'new', ...ids.flatMap((id) => ['--event', id]), '--dry-run', '--json')
  ) as RedactionOfBackup['redaction'];
  expect(new Set(found.events.map(({ state }) => state))).toEqual(new Set(['alreadyRedacted']));
  recordCampaign({
    ...{ name: 'killed: redaction in a backup, between chunks', promise: 'threads' },
    ...{ operation: 'redaction in a backup', faults: 'SIGKILL after some of its chunks' },
    counts: { kills, cases: 1 }
  });
});
