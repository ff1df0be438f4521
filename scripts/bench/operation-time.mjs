// Runs one operation in this process and prints how long it took, for operations whose report does not say so, and
// whether its request takes a number of threads.
//   node operation-time.mjs NAME REQUEST-AS-JSON
import { requests } from '../../src-main/contract/operations/operation-contract.ts';
import { runOperation } from './run-operation.mjs';

const [operation, json] = process.argv.slice(2);
const startedMs = performance.now();
const report = await runOperation(operation, JSON.parse(json));
const ms = performance.now() - startedMs;
console.log(JSON.stringify({ ms, takesThreads: 'threads' in requests[operation].shape, report }));
