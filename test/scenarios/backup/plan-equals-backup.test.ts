/**
 * The plan of a backup is the backup: the same files with the same sizes, and the bytes that are read for it. On every
 * golden database, full and differential, with a scavenge state, after the log has grown and after a scavenge.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { BackupEnvironment, BackupRequest } from '../../../src-core/backup/backup-request.ts';
import { LocalBackupTarget } from '../../../src-core/backup/local-target.ts';
import type { Manifest } from '../../../src-core/backup/manifest.ts';
import { planBackup } from '../../../src-core/backup/plan-backup.ts';
import { runBackup } from '../../../src-core/backup/run-backup.ts';
import { EngineError } from '../../../src-core/errors.ts';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import { goldenFolders, goldenNames, removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import {
  scavengeEnvironment,
  scavengeRequest,
  temporaryDirectory
} from '../../support/scavenge-environment.ts';
import { ScavengeSamples } from '../../support/scavenge-sample.ts';

const directories: string[] = [];
const samples = new ScavengeSamples();
afterEach(() => {
  removeUnpacked();
  samples.removeAll();
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

function backups(dataDirectory: string) {
  const directory = temporaryDirectory();
  directories.push(directory);
  const { fileSystem, operation, newGuid } = scavengeEnvironment();
  let seconds = 0;
  const environment: BackupEnvironment = {
    fileSystem,
    target: new LocalBackupTarget({ fileSystem, directory: join(directory, 'target') }),
    operation,
    now: () => 638_900_000_000_000_000n + BigInt(++seconds) * 10_000_000n,
    newGuid,
    toolVersion: '0.0.0',
    wait: () => Promise.resolve()
  };
  const request: BackupRequest = {
    dataDirectory,
    indexDirectory: join(dataDirectory, 'index'),
    mode: 'auto',
    threads: 1,
    bytesPerSecond: 0,
    isMoved: false
  };
  return { request, environment };
}

/** Plans and runs; both are refused, or both say the same. */
async function expectEqual(
  { request, environment }: ReturnType<typeof backups>,
  mode: BackupRequest['mode']
): Promise<Manifest | undefined> {
  const asked = { ...request, mode };
  let plan;
  try {
    plan = await planBackup(asked, environment);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    await expect(runBackup(asked, environment)).rejects.toMatchObject({ code: error.code });
    return undefined;
  }
  const manifest = await runBackup(asked, environment);
  const named = (files: readonly { area: string; name: string; bytes: number }[]) =>
    files.map(({ area, name, bytes }) => `${area}/${name} ${bytes}`).sort();
  expect(named(plan.files)).toEqual(named(manifest.files));
  expect(plan.fileCount).toBe(manifest.files.length);
  expect(plan.bytes).toBe(manifest.files.reduce((sum, { bytes }) => sum + bytes, 0));
  expect(plan.bytesToCopy).toBe(manifest.bytesCopied);
  expect(plan.mode).toBe(manifest.mode);
  return manifest;
}

const goldens = goldenNames().filter((name) => !/^(damaged|truncate)/.test(name));

describe('the plan of a backup is the backup', () => {
  it.each(goldens)('of the golden database %s: full, then differential', async (name) => {
    for (const folder of goldenFolders(name)) {
      const dataDirectory = unpackDatabase({ name, folder });
      if (!existsSync(join(dataDirectory, 'writer.chk'))) continue;
      const place = backups(dataDirectory);
      if (await expectEqual(place, 'full')) await expectEqual(place, 'differential');
    }
  });

  it('with a scavenge state, in both kinds', async () => {
    const dataDirectory = await samples.write(
      { sizeBytes: 300_000, chunkSizeBytes: 65_536, seed: 3 },
      { withPoint: false }
    );
    const place = backups(dataDirectory);
    await expectEqual(place, 'full');
    const change = { scavengePoint: 'new', singleNode: true } as const;
    await runScavenge(scavengeRequest(dataDirectory, change), scavengeEnvironment({ hostName: 'host' }));
    const differential = await expectEqual(place, 'differential');
    expect(differential?.bytesCopied).toBeGreaterThan(0);
    const full = await expectEqual(place, 'full');
    expect(full?.files.map(({ name }) => name)).toContain('scavenging/scavenging.db');
    expect((await expectEqual(place, 'differential'))?.files.map(({ name }) => name)).not.toContain(
      'scavenging/scavenging.db'
    );
  });
});
