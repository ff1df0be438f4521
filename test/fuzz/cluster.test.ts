/** A short run of `npm run cluster-fuzz`. */
import { expect, it } from 'vitest';
import { recordCampaign } from '../support/proof-record.ts';
import { runClusterCampaign, runRestarts } from './cluster-campaign.ts';

const RUNS = 500;
const SEED = 1;
/** How often each kind of trouble happens in these runs, at least. */
const LEAST: Readonly<Record<string, number>> = {
  'answers lost: POST': 150,
  'answers that came late': 800,
  'coordinators killed': 1000,
  'jumps of the clock': 500,
  'leases refused': 500,
  'members replaced': 500,
  'networks in two parts, or one again': 500,
  'node scavenges started': 2000,
  'pauses in force': 120,
  "people's scavenges": 500,
  'requests to a stalled node': 5000
};
const RESTART_SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];
const LEAST_RESTARTS = 60;
const LIMIT_MS = 600_000;

it(
  `in ${RUNS} runs with random faults (seeds from ${SEED}) no two nodes scavenge at once, a pause holds, and cycles end`,
  async () => {
    const { faults, counts } = await runClusterCampaign(RUNS, SEED);
    const count = (what: string): number => counts.get(what) ?? 0;
    recordCampaign({
      name: 'cycles with random faults',
      promise: 'cluster',
      operation: 'a cycle',
      faults: 'messages, members, networks, clocks, coordinators',
      counts: {
        cases: RUNS,
        kills: count('coordinators killed'),
        started: count('node scavenges started'),
        pauses: count('pauses in force')
      },
      seed: SEED
    });
    expect(faults).toEqual([]);
    expect(counts.get('cycles ended')).toBe(RUNS);
    for (const [what, least] of Object.entries(LEAST))
      expect(counts.get(what), what).toBeGreaterThanOrEqual(least);
  },
  LIMIT_MS
);

it(
  'a cycle ends as it should with the coordinator killed at each of its requests',
  async () => {
    const { faults, counts } = await runRestarts(RESTART_SEEDS);
    recordCampaign({
      name: 'cycles with the coordinator killed at each request',
      promise: 'cluster',
      operation: 'a cycle',
      faults: 'kill',
      counts: { cases: RESTART_SEEDS.length, kills: counts.get('restarts') ?? 0 }
    });
    expect(faults).toEqual([]);
    expect(counts.get('restarts')).toBeGreaterThanOrEqual(LEAST_RESTARTS);
  },
  LIMIT_MS
);
