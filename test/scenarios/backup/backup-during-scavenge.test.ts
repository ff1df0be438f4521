/**
 * A backup of a database on which a scavenge of ours works in another process: the scavenge is stopped, the backup
 * taken, the scavenge gone on with to its end.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { findOwnScavenge } from '../../../src-main/backup/own-scavenge.ts';
import { operationContext } from '../../../src-main/operations/operation.ts';
import { requests } from '../../../src-main/operations/operation-contract.ts';
import { runReportOperation } from '../../../src-main/operations/operation-table.ts';
import { ScavengeRecords } from '../../../src-main/settings/scavenge-records.ts';
import { writeDatabase } from '../../core/backup/backup-environment.ts';
import { runWinnow } from '../../main/cli/run-winnow.ts';

const fileSystem = new NodeFileSystem();
const root = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-backup-'));
const dataDirectory = path.join(root, 'node');
const winnowHome = path.join(root, 'home');
const target = path.join(root, 'backups');
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

const isLinux = process.platform === 'linux';

// Whose lock it is can be told for certain only where /proc/locks is: elsewhere such a backup is refused.
test.runIf(isLinux)('a backup stops a scavenge of ours and goes on with it afterwards', async () => {
  await writeDatabase(fileSystem, { directory: dataDirectory, sizeBytes: 8 * 1024 * 1024 });
  // One percent: it rests until it is stopped.
  const words = [
    'scavenge',
    dataDirectory,
    '--scavenge-point',
    'detached',
    '--throttle-percent',
    '1',
    '--yes'
  ];
  const scavenge = runWinnow(words, { environment: { WINNOW_HOME: winnowHome } });
  const own = (): ReturnType<typeof findOwnScavenge> =>
    findOwnScavenge({ fileSystem, dataDirectory, winnowHome });
  for (let i = 0; i < 600 && !own(); i++) await new Promise((resolve) => setTimeout(resolve, 50));
  const running = own();
  expect(running).toMatchObject({ placement: 'detached' });

  const log: string[] = [];
  const context = operationContext({
    operation: 'createBackup',
    dataDirectory,
    fileSystem,
    signal: new AbortController().signal,
    clock: () => Date.now(),
    onProgress: () => undefined,
    onLog: ({ message }) => log.push(message)
  });
  const request = requests.createBackup.parse({ dataDirectory, target, winnowHome });
  const { backups } = await runReportOperation('createBackup', request, context);

  const { exitCode } = await scavenge;
  expect(exitCode).toBe(130);
  expect(log.join('\n')).toContain(`Stopping the scavenge ${running!.scavengeId}`);
  const verify = requests.verifyBackup.parse({ target });
  expect(await runReportOperation('verifyBackup', verify, context)).toMatchObject({
    backup: backups[0]!.id,
    ok: true
  });
  const [first, second] = new ScavengeRecords(winnowHome, dataDirectory).list();
  expect(first?.end?.result).toBe('stopped');
  expect(second).toMatchObject({ start: { resumed: true }, end: { result: 'success' } });
});
