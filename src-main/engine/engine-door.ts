/**
 * The engine's door: the one place where the request of an operation is validated, for every caller: window, browser,
 * command line, HTTP, schedule. A caller that has to look at a request before it sends it (which plan belongs to it)
 * lets it pass here first; the host does not validate it again.
 */
import type { z } from 'zod';
import { invalidRequest, type EngineError } from '../../src-core/index.ts';
import {
  requests,
  type CheckedRequestOf,
  type OperationName
} from '../contract/operations/operation-contract.ts';
import { wrongRequest } from '../contract/error-report.ts';

/** Requests that have passed, with their operation. */
const passed = new WeakMap<object, OperationName>();

/** The request with its defaults filled in; throws InvalidRequest that names the first wrong member. */
export function checkedRequest<N extends OperationName>(name: N, request: unknown): CheckedRequestOf<N> {
  if (typeof request === 'object' && request !== null && passed.get(request) === name) {
    return request as CheckedRequestOf<N>;
  }
  if (!Object.hasOwn(requests, name)) throw noOperation(name);
  const schema: z.ZodType<object> = requests[name];
  const result = schema.safeParse(request, { reportInput: true });
  if (!result.success) throw wrongRequest(name, result.error);
  passed.set(result.data, name);
  return result.data as CheckedRequestOf<N>;
}

function noOperation(name: unknown): EngineError {
  return invalidRequest(`There is no operation "${String(name)}".`, 'operation');
}
