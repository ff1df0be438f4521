/**
 * The questions a scavenge asks the index about one stream, all "before the scavenge point": later entries do
 * not exist for it. A stream whose hash is its own is answered by the index alone; of a colliding one each
 * entry's record is read to compare the name, and entries without a record are left out.
 */
import type { EntryBlock, IndexEntry } from '../../index/index-entry.ts';
import type { EntryLookup, StreamTest } from '../../index/entry-lookup.ts';
import { hashFromBigInt, type StreamHash } from '../../index/stream-hash.ts';
import type { LogRecord } from '../../records/log-record.ts';
import type { ScavengeState } from '../state/scavenge-state.ts';
import type { StreamHandle } from './stream-handle.ts';

export interface StreamEntriesParts {
  lookup: EntryLookup;
  state: ScavengeState;
  readAt: (position: number) => LogRecord | undefined;
  /** Position of the scavenge point. */
  beforePosition: number;
}

export class StreamEntries {
  readonly #parts: StreamEntriesParts;
  readonly #hash: StreamHash = { high: 0, low: 0 };

  constructor(parts: StreamEntriesParts) {
    this.#parts = parts;
  }

  /**
   * The stream's newest entry, undefined when there is none. Before the point a hash is known to belong to one stream;
   * behind it a stream that nobody has accumulated yet may share it, and its entries are passed over like all there.
   */
  last(handle: StreamHandle): IndexEntry | undefined {
    const { lookup, beforePosition } = this.#parts;
    const hash = this.#hashOf(handle);
    if (handle.kind === 'id') return lookup.latestBefore(hash, beforePosition, this.#isNamed(handle.stream));
    const latest = lookup.latest(hash);
    if (latest === undefined || latest.position < beforePosition) return latest;
    return lookup.highestBefore(hash, beforePosition);
  }

  /** Fills `block` upward by number from `from` to `to`, both included; one entry a number, the earliest. */
  read(handle: StreamHandle, from: number, to: number, block: EntryBlock): number {
    const { lookup, beforePosition } = this.#parts;
    return lookup.readUpward(
      {
        hash: this.#hashOf(handle),
        fromNumber: from,
        toNumber: to,
        beforePosition,
        ...(handle.kind === 'id' ? { isOfStream: this.#isNamed(handle.stream) } : {})
      },
      block
    );
  }

  #isNamed(stream: string): StreamTest {
    return (position) => {
      const record = this.#parts.readAt(position);
      return record?.kind === 'prepare' && record.stream === stream;
    };
  }

  #hashOf(handle: StreamHandle): StreamHash {
    if (handle.kind === 'hash') return hashFromBigInt(handle.hash, this.#hash);
    return this.#parts.state.hashOf(handle.stream, this.#hash);
  }
}
