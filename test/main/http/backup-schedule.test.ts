/** The schedule of backups over HTTP, and a service that takes them by it: with the real command, on a real database. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BACKUP_SCHEMAS } from '../../../src-main/contract/operations/backup-reports.ts';
import { NodeRegistry } from '../../../src-main/settings/node-registry.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { runWinnow } from '../cli/run-winnow.ts';
import { clientOf, PASSWORD, startServer, type RunningServer } from './running-server.ts';

const NIGHTLY = { expression: '0 1 * * *', timeZone: 'UTC', retention: { last: 1 } };
let root: string;
let home: string;
let target: string;
let db: string;
let server: RunningServer | undefined;
let isMounted = false;

beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-http-schedule-'));
  [home, target] = [path.join(root, 'home'), path.join(root, 'backups')];
  fs.mkdirSync(target);
  db = unpackDatabase({ name: 'plain', folder: 'after' });
});
afterEach(async () => {
  await server?.stop();
  server = undefined;
  if (isMounted) spawnSync('umount', ['--lazy', target], { stdio: 'ignore' });
  isMounted = false;
  removeUnpacked();
  fs.rmSync(root, { recursive: true, force: true });
});

const registry = () => new NodeRegistry(home, Date.now);
const start = async () => (server = await startServer({ home, words: [db, '--single-node'] }));
const own = () => registry().list()[0]!;
const backups = () => fs.readdirSync(target).filter((name) => /^\d{8}T/.test(name));

async function call(
  method: string,
  { body, as = 'ops', type = 'application/json' }: { body?: unknown; as?: string; type?: string } = {}
) {
  const authorization = `Basic ${Buffer.from(`${as}:${PASSWORD}`).toString('base64')}`;
  const answer = await fetch(`${server!.url}/backups/schedule`, {
    method,
    headers: { authorization, ...(body === undefined ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) })
  });
  const text = await answer.text();
  return { status: answer.status, type: answer.headers.get('content-type'), text };
}

it('is set, read and removed by operators only, and every refusal names what is wrong', async () => {
  await start();
  expect(await clientOf(server!).backupSchedule()).toMatchObject({ target: null, schedule: null });
  await expect(clientOf(server!).setBackupSchedule(NIGHTLY)).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('no place for its backups') as string
  });
  expect(await call('PUT', { body: NIGHTLY })).toMatchObject({ status: 409 });
  const node = registry().open({ dataDirectory: db });
  registry().edit(node.id, { backupTarget: target });
  expect((await call('GET', { as: 'joe' })).status).toBe(403);
  expect((await call('PUT', { as: 'joe', body: NIGHTLY })).status).toBe(403);
  expect((await call('GET', { as: 'nobody' })).status).toBe(401);
  expect((await call('PATCH')).status).toBe(405);

  const set = await call('PUT', { body: NIGHTLY });
  expect(set.status).toBe(200);
  expect(BACKUP_SCHEMAS['backup-schedule'].parse(JSON.parse(set.text))).toMatchObject({
    target,
    schedule: {
      words: 'At 01:00',
      timeZone: 'UTC',
      compress: false,
      retention: { last: 1, daily: 0, weekly: 0, monthly: 0 },
      waiting: null,
      last: null
    }
  });
  for (const [body, words] of [
    ['{', 'The request is missing'],
    [[], 'The request must be an object'],
    [{}, 'expression'],
    [{ ...NIGHTLY, expression: 'nightly' }, 'five fields'],
    [{ ...NIGHTLY, timeZone: 'Nowhere' }, 'Nowhere'],
    [{ ...NIGHTLY, retention: { daily: -1 } }, 'retention.daily'],
    [{ ...NIGHTLY, retention: { hourly: 1 } }, 'hourly'],
    [{ ...NIGHTLY, target: '/etc' }, 'target']
  ] as const) {
    const refused = await call('PUT', { body });
    expect(refused, JSON.stringify(body)).toMatchObject({
      status: 400,
      type: 'application/problem+json; charset=utf-8'
    });
    expect(refused.text).toContain(words);
  }
  expect((await call('PUT', { body: NIGHTLY, type: 'text/plain' })).status).toBe(415);
  expect(own().backupSchedule?.expression).toBe('0 1 * * *');

  await clientOf(server!).removeBackupSchedule();
  expect((await call('DELETE')).status).toBe(204);
  expect(own().backupSchedule).toBeUndefined();
});

it('has a backup taken by the service, proved, the older one pruned, and says what was missed', async () => {
  const node = registry().open({ dataDirectory: db });
  const missedSince = Date.now() - 3 * 86_400_000;
  const schedule = {
    ...NIGHTLY,
    compress: false,
    retention: { last: 1, daily: 0, weekly: 0, monthly: 0 },
    handledMs: missedSince,
    last: null
  };
  registry().edit(node.id, { backupTarget: target, backupSchedule: schedule });
  await start();
  await expect
    .poll(() => own().backupSchedule?.last, { timeout: 30_000 })
    .toMatchObject({ message: null, missed: 2 });
  const [first] = backups();
  await server!.stop();

  // Two nights later: nothing of ours ran in between.
  registry().edit(node.id, { backupSchedule: { ...own().backupSchedule!, handledMs: missedSince } });
  const before = own().backupSchedule!.last!.atMs;
  await start();
  await expect.poll(() => own().backupSchedule?.last?.atMs, { timeout: 30_000 }).toBeGreaterThan(before);
  const [second, ...others] = backups();
  expect(others).toEqual([]);
  expect(second).not.toBe(first);
  const { schedule: reported } = BACKUP_SCHEMAS['backup-schedule'].parse(
    JSON.parse((await call('GET')).text)
  );
  expect(reported?.last).toMatchObject({ message: null, missed: 2 });
  expect(reported?.waiting).toBeNull();
});

it('says why a backup could not be taken, and keeps what is there', async () => {
  const node = registry().open({ dataDirectory: db });
  const schedule = { ...NIGHTLY, compress: false, handledMs: Date.now() - 86_400_000 * 2, last: null };
  const retention = { last: 1, daily: 0, weekly: 0, monthly: 0 };
  const occupied = path.join(root, 'no directory');
  fs.writeFileSync(occupied, 'a file in its place');
  registry().edit(node.id, { backupTarget: occupied, backupSchedule: { ...schedule, retention } });
  await start();
  await expect.poll(() => own().backupSchedule?.last?.message ?? '', { timeout: 30_000 }).toContain(occupied);
  const { schedule: reported } = await clientOf(server!).backupSchedule();
  expect(reported?.last?.message).toContain(occupied);
  expect(fs.readFileSync(occupied, 'utf8')).toBe('a file in its place');
});

/** A schedule that is due. */
const dueSchedule = () => ({
  ...NIGHTLY,
  compress: true,
  retention: { last: 1, daily: 0, weekly: 0, monthly: 0 },
  handledMs: Date.now() - 86_400_000 * 2,
  last: null
});
const outcome = () => expect.poll(() => own().backupSchedule?.last, { timeout: 60_000 });

it('takes encrypted backups with a key of a file, proved with it, and restored with nothing else', async () => {
  const keyFile = path.join(root, 'node.key');
  expect(await runWinnow(['backup', 'key', keyFile])).toMatchObject({ exitCode: 0 });
  const node = registry().open({ dataDirectory: db });
  const backupKey = { kind: 'file', file: keyFile } as const;
  registry().edit(node.id, { backupTarget: target, backupKey, backupSchedule: dueSchedule() });
  await start();
  await outcome().toMatchObject({ message: null });
  await server!.stop();
  const restored = path.join(root, 'restored');
  const without = await runWinnow(['restore', target, '--to', restored, '--yes']);
  expect([without.exitCode, fs.existsSync(path.join(restored, 'writer.chk'))]).toEqual([14, false]);
  const words = ['restore', target, '--to', restored, '--key-file', keyFile, '--yes'];
  expect(await runWinnow(words)).toMatchObject({ exitCode: 0 });
  expect(await runWinnow(['verify', restored])).toMatchObject({ exitCode: 0 });
});

it('takes encrypted backups for a password that it never knows, and says what it has proved of them', async () => {
  const environment = { WINNOW_BACKUP_PASSWORD: 'a password of some length' };
  const publicFile = path.join(root, 'public.txt');
  const made = await runWinnow(['backup', 'key', publicFile, '--in', target], { environment });
  expect(made).toMatchObject({ exitCode: 0 });
  const node = registry().open({ dataDirectory: db });
  const backupKey = { kind: 'password', file: publicFile } as const;
  registry().edit(node.id, { backupTarget: target, backupKey, backupSchedule: dueSchedule() });
  await start();
  await outcome().toMatchObject({ message: null });
  await server!.stop();
  const restored = path.join(root, 'restored');
  const wrong = { WINNOW_BACKUP_PASSWORD: 'another one' };
  const words = ['restore', target, '--to', restored, '--yes'];
  expect((await runWinnow(words, { environment: wrong })).exitCode).toBe(14);
  expect(await runWinnow(words, { environment })).toMatchObject({ exitCode: 0 });
  expect(await runWinnow(['verify', restored])).toMatchObject({ exitCode: 0 });
});

it('whose key is gone takes none, says which file is missing, and removes nothing', async () => {
  const node = registry().open({ dataDirectory: db });
  const file = path.join(root, 'gone.key');
  registry().edit(node.id, {
    backupTarget: target,
    backupKey: { kind: 'file', file },
    backupSchedule: dueSchedule()
  });
  await start();
  await expect.poll(() => own().backupSchedule?.last?.message ?? '', { timeout: 60_000 }).toContain(file);
  expect(backups()).toEqual([]);
});

/** Only root mounts, and not everywhere. A volume with so few files fills in the middle of a backup, whatever its size. */
function mountWith(files: number): boolean {
  const options = `size=64m,nr_inodes=${files}`;
  isMounted =
    spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', target], { stdio: 'ignore' }).status === 0;
  return isMounted;
}

it('whose disk fills in the middle says so, keeps the older backup, and resumes when there is room', async (context) => {
  if (!mountWith(400)) return context.skip('this user may not mount');
  expect(await runWinnow(['backup', 'create', db, '--to', target, '--yes'])).toMatchObject({ exitCode: 0 });
  const [older] = backups();
  const spare = path.join(target, 'spare');
  fs.mkdirSync(spare);
  // All but three of the names that are left.
  for (let count = 0; ; count++) {
    try {
      fs.writeFileSync(path.join(spare, String(count)), '');
    } catch {
      for (let back = 1; back <= 3; back++) fs.rmSync(path.join(spare, String(count - back)));
      break;
    }
  }
  const node = registry().open({ dataDirectory: db });
  const due = { ...dueSchedule(), retention: { last: 1, daily: 0, weekly: 0, monthly: 0 } };
  registry().edit(node.id, { backupTarget: target, backupSchedule: due });
  await start();
  await expect
    .poll(() => own().backupSchedule?.last?.message ?? '', { timeout: 60_000 })
    .toMatch(/became full\..* so it is short of something else, such as names of files\./);
  const { schedule } = BACKUP_SCHEMAS['backup-schedule'].parse(JSON.parse((await call('GET')).text));
  expect(schedule?.last?.message).toBe(own().backupSchedule?.last?.message);
  expect(backups()).toContain(older);
  // Checked on the full disk, where the result finds no room.
  const checked = await runWinnow(['backup', 'verify', `${target}@${older}`]);
  expect(checked).toMatchObject({ exitCode: 0 });
  expect(checked.stderr).toContain('The result of the check could not be kept in the target');
  await server!.stop();
  fs.rmSync(spare, { recursive: true });
  registry().edit(node.id, { backupSchedule: { ...own().backupSchedule!, handledMs: due.handledMs } });
  await start();
  await outcome().toMatchObject({ message: null });
  await server!.stop();
  expect(await runWinnow(['backup', 'verify', target, '--all'])).toMatchObject({ exitCode: 0 });
  expect(backups()).not.toContain(older);
});
