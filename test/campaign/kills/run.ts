/** A long campaign, in a thread of scripts/crash.mjs: so many kills over all commands. */
import { parentPort, workerData } from 'node:worker_threads';
import { removeUnpacked } from '../../support/golden.ts';
import { KILL_SUBJECTS, killCommands } from './kill-campaign.ts';

const { seed, kills } = workerData as { seed: number; kills: number };
const results = await killCommands({
  ...{ seed, kills: Math.ceil(kills / KILL_SUBJECTS.length) },
  say: (text) => parentPort?.postMessage({ text })
});
removeUnpacked();
parentPort?.postMessage({
  kills: results.reduce((sum, { kills: count }) => sum + count, 0),
  faulty: results.filter(({ faults }) => faults.length > 0).length
});
