/**
 * Metadata records that wait, of streams that are known by their hashes alone. What is known of a record lies side by side, in half a
 * line of the processor's cache: they are asked for in the order of hashes, and each is waited for once.
 */
import { giveBack } from '../../../codec/give-back.ts';
import { lengthened } from '../../../codec/longer-column.ts';
import type { StreamHash } from '../../../index/stream-hash.ts';
import type { RecordHead } from '../../../records/record-head.ts';
import type { StreamMetadata } from '../../../records/stream-metadata.ts';
import { allOf, type HashedRows } from './hashes-in-turn.ts';
import type { StreamLimits } from '../stream-data.ts';

const FIRST_CAPACITY = 1024;
/** "$$" */
const PREFIX_BYTES = 2;
const DOLLAR = 0x24;

/** Words of a record, and what each of them is; those that count to the end come first. */
const RECORD_WORDS = 8;
const ORIGINAL_HASH = 0;
const LIMITS = 2;
const METASTREAM_HASH = 3;
const POSITION_LOW = 5;
const POSITION_HIGH = 6;
const EVENT_NUMBER = 7;
const JUDGED_WORDS = 3;

/** Metadata whose limits are found without a look at them. */
const MOST_KNOWN_METADATA = 4096;
const WORD_RANGE = 2 ** 32;
/** In the upper half of a position, which has 21 bits. */
const OF_METASTREAM = 2 ** 31;
const OUT_OF_ORDER = 2 ** 30;
const MARKS = OF_METASTREAM | OUT_OF_ORDER;
/** The number is among the large ones. */
const LARGE_NUMBER = 0xffffffff;

export class HashedMetadata {
  count = 0;
  /** RECORD_WORDS each, then JUDGED_WORDS. */
  words = new Uint32Array(FIRST_CAPACITY * RECORD_WORDS);
  /** Each once. */
  readonly #limits: StreamLimits[] = [];
  readonly #limitsByText = new Map<string, number>();
  /** Most streams have the metadata of one of a few. */
  readonly #limitsByMetadata = new Map<StreamMetadata, number>();
  /** By record. */
  readonly #largeNumbers = new Map<number, number>();

  /** The hashes are those of the metastream and of the stream that it belongs to. */
  add(
    record: RecordHead,
    {
      metastream,
      original,
      metadata
    }: { metastream: StreamHash; original: StreamHash; metadata: StreamMetadata }
  ): void {
    const at = this.count++;
    let word = at * RECORD_WORDS;
    if (word === this.words.length) this.words = lengthened(this.words, word * 2);
    const { words } = this;
    const { position, eventNumber } = record;
    const marks = isOfMetastream(record) ? OF_METASTREAM : 0;
    words[word++] = original.high;
    words[word++] = original.low;
    words[word++] = this.#limitsOf(metadata);
    words[word++] = metastream.high;
    words[word++] = metastream.low;
    const positionHigh = Math.floor(position / WORD_RANGE);
    words[word++] = position - positionHigh * WORD_RANGE;
    words[word++] = positionHigh | marks;
    words[word] = this.#numberWord(at, eventNumber);
  }

  /** Gives the memory back. */
  clear(): void {
    this.count = 0;
    giveBack(this.words);
    this.words = new Uint32Array(FIRST_CAPACITY * RECORD_WORDS);
    this.#limits.length = 0;
    this.#limitsByText.clear();
    this.#limitsByMetadata.clear();
    this.#largeNumbers.clear();
  }

  /** Different limits, each of which takes much more than a record. */
  get limitsCount(): number {
    return this.#limits.length;
  }

  positionAt(at: number): number {
    const word = at * RECORD_WORDS;
    return (this.words[word + POSITION_HIGH]! & ~MARKS) * WORD_RANGE + this.words[word + POSITION_LOW]!;
  }

  eventNumberAt(at: number): number {
    const number = this.words[at * RECORD_WORDS + EVENT_NUMBER]!;
    return number === LARGE_NUMBER ? this.#largeNumbers.get(at)! : number;
  }

  markOutOfOrder(at: number): void {
    this.words[at * RECORD_WORDS + POSITION_HIGH]! |= OUT_OF_ORDER;
  }

  /** All of them by their metastreams. */
  get byMetastream(): HashedRows {
    return { words: this.words, rowWords: RECORD_WORDS, hashAt: METASTREAM_HASH, rows: allOf(this.count) };
  }

  /**
   * Those that count, by the streams that they belong to. All have been judged, and nothing else can be asked of them any more but
   * their limits: the rest is given up.
   */
  takeJudged(): HashedRows {
    const { words } = this;
    let judged = 0;
    for (let at = 0; at < this.count; at++) {
      if (!this.isCounting(at)) continue;
      const from = at * RECORD_WORDS;
      for (let i = 0; i < JUDGED_WORDS; i++) words[judged++] = words[from + i]!;
    }
    this.words = new Uint32Array(words.buffer.transfer(judged * Uint32Array.BYTES_PER_ELEMENT));
    const rows = allOf(judged / JUDGED_WORDS);
    return { words: this.words, rowWords: JUDGED_WORDS, hashAt: ORIGINAL_HASH, rows };
  }

  /** Of one that was judged. */
  limitsAt(row: number): StreamLimits {
    return this.#limits[this.words[row * JUDGED_WORDS + LIMITS]!]!;
  }

  /** It is in order, and not that of a metastream: those mean nothing, since metastreams always keep their newest record only. */
  isCounting(at: number): boolean {
    return (this.words[at * RECORD_WORDS + POSITION_HIGH]! & MARKS) === 0;
  }

  #numberWord(at: number, eventNumber: number): number {
    if (eventNumber < LARGE_NUMBER) return eventNumber;
    this.#largeNumbers.set(at, eventNumber);
    return LARGE_NUMBER;
  }

  #limitsOf(metadata: StreamMetadata): number {
    const known = this.#limitsByMetadata.get(metadata);
    if (known !== undefined) return known;
    const { maxAgeSeconds, maxCount, truncateBefore } = metadata;
    const text = `${maxAgeSeconds} ${maxCount} ${truncateBefore}`;
    let number = this.#limitsByText.get(text);
    if (number === undefined) {
      number = this.#limits.length;
      this.#limits.push({ maxAgeSeconds, maxCount, truncateBefore });
      this.#limitsByText.set(text, number);
    }
    if (this.#limitsByMetadata.size === MOST_KNOWN_METADATA) this.#limitsByMetadata.clear();
    this.#limitsByMetadata.set(metadata, number);
    return number;
  }
}

/** The name of what it belongs to begins like a metastream's itself. */
function isOfMetastream({ bytes, streamStart, streamEnd }: RecordHead): boolean {
  const start = streamStart + PREFIX_BYTES;
  return streamEnd - start >= PREFIX_BYTES && bytes[start] === DOLLAR && bytes[start + 1] === DOLLAR;
}
