/** Clients that are slow, many, gone or deaf, and what the service tells whom when something is broken. */
import { EventEmitter } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EventSeats } from '../../../src-main/http/event-seats.ts';
import { addProgressRoutes } from '../../../src-main/http/routes/progress-routes.ts';
import type { NodeScavenges, ScavengeEvents } from '../../../src-main/cluster/node-scavenges.ts';
import { runWinnow } from '../cli/run-winnow.ts';
import { PASSWORD, ask, basic, startServer, type RunningServer } from './running-server.ts';

const LICENSED = ['--single-node', '--licensing:license-file', 'evaluation'];
let directory: string;
let sample: string;
let service: RunningServer;

beforeAll(async () => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-clients-'));
  sample = path.join(directory, 'sample');
  await runWinnow(['sample', sample, '--size', '8MiB', '--chunk-size', '1MiB', '--yes']);
  service = await startServer({ home: path.join(directory, 'home'), words: [sample, ...LICENSED] });
}, 60_000);
afterAll(async () => {
  await service.stop();
  fs.rmSync(directory, { recursive: true, force: true });
});

interface OpenSocket {
  socket: net.Socket;
  text: () => string;
  hasClosed: Promise<void>;
}

function connect({ url }: { url: string }, firstBytes = ''): Promise<OpenSocket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let text = '';
    const socket = net.connect(Number(port), hostname);
    const hasClosed = new Promise<void>((closed) => socket.on('close', () => closed()));
    socket.on('error', () => undefined).setEncoding('latin1');
    socket.on('data', (piece: string) => (text += piece));
    socket.on('connect', () => {
      if (firstBytes !== '') socket.write(firstBytes);
      resolve({ socket, text: () => text, hasClosed });
    });
  });
}

function requestText(what: string, { url }: { url: string }): string {
  return `${what} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: ${basic('ops', PASSWORD)}\r\n\r\n`;
}

it('the connection beyond the hundredth is closed; silent ones and headers that trickle in are cut off in time', async () => {
  const startedMs = performance.now();
  const slow = await connect(service, 'GET /info HTTP/1.1\r\nHost: localhost\r\n');
  const drip = setInterval(() => slow.socket.write('X'), 500);
  const silent = await Promise.all(Array.from({ length: 109 }, () => connect(service)));
  await expect.poll(() => silent.filter(({ socket }) => socket.closed).length, { timeout: 5000 }).toBe(10);
  await slow.hasClosed;
  clearInterval(drip);
  expect(performance.now() - startedMs).toBeLessThan(20_000);
  expect(slow.text()).toMatch(/^HTTP\/1\.1 408 |^$/);
  const statusOfInfo = (): Promise<number> =>
    ask(service, 'GET /info').then(
      ({ status }) => status,
      () => 0
    );
  await expect.poll(statusOfInfo, { timeout: 20_000, interval: 500 }).toBe(200);
  for (const { socket } of silent) socket.destroy();
}, 40_000);

describe('clients that go away', () => {
  it('a DELETE whose client is gone stops the scavenge all the same', async () => {
    const start = await ask(service, 'POST /admin/scavenge?throttlePercent=1');
    expect(start.status).toBe(200);
    const gone = await connect(service, requestText('DELETE /admin/scavenge/current', service));
    setTimeout(() => gone.socket.destroy(), 20);
    await gone.hasClosed;
    await expect
      .poll(async () => JSON.parse((await ask(service, 'GET /admin/scavenge/last')).text) as unknown, {
        timeout: 20_000
      })
      .toMatchObject({ scavengeId: start.headers.get('x-scavenge-id'), scavengeResult: 'Stopped' });
  }, 30_000);

  it('each line of the log names its request', async () => {
    await ask(service, 'GET /info');
    expect(service.log()).toMatch(/"reqId":"[^"]+".*"path":"\/info"/);
  });
});

describe('readers of events', () => {
  it('one that never reads is let go, and the others go on', async () => {
    const events = new EventEmitter<ScavengeEvents>();
    const scavenges = {
      events,
      current: undefined,
      progress: undefined,
      last: { scavengeId: '', result: 'Unknown' }
    };
    const app = fastify();
    addProgressRoutes(app, scavenges as unknown as NodeScavenges, new EventSeats());
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    try {
      const deaf = await connect({ url }, requestText('GET /scavenges/current/events', { url }));
      deaf.socket.pause();
      const reader = await connect({ url }, requestText('GET /scavenges/current/events', { url }));
      await expect.poll(() => events.listenerCount('ended')).toBe(2);
      const long = 'x'.repeat(8000);
      // The system buffers a few megabytes of its own before a reader shows as deaf.
      for (let sent = 0; sent < 5000 && events.listenerCount('ended') === 2; sent++) {
        events.emit('started', long);
        await new Promise(setImmediate);
      }
      await expect.poll(() => events.listenerCount('ended')).toBe(1);
      events.emit('ended', 'the-last', 'Success');
      await expect.poll(() => reader.text().includes('the-last')).toBe(true);
      reader.socket.destroy();
      deaf.socket.destroy();
    } finally {
      await app.close();
    }
  }, 30_000);

  it('are ended in order when the service stops, also deaf ones', async () => {
    const home = path.join(directory, 'home-2');
    const short = await startServer({ home, words: [sample, '--single-node'] });
    const reader = await connect(short, requestText('GET /scavenges/current/events', short));
    const deaf = await connect(short, requestText('GET /scavenges/current/events', short));
    deaf.socket.pause();
    await expect.poll(() => reader.text().includes('event: idle')).toBe(true);
    const startedMs = performance.now();
    expect(await short.stop('SIGTERM')).toBe(0);
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    await reader.hasClosed;
    deaf.socket.destroy();
    expect(reader.text()).toMatch(/0\r\n\r\n$/);
  }, 30_000);
});

it('a failure names files to operators only', async () => {
  const home = path.join(directory, 'home-3');
  const words = [sample, ...LICENSED];
  const first = await startServer({ home, words });
  const headers = { 'content-type': 'application/json' };
  const body = '{"schedule":"0 3 29 2 *"}';
  expect((await ask(first, 'POST /auto-scavenge/configure', { headers, body })).status).toBe(200);
  await first.stop();
  const file = fs
    .readdirSync(home, { recursive: true, encoding: 'utf8' })
    .find((name) => name.endsWith('auto-scavenge.jsonl'));
  fs.writeFileSync(path.join(home, file!), 'nonsense\n');
  const broken = await startServer({ home, words });
  try {
    const toUser = await ask(broken, 'GET /auto-scavenge/status', { as: 'joe' });
    expect(toUser.status).toBe(500);
    expect(toUser.text).not.toContain(directory);
    expect(toUser.text).not.toContain('auto-scavenge.jsonl');
    const toOperator = await ask(broken, 'GET /auto-scavenge/status', { as: 'ops' });
    expect(toOperator.status).toBe(500);
    expect(broken.log()).toContain('auto-scavenge.jsonl');
  } finally {
    await broken.stop();
  }
}, 30_000);
