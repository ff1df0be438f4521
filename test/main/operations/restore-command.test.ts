/** `winnow restore` from the command line: plan, run, exit codes, what it refuses, finishing and undoing. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeManifest, type Manifest } from '../../../src-core/backup/manifest.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { restorePlanReport, restoreReport } from '../../../src-main/contract/operations/restore-reports.ts';
import { filesOf } from '../../support/database-content.ts';
import {
  BACKUP_ID,
  sourceOf,
  stoppedRestore,
  writeBackup,
  writeOldDatabase,
  writeSmallDatabase
} from '../../support/restore-fixture.ts';
import { jsonOf, runWinnow } from '../cli/run-winnow.ts';

const fileSystem = new NodeFileSystem();
let directory: string;
let target: string;
let manifest: Manifest;

beforeAll(async () => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-restore-'));
  target = path.join(directory, 'backups');
  const source = path.join(directory, 'source');
  await writeSmallDatabase(fileSystem, source, { chaserBehind: 1000 });
  manifest = writeBackup(fileSystem, source, target);
  fs.writeFileSync(path.join(target, BACKUP_ID, 'manifest.json'), encodeManifest(manifest));
});
afterAll(() => fs.rmSync(directory, { recursive: true, force: true }));

function oldDatabase(name: string): string {
  const dataDirectory = path.join(directory, name);
  writeOldDatabase(fileSystem, dataDirectory);
  return dataDirectory;
}

describe('winnow restore', () => {
  it('shows the plan with --dry-run and changes nothing', async () => {
    const dataDirectory = oldDatabase('planned');
    const before = filesOf(dataDirectory);
    const words = ['restore', target, '--to', dataDirectory, '--dry-run'];
    const plan = restorePlanReport.parse(jsonOf(await runWinnow([...words, '--json'])));
    expect(plan.backup).toBe(`${target}@${BACKUP_ID}`);
    const { stdout, exitCode } = await runWinnow(words);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('before-restore-');
    expect(stdout).toContain('start it a second time');
    expect(filesOf(dataDirectory)).toEqual(before);
  });

  it('needs --yes where nobody can be asked', async () => {
    const dataDirectory = oldDatabase('asked');
    const { exitCode, stderr } = await runWinnow(['restore', target, '--to', dataDirectory]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--yes');
  });

  it('restores, and answers as the contract says', async () => {
    const dataDirectory = oldDatabase('restored');
    const finished = await runWinnow([
      'restore',
      `${target}@${BACKUP_ID}`,
      '--to',
      dataDirectory,
      '--apply-truncation',
      '--yes',
      '--json'
    ]);
    expect(finished.exitCode).toBe(0);
    const report = restoreReport.parse(jsonOf(finished));
    expect(report.appliedTruncation).toBe(true);
    expect(report.movedAside).toHaveLength(1);
    expect((await runWinnow(['verify', dataDirectory])).exitCode).toBe(0);
  });

  it('that was stopped is shown, refused with 11 to all that writes, and undone', async () => {
    const dataDirectory = oldDatabase('stopped');
    const before = filesOf(dataDirectory);
    await stoppedRestore({ fileSystem, source: sourceOf(fileSystem, target, manifest), dataDirectory });
    const inspected = await runWinnow(['inspect', dataDirectory, '--json']);
    expect(jsonOf(inspected)).toMatchObject({ restoreState: 'copying' });
    const refused = await runWinnow(['scavenge', dataDirectory, '--scavenge-point', 'existing', '--yes']);
    expect(refused.exitCode).toBe(11);
    expect(refused.stderr).toContain('--continue');
    expect((await runWinnow(['restore', '--undo', '--to', dataDirectory, '--yes'])).exitCode).toBe(0);
    expect(filesOf(dataDirectory)).toEqual(before);
  });

  it.each([
    [['restore', '--to', 'x'], 'backup'],
    [['restore', '--to', 'x', '--continue', '--undo'], '--undo'],
    [['restore', 'b', '--to', 'x', '--finish'], 'backup'],
    [['restore', 'b', '--to', 'x', '--max-truncation', '5'], '--max-truncation'],
    [['restore', 'b'], '--to']
  ])('refuses %j', async (words, field) => {
    const finished = await runWinnow([...words, '--json']);
    expect(finished.exitCode).toBe(2);
    expect(JSON.stringify(jsonOf(finished))).toContain(field);
  });

  it('has nothing to continue where nothing was begun', async () => {
    const dataDirectory = oldDatabase('idle');
    const { exitCode, stderr } = await runWinnow(['restore', '--continue', '--to', dataDirectory, '--yes']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('No restore');
  });
});
