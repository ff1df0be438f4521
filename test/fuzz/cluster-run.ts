/** `npm run cluster-fuzz`: random faults against the coordinator of a simulated cluster of running nodes. */
import { parseArgs } from 'node:util';
import { runClusterCampaign } from './cluster-campaign.ts';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '1000' }, seed: { type: 'string' } }
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
const runs = Number(values.runs);
console.log(`${runs} runs, seeds from ${seed}`);
const startedMs = performance.now();
const { faults, counts } = await runClusterCampaign(runs, seed);
for (const [what, count] of [...counts].sort()) console.log(`  ${what}: ${count}`);
console.log(`${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
for (const fault of faults.slice(0, 20)) console.error(`FAULT ${fault}`);
console.log(faults.length === 0 ? 'no faults' : `${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
