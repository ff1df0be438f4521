/**
 * The last 128 bytes of a completed chunk file.
 *
 *   0 flags | 1 physical data size | 5 logical data size (8 bytes) | 13 map size | 17..111 zero | 112 MD5
 *   With flag bit 1 clear (the 1.0 line): 5 logical data size (4 bytes) | 9 map size, entries of 8 bytes
 *
 * The MD5 covers every byte of the file before it. Format: docs/format/chunks.md, "Footer".
 */
import { readInt64, writeInt64 } from '../codec/int64.ts';

export const CHUNK_FOOTER_LENGTH = 128;
export const MD5_LENGTH = 16;
const FLAG_COMPLETED = 1;
const FLAG_MAP_12_BYTES = 2;

export interface ChunkFooter {
  isCompleted: boolean;
  /** Position map entries take 12 bytes instead of 8; set even where there is no map. */
  isMap12Bytes: boolean;
  /** Bytes of framed records in the file. */
  physicalDataSize: number;
  /** Logical offset behind the last record. */
  logicalDataSize: number;
  /** Bytes. */
  mapSize: number;
  /** Lower-case hex. */
  md5: string;
}

/** Decodes 128 bytes; gives a sentence instead when sizes contradict each other. */
export function decodeChunkFooter(bytes: Uint8Array): ChunkFooter | string {
  if (bytes.length < CHUNK_FOOTER_LENGTH)
    return `only ${bytes.length} of the 128 bytes of a chunk footer are there`;
  const view = new DataView(bytes.buffer, bytes.byteOffset, CHUNK_FOOTER_LENGTH);
  const flags = bytes[0]!;
  const isMap12Bytes = (flags & FLAG_MAP_12_BYTES) !== 0;
  const footer: ChunkFooter = {
    isCompleted: (flags & FLAG_COMPLETED) !== 0,
    isMap12Bytes,
    physicalDataSize: view.getInt32(1, true),
    logicalDataSize: isMap12Bytes ? readInt64(view, 5) : view.getInt32(5, true),
    mapSize: view.getInt32(isMap12Bytes ? 13 : 9, true),
    md5: Buffer.from(bytes.buffer, bytes.byteOffset + 112, MD5_LENGTH).toString('hex')
  };
  if (!footer.isCompleted) return footer; // zeros or stale record bytes: nothing in them means anything
  if (footer.physicalDataSize < 0) return `a physical data size of ${footer.physicalDataSize} is impossible`;
  if (footer.logicalDataSize < footer.physicalDataSize || footer.logicalDataSize > Number.MAX_SAFE_INTEGER) {
    return `the logical data size ${footer.logicalDataSize} does not fit the physical one, ${footer.physicalDataSize}`;
  }
  const entryLength = isMap12Bytes ? 12 : 8;
  if (footer.mapSize < 0 || footer.mapSize % entryLength !== 0) {
    return `a map of ${footer.mapSize} bytes is not a whole number of entries of ${entryLength}`;
  }
  return footer;
}

/** Bytes 0 to 111; the caller appends the hash that it computed. */
export function encodeChunkFooterHead(
  footer: Omit<ChunkFooter, 'md5' | 'isCompleted' | 'isMap12Bytes'>
): Uint8Array {
  const bytes = new Uint8Array(CHUNK_FOOTER_LENGTH - MD5_LENGTH);
  const view = new DataView(bytes.buffer);
  bytes[0] = FLAG_COMPLETED | FLAG_MAP_12_BYTES;
  view.setInt32(1, footer.physicalDataSize, true);
  writeInt64(view, 5, footer.logicalDataSize);
  view.setInt32(13, footer.mapSize, true);
  return bytes;
}
