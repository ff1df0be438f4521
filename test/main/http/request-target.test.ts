/** What a request line may name: a path of this service, and nothing else. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startAdminServer, type RunningServer } from '../../../src-main/http/admin-server.ts';
import { basic } from './running-server.ts';
import { rawRequest, statusOf } from './raw-request.ts';

interface Recorder {
  url: string;
  heard: { path: string | undefined; authorization: string | undefined }[];
  close: () => Promise<void>;
}

async function startRecorder(): Promise<Recorder> {
  const heard: Recorder['heard'] = [];
  const server = http.createServer((request, response) => {
    heard.push({ path: request.url, authorization: request.headers.authorization });
    response.setHeader('Content-Type', 'application/json').end('{"state":"Waiting"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    close: () => new Promise((resolve) => server.close(() => resolve()))
  };
}

let coordinator: Recorder;
let stranger: Recorder;
let service: RunningServer;
beforeEach(async () => {
  coordinator = await startRecorder();
  stranger = await startRecorder();
  const holder = { pid: 1, url: coordinator.url, key: null, certificateFile: null };
  service = await startAdminServer({
    host: '127.0.0.1',
    port: 0,
    publicNames: [],
    tls: undefined,
    credentials: {
      identify: () => Promise.resolve({ kind: 'user', caller: { name: 'ops', roles: ['$ops'] } })
    },
    node: undefined,
    autoScavenge: {
      isOff: false,
      holder: () => Promise.resolve(holder),
      isEnabled: () => Promise.resolve(true),
      start: () => Promise.resolve(),
      call: () => Promise.resolve({ status: 503, detail: '' }),
      close: () => Promise.resolve()
    },
    logger: pino({ enabled: false }),
    clock: () => 0
  });
});
afterEach(async () => {
  await service.close();
  await Promise.all([coordinator.close(), stranger.close()]);
});

function get(target: string): Promise<string> {
  const { host } = new URL(service.url);
  const head = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n`;
  return rawRequest(service.url, `${head}Authorization: ${basic('ops', 'secret words')}\r\n\r\n`);
}

it('a call is passed on by its path and query, with the credentials of its caller', async () => {
  const answer = await get('/auto-scavenge/status?a=b%2F..');
  expect(statusOf(answer)).toBe(200);
  expect(answer).toContain('{"state":"Waiting"}');
  expect(coordinator.heard).toEqual([
    { path: '/auto-scavenge/status?a=b%2F..', authorization: basic('ops', 'secret words') }
  ]);
});

it('a whole URL in the request line is refused, and its host hears nothing', async () => {
  const { host } = new URL(stranger.url);
  const targets = [`http://${host}/auto-scavenge/status`, `HTTP://x@${host}/auto-scavenge/status`];
  for (const target of [
    ...targets,
    `//${host}/auto-scavenge/status`,
    `/\\${host}/auto-scavenge/status`,
    '*'
  ]) {
    expect([target, statusOf(await get(target))]).toEqual([target, 400]);
  }
  expect([stranger.heard, coordinator.heard]).toEqual([[], []]);
});

it('two Host headers are refused, whichever of them is ours', async () => {
  const { host } = new URL(service.url);
  for (const [first, second] of [
    [host, 'evil.example'],
    ['evil.example', host],
    [host, host]
  ]) {
    const bytes = `GET /info HTTP/1.1\r\nHost: ${first}\r\nhost: ${second}\r\nConnection: close\r\n\r\n`;
    expect([first, second, statusOf(await rawRequest(service.url, bytes))]).toEqual([first, second, 400]);
  }
  expect(statusOf(await get('/info'))).toBe(200);
});
