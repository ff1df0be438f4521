/**
 * Whether the streams of a log can be told apart by their hashes alone: their names in all chunks are merged in the order of
 * hashes, and those of one hash are compared. Who accumulates then has no need to remember names. Streams that are only implied
 * count too, and those behind the point that a scavenge works to: if these share a hash, the answer is no, though it might be yes.
 */
import type { Chunk } from '../chunks/chunk.ts';
import type { ApartStreams } from '../log/log-reader.ts';
import type { ChunkDigest } from './chunk-digest.ts';
import { ImpliedStreams } from './implied-streams.ts';
import { StreamRun, type NamedHash } from './stream-run.ts';

/** Streams between two pauses. */
const BREATHE_EVERY = 65_536;

export interface ApartQuestion {
  /** In the order of the log. */
  chunks: readonly Chunk[];
  digestOf: (chunk: Chunk) => ChunkDigest;
  /** The digest that was asked for last is of no more use. */
  onPassed: () => void;
  streamsOf: (chunk: Chunk) => CheckedStreams;
  breathe: () => Promise<void>;
}

export interface CheckedStreams {
  run: StreamRun;
  /** Asked after the last stream; false: some of them were not as they were stored. */
  isSound: () => boolean;
}

/** undefined: some of the streams share a hash, or it cannot be told in this way. */
export async function findApartStreams(question: ApartQuestion): Promise<ApartStreams | undefined> {
  const { chunks, digestOf, onPassed, streamsOf, breathe } = question;
  const implied = new ImpliedStreams();
  const repeated = new Map<Chunk, Uint8Array>();
  for (const chunk of chunks) {
    const digest = digestOf(chunk);
    implied.addOf(digest);
    repeated.set(chunk, new Uint8Array(Math.ceil(digest.streamCount / 8)));
    onPassed();
    await breathe();
  }
  if (!implied.isWhole) return undefined;
  const streams = chunks.map(streamsOf);
  const merge = new HashMerge(
    streams.map(({ run }) => run),
    implied.inOrder(),
    [...repeated.values()]
  );
  while (merge.advance(BREATHE_EVERY)) await breathe();
  if (!merge.areApart || !streams.every(({ isSound }) => isSound())) return undefined;
  return { metBefore: (chunk) => repeated.get(chunk)! };
}

/** All names in the order of their hashes, those of one hash in the order of their runs. */
class HashMerge {
  areApart = true;
  readonly #runs: readonly StreamRun[];
  readonly #all: readonly NamedHash[];
  readonly #repeated: readonly Uint8Array[];
  /** Numbers of the runs that are not at their end; the least hash on top. */
  readonly #heap: number[] = [];
  #high = -1;
  #low = -1;
  /** The name of that hash. */
  #name = new Uint8Array(256);
  #nameLength = 0;

  constructor(runs: readonly StreamRun[], implied: NamedHash, repeated: readonly Uint8Array[]) {
    this.#runs = runs;
    this.#all = [...runs, implied];
    this.#repeated = repeated;
    for (const [i, run] of this.#all.entries()) if (run.next()) this.#heap.push(i);
    for (let i = (this.#heap.length >> 1) - 1; i >= 0; i--) this.#sink(i);
  }

  /** So many more. False: that is the end, or two names share a hash. */
  advance(count: number): boolean {
    const heap = this.#heap;
    for (; count > 0 && heap.length > 0; count--) {
      const top = heap[0]!;
      const run = this.#all[top]!;
      if (run.high === this.#high && run.low === this.#low) {
        if (!this.#isSameName(run)) {
          this.areApart = false;
          return false;
        }
        if (top < this.#runs.length) this.#markRepeated(top);
      } else this.#take(run);
      if (!run.next()) {
        const last = heap.pop()!;
        if (heap.length === 0) return false;
        heap[0] = last;
      }
      this.#sink(0);
    }
    return heap.length > 0;
  }

  #markRepeated(run: number): void {
    const { ordinal } = this.#runs[run]!;
    this.#repeated[run]![ordinal >>> 3]! |= 1 << (ordinal & 7);
  }

  #take({ high, low, names, nameStart, nameEnd }: NamedHash): void {
    this.#high = high;
    this.#low = low;
    const length = nameEnd - nameStart;
    if (length > this.#name.length) this.#name = new Uint8Array(length * 2);
    const name = this.#name;
    for (let i = 0; i < length; i++) name[i] = names[nameStart + i]!;
    this.#nameLength = length;
  }

  #isSameName({ names, nameStart, nameEnd }: NamedHash): boolean {
    const length = nameEnd - nameStart;
    if (length !== this.#nameLength) return false;
    const name = this.#name;
    // Names of a database mostly differ at their ends.
    for (let i = length - 1; i >= 0; i--) if (name[i] !== names[nameStart + i]) return false;
    return true;
  }

  #sink(from: number): void {
    const heap = this.#heap;
    const moved = heap[from]!;
    let at = from;
    for (let child = 2 * at + 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && this.#isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (!this.#isBefore(heap[child]!, moved)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = moved;
  }

  #isBefore(a: number, b: number): boolean {
    const one = this.#all[a]!;
    const other = this.#all[b]!;
    const difference = one.high - other.high || one.low - other.low;
    return difference < 0 || (difference === 0 && a < b);
  }
}
