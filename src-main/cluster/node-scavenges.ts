/**
 * The scavenges of one hosted node: at most one at a time, started, watched and stopped by its id. The result of the last
 * one is kept in memory only, as in the server; the history is in the log and in WINNOW_HOME.
 */
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { EngineError, OperationStopped, SERVER_RESULTS, type ServerResult } from '../../src-core/index.ts';
import type { CallOptions } from '../engine/engine-host.ts';
import type { RequestOf } from '../contract/operations/operation-contract.ts';
import type { Progress, ScavengeReport } from '../contract/operations/reports.ts';

export type LastResult = 'Unknown' | 'InProgress' | ServerResult;

export interface LastScavenge {
  scavengeId: string;
  result: LastResult;
}

/** Runs a scavenge in the engine. */
export type RunScavenge = (
  request: RequestOf<'runScavenge'>,
  options: CallOptions,
  /** Who started it; undefined: a schedule. */
  user: string | undefined
) => Promise<ScavengeReport>;

/** The options of the command line that a server does not have; absent: as the settings say. */
export type RunOptions = Partial<
  Pick<
    RequestOf<'runScavenge'>,
    | 'scavengePoint'
    | 'until'
    | 'bytesPerSecond'
    | 'stopAfter'
    | 'merge'
    | 'unsafeIgnoreHardDeletes'
    | 'alwaysKeepScavenged'
    | 'startAfresh'
    | 'assumeStopped'
    | 'now'
    | 'pageSize'
    | 'cacheSizeBytes'
    | 'hashUsersCacheCapacity'
    | 'scavengeHistoryMaxAgeDays'
  >
>;

/** What a caller over HTTP may choose. */
export interface ScavengeQuery extends RunOptions {
  threads: number;
  threshold: number;
  throttlePercent: number;
  syncOnly: boolean;
}

export interface NodeScavengesParts {
  /** Directories, placement, settings: every part of the request that a caller does not choose. */
  baseRequest: RequestOf<'runScavenge'>;
  run: RunScavenge;
  log: (level: 'info' | 'warning' | 'error', message: string) => void;
}

export interface ScavengeEvents {
  started: [scavengeId: string];
  progress: [scavengeId: string, progress: Progress];
  ended: [scavengeId: string, result: LastResult];
}

interface Run {
  scavengeId: string;
  abort: AbortController;
  /** Resolves when it has ended, whatever the outcome. */
  hasEnded: Promise<void>;
}

const NOTHING_YET: LastScavenge = { scavengeId: '00000000-0000-0000-0000-000000000000', result: 'Unknown' };
/** How long a start waits for a refusal before it counts as started: choosing the point can take long on a slow disk. */
const START_PATIENCE_MS = 5000;

export class NodeScavenges {
  readonly events = new EventEmitter<ScavengeEvents>();
  readonly #parts: NodeScavengesParts;
  #run: Run | undefined;
  #last: LastScavenge = NOTHING_YET;
  #progress: Progress | undefined;

  constructor(parts: NodeScavengesParts) {
    this.#parts = parts;
    // Each watcher of the progress adds a listener; there is no sensible limit.
    this.events.setMaxListeners(0);
  }

  /** Id of the current run. */
  get current(): string | undefined {
    return this.#run?.scavengeId;
  }

  get last(): LastScavenge {
    return this.#last;
  }

  get progress(): Progress | undefined {
    return this.#run ? this.#progress : undefined;
  }

  /**
   * Resolves with the id once the run is under way. Rejects with the engine's error if it is refused before it
   * began, and with DatabaseInUse, `details.running` set, while another one runs.
   */
  async start(query: ScavengeQuery, user?: string): Promise<string> {
    if (this.#run) {
      throw new EngineError({
        code: 'DatabaseInUse',
        message: 'Scavenge is already running',
        remedy: 'Wait until it ends, or stop it.',
        details: { running: this.#run.scavengeId }
      });
    }
    const scavengeId = randomUUID();
    const abort = new AbortController();
    const underWay = Promise.withResolvers<void>();
    const request = { ...this.#parts.baseRequest, ...query, scavengeId };
    const options: CallOptions = {
      signal: abort.signal,
      onProgress: (progress) => {
        this.#progress = progress;
        this.events.emit('progress', scavengeId, progress);
        if (progress.phase !== 'beginning') underWay.resolve();
      },
      onLog: ({ level, message }) => this.#parts.log(level, message)
    };
    const outcome = this.#parts.run(request, options, user);
    this.#progress = undefined;
    this.#last = { scavengeId, result: 'InProgress' };
    this.#run = { scavengeId, abort, hasEnded: this.#follow(scavengeId, outcome) };
    this.events.emit('started', scavengeId);
    const patience = setTimeout(underWay.resolve, START_PATIENCE_MS);
    try {
      await Promise.race([underWay.promise, outcome]);
    } catch (error) {
      if (!(error instanceof OperationStopped)) throw error;
    } finally {
      clearTimeout(patience);
    }
    return scavengeId;
  }

  /** Resolves with the id once the run has really ended; undefined if no run with that id is in progress. */
  async stop(scavengeId: string): Promise<string | undefined> {
    const run = this.#run;
    if (!run || (scavengeId !== 'current' && scavengeId !== run.scavengeId)) return undefined;
    run.abort.abort();
    await run.hasEnded;
    return run.scavengeId;
  }

  async #follow(scavengeId: string, outcome: Promise<ScavengeReport>): Promise<void> {
    const result = await this.#resultOf(outcome);
    this.#last = { scavengeId, result };
    this.#run = undefined;
    this.#parts.log(result === 'Errored' ? 'error' : 'info', `Scavenge ${scavengeId} ended: ${result}.`);
    this.events.emit('ended', scavengeId, result);
  }

  async #resultOf(outcome: Promise<ScavengeReport>): Promise<LastResult> {
    try {
      const { result } = await outcome;
      return SERVER_RESULTS[result];
    } catch (error) {
      if (error instanceof OperationStopped) return 'Stopped';
      this.#parts.log('error', error instanceof Error ? error.message : String(error));
      return 'Errored';
    }
  }
}
