/** `npm run http-matrix`: every route and verb × method × user × kind of trouble, with the memory of the service measured. */
import { parseArgs } from 'node:util';
import { startMatrixServer } from './http-matrix-server.ts';
import { runHttpMatrix } from './http-matrix.ts';

/** Somebody else is served within this. */
const WAIT_LIMIT_MS = 1000;
/** From the third quarter to the last one: until then caches fill, and the heap takes the size that it keeps. */
const GROWTH_LIMIT_MIB = 40;
/** A few more than there are combinations. */
const ALL = '28000';

const { values } = parseArgs({
  options: { requests: { type: 'string', default: ALL }, seed: { type: 'string' } }
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
const requests = Number(values.requests);
console.log(`seed ${seed}`);
const { server, roles, cookies, residentMiB, close } = await startMatrixServer();
const resident: number[] = [];
const startedMs = performance.now();
const onProgress = async (): Promise<void> => void resident.push(await residentMiB());
const end = await runHttpMatrix({ url: server.url, seed, requests, roles, cookies, onProgress });
await onProgress();
const seconds = (performance.now() - startedMs) / 1000;
const exitCode = await close();
const mostOf = (from: number, to: number): number =>
  Math.max(...resident.slice(Math.floor(resident.length * from), Math.ceil(resident.length * to)));
const growth = mostOf(0.75, 1) - mostOf(0.5, 0.75);
for (const [how, count] of [...end.counts].sort()) console.log(`  ${how}: ${count}`);
console.log(
  `  ${[...end.statuses]
    .sort()
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ')}`
);
console.log(`  MiB resident: ${resident.map((mib) => Math.round(mib)).join(' ')}`);
console.log(
  `http matrix: ${end.sent} requests over ${Math.min(requests, end.combinations)} of ${end.combinations} combinations, ` +
    `${end.faults.length} faults, seed ${seed}; others waited ${Math.round(end.longestWaitMs)} ms at most, ` +
    `memory grew by ${Math.round(growth)} MiB, ${seconds.toFixed(0)} s, exit ${exitCode}`
);
for (const fault of end.faults.slice(0, 20)) console.error(`FAULT ${fault}`);
if (end.faults.length > 0 || exitCode !== 0 || growth > GROWTH_LIMIT_MIB || end.longestWaitMs > WAIT_LIMIT_MS)
  process.exitCode = 1;
