// Runs one operation in this process and prints how long it took, for operations whose report does not say so, and
// whether its request takes a number of threads.
//   node operation-time.mjs NAME REQUEST-AS-JSON
import { NodeFileSystem } from '../../src-core/index.ts';
import { operationContext } from '../../src-main/operations/operation.ts';
import { requests } from '../../src-main/contract/operations/operation-contract.ts';
import { runReportOperation } from '../../src-main/operations/operation-table.ts';

const [operation, json] = process.argv.slice(2);
const request = requests[operation].parse(JSON.parse(json));
const context = operationContext({
  operation,
  dataDirectory: request.dataDirectory,
  fileSystem: new NodeFileSystem(),
  signal: new AbortController().signal,
  clock: () => Date.now(),
  onProgress: () => {},
  onLog: () => {}
});
const startedMs = performance.now();
const report = await runReportOperation(operation, request, context);
const ms = performance.now() - startedMs;
console.log(JSON.stringify({ ms, takesThreads: 'threads' in requests[operation].shape, report }));
