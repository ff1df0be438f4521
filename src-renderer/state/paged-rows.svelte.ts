/**
 * A window of rows over a list that stays in the engine. Rows are fetched by pages as they come into sight; far
 * pages are let go. Nothing here sorts or searches: that is the engine's.
 */
import type { ErrorReport, Page } from '../../src-main/ipc/contract.ts';
import { errorReportOf } from '../api/engine-client.ts';

const PAGE_ROWS = 200;
/** Pages held before the oldest is let go. */
const PAGES_KEPT = 40;

export class PagedRows<Row> {
  #total = $state(0);
  #error = $state.raw<ErrorReport | null>(null);
  #hasLoaded = $state(false);
  /** Read by rowAt, so that whoever shows a row hears when its page arrives. */
  #arrivals = $state(0);
  /** By page number; most are absent. */
  #pages: (Row[] | undefined)[] = [];
  #asked: (boolean | undefined)[] = [];
  /** Numbers of the pages held, oldest first. */
  #held: number[] = [];
  #fetch: (offset: number, limit: number) => Promise<Page<Row>>;
  #round = 0;

  constructor(fetch: (offset: number, limit: number) => Promise<Page<Row>>) {
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
  async restart(fetch: (offset: number, limit: number) => Promise<Page<Row>> = this.#fetch): Promise<void> {
    this.#fetch = fetch;
    const round = ++this.#round;
    this.#asked = [true];
    try {
      const page = await fetch(0, PAGE_ROWS);
      if (round !== this.#round) return;
      this.#clear();
      this.#keep(0, page);
      this.#error = null;
    } catch (error) {
      if (round !== this.#round) return;
      this.#clear();
      this.#total = 0;
      this.#error = errorReportOf(error);
    }
    this.#hasLoaded = true;
  }

  /** undefined while its page is on the way. */
  rowAt(index: number): Row | undefined {
    void this.#arrivals;
    const number = Math.floor(index / PAGE_ROWS);
    const page = this.#pages[number];
    if (page === undefined) this.#ask(number);
    return page?.[index - number * PAGE_ROWS];
  }

  #ask(number: number): void {
    if (this.#asked[number]) return;
    this.#asked[number] = true;
    const round = this.#round;
    this.#fetch(number * PAGE_ROWS, PAGE_ROWS).then(
      (page) => {
        if (round === this.#round) this.#keep(number, page);
      },
      (error: unknown) => {
        if (round === this.#round) this.#error = errorReportOf(error);
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
