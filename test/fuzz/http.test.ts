/** A short run of `npm run http-fuzz`. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runWinnow } from '../main/cli/run-winnow.ts';
import { PASSWORD, ask, basic, startServer } from '../main/http/running-server.ts';
import { runHttpCampaign } from './http-campaign.ts';

const REQUESTS = 600;
const SEED = 1;

it(`${REQUESTS} random requests (seed ${SEED}) get an answer that is none of the server's faults`, async () => {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-http-fuzz-'));
  try {
    const database = path.join(directory, 'database');
    await runWinnow(['sample', database, '--size', '512KiB', '--chunk-size', '128KiB', '--yes']);
    const words = [database, '--single-node', '--licensing:license-file', 'evaluation', '-q'];
    const server = await startServer({ home: path.join(directory, 'home'), words });
    for (const as of ['admin', 'ops', 'joe'] as const) await ask(server, 'GET /metrics', { as });
    const credentials = ['admin', 'ops', 'joe'].map((name) => basic(name, PASSWORD));
    const { faults } = await runHttpCampaign({
      url: server.url,
      requests: REQUESTS,
      seed: SEED,
      credentials
    });
    expect(faults).toEqual([]);
    expect((await ask(server, 'GET /info')).status).toBe(200);
    expect(await server.stop('SIGTERM')).toBe(0);
  } finally {
    fs.rmSync(directory, { recursive: true, force: true });
  }
});
