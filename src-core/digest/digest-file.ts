/** A digest as a file: see codec/column-file.ts. */
import {
  columnBytes,
  columnFileSize,
  columnPieces,
  columnPlaces,
  decodeColumns,
  readColumn,
  type ReadPart
} from '../codec/column-file.ts';
import { ChunkDigest, type DigestColumns, type DigestFacts } from './chunk-digest.ts';
import type { StreamPlaces } from './stored-streams.ts';

/** Changes whenever what a digest holds, or how, changes. */
const FORM = 'WNWDIG02';

/** The order in the file. */
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

/** Pieces that lie one behind the other. `identity`: of the chunk, see digest-identity.ts. */
export function encodeDigest(digest: ChunkDigest, identity: string): readonly Uint8Array[] {
  const { startPosition, dataSize, isHashed } = digest;
  const facts: DigestFacts = { startPosition, dataSize, isHashed };
  return columnPieces(
    { form: FORM, identity, facts },
    COLUMN_NAMES.map((name) => digest.columns[name])
  );
}

/** undefined unless `file` is the whole and unchanged digest of the chunk with this identity. Its columns lie in `file`. */
export function decodeDigest(file: Uint8Array<ArrayBuffer>, identity: string): ChunkDigest | undefined {
  const decoded = decodeColumns<DigestFacts>(file, { form: FORM, identity });
  if (decoded?.count !== COLUMN_NAMES.length) return undefined;
  const { next } = decoded;
  // Written out: with columns that were put in one by one, each access in a loop would be several times as slow. The order
  // is that of COLUMN_NAMES.
  const columns: DigestColumns = {
    kinds: next(Uint8Array),
    flags: next(Uint16Array),
    offsets: next(Uint32Array),
    logical: next(Float64Array),
    streams: next(Uint32Array),
    types: next(Uint32Array),
    numbers: next(Float64Array),
    timeHigh: next(Int32Array),
    timeLow: next(Uint32Array),
    hashHigh: next(Uint32Array),
    hashLow: next(Uint32Array),
    nameEnds: next(Uint32Array),
    names: next(Uint8Array),
    streamStarts: next(Uint32Array),
    byStream: next(Uint32Array),
    typeEnds: next(Uint32Array),
    typeNames: next(Uint8Array),
    inTransaction: next(Uint32Array),
    transactionPositions: next(Float64Array),
    transactionOffsets: next(Int32Array),
    withData: next(Uint32Array),
    dataEnds: next(Uint32Array),
    data: next(Uint8Array)
  };
  return new ChunkDigest(columns, decoded.facts);
}

/** The upper halves of the hashes of streams, rising, without the rest; undefined where they are not to be had. */
export function readUpperHashes(read: ReadPart, identity: string): Uint32Array<ArrayBuffer> | undefined {
  const bytes = readColumn(read, { form: FORM, identity }, COLUMN_NAMES.indexOf('hashHigh'));
  return bytes && new Uint32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 4));
}

/** Where the file has its streams; undefined where it is not that of this digest. */
export function findStreamColumns(read: ReadPart, identity: string): StreamPlaces | undefined {
  const places = columnPlaces(read, { form: FORM, identity });
  if (places?.length !== COLUMN_NAMES.length) return undefined;
  const placeOf = (name: keyof StreamPlaces) => places[COLUMN_NAMES.indexOf(name)]!;
  return {
    hashHigh: placeOf('hashHigh'),
    hashLow: placeOf('hashLow'),
    nameEnds: placeOf('nameEnds'),
    names: placeOf('names')
  };
}

/** The size that the file of this digest must have, from its first bytes; undefined when they are not those of it. */
export function digestFileSize(head: Uint8Array<ArrayBuffer>, identity: string): number | undefined {
  return columnFileSize(head, { form: FORM, identity });
}

/** Records of the chunk, from the first bytes of the file: the first column has a byte for each. */
export function digestRecordCount(head: Uint8Array<ArrayBuffer>, identity: string): number | undefined {
  return columnBytes(head, { form: FORM, identity })?.[0];
}
