/**
 * One record of the log: a view over payload bytes that is moved from record to record, so that walking a log
 * allocates nothing. All fields are decoded by `parse`; names and payloads only when asked for. The view is
 * valid until its reader moves on: copy what you keep.
 *
 * `parse` never trusts a length: it returns what is wrong instead of a record.
 * Format: docs/format/records.md.
 */
import type { AtNumber, AtPosition } from '../units/of-unit.ts';
import { decodeGuid, isEmptyGuid } from '../codec/guid.ts';
import { readInt64 } from '../codec/int64.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../units/event-number.ts';
import { ticksFromHalves, type Ticks } from '../units/ticks.ts';

export type RecordKind = 'prepare' | 'commit' | 'system';

/** Bits of a prepare's flags. Retired and unused bits are kept when a record is copied. */
export const PrepareFlag = {
  data: 0x0001,
  transactionBegin: 0x0002,
  transactionEnd: 0x0004,
  streamDelete: 0x0008,
  isCommitted: 0x0020,
  isJson: 0x0100,
  isRedacted: 0x0200,
  isPropertyMetadata: 0x0400
} as const;

/** Payload bytes; a longer record does not exist. */
export const MAX_RECORD_LENGTH = 16 * 1024 * 1024;
/** Both length fields around the payload. */
export const FRAME_LENGTH = 8;

const TYPE_PREPARE = 0;
const TYPE_COMMIT = 1;
const TYPE_SYSTEM = 2;
/** 3 to 11 belong to an experimental log format that was removed again. */
const LAST_EXPERIMENTAL_TYPE = 11;
const COMMIT_LENGTH = { 0: 54, 1: 58 } as const;
const SYSTEM_HEAD_LENGTH = 32;
/** Expected version of a tombstone in version-0 records: 2^31-2. */
const LEGACY_TOMBSTONE_VERSION = 2147483646;
const LEGACY_DELETED_NUMBER = 2147483647;

const EMPTY = Buffer.alloc(0);

export class LogRecord {
  kind: RecordKind = 'prepare';
  /** Record format version: 0 or 1. */
  version = 1;
  position: AtPosition = 0;
  /** Payload bytes; framed size is `length + FRAME_LENGTH`. */
  length = 0;
  /** Prepare only. */
  flags = 0;
  /** Prepare and commit. */
  transactionPosition = 0;
  /** Prepare only: -1 for begin and end records and empty writes. */
  transactionOffset = 0;
  /** Prepare only; of a tombstone 2^63 (2^63-2 on disk). */
  expectedVersion = 0;
  /** Prepare: expected version plus one. Commit: number of the first event. */
  eventNumber: AtNumber = 0;
  /** Ticks, upper half (signed) and lower half (unsigned). */
  timeHigh = 0;
  timeLow = 0;
  dataLength = 0;
  metadataLength = 0;
  /** System only: 1 is an epoch. */
  systemType = 0;

  /** The bytes the view lies on and the offset of the payload in them. */
  bytes: Buffer = EMPTY;
  view: DataView = new DataView(EMPTY.buffer, 0, 0);
  start = 0;

  #streamStart = 0;
  #streamEnd = 0;
  #stream: string | undefined;
  #eventIdAt = 0;
  #typeStart = 0;
  #typeEnd = 0;
  #dataAt = 0;
  #metadataAt = 0;

  /**
   * Moves the view to the payload at `start`. Returns undefined, or a sentence about what contradicts the
   * format (the view is then unusable).
   */
  parse(bytes: Buffer, view: DataView, start: number, length: number): string | undefined {
    this.bytes = bytes;
    this.view = view;
    this.start = start;
    this.length = length;
    this.#stream = undefined;
    if (length < 10) return `a record of ${length} bytes is shorter than the common head of 10`;
    const type = bytes[start]!;
    this.version = bytes[start + 1]!;
    this.position = readInt64(view, start + 2);
    if (this.position < 0 || this.position > Number.MAX_SAFE_INTEGER)
      return 'the log position is out of range';
    if (type === TYPE_PREPARE) return this.#parsePrepare();
    if (type === TYPE_COMMIT) return this.#parseCommit();
    if (type === TYPE_SYSTEM) return this.#parseSystem();
    if (type <= LAST_EXPERIMENTAL_TYPE) return `record type ${type} belongs to the experimental log format 3`;
    return `record type ${type} is unknown`;
  }

  #parsePrepare(): string | undefined {
    const { bytes, view, start, length, version } = this;
    const end = start + length;
    this.kind = 'prepare';
    if (version > 1) return `prepare version ${version} is unknown`;
    let at = start + 24;
    if (at + (version === 0 ? 4 : 8) > end) return 'the prepare ends within its head';
    this.flags = view.getUint16(start + 10, true);
    this.transactionPosition = readInt64(view, start + 12);
    this.transactionOffset = view.getInt32(start + 20, true);
    if (this.transactionPosition < 0) return 'the transaction position is negative';
    if (this.transactionOffset < -1) return 'the transaction offset is below -1';
    if (version === 0) {
      const stored = view.getInt32(at, true);
      this.expectedVersion = stored === LEGACY_TOMBSTONE_VERSION ? DELETED_STREAM_EVENT_NUMBER : stored;
      at += 4;
    } else {
      this.expectedVersion = readInt64(view, at);
      if (this.expectedVersion > Number.MAX_SAFE_INTEGER && !isTombstoneVersion(view, at)) {
        return 'the expected version is above 2^53 and not that of a tombstone';
      }
      at += 8;
    }
    if (this.expectedVersion < -2) return 'the expected version is below -2';
    this.eventNumber =
      this.expectedVersion === DELETED_STREAM_EVENT_NUMBER
        ? DELETED_STREAM_EVENT_NUMBER
        : this.expectedVersion + 1;

    let size = readLength(bytes, at, end);
    if (size <= 0)
      return size === 0 ? 'the stream name is empty' : 'the length of the stream name is damaged';
    at += lengthOfLength(size, bytes, at);
    if (at + size + 40 > end) return 'the stream name reaches beyond the record';
    this.#streamStart = at;
    at += size;
    this.#streamEnd = at;
    this.#eventIdAt = at;
    if (isEmptyGuid(bytes, at)) return 'the event id is empty';
    if (isEmptyGuid(bytes, at + 16)) return 'the correlation id is empty';
    this.timeLow = view.getUint32(at + 32, true);
    this.timeHigh = view.getInt32(at + 36, true);
    at += 40;

    size = readLength(bytes, at, end);
    if (size < 0) return 'the length of the event type is damaged';
    at += lengthOfLength(size, bytes, at);
    if (at + size + 4 > end) return 'the event type reaches beyond the record';
    this.#typeStart = at;
    at += size;
    this.#typeEnd = at;

    size = view.getInt32(at, true);
    at += 4;
    if (size < 0 || at + size + 4 > end) return `a data length of ${size} does not fit the record`;
    this.dataLength = size;
    this.#dataAt = at;
    at += size;

    size = view.getInt32(at, true);
    at += 4;
    if (size < 0 || at + size !== end) return `a metadata length of ${size} does not end with the record`;
    this.metadataLength = size;
    this.#metadataAt = at;
    return undefined;
  }

  #parseCommit(): string | undefined {
    const { view, start, length, version } = this;
    this.kind = 'commit';
    if (version > 1) return `commit version ${version} is unknown`;
    const wanted = version === 0 ? COMMIT_LENGTH[0] : COMMIT_LENGTH[1];
    if (length !== wanted) return `a commit of ${length} bytes instead of ${wanted}`;
    this.flags = 0;
    this.transactionOffset = -1;
    this.dataLength = 0;
    this.metadataLength = 0;
    this.transactionPosition = readInt64(view, start + 10);
    if (this.transactionPosition < 0) return 'the transaction position is negative';
    let at = start + 18;
    if (version === 0) {
      const first = view.getInt32(at, true);
      this.eventNumber = first === LEGACY_DELETED_NUMBER ? DELETED_STREAM_EVENT_NUMBER : first;
      at += 4;
    } else {
      this.eventNumber = readInt64(view, at);
      if (this.eventNumber > Number.MAX_SAFE_INTEGER && this.eventNumber !== DELETED_STREAM_EVENT_NUMBER) {
        return 'the first event number is above 2^53';
      }
      at += 8;
    }
    this.expectedVersion = this.eventNumber - 1;
    at += 8; // a sort key that always repeats the log position
    this.#eventIdAt = at;
    this.timeLow = view.getUint32(at + 16, true);
    this.timeHigh = view.getInt32(at + 20, true);
    return undefined;
  }

  #parseSystem(): string | undefined {
    const { bytes, view, start, length } = this;
    this.kind = 'system';
    if (this.version !== 0) return `system record version ${this.version} is unknown`;
    if (length < SYSTEM_HEAD_LENGTH) return 'the system record ends within its head';
    this.flags = 0;
    this.transactionPosition = this.position;
    this.transactionOffset = -1;
    this.timeLow = view.getUint32(start + 10, true);
    this.timeHigh = view.getInt32(start + 14, true);
    this.systemType = bytes[start + 18]!;
    if (this.systemType !== 1) return `system record type ${this.systemType} is unknown`;
    const serialization = bytes[start + 19]!;
    if (serialization < 1 || serialization > 3)
      return `serialization ${serialization} of a system record is unknown`;
    this.dataLength = view.getInt32(start + 28, true);
    if (this.dataLength < 0 || SYSTEM_HEAD_LENGTH + this.dataLength !== length) {
      return `a data length of ${this.dataLength} does not end with the record`;
    }
    this.#dataAt = start + SYSTEM_HEAD_LENGTH;
    this.metadataLength = 0;
    return undefined;
  }

  get ticks(): Ticks {
    return ticksFromHalves(this.timeHigh, this.timeLow);
  }

  /** Prepare only. Invalid UTF-8 becomes U+FFFD, one for each maximal invalid part, as in the server. */
  get stream(): string {
    return (this.#stream ??= this.bytes.toString('utf8', this.#streamStart, this.#streamEnd));
  }

  /** Where the stream name's UTF-8 bytes lie in `bytes`. */
  get streamStart(): number {
    return this.#streamStart;
  }
  get streamEnd(): number {
    return this.#streamEnd;
  }

  /** Where the 16 bytes of the event's id lie in `bytes`; of a commit, those of its correlation id. */
  get eventIdAt(): number {
    return this.#eventIdAt;
  }
  /** Where the event type's bytes lie in `bytes`. */
  get typeStart(): number {
    return this.#typeStart;
  }
  get typeEnd(): number {
    return this.#typeEnd;
  }

  get eventType(): string {
    return this.bytes.toString('utf8', this.#typeStart, this.#typeEnd);
  }

  /** Prepare: the event's id. Commit: its correlation id, the only id it has. */
  get eventId(): string {
    return decodeGuid(this.bytes, this.#eventIdAt);
  }

  get correlationId(): string {
    return decodeGuid(this.bytes, this.kind === 'prepare' ? this.#eventIdAt + 16 : this.#eventIdAt);
  }

  /** Offsets in `bytes` of the parts of variable place, for displaying the bytes of a record. */
  get places(): { eventId: number; type: number; typeEnd: number; data: number; metadata: number } {
    return {
      eventId: this.#eventIdAt,
      type: this.#typeStart,
      typeEnd: this.#typeEnd,
      data: this.#dataAt,
      metadata: this.#metadataAt
    };
  }

  /** The stored bytes, also of a redacted record (readers get empty data for those). A window, not a copy. */
  get data(): Buffer {
    return this.bytes.subarray(this.#dataAt, this.#dataAt + this.dataLength);
  }

  get metadata(): Buffer {
    if (this.metadataLength === 0) return EMPTY;
    return this.bytes.subarray(this.#metadataAt, this.#metadataAt + this.metadataLength);
  }

  /** The payload's bytes. A window, not a copy. */
  get payload(): Buffer {
    return this.bytes.subarray(this.start, this.start + this.length);
  }

  get isSelfCommitted(): boolean {
    return this.kind === 'prepare' && (this.flags & PrepareFlag.isCommitted) !== 0;
  }
  get isTombstone(): boolean {
    return this.kind === 'prepare' && (this.flags & PrepareFlag.streamDelete) !== 0;
  }
  /** Occupies an event number. */
  get hasData(): boolean {
    return this.kind === 'prepare' && (this.flags & PrepareFlag.data) !== 0;
  }
  /** The stream's name starts with `$$`. Compares bytes, decodes nothing. */
  get isMetastream(): boolean {
    const at = this.#streamStart;
    return this.#streamEnd - at >= 2 && this.bytes[at] === 0x24 && this.bytes[at + 1] === 0x24;
  }
}

/** 2^63-2 as two halves: the one expected version above 2^53 that exists. */
function isTombstoneVersion(view: DataView, at: number): boolean {
  return view.getUint32(at, true) === 0xfffffffe && view.getInt32(at + 4, true) === 0x7fffffff;
}

/** Unsigned LEB128 of at most five bytes at `at`; -1 when it is cut, too long or above int32. */
function readLength(bytes: Uint8Array, at: number, end: number): number {
  let value = 0;
  for (let i = 0; i < 5; i++) {
    if (at + i >= end) return -1;
    const byte = bytes[at + i]!;
    value += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) return value <= 0x7fffffff ? value : -1;
  }
  return -1;
}

/** Bytes that the length at `at` takes: as stored, which may be longer than needed. */
function lengthOfLength(size: number, bytes: Uint8Array, at: number): number {
  if (size < 0) return 0;
  let count = 1;
  while (bytes[at + count - 1]! >= 0x80) count++;
  return count;
}
