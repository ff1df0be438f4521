/**
 * A second reader of logs, for tests only: written from docs/format, slowly and plainly, and sharing no code with the
 * engine, so that what the engine writes is judged by something else than the engine. Everything is read into memory.
 */
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A data directory, wherever it lies. */
export interface LogFiles {
  names: readonly string[];
  /** undefined: there is no such file. */
  read: (name: string) => Buffer | undefined;
}

export function filesIn(directory: string): LogFiles {
  return {
    names: readdirSync(directory),
    read: (name) => {
      const file = path.join(directory, name);
      return existsSync(file) ? readFileSync(file) : undefined;
    }
  };
}

export interface ReadRecord {
  position: number;
  /** Bytes of the payload. */
  length: number;
  kind: 'prepare' | 'commit' | 'system';
  /** SHA-256 of the payload, the first 16 hex digits. */
  digest: string;
}

export interface ReadPrepare extends ReadRecord {
  kind: 'prepare';
  flags: number;
  transactionPosition: number;
  transactionOffset: number;
  /** -2 inside explicit transactions. */
  expectedVersion: bigint;
  stream: string;
  eventId: string;
  ticks: bigint;
  eventType: string;
  data: Buffer;
  metadata: Buffer;
}

export interface ReadCommit extends ReadRecord {
  kind: 'commit';
  transactionPosition: number;
  firstEventNumber: bigint;
}

export type AnyRecord = ReadPrepare | ReadCommit | (ReadRecord & { kind: 'system' });

export interface ReadChunk {
  file: string;
  first: number;
  last: number;
  isScavenged: boolean;
  isCompleted: boolean;
}

export interface ReadLog {
  chunkSize: number;
  writer: number;
  chunks: ReadChunk[];
  /** In the order of their positions, those before the writer checkpoint. */
  records: AnyRecord[];
}

/** A place at which the files are not what docs/format says. */
export class NotALog extends Error {}

const HEADER = 128;
const FOOTER = 128;
const LONGEST = 16 * 1024 * 1024;

export function readLog(files: LogFiles): ReadLog {
  const writer = readCheckpoint(files, 'writer.chk', 0);
  const chunks: (ReadChunk & { bytes: Buffer; chunkSize: number })[] = [];
  const versions = new Map<number, string[]>();
  for (const name of [...files.names].sort()) {
    const match = /^chunk-(\d{6})\.\d{6}$/.exec(name);
    if (!match) continue;
    const number = Number(match[1]);
    versions.set(number, [...(versions.get(number) ?? []), name]);
  }
  let next = 0;
  for (const number of [...versions.keys()].sort((a, b) => a - b)) {
    if (number < next) continue; // hidden by a merged chunk
    if (number > next) throw new NotALog(`chunk ${next} is missing`);
    const file = versions.get(number)!.at(-1)!;
    const bytes = files.read(file)!;
    const chunkSize = bytes.readInt32LE(2);
    const [first, last] = [bytes.readInt32LE(6), bytes.readInt32LE(10)];
    if (bytes[0] !== 2 || first !== number) throw new NotALog(`${file} has the header of something else`);
    if (first * chunkSize > writer) break; // prepared for the next record, or left by a cut
    const isLast = writer < (last + 1) * chunkSize;
    const isCompleted = !isLast && (bytes[bytes.length - FOOTER]! & 1) === 1;
    if (!isLast && !isCompleted && writer !== (last + 1) * chunkSize)
      throw new NotALog(`${file} is not completed`);
    chunks.push({ file, first, last, isScavenged: bytes.readInt32LE(14) > 0, isCompleted, bytes, chunkSize });
    next = last + 1;
  }
  const chunkSize = chunks[0]?.chunkSize ?? 0;
  if (next * chunkSize < writer) throw new NotALog(`the log ends before ${writer}`);
  const records = chunks.flatMap((chunk) => recordsOf(chunk, chunkSize, writer));
  return {
    chunkSize,
    writer,
    chunks: chunks.map(({ bytes: _bytes, chunkSize: _size, ...chunk }) => chunk),
    records
  };
}

function readCheckpoint({ read }: LogFiles, name: string, missing: number): number {
  const bytes = read(name);
  return bytes ? Number(Buffer.concat([bytes, Buffer.alloc(8)]).readBigInt64LE(0)) : missing;
}

function recordsOf(
  { file, first, bytes, isCompleted }: ReadChunk & { bytes: Buffer },
  chunkSize: number,
  writer: number
): AnyRecord[] {
  const start = first * chunkSize;
  let end = writer - start;
  if (isCompleted) {
    const stored = bytes.subarray(-16).toString('hex');
    const computed = hash('md5', bytes.subarray(0, -16), 'hex');
    if (stored !== computed) throw new NotALog(`${file} has the hash ${computed}, its footer says ${stored}`);
    end = bytes.readInt32LE(bytes.length - FOOTER + 1);
  }
  const map = isCompleted ? mapOf(bytes) : undefined;
  const records: AnyRecord[] = [];
  for (let at = 0, last = -1; at < end;) {
    const where = `${file}, offset ${HEADER + at}`;
    if (at + 4 > end) throw new NotALog(`${where}: half a record`);
    const length = bytes.readInt32LE(HEADER + at);
    if (length <= 0 || length > LONGEST || at + length + 8 > end) {
      if (!isCompleted && length === 0 && writer % chunkSize === 0) break; // filled to its last record
      throw new NotALog(`${where}: a record of ${length} bytes`);
    }
    if (bytes.readInt32LE(HEADER + at + 4 + length) !== length) throw new NotALog(`${where}: two lengths`);
    const payload = bytes.subarray(HEADER + at + 4, HEADER + at + 4 + length);
    const record = readRecord(payload, where);
    const offset = record.position - start;
    if (offset <= last)
      throw new NotALog(`${where}: position ${record.position} is not behind the one before`);
    if ((map ? map.get(at) : at) !== offset)
      throw new NotALog(`${where}: position ${record.position} is not its place`);
    if (record.position < writer) records.push(record);
    last = offset;
    at += length + 8;
  }
  if (map && map.size !== records.length)
    throw new NotALog(`${file}: ${map.size} places for ${records.length} records`);
  return records;
}

/** Logical offsets by physical ones; undefined: the file has no map, and both are the same. */
function mapOf(bytes: Buffer): Map<number, number> | undefined {
  const footer = bytes.length - FOOTER;
  const isWide = (bytes[footer]! & 2) === 2;
  const physical = bytes.readInt32LE(footer + 1);
  const size = bytes.readInt32LE(footer + (isWide ? 13 : 9));
  if (size === 0) return undefined;
  const map = new Map<number, number>();
  const step = isWide ? 12 : 8;
  for (let at = HEADER + physical; at < HEADER + physical + size; at += step)
    map.set(bytes.readInt32LE(at), isWide ? Number(bytes.readBigInt64LE(at + 4)) : bytes.readInt32LE(at + 4));
  return map;
}

function readRecord(payload: Buffer, where: string): AnyRecord {
  const [type, version] = [payload[0], payload[1]!];
  const common = {
    position: Number(payload.readBigInt64LE(2)),
    length: payload.length,
    digest: hash('sha256', payload, 'hex').slice(0, 16)
  };
  if (type === 2) return { ...common, kind: 'system' };
  let at = 10;
  const int64 = (): bigint => payload.readBigInt64LE((at += 8) - 8);
  const int32 = (): number => payload.readInt32LE((at += 4) - 4);
  const take = (count: number): Buffer => payload.subarray(at, (at += count));
  if (type === 1) {
    const transactionPosition = Number(int64());
    const narrow = version === 0 ? BigInt(int32()) : int64();
    const firstEventNumber = version === 0 && narrow === 0x7fff_ffffn ? 2n ** 63n - 1n : narrow;
    return { ...common, kind: 'commit', transactionPosition, firstEventNumber };
  }
  if (type !== 0) throw new NotALog(`${where}: a record of type ${type}`);
  const flags = payload.readUInt16LE((at += 2) - 2);
  const transactionPosition = Number(int64());
  const transactionOffset = int32();
  const narrow = version === 0 ? BigInt(int32()) : int64();
  const expectedVersion = version === 0 && narrow === 0x7fff_fffen ? 2n ** 63n - 2n : narrow;
  const text = (): string => {
    let length = 0;
    for (let shift = 0, byte = 0x80; byte >= 0x80; shift += 7) {
      byte = payload[at++]!;
      length += (byte & 0x7f) * 2 ** shift;
    }
    return payload.toString('utf8', at, (at += length));
  };
  const stream = text();
  const eventId = guidOf(take(16));
  take(16); // correlation id
  const ticks = int64();
  const eventType = text();
  const data = take(int32());
  const metadata = take(int32());
  if (at !== payload.length) throw new NotALog(`${where}: the record does not end with its metadata`);
  return {
    ...common,
    kind: 'prepare',
    flags,
    transactionPosition,
    transactionOffset,
    expectedVersion,
    stream,
    eventId,
    ticks,
    eventType,
    data,
    metadata
  };
}

/** The first three groups have their lowest byte first. */
function guidOf(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  const byte = (at: number): string => hex.slice(2 * at, 2 * at + 2);
  const turned = `${byte(3)}${byte(2)}${byte(1)}${byte(0)}-${byte(5)}${byte(4)}-${byte(7)}${byte(6)}`;
  return `${turned}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
