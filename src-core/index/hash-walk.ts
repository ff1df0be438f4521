/**
 * The entries of one hash after the other, from all sources and upward by number. Of a hash it is first found out where
 * its entries lie in each source, which answers at once which is the newest and where to begin. Only for hashes whose
 * entries below a position all belong to one stream.
 *
 * Hashes that are asked for in rising order are looked for from the last one on: no filter is asked, and nothing is searched.
 */
import { emptyEntry, type EntrySpan, type IndexEntry, type SortedEntries } from './index-entry.ts';

/** One source's entries of the hash: from `at` down to `stop`, both indexes of the source. */
interface Part {
  readonly entry: IndexEntry;
  source: SortedEntries;
  at: number;
  stop: number;
}

/** Nothing is known of where lower hashes lie. */
const NOWHERE = -1;

export class HashWalk {
  /** Number and position of the newest entry before the position, -1 when there is none. */
  last = -1;
  lastPosition = -1;
  /** Of the entry that was reached last. */
  number = 0;
  position = 0;
  readonly #sources: () => readonly SortedEntries[];
  /** The first `#count` are of this hash. */
  readonly #parts: Part[] = [];
  #count = 0;
  #beforePosition = 0;
  /** Of the sources that were asked last: where the entries lie of the hash that was asked for last, or of a lower one. */
  #spans: EntrySpan[] = [];
  #asked: readonly SortedEntries[] = [];
  #high = 0;
  #low = 0;

  /** Newest source first. */
  constructor(sources: () => readonly SortedEntries[]) {
    this.#sources = sources;
  }

  /** `last` is of the numbers from `fromNumber` on. */
  start({ high, low }: { high: number; low: number }, beforePosition: number, fromNumber = 0): void {
    this.#beforePosition = beforePosition;
    this.#count = 0;
    const sources = this.#sources();
    const isAbove = this.#isAbove(sources, high, low);
    for (let i = 0; i < sources.length; i++) {
      const source = sources[i]!;
      const span = this.#spans[i]!;
      const isMoved = isAbove && span.first !== NOWHERE && source.moveUp(span, high, low);
      if (!isMoved && !search(source, span, high, low)) continue;
      if (span.first === span.end) continue;
      const end = fromNumber > 0 ? source.firstBelow(high, low, fromNumber) : span.end;
      if (end > span.first) this.#add(source, span.first, end - 1);
    }
    this.#findLast();
    for (let i = 0; i < this.#count; i++) read(this.#parts[i]!);
  }

  /** The entry of the next number that has one before the position, the earliest of it. False: there is none. */
  next(): boolean {
    while (this.#count > 0) {
      const parts = this.#parts;
      let number = parts[0]!.entry.number;
      for (let i = 1; i < this.#count; i++) {
        if (parts[i]!.entry.number < number) number = parts[i]!.entry.number;
      }
      let lowest = Number.POSITIVE_INFINITY;
      for (let i = this.#count - 1; i >= 0; i--) {
        const part = parts[i]!;
        while (part.at >= part.stop && part.entry.number === number) {
          const { position } = part.entry;
          if (position < this.#beforePosition && position < lowest) lowest = position;
          if (--part.at >= part.stop) read(part);
        }
        if (part.at < part.stop) this.#drop(i);
      }
      if (lowest < Number.POSITIVE_INFINITY) {
        this.number = number;
        this.position = lowest;
        return true;
      }
    }
    return false;
  }

  /** The spans are those of a lower hash. Forgets them where they are of a higher one, or of other sources. */
  #isAbove(sources: readonly SortedEntries[], high: number, low: number): boolean {
    const difference = high - this.#high || low - this.#low;
    if (difference < 0 || sources !== this.#asked) {
      this.#spans = sources.map(() => ({ first: NOWHERE, end: NOWHERE }));
      this.#asked = sources;
    }
    this.#high = high;
    this.#low = low;
    return difference > 0;
  }

  #add(source: SortedEntries, stop: number, at: number): void {
    const part = this.#parts[this.#count];
    if (part === undefined) {
      this.#parts.push({ entry: emptyEntry(), source, at, stop });
    } else {
      part.source = source;
      part.at = at;
      part.stop = stop;
    }
    this.#count++;
  }

  #drop(i: number): void {
    const parts = this.#parts;
    const last = --this.#count;
    const dropped = parts[i]!;
    parts[i] = parts[last]!;
    parts[last] = dropped;
  }

  /** The highest number of the newest source that has one before the position. */
  #findLast(): void {
    this.last = -1;
    this.lastPosition = -1;
    for (let i = 0; i < this.#count; i++) {
      const { source, entry, at, stop } = this.#parts[i]!;
      for (let index = stop; index <= at; index++) {
        if (source.readEntry(index, entry).position >= this.#beforePosition) continue;
        this.last = entry.number;
        this.lastPosition = entry.position;
        return;
      }
    }
  }
}

/** False: the source has no entries of the hash, and the span is as it was. */
function search(source: SortedEntries, span: EntrySpan, high: number, low: number): boolean {
  if (!source.mayContain(high, low)) return false;
  span.first = source.firstAtOrBelow(high, low, Number.POSITIVE_INFINITY);
  span.end = span.first < source.count ? source.firstBelow(high, low, 0) : span.first;
  return true;
}

function read({ source, at, entry }: Part): void {
  source.readEntry(at, entry);
}
