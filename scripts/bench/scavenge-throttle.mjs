// The share of its time that a scavenge with `--throttle-percent 50` works: copies of the database are scavenged by
// the real operation for half a minute, and the event loop tells how long it was not waiting.
//   node scavenge-throttle.mjs DIR...    each is scavenged once, until the time is up
import { performance } from 'node:perf_hooks';
import { NodeFileSystem, OperationStopped } from '../../src-core/index.ts';
import { requests } from '../../src-main/contract/operations/operation-contract.ts';
import { operationContext } from '../../src-main/operations/operation.ts';
import { runScavenge } from '../../src-main/operations/scavenge/run-scavenge.ts';

const DURATION_MS = 30_000;
const THROTTLE_PERCENT = 50;

const stop = new AbortController();
const timer = setTimeout(() => stop.abort(), DURATION_MS);
const startedMs = performance.now();
const before = performance.eventLoopUtilization();
for (const dataDirectory of process.argv.slice(2)) {
  if (stop.signal.aborted) break;
  const options = { dataDirectory, scavengePoint: 'existing', throttlePercent: THROTTLE_PERCENT };
  const context = operationContext({
    operation: 'runScavenge',
    dataDirectory,
    fileSystem: new NodeFileSystem(),
    signal: stop.signal,
    clock: () => Date.now(),
    onProgress: () => {},
    onLog: () => {}
  });
  try {
    await runScavenge(requests.runScavenge.parse(options), context);
  } catch (error) {
    if (!(error instanceof OperationStopped)) throw error;
  }
}
clearTimeout(timer);
const { utilization } = performance.eventLoopUtilization(before);
console.log(JSON.stringify({ share: utilization, ms: performance.now() - startedMs }));
