// Runs one operation in this process and prints how long it took, for operations whose report does not say so, and
// whether its request takes a number of threads. Built into out/measured: see runOperation in measured-process.mjs.
//   node operation-time.js NAME REQUEST-AS-JSON
import { requests } from '../../src-main/contract/operations/operation-contract.ts';
import { runOperation } from './run-operation.mjs';

async function printTime(operation, json) {
  const startedMs = performance.now();
  const report = await runOperation(operation, JSON.parse(json));
  const ms = performance.now() - startedMs;
  console.log(JSON.stringify({ ms, takesThreads: 'threads' in requests[operation].shape, report }));
}

const [operation, json] = process.argv.slice(2);
printTime(operation, json).catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
