/** Makes the digest of a chunk from its records, shown one after the other in the order of the file. Nothing is made for a record. */
import { giveBack } from '../codec/give-back.ts';
import { lengthened, shortened, taken } from '../codec/longer-column.ts';
import type { AtPhysical, AtPosition } from '../units/of-unit.ts';
import { firstByHash } from '../index/hash-order.ts';
import { hashStream, hashStreamOf, type StreamHash } from '../index/stream-hash.ts';
import type { LogRecord } from '../records/log-record.ts';
import { ChunkDigest, DigestKind, NO_ORDINAL } from './chunk-digest.ts';
import { NameOrdinals } from './name-ordinals.ts';

const FIRST_RECORDS = 512;
const LENGTH_FIELD = 4;
/** Behind a stream's name: two ids of 16 bytes and a time of 8. */
const IDS_AND_TIME = 40;

export class DigestBuilder {
  readonly #startPosition: AtPosition;
  readonly #isScavenged: boolean;
  readonly #streams = new NameOrdinals();
  readonly #types = new NameOrdinals();
  readonly #hash: StreamHash = { high: 0, low: 0 };
  /** By ordinal of first appearance. */
  #hashHigh = new Uint32Array(FIRST_RECORDS);
  #hashLow = new Uint32Array(FIRST_RECORDS);
  #streamCounts = new Uint32Array(FIRST_RECORDS);
  #count = 0;
  #prepareCount = 0;
  #kinds = new Uint8Array(FIRST_RECORDS);
  #flags = new Uint16Array(FIRST_RECORDS);
  #offsets = new Uint32Array(FIRST_RECORDS);
  #logical = new Float64Array(0);
  #streamOf = new Uint32Array(FIRST_RECORDS);
  #typeOf = new Uint32Array(FIRST_RECORDS);
  #numbers = new Float64Array(FIRST_RECORDS);
  #timeHigh = new Int32Array(FIRST_RECORDS);
  #timeLow = new Uint32Array(FIRST_RECORDS);
  readonly #inTransaction: number[] = [];
  readonly #transactionPositions: number[] = [];
  readonly #transactionOffsets: number[] = [];
  #withDataCount = 0;
  #withData = new Uint32Array(FIRST_RECORDS);
  #dataEnds = new Uint32Array(FIRST_RECORDS);
  #data: Buffer = Buffer.allocUnsafe(FIRST_RECORDS * 16);

  constructor(chunk: { startPosition: AtPosition; isScavenged: boolean }) {
    this.#startPosition = chunk.startPosition;
    this.#isScavenged = chunk.isScavenged;
    if (this.#isScavenged) this.#logical = new Float64Array(FIRST_RECORDS);
  }

  /** The next record of the file. */
  add(record: LogRecord, physical: AtPhysical): void {
    const place = this.#count++;
    if (place === this.#kinds.length) this.#grow();
    this.#offsets[place] = physical;
    if (this.#isScavenged) this.#logical[place] = record.position - this.#startPosition;
    this.#timeHigh[place] = record.timeHigh;
    this.#timeLow[place] = record.timeLow;
    if (record.kind === 'prepare') this.#addPrepare(record, place);
    else {
      const isCommit = record.kind === 'commit';
      const commit = record.version === 0 ? DigestKind.commitV0 : DigestKind.commit;
      this.#kinds[place] = isCommit ? commit : DigestKind.system;
      this.#streamOf[place] = NO_ORDINAL;
      this.#typeOf[place] = NO_ORDINAL;
      this.#numbers[place] = isCommit ? record.eventNumber : 0;
      if (isCommit) this.#addTransaction(place, record);
    }
  }

  /** Nothing can be added any more: columns of records are those of the digest. */
  build({ dataSize, isHashed }: { dataSize: number; isHashed: boolean }): ChunkDigest {
    const count = this.#count;
    const order = this.#orderOfStreams();
    this.#streams.endLookUps();
    const { streams: streamOf, starts, byStream } = this.#groupByStream(order);
    const names = this.#namesInOrder(order);
    const data = this.#withDataCount === 0 ? 0 : this.#dataEnds[this.#withDataCount - 1]!;
    return new ChunkDigest(
      {
        kinds: shortened(this.#kinds, count),
        flags: shortened(this.#flags, count),
        offsets: shortened(this.#offsets, count),
        logical: shortened(this.#logical, this.#isScavenged ? count : 0),
        streams: streamOf,
        types: shortened(this.#typeOf, count),
        numbers: shortened(this.#numbers, count),
        timeHigh: shortened(this.#timeHigh, count),
        timeLow: shortened(this.#timeLow, count),
        hashHigh: taken(this.#hashHigh, order),
        hashLow: taken(this.#hashLow, order),
        nameEnds: names.nameEnds,
        names: names.names,
        streamStarts: starts,
        byStream,
        typeEnds: this.#types.ends.slice(0, this.#types.count),
        typeNames: Uint8Array.from(this.#types.bytes.subarray(0, this.#types.byteLength)),
        inTransaction: Uint32Array.from(this.#inTransaction),
        transactionPositions: Float64Array.from(this.#transactionPositions),
        transactionOffsets: Int32Array.from(this.#transactionOffsets),
        withData: shortened(this.#withData, this.#withDataCount),
        dataEnds: shortened(this.#dataEnds, this.#withDataCount),
        data: Uint8Array.from(this.#data.subarray(0, data))
      },
      { startPosition: this.#startPosition, dataSize, isHashed }
    );
  }

  #addPrepare(record: LogRecord, place: number): void {
    const { bytes, streamStart, streamEnd } = record;
    this.#prepareCount++;
    this.#kinds[place] = record.version === 0 ? DigestKind.prepareV0 : DigestKind.prepare;
    this.#flags[place] = record.flags;
    this.#numbers[place] = record.eventNumber;
    const known = this.#streams.count;
    const stream = this.#streams.of(bytes, streamStart, streamEnd);
    if (stream === known) this.#addStream(stream, record);
    this.#streamCounts[stream]!++;
    this.#streamOf[place] = stream;
    const typeEnd =
      record.start + record.length - record.metadataLength - LENGTH_FIELD - record.dataLength - LENGTH_FIELD;
    let typeStart = streamEnd + IDS_AND_TIME;
    while (bytes[typeStart]! >= 0x80) typeStart++; // its length is stored in as many bytes as it takes
    typeStart++;
    this.#typeOf[place] = this.#types.of(bytes, typeStart, typeEnd);
    if (!record.isSelfCommitted) this.#addTransaction(place, record);
    const isLink = typeEnd - typeStart === 2 && bytes[typeStart] === 0x24 && bytes[typeStart + 1] === 0x3e;
    if (record.isMetastream || isLink) this.#addData(record, place);
  }

  #addTransaction(place: number, record: LogRecord): void {
    this.#inTransaction.push(place);
    this.#transactionPositions.push(record.transactionPosition);
    this.#transactionOffsets.push(record.transactionOffset);
  }

  #addStream(stream: number, record: LogRecord): void {
    if (stream === this.#hashHigh.length) {
      this.#hashHigh = lengthened(this.#hashHigh, this.#hashHigh.length * 2);
      this.#hashLow = lengthened(this.#hashLow, this.#hashLow.length * 2);
      this.#streamCounts = lengthened(this.#streamCounts, this.#streamCounts.length * 2);
    }
    const { high, low } = hashStreamOf(record, hashStream, this.#hash);
    this.#hashHigh[stream] = high;
    this.#hashLow[stream] = low;
  }

  #addData({ start, length, metadataLength, dataLength, bytes }: LogRecord, place: number): void {
    const at = this.#withDataCount++;
    if (at === this.#withData.length) {
      this.#withData = lengthened(this.#withData, this.#withData.length * 2);
      this.#dataEnds = lengthened(this.#dataEnds, this.#dataEnds.length * 2);
    }
    const from = at === 0 ? 0 : this.#dataEnds[at - 1]!;
    const to = from + dataLength;
    if (to > this.#data.length) {
      const copy = Buffer.allocUnsafe(Math.max(this.#data.length * 2, to));
      this.#data.copy(copy, 0, 0, from);
      this.#data = copy;
    }
    const dataStart = start + length - metadataLength - LENGTH_FIELD - dataLength;
    bytes.copy(this.#data, from, dataStart, dataStart + dataLength);
    this.#withData[at] = place;
    this.#dataEnds[at] = to;
  }

  /** Ordinals of first appearance in the final order. */
  #orderOfStreams(): Uint32Array {
    const hashes = { high: this.#hashHigh, low: this.#hashLow };
    return firstByHash(hashes, this.#streams.count, (a, b) => this.#compareNames(a, b));
  }

  #compareNames(a: number, b: number): number {
    const { bytes, ends } = this.#streams;
    return bytes.compare(bytes, this.#streams.startOf(b), ends[b], this.#streams.startOf(a), ends[a]);
  }

  #groupByStream(order: Uint32Array) {
    const streamCount = order.length;
    const finalOf = new Uint32Array(streamCount);
    const starts = new Uint32Array(streamCount + 1);
    for (let ordinal = 0; ordinal < streamCount; ordinal++) {
      finalOf[order[ordinal]!] = ordinal;
      starts[ordinal + 1] = starts[ordinal]! + this.#streamCounts[order[ordinal]!]!;
    }
    const next = starts.slice();
    const streams = new Uint32Array(this.#count);
    const byStream = new Uint32Array(this.#prepareCount);
    for (let place = 0; place < this.#count; place++) {
      const first = this.#streamOf[place]!;
      if (first === NO_ORDINAL) {
        streams[place] = NO_ORDINAL;
        continue;
      }
      const ordinal = finalOf[first]!;
      streams[place] = ordinal;
      byStream[next[ordinal]!++] = place;
    }
    for (const used of [finalOf, next, this.#streamOf]) giveBack(used);
    return { streams, starts, byStream };
  }

  #namesInOrder(order: Uint32Array) {
    const names = new Uint8Array(this.#streams.byteLength);
    const nameEnds = new Uint32Array(order.length);
    let end = 0;
    for (let ordinal = 0; ordinal < order.length; ordinal++) {
      const from = this.#streams.startOf(order[ordinal]!);
      const to = this.#streams.ends[order[ordinal]!]!;
      for (let at = from; at < to; at++) names[end++] = this.#streams.bytes[at]!;
      nameEnds[ordinal] = end;
    }
    return { names, nameEnds };
  }

  #grow(): void {
    this.#kinds = lengthened(this.#kinds, this.#kinds.length * 2);
    this.#flags = lengthened(this.#flags, this.#flags.length * 2);
    this.#offsets = lengthened(this.#offsets, this.#offsets.length * 2);
    if (this.#isScavenged) this.#logical = lengthened(this.#logical, this.#logical.length * 2);
    this.#streamOf = lengthened(this.#streamOf, this.#streamOf.length * 2);
    this.#typeOf = lengthened(this.#typeOf, this.#typeOf.length * 2);
    this.#numbers = lengthened(this.#numbers, this.#numbers.length * 2);
    this.#timeHigh = lengthened(this.#timeHigh, this.#timeHigh.length * 2);
    this.#timeLow = lengthened(this.#timeLow, this.#timeLow.length * 2);
  }
}
