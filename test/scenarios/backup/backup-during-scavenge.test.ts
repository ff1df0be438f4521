/**
 * A backup of a database on which a scavenge of ours works in another process: the scavenge pauses, the backup is
 * taken, the scavenge resumes with all it was started with. Neither side depends on the other's life.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { findOwnScavenge, holdOwnScavenge } from '../../../src-main/backup/own-scavenge.ts';
import type { OperationContext } from '../../../src-main/operations/operation.ts';
import { requests } from '../../../src-main/contract/operations/operation-contract.ts';
import { runReportOperation } from '../../../src-main/operations/operation-table.ts';
import type { HistoryReport, ScavengeReport } from '../../../src-main/contract/operations/reports.ts';
import { ScavengeRecords } from '../../../src-main/settings/scavenge-records.ts';
import { writeDatabase } from '../../core/backup/backup-environment.ts';
import { runWinnow, type Finished, type RunningWinnow } from '../../main/cli/run-winnow.ts';
import { testingContext } from '../../support/testing-context.ts';

const fileSystem = new NodeFileSystem();
let root: string;
let dataDirectory: string;
let winnowHome: string;
let target: string;

beforeEach(async () => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-backup-'));
  dataDirectory = path.join(root, 'node');
  winnowHome = path.join(root, 'home');
  target = path.join(root, 'backups');
  await writeDatabase(fileSystem, { directory: dataDirectory, sizeBytes: 768 * 1024 });
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

interface Scavenge {
  finished: Promise<Finished>;
  running: RunningWinnow;
}

/** A scavenge in a process of its own that rests nearly all of the time: a backup has to begin before it ends. */
async function startScavenge(...words: string[]): Promise<Scavenge> {
  const started = Promise.withResolvers<RunningWinnow>();
  const finished = runWinnow(
    ['scavenge', dataDirectory, '--throttle-percent', '5', '--yes', '--json', ...words],
    { environment: { WINNOW_HOME: winnowHome }, onStart: started.resolve }
  );
  const running = await started.promise;
  let isOver = false;
  void finished.then(() => (isOver = true));
  while (!(await findOwnScavenge({ dataDirectory, winnowHome }))) {
    if (isOver) throw new Error((await finished).stderr);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { finished, running };
}

function context(log: string[] = []): OperationContext {
  return testingContext('createBackup', {
    dataDirectory,
    fileSystem,
    clock: () => Date.now(),
    onLog: ({ message }) => log.push(message)
  });
}

async function takeBackup(log: string[]): Promise<string> {
  const request = requests.createBackup.parse({ dataDirectory, target, winnowHome });
  const { backups } = await runReportOperation('createBackup', request, context(log));
  const verify = requests.verifyBackup.parse({ target });
  expect(await runReportOperation('verifyBackup', verify, context())).toMatchObject({ ok: true });
  return backups[0]!.id;
}

async function history(): Promise<HistoryReport['runs']> {
  const request = requests.listHistory.parse({ dataDirectory, winnowHome });
  return (await runReportOperation('listHistory', request, context())).runs;
}

test.each([
  { placement: 'detached', words: ['--scavenge-point', 'detached'] },
  { placement: 'new', words: ['--scavenge-point', 'new', '--single-node'] },
  { placement: 'new', words: ['--scavenge-point', 'new'] }
])('pauses one with the placement $words, which then ends as one run', async ({ placement, words }) => {
  const scavenge = await startScavenge(...words);
  const log: string[] = [];
  await takeBackup(log);
  const { exitCode, stdout, stderr } = await scavenge.finished;
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('pauses for a backup')]);
  const report = JSON.parse(stdout) as ScavengeReport;
  expect(report).toMatchObject({ result: 'success', scavengePoint: { placement }, resumed: false });
  expect(log.join('\n')).toContain(`Asking the scavenge ${report.scavengeId}`);
  const runs = await history();
  expect(runs).toMatchObject([
    { scavengeId: report.scavengeId, result: 'success', spaceSavedBytes: report.spaceSavedBytes }
  ]);
  expect(await findOwnScavenge({ dataDirectory, winnowHome })).toBeUndefined();
});

test('a backup that is killed while it holds a scavenge leaves it free to resume', async () => {
  const scavenge = await startScavenge('--scavenge-point', 'detached');
  const backup = runWinnow(
    ['backup', 'create', dataDirectory, '--to', target, '--throttle', '64KiB', '--yes', '--progress', 'json'],
    {
      environment: { WINNOW_HOME: winnowHome },
      onStderr: (text, child) => {
        if (text.includes('copying the')) child.signal('SIGKILL');
      }
    }
  );
  await backup;
  const { exitCode, stdout } = await scavenge.finished;
  expect([exitCode, (JSON.parse(stdout) as ScavengeReport).result]).toEqual([0, 'success']);
  expect(await history()).toHaveLength(1);
});

test('a scavenge that is killed while it pauses is told of by the backup, and resumes later', async () => {
  const scavenge = await startScavenge('--scavenge-point', 'detached');
  const held = await holdOwnScavenge({ dataDirectory, winnowHome }, undefined);
  scavenge.running.signal('SIGKILL');
  await scavenge.finished;
  held!.requireHeld();
  expect(held!.release()).toBe(false);
  const log: string[] = [];
  await takeBackup(log);
  expect(log.join('\n')).not.toContain('pause');
  const [run] = new ScavengeRecords(winnowHome, dataDirectory).list();
  expect(run?.end).toBeUndefined();
  const again = await runWinnow(
    ['scavenge', dataDirectory, '--scavenge-point', 'detached', '--yes', '--json'],
    {
      environment: { WINNOW_HOME: winnowHome }
    }
  );
  expect(JSON.parse(again.stdout)).toMatchObject({ resumed: true, result: 'success' });
});

test('Ctrl+C ends a scavenge that pauses, and two backups may hold it at once', async () => {
  const scavenge = await startScavenge('--scavenge-point', 'detached');
  const place = { dataDirectory, winnowHome };
  const first = await holdOwnScavenge(place, undefined);
  const second = await holdOwnScavenge(place, undefined);
  expect(first?.scavengeId).toBe(second?.scavengeId);
  expect(first!.release()).toBe(true);
  scavenge.running.signal('SIGINT');
  const { exitCode, stdout } = await scavenge.finished;
  expect([exitCode, (JSON.parse(stdout) as ScavengeReport).result]).toEqual([130, 'stopped']);
  expect(second!.release()).toBe(false);
  expect(await history()).toMatchObject([{ result: 'stopped' }]);
});
