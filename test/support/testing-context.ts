/** The context of an operation in a test: the real disk, a clock that stands still, and nobody who listens. What a test minds it gives. */
import { NodeFileSystem } from '../../src-core/index.ts';
import {
  requests,
  type Replies,
  type RequestOf
} from '../../src-main/contract/operations/operation-contract.ts';
import { runReportOperation } from '../../src-main/operations/operation-table.ts';
import {
  operationContext,
  type ContextParts,
  type OperationContext
} from '../../src-main/operations/operation.ts';

const NOW = Date.UTC(2026, 10, 21);

export function testingContext(
  operation: string,
  given: Partial<Omit<ContextParts, 'operation'>> = {}
): OperationContext {
  return operationContext({
    operation,
    dataDirectory: '',
    fileSystem: new NodeFileSystem(),
    signal: new AbortController().signal,
    clock: () => NOW,
    onProgress: () => undefined,
    onLog: () => undefined,
    ...given
  });
}

/** Runs an operation that reports, with its request as doors check it. */
export function runOperation<N extends keyof Replies>(
  name: N,
  request: RequestOf<N>,
  given?: Partial<Omit<ContextParts, 'operation'>>
): Promise<Replies[N]> {
  return runReportOperation(name, requests[name].parse(request), testingContext(name, given));
}
