/**
 * Metadata records that wait, of streams that are known by their hashes alone. What is known of a record lies side by side, in half a
 * line of the processor's cache: they are asked for in the order of hashes, and each is waited for once.
 */
import { WordRows } from '../../../codec/word-rows.ts';
import type { StreamHash } from '../../../index/stream-hash.ts';
import type { RecordHead } from '../../../records/record-head.ts';
import type { StreamMetadata } from '../../../records/stream-metadata.ts';
import { allOf, type HashedRows } from './hashes-in-turn.ts';
import type { StreamLimits } from '../stream-data.ts';

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
  /** RECORD_WORDS each, then JUDGED_WORDS. */
  #words = new WordRows(RECORD_WORDS);
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
    const words = this.#words;
    const at = words.add();
    const { position, eventNumber } = record;
    const marks = isOfMetastream(record) ? OF_METASTREAM : 0;
    const positionHigh = Math.floor(position / WORD_RANGE);
    words.set(at, ORIGINAL_HASH, original.high);
    words.set(at, ORIGINAL_HASH + 1, original.low);
    words.set(at, LIMITS, this.#limitsOf(metadata));
    words.set(at, METASTREAM_HASH, metastream.high);
    words.set(at, METASTREAM_HASH + 1, metastream.low);
    words.set(at, POSITION_LOW, position - positionHigh * WORD_RANGE);
    words.set(at, POSITION_HIGH, positionHigh | marks);
    words.set(at, EVENT_NUMBER, this.#numberWord(at, eventNumber));
  }

  get count(): number {
    return this.#words.count;
  }

  /** Gives the memory back. */
  clear(): void {
    this.#words.clear();
    this.#words = new WordRows(RECORD_WORDS);
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
    const high = this.#words.get(at, POSITION_HIGH) & ~MARKS;
    return high * WORD_RANGE + this.#words.get(at, POSITION_LOW);
  }

  eventNumberAt(at: number): number {
    const number = this.#words.get(at, EVENT_NUMBER);
    return number === LARGE_NUMBER ? this.#largeNumbers.get(at)! : number;
  }

  markOutOfOrder(at: number): void {
    this.#words.set(at, POSITION_HIGH, this.#words.get(at, POSITION_HIGH) | OUT_OF_ORDER);
  }

  /** All of them by their metastreams. */
  get byMetastream(): HashedRows {
    return { words: this.#words, hashAt: METASTREAM_HASH, rows: allOf(this.count) };
  }

  /**
   * Those that count, by the streams that they belong to. All have been judged, and nothing else can be asked of them any more but
   * their limits: the rest is given up.
   */
  takeJudged(): HashedRows {
    this.#words = this.#words.takeFirst(JUDGED_WORDS, (at) => this.isCounting(at));
    return { words: this.#words, hashAt: ORIGINAL_HASH, rows: allOf(this.count) };
  }

  /** Of one that was judged. */
  limitsAt(row: number): StreamLimits {
    return this.#limits[this.#words.get(row, LIMITS)]!;
  }

  /** It is in order, and not that of a metastream: those mean nothing, since metastreams always keep their newest record only. */
  isCounting(at: number): boolean {
    return (this.#words.get(at, POSITION_HIGH) & MARKS) === 0;
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
