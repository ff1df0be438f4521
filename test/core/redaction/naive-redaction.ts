/**
 * What a redaction must leave, said a second time and without the code of the engine: the bytes of a chunk file in
 * which the data of the events with these ids are 0xFF, their flag is set and the hash is right.
 */
import { createHash } from 'node:crypto';

export interface NaiveRecord {
  id: string;
  stream: string;
  type: string;
  dataAt: number;
  dataLength: number;
  flagsAt: number;
}

/** Prepares of version 1 with names of less than 128 bytes, which is all that the tests write. */
export function naiveRecords(file: Buffer): NaiveRecord[] {
  const records: NaiveRecord[] = [];
  const end = 128 + file.readInt32LE(file.length - 127);
  for (let at = 128; at < end; at += file.readInt32LE(at) + 8) {
    const start = at + 4;
    if (file[start] !== 0) continue;
    let here = start + 32;
    const text = () => {
      const length = file[here]!;
      here += 1 + length;
      return file.toString('utf8', here - length, here);
    };
    const stream = text();
    const id = file.toString('hex', here, here + 16);
    here += 40;
    const type = text();
    const dataLength = file.readInt32LE(here);
    records.push({ id, stream, type, dataAt: here + 4, dataLength, flagsAt: start + 10 });
  }
  return records;
}

export function naiveRedaction(file: Buffer, ids: ReadonlySet<string>): Buffer {
  const redacted = Buffer.from(file);
  for (const { id, dataAt, dataLength, flagsAt } of naiveRecords(file)) {
    if (!ids.has(id)) continue;
    redacted.fill(0xff, dataAt, dataAt + dataLength);
    redacted.writeUInt16LE(file.readUInt16LE(flagsAt) | 0x200, flagsAt);
  }
  const body = redacted.subarray(0, redacted.length - 16);
  createHash('md5').update(body).digest().copy(redacted, body.length);
  return redacted;
}

/** Text of the 16 bytes as .NET writes a GUID. */
export function guidText(hex: string): string {
  const bytes = [...Buffer.from(hex, 'hex')];
  const part = (from: number, to: number, isReversed: boolean) => {
    const own = bytes.slice(from, to);
    return Buffer.from(isReversed ? own.reverse() : own).toString('hex');
  };
  return [part(0, 4, true), part(4, 6, true), part(6, 8, true), part(8, 10, false), part(10, 16, false)].join(
    '-'
  );
}
