/**
 * Runs over HTTP besides scavenges: rescues, verifications and rebuilds of the index of the hosted node. Of each kind at
 * most one at a time, started, looked at and stopped by its id; the last one is kept in memory, with its report. What must
 * not run at the same time as something else the engine refuses itself, by the lock of the database.
 */
import { randomUUID } from 'node:crypto';
import { EngineError, OperationStopped } from '../../src-core/index.ts';
import type { ErrorReport } from '../contract/operations/reports.ts';
import { errorReportOf } from '../contract/error-report.ts';
import type { CallOptions } from '../engine/engine-host.ts';

/** How long a start waits for a refusal before it counts as started. */
const START_PATIENCE_MS = 5000;

/** In the words of the server's scavenges; `Unknown`: none since the service started. */
export type RunResult = 'Unknown' | 'InProgress' | 'Success' | 'Stopped' | 'Errored';

export interface LastRun {
  runId: string;
  result: RunResult;
  /** What the command writes with `--json`; undefined: it has not ended, or failed. */
  report?: unknown;
  error?: ErrorReport;
}

interface Run {
  runId: string;
  abort: AbortController;
  hasEnded: Promise<void>;
}

/** `user`: who started it. */
type CallRun = (request: object, options: CallOptions, user: string | undefined) => Promise<unknown>;

/** Runs of one kind. */
export class NodeRuns {
  readonly #call: CallRun;
  #run: Run | undefined;
  #last: LastRun = { runId: '', result: 'Unknown' };

  constructor(call: CallRun) {
    this.#call = call;
  }

  /** Id of the current run. */
  get current(): string | undefined {
    return this.#run?.runId;
  }

  get last(): LastRun {
    return this.#last;
  }

  /**
   * Resolves with the id once the run is under way. Rejects with the engine's error if it is refused before it began, and with
   * DatabaseInUse while another one of its kind runs.
   */
  async start(request: object, user?: string): Promise<string> {
    if (this.#run) {
      throw new EngineError({
        code: 'DatabaseInUse',
        message: 'It is already running.',
        remedy: 'Wait until it ends, or stop it.',
        details: { running: this.#run.runId }
      });
    }
    const runId = randomUUID();
    const abort = new AbortController();
    const underWay = Promise.withResolvers<void>();
    const outcome = this.#call(request, { signal: abort.signal, onProgress: () => underWay.resolve() }, user);
    this.#last = { runId, result: 'InProgress' };
    this.#run = { runId, abort, hasEnded: this.#follow(runId, outcome, abort.signal) };
    const patience = setTimeout(underWay.resolve, START_PATIENCE_MS);
    try {
      await Promise.race([underWay.promise, outcome]);
    } catch (error) {
      if (!(error instanceof OperationStopped)) throw error;
    } finally {
      clearTimeout(patience);
    }
    return runId;
  }

  /** Resolves with the id once the run has really ended; undefined if no run with that id is in progress. */
  async stop(runId: string): Promise<string | undefined> {
    const run = this.#run;
    if (!run || (runId !== 'current' && runId !== run.runId)) return undefined;
    run.abort.abort();
    await run.hasEnded;
    return run.runId;
  }

  async #follow(runId: string, outcome: Promise<unknown>, stopped: AbortSignal): Promise<void> {
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
      this.#run = undefined;
    }
  }
}

/** The operations that have such runs, by the names of their routes. */
export const RUN_OPERATIONS = {
  rescue: 'runRescue',
  verify: 'verifyDatabase',
  rebuild: 'rebuildIndex'
} as const;
export type RunKind = keyof typeof RUN_OPERATIONS;
export type RunsByKind = Readonly<Record<RunKind, NodeRuns>>;
