/**
 * What a scavenge does with the records on screen, asked of the engine together, after the rows are shown: a mark never
 * delays a row. Only what is known is asked for, so no chunk is read; what is not known stays so until the weights have been
 * computed or the log has changed.
 */
import type {
  ExplainedRecordRow,
  RecordsExplanation
} from '../../../src-main/contract/verbs/workbench-contract.ts';

export type AskMarks = (positions: number[], signal: AbortSignal) => Promise<RecordsExplanation>;

/** Longer than a fast scroll takes from one screen to the next. */
const REST_MS = 120;
/** Two screens of rows. */
const MOST_TOGETHER = 200;
const MOST_KEPT = 20_000;

/** `unknown`: there is no scavenge point, or chunks would have to be read. */
export type RecordMark = ExplainedRecordRow | 'unknown' | 'asked';

export class RecordMarks {
  /** By position. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- what arrives is told once for a page of them
  readonly #marks = new Map<number, ExplainedRecordRow>();
  /** What rows on screen ask for, the newest last. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing is drawn from it
  readonly #wanted = new Set<number>();
  #ask: AskMarks | undefined;
  #isKnown = $state(true);
  /** Read by `of`, so that a row hears when its mark arrives. */
  #arrivals = $state(0);
  #question = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Nothing is known of the scavenge yet. */
  get isUnknown(): boolean {
    return !this.#isKnown;
  }

  /** Another log, or another state of it; what was known is dropped. */
  restart(ask: AskMarks): void {
    this.stop();
    this.#ask = ask;
    this.#marks.clear();
    this.#question = new AbortController();
    this.#isKnown = true;
    this.#arrivals++;
  }

  stop(): void {
    this.#question.abort();
    this.#ask = undefined;
    this.#wanted.clear();
    clearTimeout(this.#timer);
  }

  /** Of a row on screen; asked for, if it is not there. */
  of(position: number): RecordMark {
    void this.#arrivals;
    const known = this.#marks.get(position);
    if (known) return known;
    if (!this.#isKnown) return 'unknown';
    this.#wanted.delete(position);
    this.#wanted.add(position);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#askWanted(), REST_MS);
    return 'asked';
  }

  /** What is known of a position; nothing is asked for. */
  known(position: number): ExplainedRecordRow | undefined {
    return this.#marks.get(position);
  }

  async #askWanted(): Promise<void> {
    const ask = this.#ask;
    const positions = [...this.#wanted].slice(-MOST_TOGETHER);
    this.#wanted.clear();
    if (!ask || positions.length === 0) return;
    const { signal } = this.#question;
    try {
      const answer = await ask(positions, signal);
      if (signal.aborted) return;
      if (this.#marks.size > MOST_KEPT) this.#marks.clear();
      for (const record of answer.records) this.#marks.set(record.position, record);
      this.#isKnown = answer.known && answer.scavenge?.point != null;
    } catch {
      if (signal.aborted) return;
      // Damage, an unfinished restore: the views of those say so. Of a mark only this can be said.
      this.#isKnown = false;
    }
    if (!this.#isKnown) this.#marks.clear();
    this.#arrivals++;
  }
}
