/**
 * The only file that touches `window.workbench`, which the window's preload script puts there; a page that a service
 * sent to a browser has none and asks that service. Unwraps replies: a value comes back as it is, an error is
 * thrown as a WorkbenchError with the code, remedy and details it had in the engine.
 */
import type {
  CallName,
  ErrorReport,
  Replies,
  VerbFunctions,
  VerbName,
  Verbs,
  WindowEvent,
  WindowRequestOf,
  Workbench,
  WorkName,
  WorkSnapshot
} from '../../src-main/contract/verbs/workbench-contract.ts';
import { texts } from '../texts.ts';
import { createServedWorkbench, type ServedWorkbench } from './served-workbench.ts';

export class WorkbenchError extends Error {
  readonly report: ErrorReport;

  constructor(report: ErrorReport) {
    super(report.message);
    this.name = 'WorkbenchError';
    this.report = report;
  }
}

/** Any failure as something the ErrorPanel can show. */
export function errorReportOf(error: unknown): ErrorReport {
  if (error instanceof WorkbenchError) return error.report;
  return {
    code: 'AssertionFailed',
    message: error instanceof Error ? error.message : String(error),
    remedy: texts.unanswered.reload,
    details: {}
  };
}

/** Asks one verb of the main process. */
export async function ask<V extends VerbName>(
  verb: V,
  request: Verbs[V]['request']
): Promise<Verbs[V]['reply']> {
  const verbs: VerbFunctions = workbench();
  const reply = await verbs[verb](request);
  if (!reply.ok) throw new WorkbenchError(reply.error);
  return reply.value;
}

/** Grows with each question that can be stopped. */
let lastCallId = 0;

/**
 * Asks the engine something about a node. `signal` says that the answer is no longer wanted: the engine ends the
 * question, and it rejects with the signal's reason, whatever the answer is.
 */
export async function callNode<N extends Exclude<CallName, 'describeSchedule'>>(
  nodeId: string,
  name: N,
  request: WindowRequestOf<N>,
  signal?: AbortSignal
): Promise<Replies[N]> {
  return stoppable<N>({ name, nodeId, request: plain(request) }, signal);
}

/** The same about a place that a person chose. */
export async function callPlace<N extends 'listBackups'>(
  name: N,
  request: WindowRequestOf<N>,
  signal?: AbortSignal
): Promise<Replies[N]> {
  return stoppable<N>({ name, request: plain(request) }, signal);
}

async function stoppable<N extends CallName>(
  question: Verbs['call']['request'],
  signal: AbortSignal | undefined
): Promise<Replies[N]> {
  if (!signal) return (await ask('call', question)) as Replies[N];
  signal.throwIfAborted();
  const callId = String(++lastCallId);
  const stop = (): void => void workbench().stopCall(callId);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return (await ask('call', { ...question, callId })) as Replies[N];
  } finally {
    signal.removeEventListener('abort', stop);
    signal.throwIfAborted();
  }
}

export async function describeSchedule(
  request: WindowRequestOf<'describeSchedule'>
): Promise<Replies['describeSchedule']> {
  return (await ask('call', {
    name: 'describeSchedule',
    request: plain(request)
  })) as Replies['describeSchedule'];
}

export async function startWork<N extends Exclude<WorkName, 'writeSample'>>(
  nodeId: string | null,
  name: N,
  request: WindowRequestOf<N>,
  planId?: string
): Promise<WorkSnapshot> {
  return ask('startWork', {
    name,
    nodeId,
    request: plain(request),
    ...(planId === undefined ? {} : { planId })
  });
}

/** Hears the main process's events until the returned function is called. */
export function follow(listener: (event: WindowEvent) => void): () => void {
  return workbench().follow(listener);
}

/** The service that the page came from; undefined: the page is the window's. */
let served: ServedWorkbench | undefined;

export function servedWorkbench(): ServedWorkbench | undefined {
  if ('workbench' in globalThis) return undefined;
  return (served ??= createServedWorkbench());
}

function workbench(): Workbench {
  return servedWorkbench()?.workbench ?? window.workbench;
}

/** A copy without reactive wrappers: those cannot cross to another process. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
