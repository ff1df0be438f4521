// Runs one operation of the engine in this process.
import { NodeFileSystem } from '../../src-core/index.ts';
import { operationContext } from '../../src-main/operations/operation.ts';
import { requests } from '../../src-main/contract/operations/operation-contract.ts';
import { runReportOperation } from '../../src-main/operations/operation-table.ts';

export async function runOperation(operation, request) {
  const checked = requests[operation].parse(request);
  const context = operationContext({
    operation,
    dataDirectory: request.dataDirectory,
    fileSystem: new NodeFileSystem(),
    signal: new AbortController().signal,
    clock: () => Date.now(),
    onProgress: () => {},
    onLog: () => {}
  });
  return runReportOperation(operation, checked, context);
}
