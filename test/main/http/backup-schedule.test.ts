/** The schedule of backups over HTTP, and a service that takes them by it: with the real command, on a real database. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BACKUP_SCHEMAS } from '../../../src-main/contract/operations/backup-reports.ts';
import { NodeRegistry } from '../../../src-main/settings/node-registry.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { PASSWORD, startServer, type RunningServer } from './running-server.ts';

const NIGHTLY = { expression: '0 1 * * *', timeZone: 'UTC', retention: { last: 1 } };
let root: string;
let home: string;
let target: string;
let db: string;
let server: RunningServer | undefined;

beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-http-schedule-'));
  [home, target] = [path.join(root, 'home'), path.join(root, 'backups')];
  fs.mkdirSync(target);
  db = unpackDatabase({ name: 'plain', folder: 'after' });
});
afterEach(async () => {
  await server?.stop();
  server = undefined;
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
  expect(JSON.parse((await call('GET')).text)).toMatchObject({ target: null, schedule: null });
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
    ['{', 'expected object'],
    [[], 'expected object'],
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

  expect((await call('DELETE')).status).toBe(204);
  expect((await call('DELETE')).status).toBe(204);
  expect(own().backupSchedule).toBeUndefined();
  const described = await (await fetch(`${server!.url}/openapi.json`)).json();
  expect(Object.keys((described as { paths: object }).paths)).toContain('/backups/schedule');
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
  const { schedule: reported } = BACKUP_SCHEMAS['backup-schedule'].parse(
    JSON.parse((await call('GET')).text)
  );
  expect(reported?.last?.message).toContain(occupied);
  expect(fs.readFileSync(occupied, 'utf8')).toBe('a file in its place');
});
