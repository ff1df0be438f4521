/** A short run of `npm run http-matrix`. */
import { expect, it } from 'vitest';
import { ask } from '../main/http/running-server.ts';
import { recordCampaign } from '../support/proof-record.ts';
import { startMatrixServer } from './http-matrix-server.ts';
import { runHttpMatrix } from './http-matrix.ts';

const SEED = 1;
const COMBINATIONS = 900;
/** Of each kind of trouble; and of combinations that exist, which fall when routes or verbs are lost from sight. */
const LEAST_OF_A_KIND = 60;
const LEAST_COMBINATIONS = 27_000;
const LIMIT_MS = 600_000;

it(
  `${COMBINATIONS} combinations of route, method, user and trouble (seed ${SEED}) are answered, and only to whom they may be`,
  async () => {
    const { server, roles, cookies, close } = await startMatrixServer();
    const end = await runHttpMatrix({ url: server.url, seed: SEED, requests: COMBINATIONS, roles, cookies });
    recordCampaign({
      name: 'routes and verbs by method, user and trouble',
      promise: 'users',
      operation: 'serve',
      faults: [...end.counts.keys()].join(', '),
      counts: { cases: end.sent, asked: COMBINATIONS, combinations: end.combinations },
      seed: SEED
    });
    expect(end.faults).toEqual([]);
    expect(end.combinations).toBeGreaterThanOrEqual(LEAST_COMBINATIONS);
    for (const count of end.counts.values()) expect(count).toBeGreaterThanOrEqual(LEAST_OF_A_KIND);
    expect((await ask(server, 'GET /info')).status).toBe(200);
    expect(await close()).toBe(0);
  },
  LIMIT_MS
);
