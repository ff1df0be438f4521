/**
 * Every golden database backed up, restored, and read stream by stream: as the source, cut at its chaser. And the
 * story of a restored backup of a busy server: ours leaves the same files before the first start, and cuts as that
 * start did.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runBackup } from '../../src-core/backup/run-backup.ts';
import { openDatabase } from '../../src-core/database/database.ts';
import { uncontrolled } from '../../src-core/database/operation-control.ts';
import {
  checkpointFileName,
  readCheckpoints,
  writeCheckpointFile
} from '../../src-core/log/checkpoint-file.ts';
import { applyTruncation } from '../../src-core/log/apply-truncation.ts';
import { plainCopySource } from '../../src-core/restore/plain-copy-source.ts';
import { NodeFileSystem } from '../../src-core/storage/node-file-system.ts';
import { verifyDatabase } from '../../src-core/verify/verify-database.ts';
import { testBackups } from '../core/backup/backup-environment.ts';
import { filesOf } from '../support/database-content.ts';
import {
  goldenFile,
  goldenFolders,
  goldenJson,
  goldenNames,
  removeUnpacked,
  unpackDatabase
} from '../support/golden.ts';
import { restore, sourceOf } from '../support/restore-fixture.ts';
import { streamContentOf } from '../support/stream-content.ts';

const fileSystem = new NodeFileSystem();
const control = uncontrolled();
const directories: string[] = [];

afterEach(() => {
  removeUnpacked();
  for (const directory of directories.splice(0)) fs.rmSync(directory, { recursive: true, force: true });
});

function temporaryDirectory(): string {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-restore-'));
  directories.push(directory);
  return directory;
}

const databases = goldenNames()
  .filter((name) => !/^(damaged|truncate-(?!middle|chunk|inside)|old-ptables|scavdb|http|locks)/.test(name))
  .flatMap((name) => goldenFolders(name).map((folder) => ({ name, folder })))
  .filter(({ name, folder }) => `${name}/${folder}` !== 'restored/restored-0'); // waits for its first start

/** What a reader gets of the source once its log ends where its chaser is. */
async function expectedStreams(dataDirectory: string) {
  const { chaser } = readCheckpoints(fileSystem, dataDirectory);
  writeCheckpointFile(fileSystem, path.join(dataDirectory, checkpointFileName('truncate')), chaser!);
  await applyTruncation({ fileSystem, dataDirectory, control });
  return streamContentOf(fileSystem, dataDirectory);
}

describe('a backup', () => {
  it.each(databases)('of $name/$folder is restored equal stream by stream', async ({ name, folder }) => {
    const dataDirectory = unpackDatabase({ name, folder });
    const directory = temporaryDirectory();
    const { request, environment } = testBackups(fileSystem, {
      dataDirectory,
      directory: path.join(directory, 'backups')
    });
    const manifest = await runBackup(request, environment);
    const source = sourceOf(fileSystem, path.join(directory, 'backups'), manifest);
    const restored = path.join(directory, 'db');
    const { truncatesTo } = await restore({
      fileSystem,
      source,
      dataDirectory: restored,
      appliesTruncation: true
    });
    expect(readCheckpoints(fileSystem, restored)).toMatchObject({
      writer: truncatesTo,
      chaser: truncatesTo,
      truncate: -1
    });
    const database = openDatabase({ fileSystem, dataDirectory: restored });
    const { findings } = await verifyDatabase({ database, quick: false, control });
    database.close();
    const original = openDatabase({ fileSystem, dataDirectory });
    const before = await verifyDatabase({ database: original, quick: false, control });
    original.close();
    const damageOf = (list: typeof findings) =>
      list.filter(({ severity }) => severity === 'damage').map(({ code }) => code);
    // A restore mends nothing, and must not spoil anything.
    expect(damageOf(before.findings)).toEqual(expect.arrayContaining(damageOf(findings)));
    expect(await streamContentOf(fileSystem, restored)).toEqual(await expectedStreams(dataDirectory));
  });
});

describe('the golden backup of a busy server', () => {
  const copy = () => plainCopySource(fileSystem, unpackDatabase({ name: 'restored', folder: 'backup' }));

  it('is restored to the files that a restore by hand gave', async () => {
    const dataDirectory = path.join(temporaryDirectory(), 'db');
    const outcome = await restore({ fileSystem, source: copy(), dataDirectory });
    expect(filesOf(dataDirectory)).toEqual(
      filesOf(unpackDatabase({ name: 'restored', folder: 'restored-0' }))
    );
    expect(outcome.truncatesTo).toBe(662265);
  });

  it('is cut where the first start of the server cut it', async () => {
    const dataDirectory = path.join(temporaryDirectory(), 'db');
    await restore({ fileSystem, source: copy(), dataDirectory, appliesTruncation: true });
    const { starts } = goldenJson('restored', 'outcome.json') as {
      starts: { start1: { checkpointsAfter: Record<string, number> } };
    };
    // The server wrote its epoch where it had cut.
    const cutAt = starts.start1.checkpointsAfter['epoch.chk']!;
    expect(readCheckpoints(fileSystem, dataDirectory)).toMatchObject({
      writer: cutAt,
      chaser: cutAt,
      truncate: -1
    });
    const ours = fs.readFileSync(path.join(dataDirectory, 'chunk-000000.000000'));
    const servers = Buffer.from(goldenFile('restored', 'after-start1/chunk-000000.000000'));
    expect(ours.length).toBe(servers.length);
    expect(ours.subarray(0, 128 + cutAt).equals(servers.subarray(0, 128 + cutAt))).toBe(true);
    expect(ours.subarray(128 + cutAt).every((byte) => byte === 0)).toBe(true);
  });
});
