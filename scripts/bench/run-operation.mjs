// Runs one operation of the engine in this process.
import { NodeFileSystem } from '../../src-core/index.ts';
import { operationContext } from '../../src-main/operations/operation.ts';
import { requests } from '../../src-main/contract/operations/operation-contract.ts';
import { runReportOperation } from '../../src-main/operations/operation-table.ts';

/** `clock`: milliseconds since 1970. */
export async function runOperation(operation, request, clock = () => Date.now()) {
  const checked = requests[operation].parse(request);
  const context = operationContext({
    operation,
    dataDirectory: request.dataDirectory,
    fileSystem: new NodeFileSystem(),
    signal: new AbortController().signal,
    clock,
    onProgress: () => {},
    onLog: () => {}
  });
  return runReportOperation(operation, checked, context);
}
