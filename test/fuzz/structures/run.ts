/**
 * A campaign of structured mutations, in a thread that scripts/structure-fuzz.mjs watches: it says which case it begins, so
 * that one that never ends can be named, and what processor time each took.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { StructuredCampaign } from './structured-campaign.ts';

const { seed, first, count } = workerData as { seed: number; first: number; count: number };
const campaign = await StructuredCampaign.open(seed);
try {
  for (let number = first; number < first + count; number++) {
    parentPort?.postMessage({ kind: 'begin', number });
    const before = process.threadCpuUsage();
    const result = await campaign.run(number);
    const { user, system } = process.threadCpuUsage(before);
    parentPort?.postMessage({ kind: 'end', cpuMs: (user + system) / 1000, ...result });
  }
} finally {
  campaign.close();
}
