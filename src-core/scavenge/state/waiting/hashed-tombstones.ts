/** Deleted streams that wait, known by their hashes alone, side by side. */
import { giveBack } from '../../../codec/give-back.ts';
import { lengthened } from '../../../codec/longer-column.ts';
import type { StreamHash } from '../../../index/stream-hash.ts';
import { allOf, type HashedRows } from './hashes-in-turn.ts';

const FIRST_CAPACITY = 256;
/** Words of a deletion, and where each of its hashes begins. */
const DELETION_WORDS = 4;
const ORIGINAL_HASH = 0;
const METASTREAM_HASH = 2;

export class HashedTombstones {
  count = 0;
  words = new Uint32Array(FIRST_CAPACITY * DELETION_WORDS);

  /** A stream that is deleted, and its metastream. */
  add(original: StreamHash, metastream: StreamHash): void {
    let word = this.count++ * DELETION_WORDS;
    if (word === this.words.length) this.words = lengthened(this.words, word * 2);
    this.words[word++] = original.high;
    this.words[word++] = original.low;
    this.words[word++] = metastream.high;
    this.words[word] = metastream.low;
  }

  /** All of them by the streams that are deleted. */
  get byOriginal(): HashedRows {
    return this.#by(ORIGINAL_HASH);
  }

  get byMetastream(): HashedRows {
    return this.#by(METASTREAM_HASH);
  }

  /** Gives the memory back. */
  clear(): void {
    this.count = 0;
    giveBack(this.words);
    this.words = new Uint32Array(FIRST_CAPACITY * DELETION_WORDS);
  }

  #by(hashAt: number): HashedRows {
    return { words: this.words, rowWords: DELETION_WORDS, hashAt, rows: allOf(this.count) };
  }
}
