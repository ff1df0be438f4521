/**
 * A window of rows over a list that stays in the engine. Rows are fetched by pages as they come into sight; far
 * pages are let go. Nothing here sorts or searches: that is the engine's.
 */
import type { ErrorReport, Page } from '../../src-main/contract/verbs/workbench-contract.ts';
import { errorReportOf } from '../api/engine-client.ts';

const PAGE_ROWS = 200;
/** Pages held before the oldest is let go. */
const PAGES_KEPT = 40;

export type FetchPage<Row> = (offset: number, limit: number, signal: AbortSignal) => Promise<Page<Row>>;

export class PagedRows<Row> {
  #total = $state(0);
  #error = $state.raw<ErrorReport | null>(null);
  #hasLoaded = $state(false);
  /** Read by rowAt, so that a view that shows a row is notified when its page arrives. */
  #arrivals = $state(0);
  /** By page number; most are absent. */
  #pages: (Row[] | undefined)[] = [];
  #asked: (boolean | undefined)[] = [];
  /** Numbers of the pages held, oldest first. */
  #held: number[] = [];
  #fetch: FetchPage<Row>;
  /** Ends what is asked of the present list. */
  #questions = new AbortController();

  constructor(fetch: FetchPage<Row>) {
    this.#fetch = fetch;
  }

  get total(): number {
    return this.#total;
  }
  get error(): ErrorReport | null {
    return this.#error;
  }
  /** The first answer is there. */
  get hasLoaded(): boolean {
    return this.#hasLoaded;
  }

  /** Another list (search, order, chunk): rows shown stay until the first page of the new one arrives. */
  async restart(fetch: FetchPage<Row> = this.#fetch): Promise<void> {
    this.stop();
    this.#fetch = fetch;
    this.#questions = new AbortController();
    const { signal } = this.#questions;
    this.#asked = [true];
    try {
      const page = await fetch(0, PAGE_ROWS, signal);
      if (signal.aborted) return;
      this.#clear();
      this.#keep(0, page);
      this.#error = null;
    } catch (error) {
      if (signal.aborted) return;
      this.#clear();
      this.#total = 0;
      this.#error = errorReportOf(error);
    }
    this.#hasLoaded = true;
  }

  /** Nothing more is asked of this list: its answers are no longer wanted. */
  stop(): void {
    this.#questions.abort();
  }

  /** undefined while its page is on the way. */
  rowAt(index: number): Row | undefined {
    void this.#arrivals;
    const number = Math.floor(index / PAGE_ROWS);
    const page = this.#pages[number];
    if (page === undefined) this.#ask(number);
    return page?.[index - number * PAGE_ROWS];
  }

  /** Rows for a copy or an export: they are not kept. */
  async read(offset: number, limit: number, signal: AbortSignal): Promise<Row[]> {
    return (await this.#fetch(offset, limit, signal)).rows;
  }

  #ask(number: number): void {
    const { signal } = this.#questions;
    if (this.#asked[number] || signal.aborted) return;
    this.#asked[number] = true;
    this.#fetch(number * PAGE_ROWS, PAGE_ROWS, signal).then(
      (page) => {
        if (!signal.aborted) this.#keep(number, page);
      },
      (error: unknown) => {
        if (!signal.aborted) this.#error = errorReportOf(error);
      }
    );
  }

  #keep(number: number, page: Page<Row>): void {
    this.#pages[number] = page.rows;
    this.#held.push(number);
    this.#total = page.total;
    for (const old of this.#held.splice(0, Math.max(0, this.#held.length - PAGES_KEPT))) {
      this.#pages[old] = undefined;
      this.#asked[old] = undefined;
    }
    this.#arrivals++;
  }

  #clear(): void {
    this.#pages = [];
    this.#held = [];
  }
}
