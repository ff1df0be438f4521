/**
 * Streams that a chunk names without a record of theirs: those that its metadata are about, and the metastreams of those that
 * it deletes. Their names one behind the other, then in the order of their hashes.
 */
import { giveBack } from '../codec/give-back.ts';
import { takeTouched } from '../codec/touched.ts';
import { WordRows } from '../codec/word-rows.ts';
import { byHash } from '../index/hash-order.ts';
import { hashStream, hashStreamOf, type NamedRecord, type StreamHash } from '../index/stream-hash.ts';
import { PrepareFlag } from '../records/log-record.ts';
import { DigestKind, type ChunkDigest } from './chunk-digest.ts';
import type { NamedHash } from './stream-run.ts';

/** What a chunk adds. */
export interface ImpliedOfChunk {
  /** By ordinal of a metastream: the row of the stream that it belongs to. */
  originals: Uint32Array;
  /** Places of the records that delete a stream, rising; the metastreams of these streams are the rows from `firstDeleted` on. */
  deletions: Uint32Array;
  firstDeleted: number;
}

/** Words of a row: halves of the hash, where the name begins and where it ends. */
const ROW_WORDS = 4;
const HIGH = 0;
const LOW = 1;
const NAME_START = 2;
const NAME_END = 3;

/** Rows that are brought near at once. */
const BLOCK = 256;
const FIRST_STREAMS = 4096;
const MEAN_NAME_BYTES = 24;
/** Some twenty million names: with more of them, names are compared one by one, by a state that may move to a file. */
const MOST_NAME_BYTES = 2 ** 29;
/** "$$" */
const METASTREAM_PREFIX = Buffer.from('$$');

export class ImpliedStreams {
  /** False: they are too many to be held at once, and some are missing. */
  isWhole = true;
  /** Of each row what is asked of it together: they are far from each other. */
  readonly #words = new WordRows(ROW_WORDS);
  /** The last name, in the bytes of all. */
  readonly #name = new NameInBytes(Buffer.allocUnsafe(FIRST_STREAMS * MEAN_NAME_BYTES));
  readonly #hash = { high: 0, low: 0 };

  get count(): number {
    return this.#words.count;
  }

  /** undefined: there is no room for them any more. */
  addOf(digest: ChunkDigest): ImpliedOfChunk | undefined {
    const { kinds, flags, streams, nameEnds } = digest.columns;
    const { names, isMetastream, streamCount, recordCount } = digest;
    const originals = new Uint32Array(streamCount);
    for (let ordinal = 0; ordinal < streamCount; ordinal++) {
      if (isMetastream[ordinal] === 0) continue;
      originals[ordinal] = this.count;
      this.#add(names, digest.nameStart(ordinal) + METASTREAM_PREFIX.length, nameEnds[ordinal]!);
    }
    const firstDeleted = this.count;
    const deletions: number[] = [];
    for (let place = 0; place < recordCount; place++) {
      if ((flags[place]! & PrepareFlag.streamDelete) === 0 || kinds[place]! > DigestKind.prepareV0) continue;
      const ordinal = streams[place]!;
      const name = names.subarray(digest.nameStart(ordinal), nameEnds[ordinal]);
      const metastream = Buffer.concat([METASTREAM_PREFIX, name]);
      this.#add(metastream, 0, metastream.length);
      deletions.push(place);
    }
    return this.isWhole ? { originals, deletions: Uint32Array.from(deletions), firstDeleted } : undefined;
  }

  /** Of a row that is one of them. */
  readHash(row: number, into: StreamHash): void {
    into.high = this.#words.get(row, HIGH);
    into.low = this.#words.get(row, LOW);
  }

  /** Brings the first `count` of these rows near. */
  touch(rows: Uint32Array, count: number): void {
    const words = this.#words;
    let touched = 0;
    for (let i = 0; i < count; i++) touched ^= words.get(rows[i]!, HIGH);
    takeTouched(touched);
  }

  /** All of them; a stream that several chunks imply comes as many times. Nothing can be added any more. */
  inOrder(): NamedHash {
    const rows = new Uint32Array(this.count);
    for (let row = 0; row < rows.length; row++) rows[row] = row;
    const order = byHash({ words: this.#words, hashAt: HIGH }, rows);
    return new ImpliedRun(this.#words, this.#name.bytes, order);
  }

  /** Gives the memory back: nothing is asked any more. */
  release(): void {
    this.#words.clear();
    giveBack(this.#name.bytes);
  }

  #add(bytes: Buffer, start: number, end: number): void {
    if (!this.isWhole) return;
    const row = this.count;
    const from = row === 0 ? 0 : this.#words.get(row - 1, NAME_END);
    const to = from + end - start;
    if (to > MOST_NAME_BYTES) {
      this.isWhole = false;
      return;
    }
    if (to > this.#name.bytes.length) this.#growNames(from, to);
    const name = this.#name;
    bytes.copy(name.bytes, from, start, end);
    name.streamStart = from;
    name.streamEnd = to;
    const { high, low } = hashStreamOf(name, hashStream, this.#hash);
    this.#words.add();
    this.#words.set(row, HIGH, high);
    this.#words.set(row, LOW, low);
    this.#words.set(row, NAME_START, from);
    this.#words.set(row, NAME_END, to);
  }

  #growNames(used: number, needed: number): void {
    const name = this.#name;
    const longer = Buffer.allocUnsafeSlow(Math.max(name.bytes.length * 2, needed));
    name.bytes.copy(longer, 0, 0, used);
    giveBack(name.bytes);
    name.lieIn(longer);
  }
}

class NameInBytes implements NamedRecord {
  bytes: Buffer;
  view: DataView;
  streamStart = 0;
  streamEnd = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.view = viewOf(bytes);
  }

  lieIn(bytes: Buffer): void {
    this.bytes = bytes;
    this.view = viewOf(bytes);
  }

  get stream(): string {
    return this.bytes.toString('utf8', this.streamStart, this.streamEnd);
  }
}

class ImpliedRun implements NamedHash {
  high = 0;
  low = 0;
  readonly names: Uint8Array;
  nameStart = 0;
  nameEnd = 0;
  readonly #words: WordRows;
  readonly #order: Uint32Array;
  #at = 0;

  constructor(words: WordRows, names: Uint8Array, order: Uint32Array) {
    this.#words = words;
    this.names = names;
    this.#order = order;
  }

  next(): boolean {
    if (this.#at === this.#order.length) return false;
    if (this.#at % BLOCK === 0) this.#bringNear(this.#at);
    const words = this.#words;
    const row = this.#order[this.#at++]!;
    this.high = words.get(row, HIGH);
    this.low = words.get(row, LOW);
    this.nameStart = words.get(row, NAME_START);
    this.nameEnd = words.get(row, NAME_END);
    return true;
  }

  /** Rows and names lie as they came. */
  #bringNear(from: number): void {
    const { names } = this;
    const words = this.#words;
    const block = this.#order.subarray(from, from + BLOCK);
    let touched = 0;
    for (const row of block) touched ^= words.get(row, HIGH);
    for (const row of block) touched ^= names[words.get(row, NAME_START)]!;
    takeTouched(touched);
  }
}

function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}
