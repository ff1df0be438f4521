/** The client for scripts (`winnow/client`) against a real service: every call, and what its failures say. */
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WinnowClient, WinnowError, type ScavengeEvent } from '../../../src-main/client/winnow-client.ts';
import { NodeRegistry } from '../../../src-main/settings/node-registry.ts';
import { temporaryDirectory } from '../../support/scavenge-environment.ts';
import { runWinnow } from '../cli/run-winnow.ts';
import { clientOf, startServer, type RunningServer } from './running-server.ts';

let directory: string;
let database: string;
let service: RunningServer;
let client: WinnowClient;

beforeAll(async () => {
  directory = temporaryDirectory();
  database = path.join(directory, 'db');
  await runWinnow(['sample', database, '--size', '2MiB', '--chunk-size', '256KiB', '--yes']);
  const home = path.join(directory, 'home');
  const registry = new NodeRegistry(home, Date.now);
  registry.edit(registry.open({ dataDirectory: database }).id, { backupTarget: path.join(directory, 'to') });
  const words = [database, '--single-node', '--licensing:license-file', 'evaluation'];
  service = await startServer({ home, words });
  client = clientOf(service);
}, 60_000);
afterAll(async () => {
  await service.stop();
  fs.rmSync(directory, { recursive: true, force: true });
});

it('scavenges, follows it, waits for its end and reads its history', async () => {
  expect(await client.scavenge.last()).toMatchObject({ result: 'Unknown' });
  expect(await client.history()).toEqual([]);
  const seen: ScavengeEvent[] = [];
  const watch = new AbortController();
  const following = (async () => {
    for await (const event of client.follow({ signal: watch.signal })) {
      seen.push(event);
      if (event.kind === 'ended') watch.abort();
    }
  })();
  await expect.poll(() => seen.length).toBe(1);
  expect(seen[0]).toMatchObject({ kind: 'idle', result: 'Unknown' });
  const scavengeId = await client.scavenge.start({ threads: 1, threshold: -1 });
  expect(await client.scavenge.ended(scavengeId)).toEqual({
    ...{ id: scavengeId, result: 'Success' },
    ...{ report: null, error: null }
  });
  await following;
  expect(seen[1]).toEqual({ kind: 'started', scavengeId });
  expect(seen.at(-1)).toEqual({ kind: 'ended', scavengeId, result: 'Success' });
  expect(seen.some((event) => event.kind === 'progress' && event.scavengeId === scavengeId)).toBe(true);
  // The service keeps the empty history that it read before for a second.
  await expect.poll(() => client.history(1), { timeout: 5000 }).toHaveLength(1);
  const [last] = await client.history(1);
  expect(last?.eventType).toBe('$scavengeCompleted');
  expect(JSON.parse(last?.data ?? '')).toMatchObject({ scavengeId, result: 'Success' });
  await expect(client.scavenge.ended('another')).rejects.toThrow(`The last scavenge is ${scavengeId}`);
});

it('sets the schedule of scavenges, pauses, skips and goes on', async () => {
  expect(await client.autoScavengeEnabled()).toBe(true);
  expect(await client.autoScavengeStatus()).toMatchObject({ state: 'NotConfigured', schedule: null });
  await client.configureAutoScavenge('0 3 * * 0', 'Europe/Berlin');
  await client.setQuietHours({ window: '02:00-04:00' });
  expect(await client.skipNextCycle()).toMatch(/T03:00:00/);
  expect(await client.pauseAutoScavenge()).toBe('paused');
  const { quietHours, ...status } = await client.autoScavengeStatus();
  expect(status).toMatchObject({ state: 'Paused', schedule: '0 3 * * 0', timeZone: 'Europe/Berlin' });
  expect(quietHours).toMatchObject({ from: '04:00', to: '02:00' });
  await client.setQuietHours(null);
  await client.resumeAutoScavenge();
  expect((await client.autoScavengeStatus()).state).toBe('Waiting');
  expect(await client.startCycle({ threshold: 10 })).toMatch(/^[0-9a-f-]{36}$/);
});

it('sets the schedule of backups, and asks what anyone may ask', async () => {
  const set = await client.setBackupSchedule({ expression: '0 1 * * *', retention: { daily: 7 } });
  expect(set.schedule).toMatchObject({ words: 'At 01:00', retention: { daily: 7, weekly: 0 } });
  expect(await client.backupSchedule()).toEqual(set);
  await client.removeBackupSchedule();
  expect((await client.backupSchedule()).schedule).toBeNull();
  expect((await new WinnowClient({ url: service.url }).info()).state).toBe('maintenance');
  expect(await client.metrics()).toContain('# TYPE winnow_');
});

it('says what was refused, in the words of the service', async () => {
  const refused = (status: number, message: string) =>
    expect.objectContaining({ name: 'WinnowError', status, message }) as unknown;
  await expect(client.verify.start({ threads: 0 })).rejects.toEqual(
    refused(400, 'threads must be 1 or above')
  );
  await expect(client.configureAutoScavenge('x')).rejects.toEqual(refused(400, 'Invalid CRON expression'));
  await expect(client.json('GET', '/nowhere')).rejects.toEqual(
    refused(404, 'GET /nowhere was answered with 404.')
  );
  await expect(clientOf(service, 'joe').scavenge.start()).rejects.toMatchObject({ status: 403 });
  const guesses = Array.from({ length: 12 }, () =>
    clientOf(service, 'ops', 'wrong')
      .metrics()
      .catch((error: unknown) => error as WinnowError)
  );
  const answers = (await Promise.all(guesses)) as WinnowError[];
  expect(answers.map(({ status }) => status)).toContain(401);
  const throttled = answers.find(({ status }) => status === 429);
  expect(throttled?.retryAfterSeconds).toBeGreaterThan(0);
});

it('gives the password to no other address, waits no longer than it is told, and takes no endless event', async () => {
  const asked: string[] = [];
  const other = http.createServer((request, reply) => {
    asked.push(request.url ?? '');
    if (request.url === '/info') reply.writeHead(302, { Location: '/stolen' }).end();
    if (request.url?.endsWith('/events')) reply.writeHead(200).end('data: ' + 'x'.repeat(2 ** 21));
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  const stranger = new WinnowClient({ url, user: { name: 'ops', password: 'secret' }, timeoutMs: 100 });
  try {
    await expect(stranger.info()).rejects.toThrow();
    expect(asked).toEqual(['/info']);
    await expect(stranger.metrics()).rejects.toMatchObject({ name: 'TimeoutError' });
    await expect(stranger.follow().next()).rejects.toThrow('An event does not end.');
  } finally {
    other.closeAllConnections();
    other.close();
  }
});
