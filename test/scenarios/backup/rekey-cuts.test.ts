/**
 * Backups encrypted for other keys, cut and refused at calls that change or flush something: each backup is whole in one of its
 * forms at every moment, the same command ends what was begun, and nothing that the old key opens is left. The encryption
 * here is a mask of one byte: what is cut does not depend on the cipher.
 */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { readCatalogue } from '../../../src-core/backup/catalogue.ts';
import {
  readBackupFile,
  type BackupEncodings,
  type DecodeFile
} from '../../../src-core/backup/file-encoding.ts';
import { LocalBackupTarget } from '../../../src-core/backup/local-target.ts';
import { planRekey, runRekey, type Recoding } from '../../../src-core/backup/rekey-backups.ts';
import { runBackup } from '../../../src-core/backup/run-backup.ts';
import { verifyBackup } from '../../../src-core/backup/verify-backup.ts';
import type { FileSystem } from '../../../src-core/storage/file-system.ts';
import { cutReportText, enumerateCuts, type CutSubject } from '../../support/cut-enumeration.ts';
import { enumerateFailures, failureReportText } from '../../support/failure-enumeration.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { sampledCalls } from '../../support/proof-record.ts';
import { control, TARGET, testBackups, writeDatabase } from '../../core/backup/backup-environment.ts';

const MASKS: Readonly<Record<string, number>> = { 'mask:old': 1, 'mask:new': 2 };

async function* masked(bytes: AsyncIterable<Uint8Array>, mask: number): AsyncIterable<Uint8Array> {
  for await (const block of bytes) yield block.map((byte) => byte ^ mask);
}

const decode: DecodeFile = (stored, { encodings }) => masked(stored, MASKS[encodings[0] ?? ''] ?? 0);
const old = {
  names: ['mask:old'],
  suffix: '.mask',
  encode: (plain: AsyncIterable<Uint8Array>) => masked(plain, MASKS['mask:old']!)
};
const encodings: BackupEncodings = { completedChunks: old, others: old };
const recoding: Recoding = {
  wanted: 'mask:new',
  isEncrypted: (file) => file.encodings.length > 0,
  encodingsOf: () => ['mask:new'],
  suffixOf: () => '.mask',
  encode: (stored, file) => masked(decode(stored, file), MASKS['mask:new']!)
};

const targetOf = (fileSystem: FileSystem) => new LocalBackupTarget({ fileSystem, directory: TARGET });

/** A full backup and one that shares its objects by their names. */
async function withBackups(): Promise<MemoryFileSystem> {
  const fileSystem = new MemoryFileSystem();
  await writeDatabase(fileSystem, { sizeBytes: 70 * 1024 });
  fileSystem.makeDirectory(TARGET);
  for (let night = 0; night < 2; night++) {
    const { request, environment } = testBackups(fileSystem, { mode: 'auto', environment: { encodings } });
    const later = { ...environment, now: () => environment.now() + BigInt(night) * 864_000_000_000n };
    await runBackup(request, later);
  }
  return fileSystem;
}

async function rekey(fileSystem: FileSystem): Promise<void> {
  const { environment } = testBackups(fileSystem);
  let count = 0;
  const later = {
    ...environment,
    now: () => environment.now() + 8_640_000_000_000n,
    // A folder without a note of a cut attempt keeps its id.
    newGuid: () => `b${(count++).toString(16).padStart(3, '0')}`
  };
  await runRekey(await planRekey(environment.target, recoding), recoding, later);
}

/** The content of each backup, by its place in the order; throws unless all that is shown is whole. */
async function contents(fileSystem: FileSystem): Promise<string[]> {
  const target = targetOf(fileSystem);
  const { backups, damaged } = await readCatalogue(target);
  expect(damaged).toEqual([]);
  const found = new Map<string, string>();
  for (const manifest of backups) {
    const { findings } = await verifyBackup({ manifest, target, control: control(), decode });
    expect(findings.filter(({ severity }) => severity === 'damage')).toEqual([]);
    const hash = createHash('sha256');
    const files = manifest.files.toSorted((one, other) => (one.name < other.name ? -1 : 1));
    for (const file of files)
      for await (const block of readBackupFile(target, file, decode)) hash.update(block);
    found.set(`${manifest.generation}`, hash.digest('hex'));
  }
  return [...found].map(([generation, content]) => `${generation} ${content}`);
}

const subject: CutSubject<unknown> = {
  prepare: withBackups,
  act: rekey,
  look: async (fileSystem, { before }) => {
    expect(await contents(fileSystem)).toEqual((before as { contents: string[] }).contents);
  },
  contentOf: async (fileSystem) => ({
    contents: await contents(fileSystem),
    // Before the first run all are masked with the old key, after the last none.
    ...(await oldOnes(fileSystem))
  })
};

async function oldOnes(fileSystem: FileSystem): Promise<{ objects: number; manifests: number; old: number }> {
  const target = targetOf(fileSystem);
  const { backups } = await readCatalogue(target);
  const encrypted = backups.flatMap(({ files }) => files);
  return {
    objects: (await target.list('')).length,
    manifests: backups.length,
    old: encrypted.filter((file) => file.encodings[0] !== 'mask:new').length
  };
}

it('ends with each backup under the new key, its content unchanged, and no object of the old one', async () => {
  const fileSystem = await withBackups();
  const before = await contents(fileSystem);
  expect(before).toHaveLength(2);
  const ids = (await readCatalogue(targetOf(fileSystem))).backups.map(({ id }) => id);
  await rekey(fileSystem);
  expect(await contents(fileSystem)).toEqual(before);
  expect(await oldOnes(fileSystem)).toMatchObject({ manifests: 2, old: 0 });
  const names = (await targetOf(fileSystem).list('')).map(({ name }) => name);
  expect(names.filter((name) => ids.some((id) => name.startsWith(id)))).toEqual([]);
  // What the backups shared they share again.
  const { backups } = await readCatalogue(targetOf(fileSystem));
  const objects = new Set(backups.flatMap(({ files }) => files.map(({ object }) => object)));
  expect(objects.size).toBeLessThan(backups.flatMap(({ files }) => files).length);
  expect(backups[1]?.basedOn).toBe(backups[0]?.id);
  expect((await planRekey(targetOf(fileSystem), recoding)).due).toEqual([]);
});

it('loses nothing when cut at a call, and resumes', async () => {
  const report = await enumerateCuts(subject, { ways: ['before', 'lost'], ...sampledCalls(4), seed: 4 });
  console.log(cutReportText('rekey', report));
  expect(report.calls).toBeGreaterThan(80);
  expect(report.resumed).toBeGreaterThan(40);
});

it('loses nothing when a call is refused, and resumes', async () => {
  const report = await enumerateFailures(subject, { oneCodeEach: true, ...sampledCalls(10), seed: 7 });
  console.log(failureReportText('rekey', report));
  expect(report.calls).toBeGreaterThan(80);
});
