import fs from 'node:fs';
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
const data = path.join(directory, 'data');

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
  await runWinnow(['sample', data, '--size', '2MiB', '--chunk-size', '256KiB', '--yes']);
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
  await runWinnow(['sample', data, '--size', '1MiB', '--chunk-size', '256KiB', '--yes', '--replace']);
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
