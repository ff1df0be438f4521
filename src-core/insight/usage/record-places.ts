/**
 * Where type and data of a prepare lie in its bytes, without making anything: the record's own `places` is an
 * object, and one for each record of a log is too many. And the event a link points to, read from its data.
 */
import type { LogRecord } from '../../records/log-record.ts';

/** Behind a stream's name: two ids of 16 bytes and a time of 8. */
const IDS_AND_TIME = 40;
const LENGTH_FIELD = 4;
const ZERO = 0x30;
const AT_SIGN = 0x40;
const MOST_DIGITS = 16;

export function dataStartOf(record: LogRecord): number {
  return record.start + record.length - record.metadataLength - LENGTH_FIELD - record.dataLength;
}

/** Exclusive. */
export function typeEndOf(record: LogRecord): number {
  return dataStartOf(record) - LENGTH_FIELD;
}

export function typeStartOf(record: LogRecord): number {
  let at = record.streamEnd + IDS_AND_TIME;
  while (record.bytes[at]! >= 0x80) at++; // its length is stored in as many bytes as it takes
  return at + 1;
}

/** Is the type `$>`, that of a link? */
export function isLink(record: LogRecord, typeStart: number, typeEnd: number): boolean {
  return (
    typeEnd - typeStart === 2 && record.bytes[typeStart] === 0x24 && record.bytes[typeStart + 1] === 0x3e
  );
}

export interface LinkTarget {
  eventNumber: number;
  /** Where the name of the stream begins in the record's bytes; it ends with the data. */
  nameStart: number;
  nameEnd: number;
}

/** Reads `<number>@<stream>`; false for data that is not a link. */
export function readLinkTarget(record: LogRecord, into: LinkTarget): boolean {
  const { bytes } = record;
  const start = dataStartOf(record);
  const end = start + record.dataLength;
  let number = 0;
  let at = start;
  for (; at < end && bytes[at] !== AT_SIGN; at++) {
    const digit = bytes[at]! - ZERO;
    if (digit < 0 || digit > 9 || at - start >= MOST_DIGITS) return false;
    number = number * 10 + digit;
  }
  if (at === start || at + 1 >= end) return false;
  into.eventNumber = number;
  into.nameStart = at + 1;
  into.nameEnd = end;
  return true;
}
