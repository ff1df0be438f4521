/**
 * The first 128 bytes of a chunk file.
 *
 *   0 file type (2) | 1 lowest version a reader must know | 2 chunk size | 6 first chunk | 10 last chunk
 *   14 is scavenged | 18 chunk id | 34 version (0: as byte 1) | 35 transform | 36..127 zero
 *
 * Format: docs/format/chunks.md, "Header".
 */
import type { ChunkNumber } from '../units/of-unit.ts';
import { decodeGuid, encodeGuid } from '../codec/guid.ts';

export const CHUNK_HEADER_LENGTH = 128;
export const CHUNK_FILE_TYPE = 2;
/** Place in a header of the oldest format version that its reader must know. */
export const READER_VERSION_OFFSET = 1;
/** The newest format version this engine reads and writes. */
export const NEWEST_CHUNK_VERSION = 4;
/** From this version on files are padded to a multiple of 4096. */
export const FIRST_ALIGNED_VERSION = 3;
/**
 * File names have room for no more. So positions stay below 2^53 for every chunk size, and a loop over the
 * chunks of a merged file ends.
 */
const HIGHEST_CHUNK_NUMBER = 999_999;
const FIRST_TRANSFORM_VERSION = 4;

export interface ChunkHeader {
  /** Format version, 2 to 4. */
  version: number;
  minCompatibleVersion: number;
  /** Logical bytes a chunk number covers. */
  chunkSizeBytes: number;
  startNumber: ChunkNumber;
  /** Inclusive, as stored. */
  endNumber: ChunkNumber;
  isScavenged: boolean;
  chunkId: string;
  /** 0 none, 1 AES-GCM; anything else is unknown. */
  transformType: number;
}

/** Decodes 128 bytes; gives a sentence instead if they are not a header that this engine can read. */
export function decodeChunkHeader(bytes: Uint8Array): ChunkHeader | string {
  if (bytes.length < CHUNK_HEADER_LENGTH)
    return `only ${bytes.length} of the 128 bytes of a chunk header are there`;
  const view = new DataView(bytes.buffer, bytes.byteOffset, CHUNK_HEADER_LENGTH);
  if (bytes[0] !== CHUNK_FILE_TYPE) return `byte 0 is ${bytes[0]}, a chunk file has ${CHUNK_FILE_TYPE}`;
  const minCompatibleVersion = bytes[1]!;
  const version = bytes[34] === 0 ? minCompatibleVersion : bytes[34]!;
  const chunkSizeBytes = view.getInt32(2, true);
  const startNumber = view.getInt32(6, true);
  const endNumber = view.getInt32(10, true);
  if (chunkSizeBytes <= 0) return `a chunk size of ${chunkSizeBytes} is impossible`;
  if (startNumber < 0) return `a first chunk number of ${startNumber} is impossible`;
  if (endNumber < startNumber) return `the last chunk number ${endNumber} is below the first, ${startNumber}`;
  if (endNumber > HIGHEST_CHUNK_NUMBER) return `a last chunk number of ${endNumber} does not fit six digits`;
  return {
    version,
    minCompatibleVersion,
    chunkSizeBytes,
    startNumber,
    endNumber,
    isScavenged: view.getInt32(14, true) > 0,
    chunkId: decodeGuid(bytes, 18),
    transformType: version >= FIRST_TRANSFORM_VERSION ? bytes[35]! : 0
  };
}

export function encodeChunkHeader(header: ChunkHeader): Uint8Array {
  const bytes = new Uint8Array(CHUNK_HEADER_LENGTH);
  const view = new DataView(bytes.buffer);
  bytes[0] = CHUNK_FILE_TYPE;
  bytes[1] = header.minCompatibleVersion;
  view.setInt32(2, header.chunkSizeBytes, true);
  view.setInt32(6, header.startNumber, true);
  view.setInt32(10, header.endNumber, true);
  view.setInt32(14, header.isScavenged ? 1 : 0, true);
  encodeGuid(header.chunkId, bytes, 18);
  if (header.version >= FIRST_TRANSFORM_VERSION) {
    bytes[34] = header.version;
    bytes[35] = header.transformType;
  }
  return bytes;
}

/** Name of a transform for messages; undefined when the data lies as it is. */
export function transformName(header: ChunkHeader): string | undefined {
  if (header.transformType === 0) return undefined;
  return header.transformType === 1 ? 'AES-GCM, type 1' : `unknown, type ${header.transformType}`;
}
