/**
 * A record without most of its payload: what deciding, counting and indexing need of it. A record of the log has all of
 * it; a digest gives it without reading the log (digest/digest-cursor.ts). A view: valid until its source moves on.
 */
import type { AtNumber, AtPhysical, AtPosition } from '../units/of-unit.ts';
import type { RecordKind } from './log-record.ts';

export interface RecordHead {
  readonly kind: RecordKind;
  /** Record format version: 0 or 1. */
  readonly version: number;
  readonly position: AtPosition;
  /** Payload bytes; framed size is `length + FRAME_LENGTH`. */
  readonly length: number;
  readonly flags: number;
  readonly transactionPosition: number;
  readonly transactionOffset: number;
  /** Prepare: expected version plus one. Commit: number of the first event. */
  readonly eventNumber: AtNumber;
  /** Ticks, upper half (signed) and lower half (unsigned). */
  readonly timeHigh: number;
  readonly timeLow: number;
  /** Where the name of the stream lies, UTF-8. Prepare only. */
  readonly bytes: Buffer;
  readonly view: DataView;
  readonly streamStart: number;
  readonly streamEnd: number;
  /** By the server's hasher, where it is known already. */
  readonly streamHash?: { high: number; low: number };
  readonly stream: string;
  readonly ticks: bigint;
  /** Of metadata and links; a digest has no other. */
  readonly data: Buffer;
  readonly isSelfCommitted: boolean;
  readonly isTombstone: boolean;
  readonly hasData: boolean;
  readonly isMetastream: boolean;
}

/** Records in the order of the log. The view may be another one after each step. */
export interface HeadCursor {
  readonly record: RecordHead;
  /** Moves to the next record; false at the end. */
  next(): boolean;
  close(): void;
}

/** The records of one chunk. */
export interface ChunkHeadCursor extends Omit<HeadCursor, 'close'> {
  /** Offset in the chunk's data of the current record. */
  readonly physicalOffset: AtPhysical;
}

/** The prepares of one chunk whose number lies below the limit of their stream. Streams have ordinals from 0. */
export interface SweepCursor {
  readonly record: RecordHead;
  /** Ordinal of the record's stream. */
  readonly stream: number;
  readonly streamCount: number;
  /** Only the stream of `record` means anything then. */
  nameStream(ordinal: number): void;
  /** Moves to the next prepare below its limit, by ordinal; false at the end. */
  next(limits: Float64Array): boolean;
  /** Of the record, among all of the chunk. */
  readonly place: number;
  /** Back to a prepare of the stream that the record names. Of transactions it says nothing. */
  moveWithinStream(place: number): void;
}

/** The prepares of one chunk, stream by stream in the rising order of the hashes of their names. */
export interface StreamsCursor {
  readonly record: RecordHead;
  /** Moves to the next stream; only what is said of a stream means anything in `record` then. False at the end. */
  nextStream(): boolean;
  /** Moves to the next prepare of the stream, in the order of the log; false: there are no more. */
  next(): boolean;
}

/** Of the records of a range: the first of each stream, metadata, tombstones. */
export interface NotableCursor extends Omit<HeadCursor, 'close'> {
  /** Prepares that were passed so far because nothing about them is new. */
  readonly passed: number;
  /** Of the last record of the range, -1 when it is empty. */
  readonly lastPosition: number;
  /** Times of all prepares of the range, as halves of ticks; undefined when there are none. */
  readonly prepares: { minHigh: number; minLow: number; maxHigh: number; maxLow: number } | undefined;
}

/** Of the records of a range: metadata and tombstones. */
export interface HashedCursor extends Omit<NotableCursor, 'passed' | 'record'> {
  readonly record: RecordHead & Required<Pick<RecordHead, 'streamHash'>>;
  /** Hash of the stream that a metadata record is about; of a tombstone: that of the metastream of the deleted stream. */
  readonly about: { readonly high: number; readonly low: number };
}
