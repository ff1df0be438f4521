/**
 * The first chunks of a log by their digests, for who needs no names where streams can be told apart by their hashes: what
 * accumulation acts on, chunk by chunk, and then whether that is so. Streams that are only implied count too, and those behind the
 * point that a scavenge works to: if these share a hash, the answer is no, though it might be yes.
 */
import type { Chunk } from '../chunks/chunk.ts';
import type { ApartReading } from '../log/log-reader.ts';
import { ApartCursor } from './apart-cursor.ts';
import type { ChunkDigest } from './chunk-digest.ts';
import { HashComparison } from './hash-comparison.ts';
import { ImpliedStreams, type ImpliedOfChunk } from './implied-streams.ts';
import type { CheckedStreams } from './stream-run.ts';

export interface ApartDigestsParts {
  /** In the order of the log. */
  chunks: readonly Chunk[];
  digestOf: (chunk: Chunk) => ChunkDigest;
  /** The digest that was asked for last is of no more use. */
  onPassed: () => void;
  /** No digest is of use any more. */
  onAllPassed: () => void;
  streamsOf: (chunk: Chunk) => CheckedStreams;
  breathe: () => Promise<void>;
}

interface Current {
  chunk: Chunk;
  digest: ChunkDigest;
  implied: ImpliedOfChunk;
}

export class ApartDigests implements ApartReading {
  readonly #parts: ApartDigestsParts;
  readonly #left: Set<Chunk>;
  /** Of all chunks so far; once the answer is known, of the one that is looked at. */
  #implied = new ImpliedStreams();
  /** In all chunks so far. */
  #streamCount = 0;
  #current: Current | undefined;
  #areApart: boolean | undefined;

  constructor(parts: ApartDigestsParts) {
    this.#parts = parts;
    this.#left = new Set(parts.chunks);
  }

  notableOf(chunk: Chunk, from: number, to: number): ApartCursor | undefined {
    const current = this.#currentOf(chunk);
    return current && new ApartCursor({ ...current, hashes: this.#implied, from, to });
  }

  async areApart(): Promise<boolean> {
    return (this.#areApart ??= await this.#find());
  }

  /** A merged file is asked for several times, one after the other. */
  #currentOf(chunk: Chunk): Current | undefined {
    if (this.#current?.chunk === chunk) return this.#current;
    this.#current = undefined; // not beside the next one
    const digest = this.#parts.digestOf(chunk);
    if (this.#areApart !== undefined) this.#implied = new ImpliedStreams();
    this.#left.delete(chunk);
    const implied = this.#addOf(digest);
    this.#current = implied && { chunk, digest, implied };
    return this.#current;
  }

  #addOf(digest: ChunkDigest): ImpliedOfChunk | undefined {
    this.#streamCount += digest.streamCount;
    return this.#implied.addOf(digest);
  }

  async #find(): Promise<boolean> {
    const { chunks, digestOf, onPassed, onAllPassed, streamsOf, breathe } = this.#parts;
    this.#current = undefined;
    for (const chunk of this.#left) {
      this.#addOf(digestOf(chunk));
      onPassed();
      await breathe();
    }
    onAllPassed();
    if (!this.#implied.isWhole) return false;
    const streams = chunks.map(streamsOf);
    const comparison = new HashComparison(
      [...streams.map(({ run }) => run), this.#implied.inOrder()],
      this.#streamCount + this.#implied.count
    );
    while (comparison.advance()) await breathe();
    this.#implied.release();
    return comparison.areApart && streams.every(({ isSound }) => isSound());
  }
}
