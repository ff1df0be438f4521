/**
 * One run at a time of something that a caller starts, looks at and stops by an id: a scavenge of a node, or a verification,
 * rescue or rebuild over HTTP. What it is about, and what is kept of it, is the owner's affair.
 */
import { randomUUID } from 'node:crypto';
import { EngineError, OperationStopped } from '../../src-core/index.ts';

/** How long a start waits for a refusal before it counts as started: choosing the point of a scavenge can take long on a slow disk. */
const START_PATIENCE_MS = 5000;

interface Run {
  id: string;
  abort: AbortController;
  /** Resolves when it has ended, whatever the outcome. */
  hasEnded: Promise<void>;
}

/** What a run is begun with. */
export interface Beginning {
  id: string;
  signal: AbortSignal;
  /** It runs, and cannot be refused any more. */
  underWay: () => void;
}

/** What is known of a run that goes on. */
export interface Followed<Reply> {
  id: string;
  outcome: Promise<Reply>;
  signal: AbortSignal;
  /** To be called when the outcome was taken in: from then on another one may run. */
  ended: () => void;
}

/** How a run is begun, and heard of. `follow` never rejects: it takes in whatever the outcome is. */
export interface RunOf<Reply> {
  begin: (beginning: Beginning) => Promise<Reply>;
  started?: (id: string) => void;
  follow: (followed: Followed<Reply>) => Promise<void>;
}

export class SingleRun<Reply> {
  /** Of the refusal of a second run. */
  readonly #words: string;
  #run: Run | undefined;

  constructor(words: string) {
    this.#words = words;
  }

  /** Id of the current run. */
  get current(): string | undefined {
    return this.#run?.id;
  }

  /**
   * Resolves with the id once the run is under way. Rejects with the engine's error if it is refused before it began, and
   * with DatabaseInUse, `details.running` set, while another one runs.
   */
  async start({ begin, started, follow }: RunOf<Reply>): Promise<string> {
    if (this.#run) {
      throw new EngineError({
        code: 'DatabaseInUse',
        message: this.#words,
        remedy: 'Wait until it ends, or stop it.',
        details: { running: this.#run.id }
      });
    }
    const id = randomUUID();
    const abort = new AbortController();
    const underWay = Promise.withResolvers<void>();
    const outcome = begin({ id, signal: abort.signal, underWay: () => underWay.resolve() });
    const ended = (): void => {
      this.#run = undefined;
    };
    this.#run = { id, abort, hasEnded: follow({ id, outcome, signal: abort.signal, ended }) };
    started?.(id);
    const patience = setTimeout(() => underWay.resolve(), START_PATIENCE_MS);
    try {
      await Promise.race([underWay.promise, outcome]);
    } catch (error) {
      if (!(error instanceof OperationStopped)) throw error;
    } finally {
      clearTimeout(patience);
    }
    return id;
  }

  /** Resolves with the id once the run has really ended; undefined if no run with that id is in progress. */
  async stop(id: string): Promise<string | undefined> {
    const run = this.#run;
    if (!run || (id !== 'current' && id !== run.id)) return undefined;
    run.abort.abort();
    await run.hasEnded;
    return run.id;
  }
}
