/**
 * What is in a log, read without any code of the product: chunk files in the order of their names, records by their lengths,
 * fields by the offsets of the format. For files that were never scavenged.
 */
import fs from 'node:fs';
import path from 'node:path';

export interface NaiveEvent {
  position: number;
  stream: string;
  /** Decimal digits. */
  eventNumber: string;
  eventType: string;
  eventId: string;
  ticks: bigint;
  isJson: boolean;
  data: Buffer;
  metadata: Buffer;
  /** Payload and both lengths. */
  framedLength: number;
}

interface Prepare extends NaiveEvent {
  flags: number;
  transaction: number;
  offset: number;
}

const HEADER = 128;

/** Committed events, in the order of the log. */
export function naiveEvents(directory: string): NaiveEvent[] {
  const end = Number(fs.readFileSync(path.join(directory, 'writer.chk')).readBigInt64LE(0));
  const prepares: Prepare[] = [];
  const commits = new Map<number, bigint>();
  const names = fs.readdirSync(directory).filter((name) => name.startsWith('chunk-'));
  for (const name of names.sort()) {
    const bytes = fs.readFileSync(path.join(directory, name));
    for (let at = HEADER; ;) {
      const length = at + 4 <= bytes.length ? bytes.readInt32LE(at) : 0;
      if (length <= 0 || at + length + 8 > bytes.length || bytes.readInt32LE(at + 4 + length) !== length)
        break;
      const record = bytes.subarray(at + 4, at + 4 + length);
      const position = Number(record.readBigInt64LE(2));
      const kind = record[0];
      if (kind! > 2 || position >= end) break;
      if (kind === 0) prepares.push(prepare(record, position));
      if (kind === 1) commits.set(Number(record.readBigInt64LE(10)), record.readBigInt64LE(18));
      at += length + 8;
    }
  }
  return prepares.flatMap((one): NaiveEvent[] => {
    const { flags, transaction, offset, ...event } = one;
    const isTombstone = (flags & 8) !== 0;
    if ((flags & 1) === 0 && !isTombstone) return [];
    if ((flags & 0x20) !== 0) return [event];
    const first = commits.get(transaction);
    if (first === undefined) return [];
    const eventNumber = isTombstone ? '9223372036854775807' : String(first + BigInt(offset));
    return [{ ...event, eventNumber }];
  });
}

function prepare(record: Buffer, position: number): Prepare {
  const flags = record.readUInt16LE(10);
  let at = 32;
  const text = (): string => {
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = record[at++]!;
      length += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    at += length;
    return record.toString('utf8', at - length, at);
  };
  const block = (): Buffer => {
    const length = record.readInt32LE(at);
    at += 4 + length;
    return Buffer.from(record.subarray(at - length, at));
  };
  const stream = text();
  const id = record.subarray(at, at + 16);
  const ticks = record.readBigInt64LE(at + 32);
  at += 40;
  const eventType = text();
  const data = block();
  const metadata = block();
  return {
    position,
    flags,
    transaction: Number(record.readBigInt64LE(12)),
    offset: record.readInt32LE(20),
    stream,
    eventNumber: String(record.readBigInt64LE(24) + 1n),
    eventType,
    eventId: guid(id),
    ticks,
    isJson: (flags & 0x100) !== 0,
    data: (flags & 0x200) !== 0 ? Buffer.alloc(0) : data,
    metadata,
    framedLength: record.length + 8
  };
}

/** Its first three groups are little-endian. */
function guid(bytes: Buffer): string {
  const order = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];
  const hex = order.map((i) => bytes[i]!.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
