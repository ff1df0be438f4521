/** The operations on backups, run in this thread on golden databases and against a server that a test plays. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NodeFileSystem } from '../../../src-core/index.ts';
import { BACKUP_SCHEMAS } from '../../../src-main/contract/operations/backup-reports.ts';
import type { Replies, RequestOf } from '../../../src-main/contract/operations/operation-contract.ts';
import { unsealed } from '../../support/changed-manifest.ts';
import { filesOf } from '../../support/database-content.ts';
import { removeUnpacked, unpackDamaged, unpackDatabase } from '../../support/golden.ts';
import { startFakeNode, type FakeNode } from './fake-node.ts';
import { runOperation } from '../../support/testing-context.ts';

const fileSystem = new NodeFileSystem();
let root: string;
let target: string;
const logged: string[] = [];
let clockMs = Date.UTC(2026, 10, 21, 5);

beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-backup-'));
  target = path.join(root, 'backups');
});
afterEach(() => {
  removeUnpacked();
  fs.rmSync(root, { recursive: true, force: true });
});

function run<N extends keyof Replies>(name: N, request: RequestOf<N>): Promise<Replies[N]> {
  return runOperation(name, request, {
    fileSystem,
    clock: () => (clockMs += 3_600_000),
    onLog: ({ message }) => logged.push(message)
  });
}

describe('taking a backup', () => {
  it('plans, copies with several threads, lists and verifies', async () => {
    const dataDirectory = unpackDatabase({ name: 'rules', folder: 'before' });
    const plan = await run('planBackup', { dataDirectory, target });
    expect(plan).toMatchObject({ mode: 'full', basedOn: null, resumes: null });
    expect(fs.existsSync(target)).toBe(false);
    const report = await run('createBackup', { dataDirectory, target, threads: 2 });
    expect(() => BACKUP_SCHEMAS['backup-create'].parse(report)).not.toThrow();
    const [made] = report.backups;
    expect(made).toMatchObject({
      mode: 'full',
      fileCount: plan.fileCount,
      bytes: plan.bytes,
      bytesCopied: plan.bytesToCopy,
      verified: null
    });

    const verification = await run('verifyBackup', { target });
    expect(() => BACKUP_SCHEMAS['backup-verify'].parse(verification)).not.toThrow();
    expect(verification).toMatchObject({ backup: made!.id, ok: true, findings: [] });
    const list = await run('listBackups', { target });
    expect(list.backups.map(({ id, verified }) => [id, verified?.ok])).toEqual([[made!.id, true]]);
  });

  it('names each chunk that was damaged in the source, among chunks that are hashed side by side', async () => {
    const dataDirectory = path.join(root, 'sample');
    await run('writeSample', { dataDirectory, sizeBytes: 1024 * 1024, chunkSizeBytes: 64 * 1024 });
    const damaged = ['chunk-000001.000000', 'chunk-000002.000000', 'chunk-000009.000000'];
    for (const name of damaged) {
      const file = path.join(dataDirectory, name);
      const bytes = fs.readFileSync(file);
      bytes[40_000]! ^= 1;
      fs.writeFileSync(file, bytes);
    }
    await run('createBackup', { dataDirectory, target });
    const { ok, findings } = await run('verifyBackup', { target });
    expect(ok).toBe(false);
    expect(findings.map(({ code, file }) => [code, path.basename(file!)])).toEqual(
      damaged.map((name) => ['chunkHashMismatch', name])
    );
  });

  it('takes as long as a throttle makes it', async () => {
    const dataDirectory = unpackDatabase({ name: 'fresh', folder: 'after' });
    const { bytesToCopy } = await run('planBackup', { dataDirectory, target });
    const start = performance.now();
    await run('createBackup', { dataDirectory, target, threads: 1, bytesPerSecond: bytesToCopy * 2 });
    expect(performance.now() - start).toBeGreaterThan(450);
  });

  it('is refused into the database itself', async () => {
    const dataDirectory = unpackDatabase({ name: 'fresh', folder: 'after' });
    const inside = path.join(dataDirectory, 'backups');
    await expect(run('createBackup', { dataDirectory, target: inside })).rejects.toMatchObject({
      code: 'InvalidRequest'
    });
    expect(fs.existsSync(inside)).toBe(false);
  });

  it('makes no directory when nothing can be backed up', async () => {
    const empty = path.join(root, 'empty');
    fs.mkdirSync(empty);
    await expect(run('createBackup', { dataDirectory: empty, target })).rejects.toMatchObject({
      code: 'DatabaseNotFound'
    });
    expect(fs.existsSync(target) ? fs.readdirSync(target) : []).not.toContain('data');
    expect((await run('listBackups', { target })).backups).toEqual([]);
  });

  it.each([
    'damaged-c-missing-middle-chunk',
    'damaged-h-writer-chk-missing',
    'damaged-b-footer-completed-flag'
  ])('is refused of %s, which could not be restored', async (name) => {
    const dataDirectory = unpackDamaged(name);
    await expect(run('createBackup', { dataDirectory, target })).rejects.toMatchObject({
      code: 'LogCorrupt'
    });
  });

  it.each(['damaged-f-ptable-missing', 'damaged-e-bloomfilter-missing', 'damaged-l-index-dir-missing'])(
    'is possible of %s, whose index is made again',
    async (name) => {
      const dataDirectory = unpackDamaged(name);
      await run('createBackup', { dataDirectory, target });
      expect((await run('verifyBackup', { target })).ok).toBe(true);
    }
  );
});

describe('pruning', () => {
  it('says what it would remove, then removes exactly that', async () => {
    const dataDirectory = unpackDatabase({ name: 'plain', folder: 'after' });
    for (let i = 0; i < 3; i++) await run('createBackup', { dataDirectory, target });
    const request = { target, retention: { last: 1 } };
    const { planId, ...plan } = await run('pruneBackups', { ...request, dryRun: true });
    expect((await run('listBackups', { target })).backups).toHaveLength(3);
    const report = await run('pruneBackups', { ...request, plan: planId! });
    expect(() => BACKUP_SCHEMAS['backup-prune'].parse(report)).not.toThrow();
    expect({ ...report, dryRun: true }).toEqual(plan);
    expect(report.removed).toHaveLength(2);
    const left = await run('listBackups', { target });
    expect(left.backups.map(({ id }) => id)).toEqual(report.kept.map(({ id }) => id));
    expect((await run('verifyBackup', { target })).ok).toBe(true);
    expect(fs.readdirSync(target).filter((name) => !name.startsWith('.'))).toHaveLength(1);
  });
});

describe('a clock that was wrong for one backup', () => {
  /** Three backups, the second of them dated in the future. */
  async function takeThree(dataDirectory: string, mode: 'full' | 'auto'): Promise<string[]> {
    const ids: string[] = [];
    for (const year of [2026, 2099, 2027]) {
      clockMs = Date.UTC(year, 10, 21, 5);
      ids.push((await run('createBackup', { dataDirectory, target, mode })).backups[0]!.id);
    }
    return ids;
  }

  it.each(['full', 'auto'] as const)('does not make an older backup the newest (%s)', async (mode) => {
    const dataDirectory = unpackDatabase({ name: 'plain', folder: 'after' });
    const ids = await takeThree(dataDirectory, mode);
    const list = await run('listBackups', { target });
    expect(list.backups.map(({ id }) => id)).toEqual(ids);
    expect(list.warnings).toMatchObject([{ code: 'clockRanBackwards' }]);
    expect((await run('verifyBackup', { target })).backup).toBe(ids[2]);
    const plan = await run('planBackup', { dataDirectory, target, mode: 'auto' });
    expect(plan.basedOn).toBe(ids[2]);
    expect(plan.notes).toContainEqual(expect.objectContaining({ code: 'clockRanBackwards' }));
  });

  it('does not make prune remove the backups taken after it', async () => {
    const dataDirectory = unpackDatabase({ name: 'plain', folder: 'after' });
    const ids = await takeThree(dataDirectory, 'full');
    const report = await run('pruneBackups', { target, retention: { last: 1 } });
    expect(report.kept.map(({ id }) => id)).toEqual([ids[2]]);
    expect(report.warnings).toMatchObject([{ code: 'clockRanBackwards' }]);
  });

  it('is named by the backup that is taken while the clock is behind', async () => {
    const dataDirectory = unpackDatabase({ name: 'plain', folder: 'after' });
    const ids = await takeThree(dataDirectory, 'full');
    const { backups } = await run('listBackups', { target });
    expect(backups[2]!.id).toBe(ids[2]);
    expect(backups[2]!.notes).toContainEqual(expect.objectContaining({ code: 'clockRanBackwards' }));
  });

  it('leaves an unfinished backup alone that nothing has superseded, and only that', async () => {
    const dataDirectory = unpackDatabase({ name: 'plain', folder: 'after' });
    clockMs = Date.UTC(2099, 0, 1);
    const { id } = (await run('createBackup', { dataDirectory, target, mode: 'full' })).backups[0]!;
    const manifest = path.join(target, id, 'manifest.json');
    const progress = {
      format: 'winnow-backup-progress',
      formatVersion: 1,
      ...{ id, mode: 'full', basedOn: null, generation: 1, databaseTag: null, address: null },
      ...{ dataDirectory, indexDirectory: path.join(dataDirectory, 'index'), encodings: [], files: [] }
    };
    fs.writeFileSync(path.join(target, id, 'progress.json'), JSON.stringify(progress));
    fs.rmSync(manifest);
    clockMs = Date.UTC(2026, 0, 1);
    const other = unpackDatabase({ name: 'plain', folder: 'after' });
    const taken = (await run('createBackup', { dataDirectory: other, target })).backups[0]!;
    // Dated 73 years after the backup that has been finished since, and superseded by it all the same.
    const plan = await run('pruneBackups', { target, retention: { last: 1 }, dryRun: true });
    expect(plan).toMatchObject({ leftovers: [id], kept: [{ id: taken.id }] });
  });
});

it('says of a manifest that an older version wrote that it has no hash of itself', async () => {
  const dataDirectory = unpackDatabase({ name: 'plain', folder: 'after' });
  const { id } = (await run('createBackup', { dataDirectory, target })).backups[0]!;
  expect((await run('verifyBackup', { target, id })).notChecked).toEqual([]);
  const manifest = path.join(target, id, 'manifest.json');
  fs.writeFileSync(manifest, unsealed(fs.readFileSync(manifest)));
  const report = await run('verifyBackup', { target, id });
  const notChecked = ['the manifest itself: the version that wrote it kept no hash of it'];
  expect(report).toMatchObject({ ok: true, notChecked });
  expect(await run('verifyAllBackups', { target })).toMatchObject({ ok: true, notChecked });
});

describe('verifying all backups', () => {
  it('names the damaged ones, a damaged manifest too, and remembers each result', async () => {
    const dataDirectory = unpackDatabase({ name: 'plain', folder: 'after' });
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      ids.push((await run('createBackup', { dataDirectory, target, mode: 'full' })).backups[0]!.id);
    }
    const whole = await run('verifyAllBackups', { target });
    expect(() => BACKUP_SCHEMAS['backup-verify-all'].parse(whole)).not.toThrow();
    expect(whole).toMatchObject({ ok: true, backups: ids.map((backup) => ({ backup, ok: true })) });
    fs.rmSync(path.join(target, ids[0]!, 'data', 'writer.chk'));
    fs.writeFileSync(path.join(target, ids[1]!, 'manifest.json'), '{"format":');
    const report = await run('verifyAllBackups', { target });
    expect(report.ok).toBe(false);
    expect(report.findings.map(({ backup, code }) => [backup, code])).toEqual([
      [ids[1], 'manifestDamaged'],
      [ids[0], 'backupFileMissing']
    ]);
    const list = await run('listBackups', { target });
    expect(list.backups.map(({ id, verified }) => [id, verified?.ok])).toEqual([
      [ids[0], false],
      [ids[2], true]
    ]);
  });
});

describe('adopting a snapshot', () => {
  it('takes it in as a backup, also with the index on another volume', async () => {
    const snapshot = unpackDatabase({ name: 'killed-clean-tables', folder: 'at-kill' });
    const indexDirectory = path.join(root, 'index-snapshot');
    fs.renameSync(path.join(snapshot, 'index'), indexDirectory);
    const before = filesOf(snapshot);
    const report = await run('adoptBackup', { target, dataDirectory: snapshot, indexDirectory });
    expect(report.backups[0]).toMatchObject({ mode: 'snapshot' });
    expect((await run('verifyBackup', { target })).ok).toBe(true);
    expect(filesOf(snapshot)).toEqual(before);
  });

  it('refuses one that is damaged', async () => {
    const snapshot = unpackDamaged('damaged-a-record-data-byte');
    await expect(run('adoptBackup', { target, dataDirectory: snapshot })).rejects.toMatchObject({
      code: 'LogCorrupt'
    });
    expect(fs.existsSync(target)).toBe(false);
  });
});

describe('a running server', () => {
  let node: FakeNode;
  let dataDirectory: string;
  beforeEach(async () => {
    node = await startFakeNode();
    dataDirectory = unpackDatabase({ name: 'plain', folder: 'after' });
  });
  afterEach(() => node.close());

  const connection = () => ({ url: node.url, user: 'ops', password: 'secret' });

  it('is asked for its role before and after, and remembered in the manifest', async () => {
    const { backups } = await run('createBackup', { dataDirectory, target, node: connection() });
    expect(backups[0]!.node).toMatchObject({ address: node.url, role: 'Follower', serverVersion: '26.2.0' });
    expect(node.asked.filter((question) => question === 'GET /gossip')).toHaveLength(2);
    expect(backups[0]!.notes.map(({ code }) => code)).toContain('fewerThanQuorum');
    const text = fs.readFileSync(path.join(target, backups[0]!.id, 'manifest.json'), 'utf8');
    expect(text).not.toContain('secret');
  });

  it('is refused while it is catching up', async () => {
    node.role = 'CatchingUp';
    await expect(run('createBackup', { dataDirectory, target, node: connection() })).rejects.toMatchObject({
      code: 'RemoteNodeFailed'
    });
  });

  it('is refused while it scavenges, naming the run', async () => {
    node.scavengeId = '22afe0bd';
    await expect(run('createBackup', { dataDirectory, target, node: connection() })).rejects.toThrow(
      /22afe0bd/
    );
    expect(node.scavengeId).toBe('22afe0bd');
  });

  it('has its scavenge stopped, auto-scavenge first, and started again where that was asked for', async () => {
    node.scavengeId = '22afe0bd';
    node.autoScavenge = 'InProgress';
    await run('planBackup', { dataDirectory, target, node: connection(), stopScavenge: true });
    expect(node.scavengeId).toBe('22afe0bd');
    await run('createBackup', { dataDirectory, target, node: connection(), stopScavenge: true });
    expect(node.asked.filter((question) => !question.startsWith('GET'))).toEqual([
      'POST /auto-scavenge/pause',
      'DELETE /admin/scavenge/current',
      'POST /admin/scavenge',
      'POST /auto-scavenge/resume'
    ]);
    expect(node.scavengeId).toBe('resumed');
    expect(logged.join()).toContain('started again with one thread and without a throttle');
  });

  it('that wants a user says so', async () => {
    const refused = run('createBackup', { dataDirectory, target, node: { url: node.url } });
    await expect(refused).rejects.toThrow(/role \$ops/);
  });

  it('that does not answer is named', async () => {
    await node.close();
    const refused = run('createBackup', { dataDirectory, target, node: connection() });
    await expect(refused).rejects.toMatchObject({
      code: 'RemoteNodeFailed',
      message: expect.stringContaining(node.url) as string
    });
    node = await startFakeNode();
  });
});
