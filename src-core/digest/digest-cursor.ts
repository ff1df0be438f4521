/**
 * Walks the records of a digest in the order of the log, as a cursor over the chunk itself would: the same values, one view
 * that is moved, without reading the log. `data` is there for metadata and links only.
 */
import { assert } from '../assert.ts';
import type { StreamHash } from '../index/stream-hash.ts';
import type { RecordKind } from '../records/log-record.ts';
import { PrepareFlag } from '../records/log-record.ts';
import type { ChunkHeadCursor, RecordHead } from '../records/record-head.ts';
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
  /** Of the stream's name, by the server's hasher. */
  readonly streamHash: StreamHash = { high: 0, low: 0 };
  readonly bytes: Buffer;
  readonly view: DataView;
  readonly #digest: ChunkDigest;
  #place = 0;
  /** Where the data was that was asked for last. */
  #dataAt = -1;

  constructor(digest: ChunkDigest) {
    this.#digest = digest;
    this.bytes = digest.names;
    this.view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.length);
  }

  get stream(): string {
    return this.bytes.toString('utf8', this.streamStart, this.streamEnd);
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
    const { withData } = this.#digest.columns;
    // Who goes through all of them finds each behind the one before.
    const next = this.#dataAt + 1;
    const at = withData[next] === this.#place ? next : this.#digest.dataPlace(this.#place);
    assert(at >= 0, 'a digest has the data of metadata and links only');
    this.#dataAt = at;
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

  /** As `moveTo`, to a prepare of the stream that it is at. What it says of transactions means nothing then. */
  moveWithinStream(place: number, position: number, length: number): void {
    const { timeHigh, timeLow, numbers, flags } = this.#digest.columns;
    this.#place = place;
    this.position = position;
    this.length = length;
    this.timeHigh = timeHigh[place]!;
    this.timeLow = timeLow[place]!;
    this.eventNumber = numbers[place]!;
    this.flags = flags[place]!;
  }

  /** Only what is said of a stream means anything then. */
  moveToStream(ordinal: number): void {
    const { nameEnds, hashHigh, hashLow } = this.#digest.columns;
    this.streamOrdinal = ordinal;
    this.streamStart = ordinal === 0 ? 0 : nameEnds[ordinal - 1]!;
    this.streamEnd = nameEnds[ordinal]!;
    this.streamHash.high = hashHigh[ordinal]!;
    this.streamHash.low = hashLow[ordinal]!;
  }

  #movePrepare(columns: DigestColumns, place: number, kind: number): void {
    this.kind = 'prepare';
    this.version = kind === DigestKind.prepare ? 1 : 0;
    const flags = columns.flags[place]!;
    this.flags = flags;
    this.moveToStream(columns.streams[place]!);
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

/** The prepares of the stream with this name, in the order of the log; none when the chunk has no record of it. */
export class DigestStreamCursor implements ChunkHeadCursor {
  readonly record: DigestRecord;
  readonly #digest: ChunkDigest;
  #next = 0;
  #end = 0;

  constructor(digest: ChunkDigest, stream: string) {
    this.#digest = digest;
    this.record = new DigestRecord(digest);
    const ordinal = digest.streamOrdinal(stream);
    if (ordinal < 0) return;
    this.#next = digest.columns.streamStarts[ordinal]!;
    this.#end = digest.columns.streamStarts[ordinal + 1]!;
  }

  get physicalOffset(): number {
    const { byStream, offsets } = this.#digest.columns;
    return offsets[byStream[this.#next - 1]!]!;
  }

  next(): boolean {
    if (this.#next >= this.#end) return false;
    const digest = this.#digest;
    const place = digest.columns.byStream[this.#next++]!;
    this.record.moveTo(place, digest.positionOf(place), digest.lengthOf(place));
    return true;
  }
}
