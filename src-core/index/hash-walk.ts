/**
 * The entries of one hash after the other, from all sources and upward by number. Of a hash it is first found out where
 * its entries lie in each source, which answers at once which is the newest and where to begin. Only for hashes whose
 * entries below a position all belong to one stream.
 */
import { emptyEntry, type IndexEntry, type SortedEntries } from './index-entry.ts';

/** One source's entries of the hash: from `at` down to `stop`, both indexes of the source. */
interface Part {
  readonly entry: IndexEntry;
  source: SortedEntries;
  at: number;
  stop: number;
}

export class HashWalk {
  /** Number of the newest entry before the position, -1 when there is none. */
  last = -1;
  /** Of the entry that was reached last. */
  number = 0;
  position = 0;
  readonly #sources: () => readonly SortedEntries[];
  /** The first `#count` are of this hash. */
  readonly #parts: Part[] = [];
  #count = 0;
  #beforePosition = 0;

  /** Newest source first. */
  constructor(sources: () => readonly SortedEntries[]) {
    this.#sources = sources;
  }

  /** `last` is of the numbers from `fromNumber` on. */
  start({ high, low }: { high: number; low: number }, beforePosition: number, fromNumber = 0): void {
    this.#beforePosition = beforePosition;
    this.#count = 0;
    for (const source of this.#sources()) {
      if (!source.mayContain(high, low)) continue;
      const stop = source.firstAtOrBelow(high, low, Number.POSITIVE_INFINITY);
      const end = stop < source.count ? source.firstBelow(high, low, fromNumber) : stop;
      if (end > stop) this.#add(source, stop, end - 1);
    }
    this.last = this.#findLast();
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
  #findLast(): number {
    for (let i = 0; i < this.#count; i++) {
      const { source, entry, at, stop } = this.#parts[i]!;
      for (let index = stop; index <= at; index++) {
        if (source.readEntry(index, entry).position < this.#beforePosition) return entry.number;
      }
    }
    return -1;
  }
}

function read({ source, at, entry }: Part): void {
  source.readEntry(at, entry);
}
