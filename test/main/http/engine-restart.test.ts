/** A service whose engine ends while it runs: it says so, starts another one, and goes on serving. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { runWinnow } from '../cli/run-winnow.ts';
import { ask, startServer, type RunningServer } from './running-server.ts';

const KILLER = new URL('./engine-killer.mjs', import.meta.url).href;
const PATIENCE_MS = 60_000;
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-restart-'));
let server: RunningServer | undefined;

afterEach(async () => {
  await server?.stop();
});
afterAll(() => {
  removeUnpacked();
  fs.rmSync(home, { recursive: true, force: true });
});

async function killEngine(): Promise<void> {
  const before = server!.log().length;
  server!.child.kill('SIGUSR2');
  await until('the engine to be started again', async () =>
    server!.log().slice(before).includes('The engine exited and is being restarted')
  );
}

async function lastResult(): Promise<string> {
  const { text } = await ask(server!, 'GET /admin/scavenge/last');
  return (JSON.parse(text) as { scavengeResult: string }).scavengeResult;
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`${what} did not happen in time: ${server!.log()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

it('answers the next request with a new engine', async () => {
  const words = [unpackDatabase({ name: 'rules', folder: 'before' }), '--single-node'];
  server = await startServer({ home, words, environment: { NODE_OPTIONS: `--import ${KILLER}` } });
  await killEngine();
  expect((await ask(server, 'POST /admin/scavenge')).status).toBe(200);
  await until('the end of the scavenge', async () => (await lastResult()) !== 'InProgress');
  expect(await lastResult()).toBe('Success');
});

it('calls the scavenge that it interrupted a failed one, and resumes it on the next request', async () => {
  const slow = path.join(home, 'slow');
  await runWinnow(['sample', slow, '--size', '24MiB', '--chunk-size', '1MiB', '--yes']);
  const environment = { NODE_OPTIONS: `--import ${KILLER}` };
  server = await startServer({ home, words: [slow, '--single-node'], environment });
  expect((await ask(server, 'POST /admin/scavenge?throttlePercent=1')).status).toBe(200);
  await killEngine();
  await until('the end of the scavenge', async () => (await lastResult()) !== 'InProgress');
  expect(await lastResult()).toBe('Errored');
  expect((await ask(server, 'POST /admin/scavenge')).status).toBe(200);
  await until('the end of the next one', async () => (await lastResult()) !== 'InProgress');
  expect(await lastResult()).toBe('Success');
});
