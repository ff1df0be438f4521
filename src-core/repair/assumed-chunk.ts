/**
 * A chunk file taken for what its name says, whatever its header and footer say: for walking records that still lie
 * in a file which opening refuses. Nothing is concluded from it but what the records themselves confirm.
 */
import { Chunk } from '../chunks/chunk.ts';
import { CHUNK_FOOTER_LENGTH, decodeChunkFooter } from '../chunks/chunk-footer.ts';
import { decodeChunkFileName } from '../chunks/chunk-file-name.ts';
import { CHUNK_HEADER_LENGTH, decodeChunkHeader, type ChunkHeader } from '../chunks/chunk-header.ts';
import { CHUNK_ALIGNMENT } from '../chunks/chunk-writer.ts';
import { EMPTY_GUID } from '../codec/guid.ts';
import type { FileSystem } from '../storage/file-system.ts';

export interface AssumeChunk {
  fileSystem: FileSystem;
  directory: string;
  fileName: string;
  /** Name of the file as it lies there, where that is a temporary one. */
  onDisk?: string;
  chunkSizeBytes: number;
}

export interface AssumedChunk {
  /** With all bytes behind the header as data: where records end they say themselves. */
  chunk: Chunk;
  /** Physical offset up to which the footer says that records lie; undefined without a footer that could be one. */
  dataEnd: number | undefined;
}

/** undefined if the name is not that of a chunk or the file holds nothing after a header. */
export function assumeChunk({
  fileSystem,
  directory,
  fileName,
  onDisk = fileName,
  chunkSizeBytes
}: AssumeChunk): AssumedChunk | undefined {
  const name = decodeChunkFileName(fileName);
  const path = fileSystem.join(directory, onDisk);
  if (!name || fileSystem.describe(path) === undefined) return undefined;
  const file = fileSystem.open(path, 'read');
  try {
    const fileSize = file.size();
    if (fileSize <= CHUNK_HEADER_LENGTH) return undefined;
    const bytes = new Uint8Array(CHUNK_HEADER_LENGTH);
    file.read(bytes, 0, CHUNK_HEADER_LENGTH, 0);
    const decoded = decodeChunkHeader(bytes);
    const header = assumedHeader(typeof decoded === 'string' ? undefined : decoded, {
      chunkNumber: name.chunkNumber,
      fileVersion: name.fileVersion,
      chunkSizeBytes
    });
    const chunk = new Chunk({
      fileName,
      path,
      fileVersion: name.fileVersion,
      fileSize,
      header,
      footer: null,
      isActive: false,
      dataSize: Math.min(fileSize - CHUNK_HEADER_LENGTH, chunkSizeBytes)
    });
    return { chunk, dataEnd: completedDataSize(file, fileSize) };
  } finally {
    file.close();
  }
}

function assumedHeader(
  decoded: ChunkHeader | undefined,
  named: { chunkNumber: number; fileVersion: number; chunkSizeBytes: number }
): ChunkHeader {
  const { chunkNumber, chunkSizeBytes } = named;
  if (decoded && isOf(decoded, named)) return decoded;
  return {
    version: 3,
    minCompatibleVersion: 3,
    chunkSizeBytes,
    startNumber: chunkNumber,
    endNumber: chunkNumber,
    isScavenged: decoded?.isScavenged ?? false,
    chunkId: decoded?.chunkId ?? EMPTY_GUID,
    transformType: decoded?.transformType ?? 0
  };
}

/** Only a scavenge merges, into a file of a later version: what else claims several chunks would hide the others. */
function isOf(
  { startNumber, endNumber, chunkSizeBytes, isScavenged }: ChunkHeader,
  named: { chunkNumber: number; fileVersion: number; chunkSizeBytes: number }
): boolean {
  const mayBeMerged = isScavenged && named.fileVersion > 0;
  return (
    startNumber === named.chunkNumber &&
    chunkSizeBytes === named.chunkSizeBytes &&
    (endNumber === startNumber || mayBeMerged)
  );
}

/**
 * Data bytes by the footer, if it fits the file to the byte of alignment and nothing but zeros lies before it; its completed
 * flag may be what is wrong.
 */
function completedDataSize(
  file: { read(target: Uint8Array, offset: number, length: number, position: number): number },
  fileSize: number
): number | undefined {
  if (fileSize < CHUNK_HEADER_LENGTH + CHUNK_FOOTER_LENGTH) return undefined;
  const bytes = new Uint8Array(CHUNK_FOOTER_LENGTH);
  file.read(bytes, 0, CHUNK_FOOTER_LENGTH, fileSize - CHUNK_FOOTER_LENGTH);
  const flagged = decodeChunkFooter(bytes);
  const isFlagged = typeof flagged !== 'string' && flagged.isCompleted;
  bytes[0]! |= 1;
  const footer = isFlagged ? flagged : decodeChunkFooter(bytes);
  if (typeof footer === 'string') return undefined;
  const spare =
    fileSize - CHUNK_HEADER_LENGTH - footer.physicalDataSize - footer.mapSize - CHUNK_FOOTER_LENGTH;
  if (spare < 0 || spare >= CHUNK_ALIGNMENT) return undefined; // it claims too little
  const padding = new Uint8Array(spare);
  file.read(padding, 0, spare, fileSize - CHUNK_FOOTER_LENGTH - spare);
  if (padding.some((byte) => byte !== 0)) return undefined; // the file ends within a record
  return !isFlagged && footer.physicalDataSize === 0 ? undefined : footer.physicalDataSize;
}

/** A completed chunk with everything between header and footer as data: its footer may claim too little. */
export function withWholeArea(chunk: Chunk): Chunk {
  if (!chunk.footer || chunk.isScavenged) return chunk;
  const area = chunk.fileSize - CHUNK_HEADER_LENGTH - CHUNK_FOOTER_LENGTH;
  const { fileName, path, fileVersion, fileSize, header, footer } = chunk;
  const dataSize = Math.max(chunk.dataSize, Math.min(area, header.chunkSizeBytes));
  return new Chunk({ fileName, path, fileVersion, fileSize, header, footer, isActive: false, dataSize });
}
