/**
 * Streams that a chunk names without a record of theirs: those that its metadata are about, and the metastreams of those that
 * it deletes. Their names one behind the other, then in the order of their hashes.
 */
import { lengthened } from '../codec/longer-column.ts';
import { giveBack } from '../codec/give-back.ts';
import { byHash, type Hashes } from '../index/hash-order.ts';
import { hashStream, hashStreamOf, type NamedRecord } from '../index/stream-hash.ts';
import { PrepareFlag } from '../records/log-record.ts';
import { DigestKind, type ChunkDigest } from './chunk-digest.ts';
import type { NamedHash } from './stream-run.ts';

const FIRST_STREAMS = 4096;
const MEAN_NAME_BYTES = 24;
/** Some twenty million names: with more of them, names are compared one by one, by a state that may move to a file. */
const MOST_NAME_BYTES = 2 ** 29;
/** "$$" */
const METASTREAM_PREFIX = Buffer.from('$$');

export class ImpliedStreams {
  count = 0;
  /** False: they are too many to be held at once, and some are missing. */
  isWhole = true;
  #high = new Uint32Array(FIRST_STREAMS);
  #low = new Uint32Array(FIRST_STREAMS);
  #ends = new Uint32Array(FIRST_STREAMS);
  /** The last name, in the bytes of all. */
  readonly #name = new NameInBytes(Buffer.allocUnsafe(FIRST_STREAMS * MEAN_NAME_BYTES));
  readonly #hash = { high: 0, low: 0 };

  addOf(digest: ChunkDigest): void {
    const { kinds, flags, streams, nameEnds } = digest.columns;
    const { names, isMetastream, streamCount, recordCount } = digest;
    for (let ordinal = 0; ordinal < streamCount; ordinal++) {
      if (isMetastream[ordinal] === 1)
        this.#add(names, digest.nameStart(ordinal) + METASTREAM_PREFIX.length, nameEnds[ordinal]!);
    }
    for (let place = 0; place < recordCount; place++) {
      if ((flags[place]! & PrepareFlag.streamDelete) === 0 || kinds[place]! > DigestKind.prepareV0) continue;
      const ordinal = streams[place]!;
      const name = names.subarray(digest.nameStart(ordinal), nameEnds[ordinal]);
      const metastream = Buffer.concat([METASTREAM_PREFIX, name]);
      this.#add(metastream, 0, metastream.length);
    }
  }

  /** All of them; a stream that several chunks imply comes as many times. Nothing can be added any more. */
  inOrder(): NamedHash {
    const rows = new Uint32Array(this.count);
    for (let row = 0; row < rows.length; row++) rows[row] = row;
    const hashes = { high: this.#high, low: this.#low };
    return new ImpliedRun(hashes, { names: this.#name.bytes, ends: this.#ends, order: byHash(hashes, rows) });
  }

  #add(bytes: Buffer, start: number, end: number): void {
    if (!this.isWhole) return;
    const row = this.count;
    const from = row === 0 ? 0 : this.#ends[row - 1]!;
    const to = from + end - start;
    if (to > MOST_NAME_BYTES) {
      this.isWhole = false;
      return;
    }
    if (row === this.#high.length) this.#grow();
    if (to > this.#name.bytes.length) this.#growNames(from, to);
    const name = this.#name;
    bytes.copy(name.bytes, from, start, end);
    this.#ends[row] = to;
    name.streamStart = from;
    name.streamEnd = to;
    const { high, low } = hashStreamOf(name, hashStream, this.#hash);
    this.#high[row] = high;
    this.#low[row] = low;
    this.count = row + 1;
  }

  #grow(): void {
    const longer = this.#high.length * 2;
    this.#high = lengthened(this.#high, longer);
    this.#low = lengthened(this.#low, longer);
    this.#ends = lengthened(this.#ends, longer);
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
  readonly #hashes: Hashes;
  readonly #ends: Uint32Array;
  readonly #order: Uint32Array;
  #at = 0;

  constructor(
    hashes: Hashes,
    { names, ends, order }: { names: Buffer; ends: Uint32Array; order: Uint32Array }
  ) {
    this.#hashes = hashes;
    this.#ends = ends;
    this.names = names;
    this.#order = order;
  }

  next(): boolean {
    if (this.#at === this.#order.length) return false;
    const row = this.#order[this.#at++]!;
    this.high = this.#hashes.high[row]!;
    this.low = this.#hashes.low[row]!;
    this.nameStart = row === 0 ? 0 : this.#ends[row - 1]!;
    this.nameEnd = this.#ends[row]!;
    return true;
  }
}

function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}
