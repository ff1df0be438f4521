/**
 * Walks the records of a digest in the order of the log, as a cursor over the chunk itself would: the same values, one view
 * that is moved, without reading the log. `data` is there for metadata and links only.
 */
import { assert } from '../assert.ts';
import type { StreamHash } from '../index/stream-hash.ts';
import type { RecordKind } from '../records/log-record.ts';
import { PrepareFlag } from '../records/log-record.ts';
import type { ChunkHeadCursor, RecordHead, StreamGroupCursor } from '../records/record-head.ts';
import { ticksFromHalves, type Ticks } from '../units/ticks.ts';
import { DigestKind, type ChunkDigest, type DigestColumns } from './chunk-digest.ts';

const FRAME_BYTES = 8;

export class DigestRecord implements RecordHead {
  kind: RecordKind = 'prepare';
  version = 1;
  position = 0;
  length = 0;
  flags = 0;
  transactionPosition = 0;
  transactionOffset = 0;
  eventNumber = 0;
  timeHigh = 0;
  timeLow = 0;
  streamStart = 0;
  streamEnd = 0;
  /** In the digest; of a prepare. */
  streamOrdinal = 0;
  typeOrdinal = 0;
  /** Of the stream's name, by the server's hasher. */
  readonly streamHash: StreamHash = { high: 0, low: 0 };
  readonly bytes: Buffer;
  readonly view: DataView;
  readonly #digest: ChunkDigest;
  #place = 0;

  constructor(digest: ChunkDigest) {
    this.#digest = digest;
    this.bytes = digest.names;
    this.view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.length);
  }

  get stream(): string {
    return this.bytes.toString('utf8', this.streamStart, this.streamEnd);
  }
  get eventType(): string {
    return this.#digest.typeName(this.typeOrdinal);
  }
  get ticks(): Ticks {
    return ticksFromHalves(this.timeHigh, this.timeLow);
  }
  get isSelfCommitted(): boolean {
    return this.kind === 'prepare' && (this.flags & PrepareFlag.isCommitted) !== 0;
  }
  get isTombstone(): boolean {
    return this.kind === 'prepare' && (this.flags & PrepareFlag.streamDelete) !== 0;
  }
  get hasData(): boolean {
    return this.kind === 'prepare' && (this.flags & PrepareFlag.data) !== 0;
  }
  get isMetastream(): boolean {
    return this.#digest.isMetastream[this.streamOrdinal] === 1;
  }

  get data(): Buffer {
    const at = this.#digest.dataPlace(this.#place);
    assert(at >= 0, 'a digest has the data of metadata and links only');
    return this.#digest.dataAt(at);
  }

  /** Moves the view. `position` and `length` are those of the record at `place`. */
  moveTo(place: number, position: number, length: number): void {
    const { columns } = this.#digest;
    this.#place = place;
    this.position = position;
    this.length = length;
    this.timeHigh = columns.timeHigh[place]!;
    this.timeLow = columns.timeLow[place]!;
    this.eventNumber = columns.numbers[place]!;
    const kind = columns.kinds[place]!;
    if (kind <= DigestKind.prepareV0) this.#movePrepare(columns, place, kind);
    else this.#moveOther(kind);
  }

  #movePrepare(columns: DigestColumns, place: number, kind: number): void {
    this.kind = 'prepare';
    this.version = kind === DigestKind.prepare ? 1 : 0;
    const flags = columns.flags[place]!;
    this.flags = flags;
    const stream = columns.streams[place]!;
    this.typeOrdinal = columns.types[place]!;
    this.streamOrdinal = stream;
    this.streamStart = stream === 0 ? 0 : columns.nameEnds[stream - 1]!;
    this.streamEnd = columns.nameEnds[stream]!;
    this.streamHash.high = columns.hashHigh[stream]!;
    this.streamHash.low = columns.hashLow[stream]!;
    if ((flags & PrepareFlag.isCommitted) !== 0) {
      this.transactionPosition = this.position;
      this.transactionOffset = 0;
    } else this.#moveTransaction();
  }

  #moveOther(kind: number): void {
    this.flags = 0;
    this.streamStart = 0;
    this.streamEnd = 0;
    if (kind === DigestKind.system) {
      this.kind = 'system';
      this.version = 0;
      this.transactionPosition = this.position;
      this.transactionOffset = -1;
    } else {
      this.kind = 'commit';
      this.version = kind === DigestKind.commit ? 1 : 0;
      this.#moveTransaction();
    }
  }

  #moveTransaction(): void {
    const at = this.#digest.transactionPlace(this.#place);
    const { transactionPositions, transactionOffsets } = this.#digest.columns;
    this.transactionPosition = transactionPositions[at]!;
    this.transactionOffset = transactionOffsets[at]!;
  }
}

export class DigestCursor implements ChunkHeadCursor {
  readonly record: DigestRecord;
  readonly digest: ChunkDigest;
  readonly #offsets: Uint32Array;
  readonly #logical: Float64Array;
  #next: number;

  constructor(digest: ChunkDigest, fromPosition = 0) {
    this.digest = digest;
    this.record = new DigestRecord(digest);
    this.#offsets = digest.columns.offsets;
    this.#logical = digest.columns.logical;
    this.#next = fromPosition <= digest.startPosition ? 0 : digest.firstAtOrAfter(fromPosition);
  }

  /** Offset in the chunk's data of the current record. */
  get physicalOffset(): number {
    return this.#offsets[this.#next - 1]!;
  }

  next(): boolean {
    const place = this.#next;
    const { digest } = this;
    if (place >= digest.recordCount) return false;
    this.#next = place + 1;
    const offset = this.#offsets[place]!;
    const end = place + 1 < digest.recordCount ? this.#offsets[place + 1]! : digest.dataSize;
    const logical = this.#logical.length > 0 ? this.#logical[place]! : offset;
    this.record.moveTo(place, digest.startPosition + logical, end - offset - FRAME_BYTES);
    return true;
  }
}

/** The prepares by stream, streams in the order of their ordinals. */
export class DigestGroupCursor implements StreamGroupCursor {
  readonly record: DigestRecord;
  readonly #digest: ChunkDigest;
  #stream = -1;
  #next = 0;
  #end = 0;

  constructor(digest: ChunkDigest) {
    this.#digest = digest;
    this.record = new DigestRecord(digest);
  }

  get physicalOffset(): number {
    const { byStream, offsets } = this.#digest.columns;
    return offsets[byStream[this.#next - 1]!]!;
  }

  nextStream(): boolean {
    if (this.#stream + 1 >= this.#digest.streamCount) return false;
    this.moveToStream(this.#stream + 1);
    return true;
  }

  /** Before the first record of this stream. */
  moveToStream(ordinal: number): void {
    const { streamStarts } = this.#digest.columns;
    this.#stream = ordinal;
    this.#next = streamStarts[ordinal]!;
    this.#end = streamStarts[ordinal + 1]!;
  }

  /** The next record of the stream. */
  next(): boolean {
    if (this.#next >= this.#end) return false;
    const digest = this.#digest;
    const place = digest.columns.byStream[this.#next++]!;
    this.record.moveTo(place, digest.positionOf(place), digest.lengthOf(place));
    return true;
  }
}

/** The prepares of the stream with this name; none when the chunk has no record of it. */
export function streamCursor(digest: ChunkDigest, stream: string): DigestGroupCursor {
  const cursor = new DigestGroupCursor(digest);
  const ordinal = digest.streamOrdinal(stream);
  if (ordinal >= 0) cursor.moveToStream(ordinal);
  return cursor;
}
