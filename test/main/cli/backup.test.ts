/** `winnow backup` as a person or a script uses it: a process of its own, its exit codes, its JSON. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { BACKUP_SCHEMAS } from '../../../src-main/contract/operations/backup-reports.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { runWinnow } from './run-winnow.ts';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-backup-'));
const target = path.join(root, 'backups');
const environment = { WINNOW_HOME: path.join(root, 'home') };
afterAll(() => {
  removeUnpacked();
  fs.rmSync(root, { recursive: true, force: true });
});

const backup = (...words: string[]) => runWinnow(['backup', ...words], { environment });

it('is stopped by Ctrl+C with exit code 130, resumed, listed, verified and found damaged', async () => {
  const db = unpackDatabase({ name: 'tables', folder: 'before' });
  const create = ['create', db, '--to', target, '--threads', '1', '--json'];
  expect((await backup(...create)).exitCode).toBe(2); // nobody can be asked, and --yes is not given
  expect(fs.existsSync(target)).toBe(false);

  const stopped = await runWinnow(
    ['backup', ...create, '--yes', '--throttle', '1MiB', '--progress', 'json'],
    {
      environment,
      onStderr: (text, child) => {
        if (text.includes('copying the log')) child.signal('SIGINT');
      }
    }
  );
  expect(stopped.exitCode).toBe(130);
  const unfinished = JSON.parse((await backup('list', target, '--json')).stdout) as { unfinished: string[] };
  expect(unfinished).toMatchObject({ backups: [], unfinished: [expect.any(String) as string] });

  const created = await backup(...create, '--yes');
  expect(created.exitCode).toBe(0);
  const report = BACKUP_SCHEMAS['backup-create'].parse(JSON.parse(created.stdout));
  const { id } = report.backups[0]!;
  expect(id).toBe(unfinished.unfinished[0]);

  expect((await backup('verify', `${target}@${id}`)).exitCode).toBe(0);
  const chunk = path.join(target, id, 'data', 'chunk-000000.000000');
  fs.chmodSync(chunk, 0o644);
  const bytes = fs.readFileSync(chunk);
  bytes[1000]! ^= 1;
  fs.writeFileSync(chunk, bytes);
  const damaged = await backup('verify', target, '--json');
  expect(damaged.exitCode).toBe(1);
  const verification = BACKUP_SCHEMAS['backup-verify'].parse(JSON.parse(damaged.stdout));
  expect(verification.findings[0]).toMatchObject({
    code: 'backupFileChanged',
    file: `${id}/data/chunk-000000.000000`
  });
  expect((await backup('list', target)).stdout).toContain('damaged');
});

it.each(['list', 'verify'])('%s of a directory that is not there ends with exit code 10', async (action) => {
  const finished = await backup(action, path.join(root, 'nowhere'), '--json');
  expect(finished.exitCode).toBe(10);
  expect(JSON.parse(finished.stdout)).toMatchObject({ error: { code: 'DatabaseNotFound' } });
});
