/** Deleted streams that wait, known by their hashes alone, side by side. */
import { WordRows } from '../../../codec/word-rows.ts';
import type { StreamHash } from '../../../index/stream-hash.ts';
import { allOf, type HashedRows } from './hashes-in-turn.ts';

/** Words of a deletion, and where each of its hashes begins. */
const DELETION_WORDS = 4;
const ORIGINAL_HASH = 0;
const METASTREAM_HASH = 2;

export class HashedTombstones {
  readonly #words = new WordRows(DELETION_WORDS);

  get count(): number {
    return this.#words.count;
  }

  /** A stream that is deleted, and its metastream. */
  add(original: StreamHash, metastream: StreamHash): void {
    const words = this.#words;
    const at = words.add();
    words.set(at, ORIGINAL_HASH, original.high);
    words.set(at, ORIGINAL_HASH + 1, original.low);
    words.set(at, METASTREAM_HASH, metastream.high);
    words.set(at, METASTREAM_HASH + 1, metastream.low);
  }

  /** All of them by the streams that are deleted. */
  get byOriginal(): HashedRows {
    return { words: this.#words, hashAt: ORIGINAL_HASH, rows: allOf(this.count) };
  }

  get byMetastream(): HashedRows {
    return { words: this.#words, hashAt: METASTREAM_HASH, rows: allOf(this.count) };
  }

  /** Gives the memory back. */
  clear(): void {
    this.#words.clear();
  }
}
