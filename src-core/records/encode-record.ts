/**
 * Payloads of new records, without the two length fields around them. The bytes are those the server writes.
 * Format: docs/format/records.md.
 */
import { assert } from '../assert.ts';
import { encodeGuid } from '../codec/guid.ts';
import { writeInt64 } from '../codec/int64.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../units/event-number.ts';

export interface PrepareFields {
  /** Record version, 1 unless old records are needed. */
  version?: 0 | 1;
  position: number;
  /** PrepareFlag bits. */
  flags: number;
  transactionPosition: number;
  transactionOffset: number;
  /** Event number minus one; of a tombstone DELETED_STREAM_EVENT_NUMBER. */
  expectedVersion: number;
  stream: string;
  eventId: string;
  correlationId: string;
  ticks: bigint;
  eventType: string;
  data: Uint8Array;
  metadata: Uint8Array;
}

export interface CommitFields {
  version?: 0 | 1;
  position: number;
  transactionPosition: number;
  /** Of a tombstone DELETED_STREAM_EVENT_NUMBER. */
  firstEventNumber: number;
  correlationId: string;
  ticks: bigint;
}

/** An epoch; the only system record there is. */
export interface SystemFields {
  position: number;
  ticks: bigint;
  /** JSON. */
  data: Uint8Array;
}

const LEGACY_TOMBSTONE_VERSION = 2147483646;
const LEGACY_DELETED_NUMBER = 2147483647;

function lengthSize(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x200000 ? 3 : value < 0x10000000 ? 4 : 5;
}

function writeText(bytes: Buffer, at: number, text: Uint8Array): number {
  let rest = text.length;
  while (rest >= 0x80) {
    bytes[at++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  bytes[at++] = rest;
  bytes.set(text, at);
  return at + text.length;
}

/** Payload bytes of a prepare with these sizes (UTF-8 bytes), for planning the space beforehand. */
export function prepareLength(sizes: {
  stream: number;
  eventType: number;
  data: number;
  metadata: number;
}): number {
  const names = lengthSize(sizes.stream) + sizes.stream + lengthSize(sizes.eventType) + sizes.eventType;
  return 24 + 8 + names + 40 + 8 + sizes.data + sizes.metadata;
}

export function encodePrepare(fields: PrepareFields): Buffer {
  const version = fields.version ?? 1;
  const stream = Buffer.from(fields.stream, 'utf8');
  const eventType = Buffer.from(fields.eventType, 'utf8');
  assert(stream.length > 0, 'a record has a stream name');
  const length =
    prepareLength({
      stream: stream.length,
      eventType: eventType.length,
      data: fields.data.length,
      metadata: fields.metadata.length
    }) - (version === 0 ? 4 : 0);
  const bytes = Buffer.alloc(length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, length);
  bytes[0] = 0;
  bytes[1] = version;
  writeInt64(view, 2, fields.position);
  view.setUint16(10, fields.flags, true);
  writeInt64(view, 12, fields.transactionPosition);
  view.setInt32(20, fields.transactionOffset, true);
  const isTombstoneVersion = fields.expectedVersion >= DELETED_STREAM_EVENT_NUMBER;
  let at: number;
  if (version === 0) {
    view.setInt32(24, isTombstoneVersion ? LEGACY_TOMBSTONE_VERSION : fields.expectedVersion, true);
    at = 28;
  } else {
    if (isTombstoneVersion) view.setBigInt64(24, 0x7ffffffffffffffen, true);
    else writeInt64(view, 24, fields.expectedVersion);
    at = 32;
  }
  at = writeText(bytes, at, stream);
  encodeGuid(fields.eventId, bytes, at);
  encodeGuid(fields.correlationId, bytes, at + 16);
  view.setBigInt64(at + 32, fields.ticks, true);
  at = writeText(bytes, at + 40, eventType);
  view.setInt32(at, fields.data.length, true);
  bytes.set(fields.data, at + 4);
  at += 4 + fields.data.length;
  view.setInt32(at, fields.metadata.length, true);
  bytes.set(fields.metadata, at + 4);
  assert(at + 4 + fields.metadata.length === length, 'the planned length of a prepare is met');
  return bytes;
}

export function encodeCommit(fields: CommitFields): Buffer {
  const version = fields.version ?? 1;
  const bytes = Buffer.alloc(version === 0 ? 54 : 58);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  bytes[0] = 1;
  bytes[1] = version;
  writeInt64(view, 2, fields.position);
  writeInt64(view, 10, fields.transactionPosition);
  let at: number;
  if (version === 0) {
    const isDeleted = fields.firstEventNumber >= DELETED_STREAM_EVENT_NUMBER;
    view.setInt32(18, isDeleted ? LEGACY_DELETED_NUMBER : fields.firstEventNumber, true);
    at = 22;
  } else {
    writeInt64(view, 18, fields.firstEventNumber);
    at = 26;
  }
  writeInt64(view, at, fields.position);
  encodeGuid(fields.correlationId, bytes, at + 8);
  view.setBigInt64(at + 24, fields.ticks, true);
  return bytes;
}

export function encodeSystem(fields: SystemFields): Buffer {
  const bytes = Buffer.alloc(32 + fields.data.length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  bytes[0] = 2;
  writeInt64(view, 2, fields.position);
  view.setBigInt64(10, fields.ticks, true);
  bytes[18] = 1; // epoch
  bytes[19] = 2; // JSON
  view.setInt32(28, fields.data.length, true);
  bytes.set(fields.data, 32);
  return bytes;
}

/** The payload with its length before and after, as it lies in a chunk. */
export function frameRecord(payload: Uint8Array): Buffer {
  const framed = Buffer.alloc(payload.length + 8);
  framed.writeInt32LE(payload.length, 0);
  framed.set(payload, 4);
  framed.writeInt32LE(payload.length, payload.length + 4);
  return framed;
}
