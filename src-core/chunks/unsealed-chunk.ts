/**
 * A new chunk file that lacks nothing but its hash, which is its last 16 bytes. Several of them are hashed side by side, which
 * takes less than half of the time that each needs while it is written. Format: docs/format/chunks.md.
 */
import { assert } from '../assert.ts';
import { requireUnchanged } from '../storage/unchanged-file.ts';
import type { FileSystem, OpenFile } from '../storage/file-system.ts';
import { md5OfFiles } from './chunk-checksum.ts';
import { CHUNK_FOOTER_LENGTH, decodeChunkFooter, MD5_LENGTH } from './chunk-footer.ts';

/** The server's mode for complete files: they are never written again. */
export const COMPLETED_FILE_MODE = 0o444;

/** Plain values, so that it may cross to a worker. */
export interface UnsealedChunk {
  path: string;
  /** Of the file once it has its hash. */
  fileSize: number;
  physicalDataSize: number;
  logicalDataSize: number;
  mapSize: number;
}

/**
 * The hashes that belong to at most as many files as there are lanes: lower-case hex digits. Hashed is what the files hold,
 * not what was meant to be written. Fails when one of them cannot be read.
 */
export async function hashUnsealed(
  fileSystem: FileSystem,
  files: readonly UnsealedChunk[],
  onBytes: (count: number) => Promise<void> | void
): Promise<string[]> {
  return md5OfFiles(
    fileSystem,
    files.map(({ path, fileSize }) => ({ path, byteCount: fileSize - MD5_LENGTH })),
    onBytes
  );
}

/** Writes the hash, flushes, and makes the file read-only: it may be put in place then. */
export function sealChunk(fileSystem: FileSystem, unsealed: UnsealedChunk, md5: string): void {
  const file = fileSystem.open(unsealed.path, 'readWrite');
  try {
    writeSeal(file, unsealed, md5);
  } finally {
    file.close();
  }
  fileSystem.changeMode(unsealed.path, COMPLETED_FILE_MODE);
}

/** The same of a file that is open. */
export function writeSeal(file: OpenFile, unsealed: UnsealedChunk, md5: string): void {
  const bytes = Buffer.from(md5, 'hex');
  assert(bytes.length === MD5_LENGTH, 'the hash is whole');
  file.write(bytes, 0, MD5_LENGTH, unsealed.fileSize - MD5_LENGTH);
  file.sync();
  readBack(file, unsealed, md5);
}

/** The pair of the encoder: what a reader will see at the end of the file is what was meant. */
function readBack(file: OpenFile, { fileSize, physicalDataSize }: UnsealedChunk, md5: string): void {
  requireUnchanged(
    file.size() === fileSize,
    file.path,
    `it has ${file.size()} bytes, ${fileSize} were written`
  );
  const bytes = Buffer.alloc(CHUNK_FOOTER_LENGTH);
  file.read(bytes, 0, bytes.length, fileSize - CHUNK_FOOTER_LENGTH);
  const footer = decodeChunkFooter(bytes);
  requireUnchanged(typeof footer !== 'string', file.path, typeof footer === 'string' ? footer : '');
  const isSame = footer.isCompleted && footer.physicalDataSize === physicalDataSize && footer.md5 === md5;
  requireUnchanged(isSame, file.path, 'its footer is not the one that was written');
}
