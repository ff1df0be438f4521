/**
 * A digest as a file: eight bytes that name the form, the length of the description and its checksum, the description
 * (JSON: whose digest it is, and each column with its length and checksum), then the columns, each at a multiple of eight.
 * Every byte is checked before any is used; what does not fit is no digest. The form is ours alone and changes with
 * FORM: an older file is made again.
 */
import { crc32 } from 'node:zlib';
import { ChunkDigest, type DigestColumns } from './chunk-digest.ts';

/** Changes whenever what a digest holds, or how, changes. */
const FORM = 'WNWDIG01';
const FIXED_BYTES = 16;
const ALIGNMENT = 8;

const COLUMN_NAMES = [
  'kinds',
  'flags',
  'offsets',
  'logical',
  'streams',
  'types',
  'numbers',
  'timeHigh',
  'timeLow',
  'hashHigh',
  'hashLow',
  'nameEnds',
  'names',
  'streamStarts',
  'byStream',
  'typeEnds',
  'typeNames',
  'inTransaction',
  'transactionPositions',
  'transactionOffsets',
  'withData',
  'dataEnds',
  'data'
] as const satisfies (keyof DigestColumns)[];
type ColumnName = (typeof COLUMN_NAMES)[number];

interface Description {
  identity: string;
  startPosition: number;
  dataSize: number;
  isHashed: boolean;
  /** Bytes and checksum of each column, in the order of COLUMN_NAMES. */
  columns: [bytes: number, sum: number][];
}

/** `identity`: of the chunk, see digest-identity.ts. */
export function encodeDigest(digest: ChunkDigest, identity: string): Uint8Array {
  const columns = COLUMN_NAMES.map((name) => bytesOf(digest.columns[name]));
  const { startPosition, dataSize, isHashed } = digest;
  const description: Description = {
    identity,
    startPosition,
    dataSize,
    isHashed,
    columns: columns.map((bytes) => [bytes.length, crc32(bytes)])
  };
  const text = Buffer.from(JSON.stringify(description), 'utf8');
  let end = aligned(FIXED_BYTES + text.length);
  const places = columns.map((bytes) => {
    const place = end;
    end = aligned(end + bytes.length);
    return place;
  });
  const file = Buffer.alloc(end);
  file.write(FORM, 0, 'latin1');
  file.writeUInt32LE(text.length, 8);
  file.writeUInt32LE(crc32(text), 12);
  text.copy(file, FIXED_BYTES);
  columns.forEach((bytes, i) => file.set(bytes, places[i]));
  return file;
}

/** undefined unless `file` is the whole and unchanged digest of the chunk with this identity. Its columns lie in `file`. */
export function decodeDigest(file: Uint8Array<ArrayBuffer>, identity: string): ChunkDigest | undefined {
  const description = describe(file);
  if (description?.identity !== identity) return undefined;
  const places = new Map<ColumnName, { from: number; length: number }>();
  let at = aligned(FIXED_BYTES + new DataView(file.buffer, file.byteOffset).getUint32(8, true));
  for (const [i, name] of COLUMN_NAMES.entries()) {
    const [length, sum] = description.columns[i]!;
    if (at + length > file.length || crc32(file.subarray(at, at + length)) !== sum) return undefined;
    places.set(name, { from: file.byteOffset + at, length });
    at = aligned(at + length);
  }
  return new ChunkDigest(columnsOf(file.buffer, places), description);
}

/** Written out: with columns that were put in one by one, each access in a loop would be several times as slow. */
function columnsOf(
  buffer: ArrayBuffer,
  places: ReadonlyMap<ColumnName, { from: number; length: number }>
): DigestColumns {
  const over = <T>(
    name: ColumnName,
    Column: { new (buffer: ArrayBuffer, from: number, length: number): T; BYTES_PER_ELEMENT: number }
  ): T => {
    const { from, length } = places.get(name)!;
    return new Column(buffer, from, length / Column.BYTES_PER_ELEMENT);
  };
  return {
    kinds: over('kinds', Uint8Array),
    flags: over('flags', Uint16Array),
    offsets: over('offsets', Uint32Array),
    logical: over('logical', Float64Array),
    streams: over('streams', Uint32Array),
    types: over('types', Uint32Array),
    numbers: over('numbers', Float64Array),
    timeHigh: over('timeHigh', Int32Array),
    timeLow: over('timeLow', Uint32Array),
    hashHigh: over('hashHigh', Uint32Array),
    hashLow: over('hashLow', Uint32Array),
    nameEnds: over('nameEnds', Uint32Array),
    names: over('names', Uint8Array),
    streamStarts: over('streamStarts', Uint32Array),
    byStream: over('byStream', Uint32Array),
    typeEnds: over('typeEnds', Uint32Array),
    typeNames: over('typeNames', Uint8Array),
    inTransaction: over('inTransaction', Uint32Array),
    transactionPositions: over('transactionPositions', Float64Array),
    transactionOffsets: over('transactionOffsets', Int32Array),
    withData: over('withData', Uint32Array),
    dataEnds: over('dataEnds', Uint32Array),
    data: over('data', Uint8Array)
  };
}

/** The size that the file of this digest must have, from its first bytes; undefined when they are not those of it. */
export function digestFileSize(head: Uint8Array<ArrayBuffer>, identity: string): number | undefined {
  const description = describe(head);
  if (description?.identity !== identity) return undefined;
  const first = aligned(FIXED_BYTES + new DataView(head.buffer, head.byteOffset).getUint32(8, true));
  return description.columns.reduce((end, [length]) => aligned(end + length), first);
}

function describe(file: Uint8Array<ArrayBuffer>): Description | undefined {
  if (file.length < FIXED_BYTES || file.byteOffset % ALIGNMENT !== 0) return undefined;
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  for (let i = 0; i < FORM.length; i++) if (file[i] !== FORM.charCodeAt(i)) return undefined;
  const end = FIXED_BYTES + view.getUint32(8, true);
  if (end > file.length) return undefined;
  const text = file.subarray(FIXED_BYTES, end);
  if (crc32(text) !== view.getUint32(12, true)) return undefined;
  return JSON.parse(Buffer.from(text).toString('utf8')) as Description;
}

function bytesOf(column: DigestColumns[ColumnName]): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
}

function aligned(at: number): number {
  return Math.ceil(at / ALIGNMENT) * ALIGNMENT;
}
