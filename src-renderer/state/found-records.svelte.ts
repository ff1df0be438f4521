/**
 * Records that a filter wants, found by a search that goes forward through the log in many short steps: as far as
 * rows are in sight, then it waits until somebody scrolls on. How far it is can be told at any time, and it can be
 * stopped.
 *
 * Invariant: answers of a search that was replaced or stopped are dropped.
 */
import type {
  ErrorReport,
  RecordRow,
  RecordsFound
} from '../../src-main/contract/verbs/workbench-contract.ts';
import { errorReportOf } from '../api/engine-client.ts';

const PAGE = 200;
const EXPORT_PAGE = 500;
/** Rows from the end at which the search goes on. */
const AHEAD = 60;

export type SearchStep = (from: number, limit: number, signal: AbortSignal) => Promise<RecordsFound>;

export class FoundRecords {
  #rows = $state.raw<RecordRow[]>([]);
  #error = $state.raw<ErrorReport | null>(null);
  #isSearching = $state(false);
  #isDone = $state(false);
  #isStopped = $state(false);
  #searchedTo = $state(0);
  #searchEnd = $state(0);
  #nextFrom = 0;
  #round = 0;
  #step: SearchStep | undefined;
  /** Ends the step that is being made. */
  #question = new AbortController();

  get count(): number {
    return this.#rows.length;
  }
  get error(): ErrorReport | null {
    return this.#error;
  }
  get isSearching(): boolean {
    return this.#isSearching;
  }
  /** Everything has been looked at: the rows are all there are. */
  get isDone(): boolean {
    return this.#isDone;
  }
  /** It does not go on by itself, whatever comes into sight. */
  get isStopped(): boolean {
    return this.#isStopped;
  }
  /** Log positions. */
  get searchedTo(): number {
    return this.#searchedTo;
  }
  get searchEnd(): number {
    return this.#searchEnd;
  }

  /** Another search. Rows that are shown stay until the first answer is there. */
  async start(step: SearchStep): Promise<void> {
    await this.#begin(step, 0);
  }

  /** The same search of a log that has changed: rows that are shown stay until as many have been found again. */
  async refresh(step: SearchStep): Promise<void> {
    await this.#begin(step, this.#rows.length);
  }

  /** Of a record by its log position; -1: not found so far. */
  indexOf(position: number): number {
    const rows = this.#rows;
    let [low, high] = [0, rows.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (rows[middle]!.position < position) low = middle + 1;
      else high = middle;
    }
    return rows[low]?.position === position ? low : -1;
  }

  /** The rows found so far stay. */
  stop(): void {
    this.#round++;
    this.#question.abort();
    this.#isSearching = false;
    this.#isStopped = true;
  }

  /** Goes on where the search was stopped. */
  async continueSearch(): Promise<void> {
    this.#isStopped = false;
    if (!this.#isDone && !this.#isSearching) await this.#search(this.#rows.length);
  }

  rowAt(index: number): RecordRow | undefined {
    const isWaiting = !this.#isDone && !this.#isSearching && !this.#isStopped && this.#error === null;
    if (isWaiting && index >= this.#rows.length - AHEAD) {
      const round = this.#round;
      // Not while the list is being drawn: what is found changes what is drawn.
      queueMicrotask(() => {
        if (round === this.#round) void this.continueSearch();
      });
    }
    return this.#rows[index];
  }

  /** All there are from the start of the search, found again in steps: for an export, which keeps none of them. */
  async *all(signal: AbortSignal): AsyncGenerator<RecordRow[]> {
    const step = this.#step;
    for (let from: number | null = 0; step && from !== null;) {
      const found: RecordsFound = await step(from, EXPORT_PAGE, signal);
      yield found.rows;
      from = found.nextFrom;
    }
  }

  async #begin(step: SearchStep, shown: number): Promise<void> {
    this.#round++;
    this.#question.abort();
    this.#step = step;
    this.#nextFrom = 0;
    this.#isDone = false;
    this.#isStopped = false;
    this.#isSearching = false;
    await this.#search(0, shown);
  }

  /** Until a page more than `had` is found, or the end. From the start the rows take the place of those shown once there are `shown`. */
  async #search(had: number, shown = 0): Promise<void> {
    const round = this.#round;
    const step = this.#step;
    if (!step || this.#isSearching) return;
    this.#isSearching = true;
    this.#question = new AbortController();
    const { signal } = this.#question;
    let isFirst = had === 0;
    let rows = isFirst ? [] : this.#rows;
    const wanted = Math.max(had + PAGE, shown);
    try {
      for (;;) {
        const found = await step(this.#nextFrom, PAGE, signal);
        if (round !== this.#round) return;
        rows = isFirst ? found.rows : [...rows, ...found.rows];
        isFirst = false;
        if (rows.length >= shown || found.nextFrom === null) this.#rows = rows;
        this.#error = null;
        this.#searchedTo = found.searchedTo;
        this.#searchEnd = found.searchEnd;
        if (found.nextFrom === null) {
          this.#isDone = true;
          break;
        }
        this.#nextFrom = found.nextFrom;
        if (rows.length >= wanted) break;
      }
    } catch (error) {
      if (round !== this.#round) return;
      if (had === 0 && this.#rows !== rows) this.#rows = [];
      this.#error = errorReportOf(error);
    } finally {
      if (round === this.#round) this.#isSearching = false;
    }
  }
}
