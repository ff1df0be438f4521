/**
 * The questions a scavenge asks the index about one stream, all "before the scavenge point": later entries do
 * not exist for it. A stream whose hash is its own is answered by the index alone; of a colliding one each
 * entry's record is read to compare the name, and entries without a record are left out.
 */
import { EntryBlock, type IndexEntry } from '../../index/index-entry.ts';
import type { HashWalk } from '../../index/hash-walk.ts';
import type { EntryLookup, StreamTest } from '../../index/entry-lookup.ts';
import type { StreamHash } from '../../index/stream-hash.ts';
import type { LogRecord } from '../../records/log-record.ts';
import type { ScavengeState } from '../state/scavenge-state.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../../units/event-number.ts';
import type { StreamHandle } from './stream-handle.ts';

/** Event numbers of a stream that shares its hash, read at once. */
const SLICE_ENTRIES = 8192;

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

  /** Goes through streams one after the other. */
  newWalk(): StreamWalk {
    return new StreamWalk(this, this.#parts);
  }

  #isNamed(stream: string): StreamTest {
    return (position) => {
      const record = this.#parts.readAt(position);
      return record?.kind === 'prepare' && record.stream === stream;
    };
  }

  #hashOf(handle: StreamHandle): StreamHash {
    if (handle.kind === 'hash') return handle;
    return this.#parts.state.hashOf(handle.stream, this.#hash);
  }
}

/** Entries of a stream upward by number, one a number, the earliest. */
export class StreamWalk {
  /** Number and position of the newest entry, -1 when there is none. */
  last = -1;
  lastPosition = -1;
  /** Of the entry that was reached last. */
  number = 0;
  position = 0;
  readonly #entries: StreamEntries;
  readonly #beforePosition: number;
  readonly #walk: HashWalk;
  /** Of a stream that shares its hash. */
  #block: EntryBlock | undefined;
  #named: StreamHandle | undefined;
  #at = 0;

  constructor(entries: StreamEntries, { lookup, beforePosition }: StreamEntriesParts) {
    this.#entries = entries;
    this.#beforePosition = beforePosition;
    this.#walk = lookup.newWalk();
  }

  start(handle: StreamHandle, fromNumber = 0): void {
    if (handle.kind === 'hash') {
      this.#named = undefined;
      this.#walk.start(handle, this.#beforePosition, fromNumber);
      this.last = this.#walk.last;
      this.lastPosition = this.#walk.lastPosition;
      return;
    }
    this.#named = handle;
    const last = this.#entries.last(handle);
    this.last = last?.number ?? -1;
    this.lastPosition = last?.position ?? -1;
    this.#readFrom(fromNumber);
  }

  /** False: there are no more. */
  next(): boolean {
    if (this.#named !== undefined) return this.#nextNamed();
    const walk = this.#walk;
    if (!walk.next()) return false;
    this.number = walk.number;
    this.position = walk.position;
    return true;
  }

  #nextNamed(): boolean {
    const block = this.#block!;
    if (this.#at === block.count) {
      if (block.count < block.capacity) return false;
      this.#readFrom(block.number[block.count - 1]! + 1);
      if (block.count === 0) return false;
    }
    this.number = block.number[this.#at]!;
    this.position = block.position[this.#at]!;
    this.#at++;
    return true;
  }

  #readFrom(number: number): void {
    this.#block ??= new EntryBlock(SLICE_ENTRIES);
    this.#entries.read(this.#named!, number, DELETED_STREAM_EVENT_NUMBER, this.#block);
    this.#at = 0;
  }
}
