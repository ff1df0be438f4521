/** Ranges of names, in their order, with about as many of the streams of a log in each: as a sample of them tells. */
import type { ChunkDigests, Database, OperationControl } from '../../../src-core/index.ts';
import { compareNames, type NameBytes } from './name-order.ts';

/** One in so many streams, chosen by hash: the same ones in each chunk. */
const SAMPLED_PART = 64;
const SAMPLED_END = 2 ** 32 / SAMPLED_PART;

export class NameRanges {
  /** The first name of each range but the first one. */
  readonly #bounds: readonly Buffer[];
  /** Of all chunks, where one that is in several counts in each. */
  readonly streamsInChunks: number;

  private constructor(bounds: readonly Buffer[], streamsInChunks: number) {
    this.#bounds = bounds;
    this.streamsInChunks = streamsInChunks;
  }

  /** With some `most` streams in each. */
  static async ofLog(
    { chunks }: Database['log'],
    { digests, most, control }: { digests: ChunkDigests; most: number; control: OperationControl }
  ): Promise<NameRanges> {
    // A stream has a record at least.
    const records = chunks.reduce((sum, chunk) => sum + digests.countOf(chunk), 0);
    if (records <= most) return new NameRanges([], records);
    const sample = new Set<string>();
    let streamsInChunks = 0;
    for (const chunk of chunks) {
      const digest = digests.of(chunk);
      streamsInChunks += digest.streamCount;
      const { hashHigh, nameEnds } = digest.columns;
      // In the order of hashes.
      for (let ordinal = 0; ordinal < hashHigh.length && hashHigh[ordinal]! < SAMPLED_END; ordinal++) {
        sample.add(digest.names.toString('utf8', digest.nameStart(ordinal), nameEnds[ordinal]));
      }
      if (control.isDue) await control.breathe();
    }
    const count = Math.ceil((sample.size * SAMPLED_PART) / most);
    const names = [...sample].sort();
    const bounds = Array.from({ length: Math.max(0, count - 1) }, (_, i) =>
      Buffer.from(names[Math.floor(((i + 1) * names.length) / count)]!, 'utf8')
    );
    return new NameRanges(bounds, streamsInChunks);
  }

  get count(): number {
    return this.#bounds.length + 1;
  }

  /** The streams of each range, by their numbers. */
  divide(streams: NameBytes & { count: number }): Uint32Array[] {
    const { nameBytes, count } = streams;
    const rangeOf = new Uint32Array(count);
    const counts = Array.from({ length: this.count }, () => 0);
    for (let at = 0; at < count; at++) {
      const range = this.#of(nameBytes.subarray(streams.nameStart(at), streams.nameEnd(at)));
      rangeOf[at] = range;
      counts[range]!++;
    }
    const divided = counts.map((most) => new Uint32Array(most));
    counts.fill(0);
    for (let at = 0; at < count; at++) {
      const range = rangeOf[at]!;
      divided[range]![counts[range]!++] = at;
    }
    return divided;
  }

  #of(name: Uint8Array): number {
    let [low, high] = [0, this.#bounds.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareNames(this.#bounds[middle]!, name) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
