/**
 * Runs over HTTP besides scavenges: rescues, verifications and rebuilds of the index of the hosted node, and the questions
 * about it that take longer than a request may. Of each kind at most one at a time, started, looked at and stopped by its id; the last one is kept in memory, with its report. What must
 * not run at the same time as something else the engine refuses itself, by the lock of the database.
 */
import { OperationStopped } from '../../src-core/index.ts';
import { SingleRun, type Followed } from '../cluster/single-run.ts';
import type { ErrorReport } from '../contract/operations/reports.ts';
import type { RunResult } from '../contract/answers/answer-schemas.ts';
import { errorReportOf } from '../contract/error-report.ts';
import type { CallOptions } from '../engine/engine-host.ts';

export interface LastRun {
  runId: string;
  result: RunResult;
  /** What the command writes with `--json`; undefined: it has not ended, or failed. */
  report?: unknown;
  error?: ErrorReport;
}

/** `user`: who started it. */
type CallRun = (request: object, options: CallOptions, user: string | undefined) => Promise<unknown>;

/** Runs of one kind. */
export class NodeRuns {
  readonly #call: CallRun;
  readonly #run = new SingleRun<unknown>('It is already running.');
  #last: LastRun = { runId: '', result: 'Unknown' };

  constructor(call: CallRun) {
    this.#call = call;
  }

  /** Id of the current run. */
  get current(): string | undefined {
    return this.#run.current;
  }

  get last(): LastRun {
    return this.#last;
  }

  /** As SingleRun. */
  start(request: object, user?: string): Promise<string> {
    return this.#run.start({
      begin: ({ signal, underWay }) => this.#call(request, { signal, onProgress: underWay }, user),
      started: (runId) => (this.#last = { runId, result: 'InProgress' }),
      follow: (followed) => this.#follow(followed)
    });
  }

  /** As SingleRun. */
  stop(runId: string): Promise<string | undefined> {
    return this.#run.stop(runId);
  }

  async #follow({ id: runId, outcome, signal: stopped, ended }: Followed<unknown>): Promise<void> {
    try {
      const report = await outcome;
      // A run that can be resumed reports what it had done when it was stopped.
      this.#last = { runId, result: stopped.aborted ? 'Stopped' : 'Success', report };
    } catch (error) {
      this.#last =
        error instanceof OperationStopped
          ? { runId, result: 'Stopped' }
          : { runId, result: 'Errored', error: errorReportOf(error) };
    } finally {
      ended();
    }
  }
}

/** The operations that have such runs, by the names of their routes. */
export const RUN_OPERATIONS = {
  rescue: 'runRescue',
  verify: 'verifyDatabase',
  rebuild: 'rebuildIndex',
  diff: 'compareDatabases',
  plan: 'planScavenge',
  projections: 'priceProjections',
  startup: 'forecastStartup'
} as const;
/** `fleet` is put together from many answers. */
export const RUN_KINDS = [
  ...(Object.keys(RUN_OPERATIONS) as (keyof typeof RUN_OPERATIONS)[]),
  'fleet'
] as const;
export type RunKind = (typeof RUN_KINDS)[number];
export type RunsByKind = Readonly<Record<RunKind, NodeRuns>>;
