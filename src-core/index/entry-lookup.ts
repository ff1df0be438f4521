/**
 * Questions over all sources of entries at once, by hash alone: the entries that only the log holds, then the
 * tables from newest to oldest. It trusts their age: for any stream a newer source holds no lower numbers than an
 * older one, so for "latest" the first source that knows the hash has the answer.
 *
 * Two streams may share a hash. Callers that must tell them apart pass `isOfStream`, which reads the log.
 */
import { HashWalk } from './hash-walk.ts';
import { emptyEntry, type EntryBlock, type IndexEntry, type SortedEntries } from './index-entry.ts';
import type { StreamHash } from './stream-hash.ts';

/** Says whether the record at a position exists and belongs to the stream that is meant. */
export type StreamTest = (position: number) => boolean;

export interface EntryRange {
  hash: StreamHash;
  /** Both inclusive. */
  fromNumber: number;
  toNumber: number;
  /** Only entries below this position count. */
  beforePosition: number;
  isOfStream?: StreamTest;
}

/** One source's part of a range, walked upward by number: that is from a greater index to a smaller one. */
class UpwardWalk {
  readonly entry = emptyEntry();
  #entries: SortedEntries | undefined;
  #at = -1;
  #stop = 0;

  /** False when the source holds nothing of the range. */
  start(entries: SortedEntries, { high, low }: StreamHash, fromNumber: number, toNumber: number): boolean {
    this.#entries = entries;
    this.#at = entries.firstBelow(high, low, fromNumber);
    this.#stop = entries.firstAtOrBelow(high, low, toNumber);
    return this.advance();
  }

  advance(): boolean {
    this.#at--;
    if (this.#at < this.#stop) return false;
    this.#entries!.readEntry(this.#at, this.entry);
    return true;
  }
}

export class EntryLookup {
  #sources: readonly SortedEntries[];
  readonly #walks: UpwardWalk[] = [];

  /** Newest first. */
  constructor(sources: readonly SortedEntries[]) {
    this.#sources = sources;
  }

  /** From now on these are asked, newest first. */
  setSources(sources: readonly SortedEntries[]): void {
    this.#sources = sources;
  }

  /** Goes through the entries of one hash after the other. */
  newWalk(): HashWalk {
    return new HashWalk(() => this.#sources);
  }

  /** The entry with the highest number of the newest source that knows the hash. */
  latest({ high, low }: StreamHash): IndexEntry | undefined {
    const entry = emptyEntry();
    for (const source of this.#sources) {
      if (!source.mayContain(high, low)) continue;
      const at = source.firstAtOrBelow(high, low, Number.POSITIVE_INFINITY);
      if (at < source.count && isOf(source.readEntry(at, entry), high, low)) return entry;
    }
    return undefined;
  }

  /**
   * The latest entry below a position. Within a hash positions fall as numbers do, so it is a binary search by
   * position; if a probed entry is of another stream, or its record is gone, all entries of the hash in that
   * source are read and the greatest position wins.
   */
  latestBefore(hash: StreamHash, beforePosition: number, isOfStream?: StreamTest): IndexEntry | undefined {
    const { high, low } = hash;
    for (const source of this.#sources) {
      if (!source.mayContain(high, low)) continue;
      const from = source.firstAtOrBelow(high, low, Number.POSITIVE_INFINITY);
      const to = source.firstBelow(high, low, 0);
      if (from >= to) continue;
      const found = searchByPosition(source, from, to, beforePosition, isOfStream);
      if (found) return found;
    }
    return undefined;
  }

  /**
   * The entry with the highest number below a position, for a hash whose entries there all belong to one stream.
   * Goes downward by number: members of explicit transactions may lie before or behind what has lower numbers.
   */
  highestBefore({ high, low }: StreamHash, beforePosition: number): IndexEntry | undefined {
    const entry = emptyEntry();
    for (const source of this.#sources) {
      if (!source.mayContain(high, low)) continue;
      const to = source.firstBelow(high, low, 0);
      for (let at = source.firstAtOrBelow(high, low, Number.POSITIVE_INFINITY); at < to; at++) {
        if (source.readEntry(at, entry).position < beforePosition) return entry;
      }
    }
    return undefined;
  }

  /** The entry with the lowest number at or above `number`, from the oldest source that has one. */
  nextAtOrAbove({ high, low }: StreamHash, number: number): IndexEntry | undefined {
    const entry = emptyEntry();
    for (let i = this.#sources.length - 1; i >= 0; i--) {
      const source = this.#sources[i]!;
      if (!source.mayContain(high, low)) continue;
      const at = source.firstBelow(high, low, number) - 1;
      if (at >= 0 && isOf(source.readEntry(at, entry), high, low) && entry.number >= number) return entry;
    }
    return undefined;
  }

  /**
   * Entries of a range of numbers from all sources, newest first; of each source at most `limit`. Of entries with
   * equal positions that follow each other one is left: a table and the log behind it may both hold it.
   */
  range({ high, low }: StreamHash, fromNumber: number, toNumber: number, limit = Infinity): IndexEntry[] {
    const found: IndexEntry[] = [];
    let sourceCount = 0;
    for (const source of this.#sources) {
      if (!source.mayContain(high, low)) continue;
      sourceCount++;
      let at = source.firstAtOrBelow(high, low, toNumber);
      for (let taken = 0; taken < limit && at < source.count; taken++, at++) {
        const entry = source.readEntry(at, emptyEntry());
        if (!isOf(entry, high, low) || entry.number < fromNumber) break;
        found.push(entry);
      }
    }
    if (sourceCount > 1) found.sort((a, b) => b.number - a.number || b.position - a.position);
    return found.filter((entry, i) => i === 0 || entry.position !== found[i - 1]!.position);
  }

  /**
   * Fills `block` with the entries of a range by rising number, one for each number (that with the lowest
   * position), as many as it can hold. Gaps cost nothing. Fewer than the block's capacity: there are no more.
   */
  readUpward(range: EntryRange, block: EntryBlock): number {
    const { hash, fromNumber, toNumber, beforePosition, isOfStream } = range;
    block.count = 0;
    const walks = this.#startWalks(hash, fromNumber, toNumber);
    while (walks.length > 0 && block.count < block.capacity) {
      let number = Number.POSITIVE_INFINITY;
      for (const walk of walks) if (walk.entry.number < number) number = walk.entry.number;
      let lowest = Number.POSITIVE_INFINITY;
      for (let i = walks.length - 1; i >= 0; i--) {
        const walk = walks[i]!;
        let isLeft = true;
        while (isLeft && walk.entry.number === number) {
          const { position } = walk.entry;
          if (position < beforePosition && position < lowest && (!isOfStream || isOfStream(position))) {
            lowest = position;
          }
          isLeft = walk.advance();
        }
        if (!isLeft) walks.splice(i, 1);
      }
      if (lowest < Number.POSITIVE_INFINITY) block.set(block.count++, hash.high, hash.low, number, lowest);
    }
    return block.count;
  }

  #startWalks(hash: StreamHash, fromNumber: number, toNumber: number): UpwardWalk[] {
    const started: UpwardWalk[] = [];
    this.#sources.forEach((source, i) => {
      if (!source.mayContain(hash.high, hash.low)) return;
      const walk = (this.#walks[i] ??= new UpwardWalk());
      if (walk.start(source, hash, fromNumber, toNumber)) started.push(walk);
    });
    return started;
  }
}

function isOf(entry: IndexEntry, high: number, low: number): boolean {
  return entry.hashHigh === high && entry.hashLow === low;
}

function searchByPosition(
  source: SortedEntries,
  from: number,
  to: number,
  beforePosition: number,
  isOfStream: StreamTest | undefined
): IndexEntry | undefined {
  const entry = emptyEntry();
  let low = from;
  let high = to - 1;
  while (low < high) {
    const middle = low + Math.floor((high - low) / 2);
    source.readEntry(middle, entry);
    if (isOfStream && !isOfStream(entry.position)) {
      return greatestPosition(source, from, to, beforePosition, isOfStream);
    }
    if (entry.position >= beforePosition) low = middle + 1;
    else high = middle;
  }
  source.readEntry(high, entry);
  if (entry.position >= beforePosition) return undefined;
  if (isOfStream && !isOfStream(entry.position)) {
    return greatestPosition(source, from, to, beforePosition, isOfStream);
  }
  return entry;
}

function greatestPosition(
  source: SortedEntries,
  from: number,
  to: number,
  beforePosition: number,
  isOfStream: StreamTest
): IndexEntry | undefined {
  const entry = emptyEntry();
  let best: IndexEntry | undefined;
  for (let at = from; at < to; at++) {
    source.readEntry(at, entry);
    const isBetter = entry.position < beforePosition && entry.position > (best?.position ?? -1);
    if (isBetter && isOfStream(entry.position)) best = { ...entry };
  }
  return best;
}
