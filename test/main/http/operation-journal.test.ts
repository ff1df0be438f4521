import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runWinnow } from '../cli/run-winnow.ts';
import { ask, startServer, type RunningServer } from './running-server.ts';

interface Line {
  level: number;
  msg?: string;
  operationId?: string;
  outcome?: string;
  error?: { code: string };
  reqId?: string;
}

const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-journal-'));
afterAll(() => fs.rmSync(directory, { recursive: true, force: true }));
const home = path.join(directory, 'home');

async function sampleAt(name: string): Promise<string> {
  const data = path.join(directory, name);
  await runWinnow(['sample', data, '--size', '1MiB', '--chunk-size', '256KiB', '--yes']);
  return data;
}

const linesOf = (service: RunningServer): Line[] =>
  service
    .log()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line);

/** Once the operation whose title this is has ended. */
async function ended(service: RunningServer, title: string): Promise<Line> {
  for (;;) {
    const line = linesOf(service).find(({ msg, outcome }) => msg?.startsWith(title) && outcome !== undefined);
    if (line) return line;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('the log of a service tells of each operation, and everything said of it has the id of its record', async () => {
  const data = await sampleAt('told');
  const service = await startServer({ home, words: [data, '--single-node'] });
  try {
    expect((await ask(service, 'POST /admin/scavenge?scavengePoint=detached')).status).toBe(200);
    const end = await ended(service, 'Scavenge');
    expect(end).toMatchObject({
      level: 30,
      msg: 'Scavenge: done',
      outcome: 'done',
      operation: 'runScavenge'
    });
    const id = end.operationId!;
    const said = linesOf(service).filter(({ operationId }) => operationId === id);
    expect(said[0]).toMatchObject({ msg: 'Scavenge: begun', door: 'http', dataDirectory: data });
    const ofChunks = linesOf(service).filter(({ msg }) => msg?.includes('with weight'));
    expect(ofChunks.length).toBeGreaterThan(0);
    expect(new Set(ofChunks.map(({ operationId }) => operationId))).toEqual(new Set([id]));

    const { stdout } = await runWinnow(['support-log', '--operation', id], {
      environment: { WINNOW_HOME: home }
    });
    expect(stdout).toContain('Operation: runScavenge (http)');
    expect(stdout).toContain('Outcome: done');

    fs.writeFileSync(path.join(data, 'writer.chk'), 'short');
    expect((await ask(service, 'POST /admin/rebuild')).status).not.toBe(200);
    const failed = await ended(service, 'Rebuild');
    expect(failed).toMatchObject({ level: 50, outcome: 'failed', error: { code: 'LogCorrupt' } });
  } finally {
    await service.stop();
  }
}, 60_000);

test('a service that is told to log errors only keeps quiet about what goes well', async () => {
  const data = await sampleAt('quiet');
  const service = await startServer({ home, words: [data, '--single-node', '--log-level', 'error'] });
  try {
    expect((await ask(service, 'POST /admin/verify?quick=true')).status).toBe(200);
    while (!(await ask(service, 'GET /admin/verify/last')).text.includes('"Success"'))
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(linesOf(service).filter(({ level }) => level < 50)).toEqual([]);
  } finally {
    await service.stop();
  }
}, 60_000);

interface Spans {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: { name: string; status: { code: number; message?: string }; attributes: Attribute[] }[];
    }[];
  }[];
}
interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number; boolValue?: boolean };
}

test('operations are spans where a collector is named, and one that never answers holds nothing up', async () => {
  const bodies: string[] = [];
  let isDeaf = false;
  const collector = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      if (isDeaf) return;
      if (request.url === '/v1/traces') bodies.push(body);
      response.setHeader('content-type', 'application/json');
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const data = await sampleAt('traced');
  const start = () =>
    startServer({
      home,
      words: [data, '--single-node'],
      environment: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: 'node-1' }
    });
  try {
    const service = await start();
    expect((await ask(service, 'POST /admin/verify?quick=true')).status).toBe(200);
    const { operationId } = await ended(service, 'Verify');
    expect(await service.stop('SIGTERM')).toBe(0);
    const { resource, scopeSpans } = (JSON.parse(bodies.join('')) as Spans).resourceSpans[0]!;
    expect(resource.attributes).toContainEqual({ key: 'service.name', value: { stringValue: 'node-1' } });
    const span = scopeSpans[0]!.spans[0]!;
    expect(span).toMatchObject({ name: 'Verify', status: { code: 1 } });
    expect(span.attributes).toContainEqual({
      key: 'winnow.operation.id',
      value: { stringValue: operationId }
    });
    expect(span.attributes).toContainEqual({ key: 'winnow.figure.ok', value: { boolValue: true } });

    isDeaf = true;
    const second = await start();
    expect((await ask(second, 'POST /admin/verify?quick=true')).status).toBe(200);
    await ended(second, 'Verify');
    expect(await second.stop('SIGTERM')).toBe(0);
  } finally {
    collector.closeAllConnections();
    collector.close();
  }
}, 60_000);
