/** Restores as operations: reports, the marker as inspection shows it, what writes refuses, the cut of a log. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NodeFileSystem } from '../../../src-core/index.ts';
import type { Replies, RequestOf } from '../../../src-main/contract/operations/operation-contract.ts';
import { inspectReport } from '../../../src-main/contract/operations/reports.ts';
import {
  cutLogReport,
  rehearseReport,
  restorePlanReport,
  restoreReport
} from '../../../src-main/contract/operations/restore-reports.ts';
import { encodeManifest } from '../../../src-core/backup/manifest.ts';
import { filesOf } from '../../support/database-content.ts';
import { removeUnpacked, unpackDatabase, unpackTruncated } from '../../support/golden.ts';
import { BACKUP_ID, writeBackup, writeSmallDatabase } from '../../support/restore-fixture.ts';
import { runOperation } from '../../support/testing-context.ts';

const fileSystem = new NodeFileSystem();
let directory: string;
let target: string;
let warnings: string[];
const NOW = Date.UTC(2026, 10, 21, 5);
const STAMP = '20261121T050000Z';

beforeEach(async () => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-restore-'));
  target = path.join(directory, 'backups');
  warnings = [];
  const source = path.join(directory, 'source');
  await writeSmallDatabase(fileSystem, source, { chaserBehind: 1000 });
  const manifest = writeBackup(fileSystem, source, target);
  fs.writeFileSync(path.join(target, BACKUP_ID, 'manifest.json'), encodeManifest(manifest));
});
afterEach(() => {
  fs.rmSync(directory, { recursive: true, force: true });
  removeUnpacked();
});

function run<N extends keyof Replies>(
  name: N,
  request: RequestOf<N>,
  {
    onProgress = () => undefined,
    signal = new AbortController().signal
  }: { onProgress?: () => void; signal?: AbortSignal } = {}
): Promise<Replies[N]> {
  return runOperation(name, request, {
    fileSystem,
    signal,
    clock: () => NOW,
    onProgress,
    onLog: ({ level, message }) => {
      if (level === 'warning') warnings.push(message);
    }
  });
}

/** A restore that was stopped after the first bytes. */
async function stopped(dataDirectory: string): Promise<void> {
  const abort = new AbortController();
  await expect(
    run('runRestore', { target, dataDirectory }, { signal: abort.signal, onProgress: () => abort.abort() })
  ).rejects.toMatchObject({ name: 'OperationStopped' });
}

describe('restoring', () => {
  it('says what it will do, does that, and says what the next start does', async () => {
    const dataDirectory = unpackDatabase({ name: 'rules', folder: 'after-t0' });
    const before = filesOf(dataDirectory);
    const plan = restorePlanReport.parse(await run('planRestore', { target, dataDirectory }));
    expect(filesOf(dataDirectory)).toEqual(before);
    expect(plan).toMatchObject({
      backup: `${target}@${BACKUP_ID}`,
      movesAside: [`${dataDirectory}.before-restore-${STAMP}`],
      replaces: { writer: 1121296, isSameHistory: false, lostBytes: null, hasScavengeState: true },
      appliesTruncation: false
    });
    expect(plan.cutBytes).toBeGreaterThan(0);
    expect(plan.warnings.map(({ code }) => code)).toEqual(['otherHistory', 'scavengeStateMovedAside']);

    const report = restoreReport.parse(await run('runRestore', { target, dataDirectory }));
    expect(report).toMatchObject({
      filesCopied: plan.files,
      bytesCopied: plan.bytes,
      movedAside: plan.movesAside,
      truncatesTo: plan.truncatesTo,
      fullBackupAdvised: false
    });
    expect(report.nextStart).toMatch(/ends with exit code 0 .* start it a second time/);
    // Beside the old files lies the mark that says which restore moved them.
    const { 'winnow-restore-mark.json': mark, ...aside } = filesOf(plan.movesAside[0]!);
    expect(mark).toBeDefined();
    expect(aside).toEqual(before);
    const inspected = inspectReport.parse(await run('inspectDatabase', { dataDirectory }));
    expect(inspected).toMatchObject({ restoreState: null, checkpoints: { truncate: plan.truncatesTo } });
  });

  it('needs one start only when it cuts the log itself', async () => {
    const dataDirectory = path.join(directory, 'node');
    const report = await run('runRestore', { target, dataDirectory, applyTruncation: true });
    expect(report).toMatchObject({ appliedTruncation: true, movedAside: [] });
    expect(report.nextStart).toContain('one start is enough');
    const { ok, findings } = await run('verifyDatabase', { dataDirectory });
    expect(findings.filter(({ severity }) => severity === 'damage')).toEqual([]);
    expect(ok).toBe(true);
  });

  it('takes the folder of one backup as well as the target, and an id', async () => {
    for (const [i, named] of [
      { target: path.join(target, BACKUP_ID) },
      { target, id: BACKUP_ID }
    ].entries()) {
      const report = await run('runRestore', { ...named, dataDirectory: path.join(directory, `node-${i}`) });
      expect(report.backup).toBe(`${target}@${BACKUP_ID}`);
    }
    await expect(
      run('planRestore', { target, id: '20200101T000000Z-0000', dataDirectory: directory })
    ).rejects.toMatchObject({ code: 'InvalidRequest' });
  });

  it('advises a full backup where the source itself was restored', async () => {
    const report = await run('runRestore', { target, dataDirectory: path.join(directory, 'source') });
    expect(report.fullBackupAdvised).toBe(true);
    expect(report.warnings.map(({ code }) => code)).toContain('fullBackupAdvised');
  });

  it('is followed by a full backup of that directory, also where it lost nothing', async () => {
    const dataDirectory = path.join(directory, 'node');
    await writeSmallDatabase(fileSystem, dataDirectory);
    const backups = path.join(directory, 'of-node');
    const backup = async () =>
      (await run('createBackup', { dataDirectory, target: backups })).backups[0]!.mode;
    expect([await backup(), await backup()]).toEqual(['full', 'differential']);
    await run('runRestore', { target: backups, dataDirectory, applyTruncation: true });
    expect([await backup(), await backup()]).toEqual(['full', 'differential']);
  });

  it('verifies a copy made by hand in full, and refuses a damaged one before the target is touched', async () => {
    const dataDirectory = path.join(directory, 'node');
    const copy = path.join(directory, 'source');
    const report = await run('runRestore', { target: copy, dataDirectory });
    expect(report.warnings.map(({ code }) => code)).toContain('noManifest');

    fs.rmSync(dataDirectory, { recursive: true });
    const chunk = path.join(copy, 'chunk-000000.000000');
    const bytes = fs.readFileSync(chunk);
    bytes[6000]! ^= 1;
    fs.chmodSync(chunk, 0o644);
    fs.writeFileSync(chunk, bytes);
    await expect(run('runRestore', { target: copy, dataDirectory })).rejects.toMatchObject({
      code: 'LogCorrupt',
      details: { problem: 'chunkHashMismatch', file: 'chunk-000000.000000' }
    });
    expect(fs.existsSync(dataDirectory)).toBe(false);
  });

  it('restores encrypted chunks unseen, and leaves their cut to the server that has the key', async () => {
    const copy = path.join(directory, 'encrypted');
    await writeSmallDatabase(fileSystem, copy, { chaserBehind: 1000 });
    const chunks = fs.readdirSync(copy).filter((name) => name.startsWith('chunk-'));
    for (const name of chunks) {
      const bytes = fs.readFileSync(path.join(copy, name));
      bytes[35] = 1; // AES-GCM
      fs.chmodSync(path.join(copy, name), 0o644);
      fs.writeFileSync(path.join(copy, name), bytes);
    }
    const encrypted = path.join(directory, 'encrypted-backups');
    const manifest = writeBackup(fileSystem, copy, encrypted);
    fs.writeFileSync(path.join(encrypted, BACKUP_ID, 'manifest.json'), encodeManifest(manifest));
    const dataDirectory = path.join(directory, 'node');
    await expect(
      run('runRestore', { target: encrypted, dataDirectory, applyTruncation: true })
    ).rejects.toMatchObject({ code: 'UnsupportedFormat' });
    expect(fs.existsSync(dataDirectory)).toBe(false);
    await run('runRestore', { target: encrypted, dataDirectory });
    const chunk = fs.readFileSync(path.join(dataDirectory, chunks[0]!));
    expect(chunk.equals(fs.readFileSync(path.join(copy, chunks[0]!)))).toBe(true);
  });

  it('says that the server will rebuild an index that is ahead of the restored log', async () => {
    const source = path.join(directory, 'ahead');
    await writeSmallDatabase(fileSystem, source, { chaserBehind: 55_000 });
    const report = await run('runRestore', { target: source, dataDirectory: path.join(directory, 'node') });
    const ahead = report.warnings.find(({ code }) => code === 'indexAheadOfLog');
    expect(ahead?.remedy).toContain('rebuilds the index');
  });

  it('refuses a directory that holds neither backups nor a copy', async () => {
    const empty = path.join(directory, 'empty');
    fs.mkdirSync(empty);
    await expect(run('planRestore', { target: empty, dataDirectory: empty })).rejects.toMatchObject({
      code: 'DatabaseNotFound'
    });
  });
});

describe('a restore that has not ended', () => {
  let dataDirectory: string;
  let before: Record<string, string>;

  beforeEach(async () => {
    dataDirectory = unpackDatabase({ name: 'current-a', folder: 'after' });
    before = filesOf(dataDirectory);
    await stopped(dataDirectory);
  });

  it('is shown by inspect', async () => {
    const report = await run('inspectDatabase', { dataDirectory });
    expect(report.restoreState).toBe('copying');
    expect(report.warnings[0]).toMatchObject({ code: 'restoreUnfinished' });
    expect(report.warnings[0]!.remedy).toContain('--undo');
  });

  const inUse = { code: 'DatabaseInUse', details: { reason: 'restoreUnfinished' } };
  const writing: [string, (dataDirectory: string) => Promise<unknown>][] = [
    ['scavenge', (dataDirectory) => run('runScavenge', { dataDirectory, scavengePoint: 'existing' })],
    ['index rebuild', (dataDirectory) => run('rebuildIndex', { dataDirectory })],
    ['repair', (dataDirectory) => run('repairDatabase', { dataDirectory })],
    ['restore', (dataDirectory) => run('runRestore', { target, dataDirectory })],
    ['restore --finish', (dataDirectory) => run('cutLog', { dataDirectory })]
  ];

  it.each(writing)('is refused by what writes: %s', async (_, write) => {
    await expect(write(dataDirectory)).rejects.toMatchObject(inUse);
  });

  it.each(writing)(
    'is refused also while the old files are gone and the new ones are not there: %s',
    async (_, write) => {
      const marker = fs.readFileSync(path.join(dataDirectory, 'winnow-restore.json'), 'utf8');
      for (const name of fs.readdirSync(dataDirectory)) {
        if (name !== 'index' && name !== 'chaser.chk') fs.rmSync(path.join(dataDirectory, name));
      }
      fs.writeFileSync(
        path.join(dataDirectory, 'winnow-restore.json'),
        marker.replace('"phase":"copying"', '"phase":"movingIn"')
      );
      expect((await run('inspectDatabase', { dataDirectory })).restoreState).toBe('movingIn');
      await expect(write(dataDirectory)).rejects.toMatchObject(inUse);
    }
  );

  it('is finished', async () => {
    const report = restoreReport.parse(await run('continueRestore', { dataDirectory }));
    expect(report.movedAside).toEqual([`${dataDirectory}.before-restore-${STAMP}`]);
    expect((await run('inspectDatabase', { dataDirectory })).restoreState).toBeNull();
  });

  it('is undone', async () => {
    const report = await run('undoRestore', { dataDirectory });
    expect(report).toMatchObject({ undone: true, backup: `${target}@${BACKUP_ID}` });
    expect(filesOf(dataDirectory)).toEqual(before);
    expect(fs.readdirSync(path.dirname(dataDirectory)).filter((name) => name.includes('restor'))).toEqual([]);
  });
});

describe('a rehearsal', () => {
  it('restores, verifies, reads each stream, leaves nothing, and is noted beside the manifest', async () => {
    const scratchDirectory = path.join(directory, 'scratch');
    const report = rehearseReport.parse(await run('rehearseBackup', { target, scratchDirectory }));
    expect(report).toMatchObject({ ok: true, backup: `${target}@${BACKUP_ID}` });
    expect(report.streams).toBeGreaterThan(5);
    expect(report.checked.records).toBeGreaterThan(50);
    expect(fs.readdirSync(scratchDirectory)).toEqual([]);
    const results: unknown = JSON.parse(
      fs.readFileSync(path.join(target, BACKUP_ID, 'results.json'), 'utf8')
    );
    expect(results).toMatchObject({ rehearsed: { ok: true, damage: 0 }, verified: null });
  });

  it('names a backup that cannot be restored', async () => {
    const chunk = path.join(target, BACKUP_ID, 'data', 'chunk-000000.000000');
    const bytes = fs.readFileSync(chunk);
    bytes[6000]! ^= 1;
    fs.writeFileSync(chunk, bytes);
    const scratchDirectory = path.join(directory, 'scratch');
    const report = rehearseReport.parse(await run('rehearseBackup', { target, scratchDirectory }));
    expect(report).toMatchObject({ ok: false, findings: [{ severity: 'damage', code: 'backupDamaged' }] });
    expect(report.findings[0]!.message).toContain('data/chunk-000000.000000');
    expect(fs.readdirSync(scratchDirectory)).toEqual([]);
  });
});

describe('a copy whose checkpoints cut more than they say', () => {
  it('is refused where nothing of its log would be left', async () => {
    const copy = unpackTruncated('truncate-inside-scavenged-merged-chunk');
    zeroCheckpoints(copy);
    const dataDirectory = path.join(directory, 'db');
    await expect(run('planRestore', { target: copy, dataDirectory })).rejects.toMatchObject({
      code: 'LogCorrupt',
      details: { reason: 'deletesLog' },
      message: expect.stringContaining('deletes the whole log') as unknown
    });
    await expect(run('runRestore', { target: copy, dataDirectory })).rejects.toMatchObject({
      details: { reason: 'deletesLog' }
    });
    expect(fs.existsSync(dataDirectory)).toBe(false);
  });

  it('has each chunk file that goes in the plan, with its bytes', async () => {
    const copy = unpackTruncated('truncate-inside-scavenged-merged-chunk');
    // Within chunk 4 to 8, which is merged.
    for (const name of ['chaser', 'epoch']) writePosition(copy, name, name === 'epoch' ? -1 : 394216);
    const plan = await run('planRestore', { target: copy, dataDirectory: path.join(directory, 'db') });
    expect(restorePlanReport.parse(plan)).toMatchObject({ truncatesTo: 262144 });
    const numbers = [17, 16, 15, 14, 13, 12, 11, 10, 9, 4];
    expect(plan.removes.map(({ file }) => Number(file.slice(6, 12)))).toEqual(numbers);
    for (const { file, bytes } of plan.removes) expect(bytes).toBe(fs.statSync(path.join(copy, file)).size);
    expect(plan.warnings.map(({ code }) => code)).toContain('deletesChunks');
  });
});

function zeroCheckpoints(dataDirectory: string): void {
  for (const name of ['writer', 'chaser', 'epoch', 'proposal', 'truncate'])
    writePosition(dataDirectory, name, 0);
}

function writePosition(dataDirectory: string, name: string, position: number): void {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(position));
  fs.writeFileSync(path.join(dataDirectory, `${name}.chk`), bytes);
}

describe('cutting the log', () => {
  it('shows the cut, makes it, and moves a scavenge state aside that may know too much', async () => {
    const dataDirectory = unpackTruncated('truncate-inside-scavenged-merged-chunk');
    const before = filesOf(dataDirectory);
    const plan = cutLogReport.parse(await run('cutLog', { dataDirectory, dryRun: true }));
    expect(plan).toMatchObject({ applied: false, requested: 394216, truncatesTo: 262144 });
    expect(filesOf(dataDirectory)).toEqual(before);
    const report = await run('cutLog', { dataDirectory });
    expect(report).toMatchObject({
      ...plan,
      applied: true,
      nextStart: report.nextStart,
      warnings: report.warnings
    });
    expect(report.warnings.map(({ code }) => code)).toEqual(['scavengeStateMovedAside']);
    expect(fs.existsSync(path.join(dataDirectory, 'index', 'scavenging'))).toBe(false);
    expect(await run('inspectDatabase', { dataDirectory })).toMatchObject({
      checkpoints: { writer: 262144, truncate: -1 }
    });
  });

  it('names every chunk file that goes where all checkpoints are zero', async () => {
    const dataDirectory = unpackTruncated('truncate-inside-scavenged-merged-chunk');
    zeroCheckpoints(dataDirectory);
    const chunks = fs.readdirSync(dataDirectory).filter((name) => /^chunk-\d{6}\.\d{6}$/.test(name));
    const expected = chunks
      .sort()
      .reverse()
      .map((file) => ({ file, bytes: fs.statSync(path.join(dataDirectory, file)).size }));
    const plan = cutLogReport.parse(await run('cutLog', { dataDirectory, dryRun: true }));
    expect(plan).toMatchObject({ requested: 0, truncatesTo: 0, removed: expected });
    expect(plan.bytesRemoved).toBe(expected.reduce((sum, { bytes }) => sum + bytes, 0));
    expect(plan.nextStart).toContain('deletes the whole log');
  });

  it('lets a scavenge begin that was refused before', async () => {
    const dataDirectory = unpackTruncated('truncate-middle-of-log');
    const scavenge = () =>
      run('runScavenge', { dataDirectory, scavengePoint: 'detached', winnowHome: directory });
    await expect(scavenge()).rejects.toMatchObject({ details: { file: 'truncate.chk' } });
    await run('cutLog', { dataDirectory });
    expect(await scavenge()).toMatchObject({ result: 'success' });
  });

  it('has nothing to do where truncate.chk asks for nothing', async () => {
    const dataDirectory = unpackDatabase({ name: 'plain', folder: 'after' });
    expect(await run('cutLog', { dataDirectory })).toMatchObject({
      applied: false,
      requested: null,
      truncatesTo: null
    });
  });

  it('refuses what the server refuses, and any amount may be allowed', async () => {
    const dataDirectory = unpackTruncated('truncate-exceeds-max-truncation');
    await expect(run('cutLog', { dataDirectory, maxTruncationBytes: 10_000 })).rejects.toMatchObject({
      code: 'InvalidRequest',
      details: { reason: 'exceedsMaxTruncation' }
    });
    expect(await run('cutLog', { dataDirectory, maxTruncationBytes: -1 })).toMatchObject({ applied: true });
  });
});
