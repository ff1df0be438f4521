/**
 * Several sorted streams of entries as one. Nothing is dropped, not even an entry that is there twice: the server's
 * merges keep those, too.
 */
import type { AtNumber, AtPosition } from '../units/of-unit.ts';
import type { EntryBlock } from './index-entry.ts';

/** Entries between two pauses. */
const BREATHE_EVERY = 16384;

/** Entries in table order, a block at a time. */
export interface EntryStream {
  readonly block: EntryBlock;
  /** Fills the block with what follows; false at the end. */
  next(): boolean;
  close(): void;
}

export interface MergeStreams {
  streams: readonly EntryStream[];
  /** `stream` is the number of the stream that the entry comes from. */
  onEntry: (
    hashHigh: number,
    hashLow: number,
    number: AtNumber,
    position: AtPosition,
    stream: number
  ) => void;
  /** Called some thousand entries apart with the entries since the last call. */
  breathe: (count: number) => Promise<void>;
}

export async function mergeStreams({ streams, onEntry, breathe }: MergeStreams): Promise<void> {
  const heap = new StreamHeap(streams);
  let since = 0;
  while (heap.size > 1) {
    const { block, at, top } = heap;
    onEntry(block.hashHigh[at]!, block.hashLow[at]!, block.number[at]!, block.position[at]!, top);
    heap.advance();
    if (++since < BREATHE_EVERY) continue;
    await breathe(since);
    since = 0;
  }
  await breathe(since);
  if (heap.size === 0) return;
  // What is left comes from one stream, in its order: most indexes have one table that holds nearly all.
  const { top, at } = heap;
  const stream = streams[top]!;
  let from = at;
  do {
    const { hashHigh, hashLow, number, position, count } = stream.block;
    for (let i = from; i < count; i++) onEntry(hashHigh[i]!, hashLow[i]!, number[i]!, position[i]!, top);
    await breathe(count - from);
    from = 0;
  } while (stream.next());
}

/** The stream with the greatest entry on top. Streams by their number, so that nothing is allocated on the way. */
class StreamHeap {
  readonly #streams: readonly EntryStream[];
  readonly #at: Uint32Array;
  readonly #heap: number[] = [];

  constructor(streams: readonly EntryStream[]) {
    this.#streams = streams;
    this.#at = new Uint32Array(streams.length);
    for (const [i, stream] of streams.entries()) if (stream.next()) this.#heap.push(i);
    for (let i = (this.#heap.length >> 1) - 1; i >= 0; i--) this.#sink(i);
  }

  get size(): number {
    return this.#heap.length;
  }

  /** Number of the stream with the greatest entry. */
  get top(): number {
    return this.#heap[0]!;
  }

  /** Block and place of the greatest entry. */
  get block(): EntryBlock {
    return this.#streams[this.#heap[0]!]!.block;
  }
  get at(): number {
    return this.#at[this.#heap[0]!]!;
  }

  /** Behind the greatest entry. */
  advance(): void {
    const top = this.#heap[0]!;
    const stream = this.#streams[top]!;
    if (++this.#at[top]! === stream.block.count) {
      this.#at[top] = 0;
      if (!stream.next()) {
        const last = this.#heap.pop()!;
        if (this.#heap.length === 0) return;
        this.#heap[0] = last;
      }
    }
    this.#sink(0);
  }

  #sink(from: number): void {
    const heap = this.#heap;
    const moving = heap[from]!;
    let i = from;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && this.#isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (!this.#isBefore(heap[child]!, moving)) break;
      heap[i] = heap[child]!;
      i = child;
    }
    heap[i] = moving;
  }

  /** Whether the entry of stream `a` stands before that of stream `b` in a table. */
  #isBefore(a: number, b: number): boolean {
    const x = this.#streams[a]!.block;
    const y = this.#streams[b]!.block;
    const i = this.#at[a]!;
    const j = this.#at[b]!;
    if (x.hashHigh[i] !== y.hashHigh[j]) return x.hashHigh[i]! > y.hashHigh[j]!;
    if (x.hashLow[i] !== y.hashLow[j]) return x.hashLow[i]! > y.hashLow[j]!;
    if (x.number[i] !== y.number[j]) return x.number[i]! > y.number[j]!;
    return x.position[i]! > y.position[j]!;
  }
}
