/**
 * The scavenges of one hosted node: at most one at a time, started, watched and stopped by its id. The result of the last
 * one is kept in memory only, as in the server; the history is in the log and in WINNOW_HOME.
 */
import { EventEmitter } from 'node:events';
import { OperationStopped, SERVER_RESULTS, type ServerResult } from '../../src-core/index.ts';
import type { CallOptions } from '../engine/engine-host.ts';
import type { Log } from '../contract/log-line.ts';
import { SingleRun, type Followed } from './single-run.ts';
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
    | 'window'
    | 'pace'
    | 'bytesPerSecond'
    | 'stopAfter'
    | 'merge'
    | 'unsafeIgnoreHardDeletes'
    | 'alwaysKeepScavenged'
    | 'keepReplacedMs'
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
  log: Log;
}

export interface ScavengeEvents {
  started: [scavengeId: string];
  progress: [scavengeId: string, progress: Progress];
  ended: [scavengeId: string, result: LastResult];
}

const NOTHING_YET: LastScavenge = { scavengeId: '00000000-0000-0000-0000-000000000000', result: 'Unknown' };
export class NodeScavenges {
  readonly events = new EventEmitter<ScavengeEvents>();
  readonly #parts: NodeScavengesParts;
  readonly #run = new SingleRun<ScavengeReport>('Scavenge is already running');
  #last: LastScavenge = NOTHING_YET;
  #progress: Progress | undefined;

  constructor(parts: NodeScavengesParts) {
    this.#parts = parts;
    // Each watcher of the progress adds a listener; there is no sensible limit.
    this.events.setMaxListeners(0);
  }

  /** Id of the current run. */
  get current(): string | undefined {
    return this.#run.current;
  }

  get last(): LastScavenge {
    return this.#last;
  }

  get progress(): Progress | undefined {
    return this.current === undefined ? undefined : this.#progress;
  }

  /** As SingleRun. */
  start(query: ScavengeQuery, user?: string): Promise<string> {
    return this.#run.start({
      begin: ({ id: scavengeId, signal, underWay }) => {
        const request = { ...this.#parts.baseRequest, ...query, scavengeId };
        const options: CallOptions = {
          signal,
          onProgress: (progress) => {
            this.#progress = progress;
            this.events.emit('progress', scavengeId, progress);
            if (progress.phase !== 'beginning') underWay();
          },
          onLog: ({ level, message, operationId }) => this.#parts.log(level, message, { operationId })
        };
        return this.#parts.run(request, options, user);
      },
      started: (scavengeId) => {
        this.#progress = undefined;
        this.#last = { scavengeId, result: 'InProgress' };
        this.events.emit('started', scavengeId);
      },
      follow: (followed) => this.#follow(followed)
    });
  }

  /** As SingleRun. */
  stop(scavengeId: string): Promise<string | undefined> {
    return this.#run.stop(scavengeId);
  }

  async #follow({ id: scavengeId, outcome, ended }: Followed<ScavengeReport>): Promise<void> {
    const result = await this.#resultOf(outcome);
    this.#last = { scavengeId, result };
    ended();
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
