/**
 * The events of a stream as a reader sees them, read forward in pages as they come into sight. Numbers may have
 * gaps (scavenged events), so rows are what was read so far plus one that asks for more.
 */
import type { ErrorReport, EventRow, Replies } from '../../src-main/contract/verbs/workbench-contract.ts';
import { errorReportOf } from '../api/engine-client.ts';

const PAGE = 100;
/** Rows from the end at which the next page is asked for. */
const AHEAD = 30;

export type ReadEvents = (
  from: number,
  limit: number,
  signal: AbortSignal
) => Promise<Replies['readEventsPage']>;

export class EventRows {
  #rows = $state.raw<EventRow[]>([]);
  #error = $state.raw<ErrorReport | null>(null);
  #isLoading = $state(false);
  #nextFrom: number | null = 0;
  #first = 0;
  #round = 0;
  readonly #read: ReadEvents;
  /** Ends the reading that is on its way. */
  #question = new AbortController();

  constructor(read: ReadEvents) {
    this.#read = read;
  }

  get count(): number {
    return this.#rows.length;
  }
  get error(): ErrorReport | null {
    return this.#error;
  }
  get isLoading(): boolean {
    return this.#isLoading;
  }

  /** Begins again at the first event; numbers above 2^53 (tombstones) are no events to read. */
  async restart(first: number | string | null, last: number | string | null): Promise<void> {
    this.stop();
    this.#rows = [];
    this.#first = typeof first === 'number' ? first : 0;
    this.#nextFrom = this.#first;
    if (typeof last !== 'number') return;
    await this.#more(this.#round);
  }

  /** Reads no more of this stream: its answers are no longer wanted. */
  stop(): void {
    this.#round++;
    this.#question.abort();
    this.#nextFrom = null;
    this.#isLoading = false;
  }

  rowAt(index: number): EventRow | undefined {
    if (index >= this.#rows.length - AHEAD && this.#nextFrom !== null && !this.#isLoading) {
      const round = this.#round;
      // Not while the list is being drawn: reading changes what is drawn.
      queueMicrotask(() => void this.#more(round));
    }
    return this.#rows[index];
  }

  /** All of the stream in steps, for an export, which keeps none of them. */
  async *all(signal: AbortSignal): AsyncGenerator<EventRow[]> {
    for (let from = this.#first, isEnd = false; !isEnd;) {
      const page = await this.#read(from, PAGE, signal);
      yield page.rows;
      isEnd = page.isEndOfStream;
      from = page.nextFrom;
    }
  }

  async #more(round: number): Promise<void> {
    if (this.#nextFrom === null || round !== this.#round) return;
    const from = this.#nextFrom;
    this.#nextFrom = null;
    this.#isLoading = true;
    this.#question = new AbortController();
    try {
      const page = await this.#read(from, PAGE, this.#question.signal);
      if (round !== this.#round) return;
      this.#rows = [...this.#rows, ...page.rows];
      this.#nextFrom = page.isEndOfStream ? null : page.nextFrom;
      this.#error = null;
    } catch (error) {
      if (round === this.#round) this.#error = errorReportOf(error);
    } finally {
      if (round === this.#round) this.#isLoading = false;
    }
  }
}
