/** Where the bytes of two framed records of one position differ, and which part of a record that is. */
import { FRAME_LENGTH, LogRecord } from '../../records/log-record.ts';
import type { DifferentBytes } from './difference.ts';

/** Both as framed, lengths included. Undefined when they are equal. */
export function differentBytes(one: Buffer, other: Buffer): DifferentBytes | undefined {
  const both = Math.min(one.length, other.length);
  let first = -1;
  let last = -1;
  let count = 0;
  for (let i = 0; i < both; i++) {
    if (one[i] === other[i]) continue;
    if (first < 0) first = i;
    last = i;
    count++;
  }
  if (first < 0) {
    if (one.length === other.length) return undefined;
    first = both;
  }
  if (one.length !== other.length) last = Math.max(one.length, other.length) - 1;
  return { first, last, part: partAt(one, first), count };
}

/** Names a byte of a framed record. */
function partAt(frame: Buffer, at: number): string {
  const length = frame.length - FRAME_LENGTH;
  if (at < 4 || at >= 4 + length) return 'length';
  if (at < 6) return 'type and version';
  if (at < 14) return 'position';
  const record = new LogRecord();
  const view = new DataView(frame.buffer, frame.byteOffset, frame.length);
  if (record.parse(frame, view, 4, length) !== undefined) return 'head';
  if (record.kind === 'commit') return 'commit';
  const { data } = record.places;
  if (record.kind === 'system') return at >= data ? 'data' : 'head';
  const { eventId, type, typeEnd, metadata } = record.places;
  if (at >= metadata) return 'metadata';
  if (at >= data + record.dataLength) return 'length of the metadata';
  if (at >= data) return 'data';
  if (at >= typeEnd) return 'length of the data';
  if (at >= type) return 'event type';
  if (at >= eventId + 40) return 'length of the event type';
  if (at >= eventId + 32) return 'time';
  if (at >= eventId) return 'event id';
  if (at >= record.streamStart) return 'stream';
  return 'head';
}
