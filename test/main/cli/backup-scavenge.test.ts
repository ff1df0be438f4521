/** `winnow backup scavenge` and `winnow redact TARGET@ID` as a user meets them: plan, question, JSON, what is refused. */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BackupErasureReport } from '../../../src-main/contract/operations/erasure-reports.ts';
import type { BackupsReport } from '../../../src-main/contract/operations/backup-reports.ts';
import type { RecordRow } from '../../../src-main/contract/operations/reports.ts';
import { changeManifest } from '../../support/changed-manifest.ts';
import { directoryTree } from '../../support/directory-tree.ts';
import { runWinnow } from './run-winnow.ts';

const root = fs.mkdtempSync(path.join(tmpdir(), 'winnow-backup-scavenge-'));
const db = path.join(root, 'db');
const target = path.join(root, 'backups');
const scratch = path.join(root, 'scratch');
const environment = { WINNOW_HOME: path.join(root, 'home') };
const schema = new URL('../../../resources/schemas/backup-scavenge.json', import.meta.url);
const validate = new Ajv2020({ strict: false }).compile(
  JSON.parse(fs.readFileSync(schema, 'utf8')) as object
);
let id = '';
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

const winnow = (...words: string[]) => runWinnow(words, { environment });
async function json<T = BackupErasureReport>(...words: string[]): Promise<T> {
  const { stdout, exitCode, stderr } = await winnow(...words, '--json', '--quiet');
  expect([exitCode, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as T;
}

beforeAll(async () => {
  await winnow('sample', db, '--size', '3MiB', '--chunk-size', '1MiB', '--seed', '7', '--yes', '--quiet');
  const made = await json<BackupsReport>('backup', 'create', db, '--to', target, '--yes');
  id = made.backups[0]!.id;
});

describe('winnow backup scavenge', () => {
  it('shows a plan that changes nothing, then does it, and removes the old generation on request', async () => {
    const before = directoryTree(target);
    const words = ['backup', 'scavenge', target, '--backup', id, '--scratch', scratch];
    const plan = await json(...words, '--dry-run');
    expect(validate(plan), JSON.stringify(validate.errors)).toBe(true);
    expect(plan).toMatchObject({ result: 'planned', backup: id, work: 'scavenge', oldRemoved: false });
    expect(directoryTree(target)).toEqual(before);

    const report = await json(...words, '--plan', plan.planId!, '--yes');
    expect(validate(report), JSON.stringify(validate.errors)).toBe(true);
    expect(report).toMatchObject({ result: 'rewritten', verified: { ok: true, damage: 0 } });
    expect(report.scavenge?.recordsDiscarded).toBeGreaterThan(0);
    expect(fs.existsSync(scratch) ? fs.readdirSync(scratch) : []).toEqual([]);

    const removed = await winnow(...words, '--remove-old', '--yes');
    expect([removed.exitCode, removed.stdout]).toEqual([
      0,
      expect.stringContaining('the old generation was removed')
    ]);
    const { backups } = await json<BackupsReport>('backup', 'list', target);
    expect(backups.map((backup) => [backup.id, backup.rewrites?.of])).toEqual([[report.newBackup!.id, id]]);
    expect((await winnow('backup', 'verify', target, '--all')).exitCode).toBe(0);
    id = report.newBackup!.id;
  });

  it('leaves no record of which a comparison would not know why it is gone', async () => {
    // What is too old now was not too old at the end of its log.
    const old = path.join(root, 'old');
    const backups = path.join(root, 'old-backups');
    const sample = [
      '--size',
      '2MiB',
      '--chunk-size',
      '1MiB',
      '--now',
      '2025-06-01T00:00:00Z',
      '--yes',
      '--quiet'
    ];
    await winnow('sample', old, ...sample);
    const made = await json<BackupsReport>('backup', 'create', old, '--to', backups, '--yes');
    const words = ['--backup', made.backups[0]!.id, '--scavenge-point', 'detached', '--yes'];
    const { newBackup } = await json('backup', 'scavenge', backups, ...words);
    const compare = () => winnow('diff', old, `${backups}@${newBackup!.id}`, '--quiet');
    const { stdout, exitCode } = await compare();
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringContaining('removed by rule on the other side: maxAge')
    ]);

    // In the manifest of a program that did not keep the point.
    const file = path.join(backups, newBackup!.id, 'manifest.json');
    const text = fs.readFileSync(file, 'utf8');
    changeManifest(file, ({ rewrite }) => {
      const { detachedPoints } = rewrite as { detachedPoints?: object[] };
      expect(detachedPoints).toEqual([
        { position: 2 * 1024 * 1024, effectiveNow: expect.stringMatching(/^20/) as string }
      ]);
      delete (rewrite as { detachedPoints?: object[] }).detachedPoints;
    });
    const older = await compare();
    expect([older.exitCode, older.stdout]).toEqual([1, expect.stringContaining('not known')]);
    fs.writeFileSync(file, text);
  });

  it('redacts an event in a backup', async () => {
    const { stdout } = await winnow('records', db, '--chunk', '0', '--json', '--quiet');
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as RecordRow);
    const event = events.find(
      (row) =>
        row.kind === 'prepare' &&
        !row.stream.startsWith('$') &&
        row.stream.startsWith('order') &&
        row.dataLength > 0
    );
    if (event?.kind !== 'prepare') throw new Error('an event');
    const page = path.join(root, 'certificate.html');
    const words = ['redact', `${target}#${id}`, '--event', event.eventId];
    const report = await json(...words, '--html', page, '--yes');
    expect(validate(report), JSON.stringify(validate.errors)).toBe(true);
    expect(report).toMatchObject({ work: 'redaction', redaction: { events: [{ state: 'redacted' }] } });
    expect(fs.readFileSync(page, 'utf8')).toContain(event.eventId);

    // Two generations of one backup would be two answers to what it holds.
    const other = await winnow('backup', 'scavenge', `${target}@${id}`, '--dry-run');
    expect([other.exitCode, other.stderr]).toEqual([
      2,
      expect.stringContaining('another generation already')
    ]);
    id = report.newBackup!.id;

    // The points of the generation that was redacted are those of the new one too.
    const compared = await winnow('diff', db, `${target}@${id}`, '--quiet');
    expect(compared.stdout).not.toContain('not known');
  });

  it.each([
    ['no backup', ['backup', 'scavenge', target], 2, 'No backup is named'],
    [
      'an unknown one',
      ['backup', 'scavenge', target, '--backup', '20200101T000000Z-abcd'],
      2,
      'no finished backup'
    ],
    ['options of a backup for a node', ['redact', db, '--event', 'x', '--remove-old'], 2, 'is for a backup']
  ])('refuses %s', async (_what, words, exitCode, text) => {
    const result = await winnow(...words, '--yes');
    expect([result.exitCode, result.stderr]).toEqual([exitCode, expect.stringContaining(text)]);
  });

  it('asks for an answer', async () => {
    const result = await winnow('backup', 'scavenge', `${target}@${id}`);
    expect([result.exitCode, result.stderr]).toEqual([2, expect.stringContaining('--yes')]);
  });
});
