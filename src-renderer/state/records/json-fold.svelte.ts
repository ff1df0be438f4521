/** Which lines of a JSON tree are shown: what is folded, and where a search has hits. */
import { JsonOutline, type JsonSource } from '../../format/json-outline.ts';

/** Of work on a long text before the page may draw. */
const SLICE_MS = 12;
/** A tree with more lines than this begins with its upper levels only. */
const OPEN_LINES = 400;
const OPEN_DEPTH = 3;
const OPEN_DEPTH_OF_MANY = 2;
/** More members than this begin folded. */
const OPEN_MEMBERS = 1000;

/** Scans texts, a slice at a time; undefined: stopped. */
export async function outlineOf(
  sources: readonly JsonSource[],
  signal: AbortSignal
): Promise<JsonOutline | undefined> {
  const outline = new JsonOutline();
  for (const source of sources) {
    if (!(await inSlices(outline.add(source), signal))) return undefined;
  }
  return outline;
}

/** False: stopped. */
async function inSlices(steps: Generator<unknown, void>, signal: AbortSignal): Promise<boolean> {
  for (let restedMs = performance.now(); steps.next().done !== true;) {
    if (performance.now() - restedMs < SLICE_MS) continue;
    await new Promise((resolve) => setTimeout(resolve));
    if (signal.aborted) return false;
    restedMs = performance.now();
  }
  return !signal.aborted;
}

export class JsonFold {
  readonly outline: JsonOutline;
  #folded: Uint8Array;
  #lines = $state.raw<Uint32Array>(new Uint32Array(0));
  #hits = $state.raw<readonly number[]>([]);
  #isSearching = $state(false);
  #search = new AbortController();

  constructor(outline: JsonOutline) {
    this.outline = outline;
    this.#folded = new Uint8Array(outline.count);
    this.#reset();
  }

  /** The lines that are shown, in order. */
  get lines(): Uint32Array {
    return this.#lines;
  }
  /** Lines that a search has found, in order. */
  get hits(): readonly number[] {
    return this.#hits;
  }
  get isSearching(): boolean {
    return this.#isSearching;
  }

  isFolded(line: number): boolean {
    return this.#folded[line] === 1;
  }

  fold(line: number, isFolded: boolean): void {
    if (!this.outline.isContainer(line) || this.isFolded(line) === isFolded) return;
    this.#folded[line] = isFolded ? 1 : 0;
    this.#show();
  }

  /** All but the roots, or nothing. */
  foldAll(isFolded: boolean): void {
    for (let line = 0; line < this.outline.count; line++) {
      const isInner = this.outline.isContainer(line) && this.outline.parentOf(line) !== -1;
      this.#folded[line] = isFolded && isInner ? 1 : 0;
    }
    this.#show();
  }

  /** Unfolds what hides a line. */
  reveal(line: number): void {
    let hasChanged = false;
    for (let at = this.outline.parentOf(line); at !== -1; at = this.outline.parentOf(at)) {
      hasChanged ||= this.isFolded(at);
      this.#folded[at] = 0;
    }
    if (hasChanged) this.#show();
  }

  /** Its place among the lines that are shown; -1: it is hidden. */
  placeOf(line: number): number {
    let [low, high] = [0, this.#lines.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = this.#lines[middle] ?? 0;
      if (found === line) return middle;
      if (found < line) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /** Finds a text in names and values; resolves with the first hit from `from` on, or undefined. */
  async find(text: string, from: number): Promise<number | undefined> {
    this.#search.abort();
    this.#search = new AbortController();
    const wanted = text.toLowerCase();
    this.#hits = [];
    this.#isSearching = wanted !== '';
    if (wanted === '') return undefined;
    const hits: number[] = [];
    if (!(await inSlices(this.#findSteps(wanted, hits), this.#search.signal))) return undefined;
    this.#hits = hits;
    this.#isSearching = false;
    return hits.find((line) => line >= from) ?? hits[0];
  }

  /** Of the hits the next from a line, around the end. */
  nextHit(from: number, step: 1 | -1): number | undefined {
    const hits = this.#hits;
    if (step === 1) return hits.find((line) => line > from) ?? hits[0];
    return hits.findLast((line) => line < from) ?? hits.at(-1);
  }

  stop(): void {
    this.#search.abort();
  }

  *#findSteps(wanted: string, hits: number[]): Generator<undefined, void> {
    const { outline } = this;
    for (let line = 0; line < outline.count; line++) {
      if (outline.holds(line, wanted)) hits.push(line);
      if (line % 500 === 499) yield;
    }
  }

  #reset(): void {
    const { outline } = this;
    const most = outline.count > OPEN_LINES ? OPEN_DEPTH_OF_MANY : OPEN_DEPTH;
    for (let line = 0; line < outline.count; line++) {
      const isDeep = outline.depthOf(line) >= most;
      const isLong = outline.membersOf(line) > OPEN_MEMBERS && outline.depthOf(line) > 0;
      this.#folded[line] = outline.isContainer(line) && (isDeep || isLong) ? 1 : 0;
    }
    this.#show();
  }

  #show(): void {
    const { outline } = this;
    const lines = new Uint32Array(outline.count);
    let count = 0;
    for (let line = 0; line < outline.count;) {
      lines[count++] = line;
      line = this.isFolded(line) ? outline.endOf(line) : line + 1;
    }
    this.#lines = lines.slice(0, count);
  }
}
