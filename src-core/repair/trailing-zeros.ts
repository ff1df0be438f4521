/**
 * A completed chunk with zeros behind its end, as a crash or a copy to a larger block leaves them. Where the file without
 * them ends with a footer that fits it, and its hash is the stored one, the zeros never belonged to it.
 */
import { createHash } from 'node:crypto';
import { CHUNK_FOOTER_LENGTH, MD5_LENGTH, decodeChunkFooter } from '../chunks/chunk-footer.ts';
import { CHUNK_HEADER_LENGTH } from '../chunks/chunk-header.ts';
import type { OperationControl } from '../database/operation-control.ts';
import type { FileSystem, OpenFile } from '../storage/file-system.ts';

const BLOCK_BYTES = 1024 * 1024;

export interface TrailingZeros {
  fileSystem: FileSystem;
  path: string;
  control: OperationControl;
}

/** Length of the file without the zeros; undefined if there are none, or if the rest is not a whole chunk. */
export async function lengthWithoutZeros({
  fileSystem,
  path,
  control
}: TrailingZeros): Promise<number | undefined> {
  if (fileSystem.describe(path) === undefined) return undefined;
  const file = fileSystem.open(path, 'read');
  try {
    const size = file.size();
    const end = await endOfBytes(file, size, control);
    // The stored hash may itself end with zeros.
    for (let length = end; length < Math.min(size, end + MD5_LENGTH); length++) {
      if (hasFooter(file, length) && (await isHashRight(file, length, control))) return length;
    }
    return undefined;
  } finally {
    file.close();
  }
}

/** The first bytes of a file. */
export function* readStart(fileSystem: FileSystem, path: string, length: number): Generator<Uint8Array> {
  const file = fileSystem.open(path, 'read');
  try {
    for (let at = 0; at < length;) {
      const block = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, length - at));
      const count = file.read(block, 0, block.length, at);
      if (count === 0) return;
      at += count;
      yield block.subarray(0, count);
    }
  } finally {
    file.close();
  }
}

/** Behind the last byte that is not zero. */
async function endOfBytes(file: OpenFile, size: number, control: OperationControl): Promise<number> {
  const block = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, size));
  for (let end = size; end > 0;) {
    const from = Math.max(0, end - block.length);
    const count = file.read(block, 0, end - from, from);
    const last = block.subarray(0, count).findLastIndex((byte) => byte !== 0);
    if (last >= 0) return from + last + 1;
    end = from;
    if (control.isDue) await control.breathe();
  }
  return 0;
}

function hasFooter(file: OpenFile, length: number): boolean {
  if (length < CHUNK_HEADER_LENGTH + CHUNK_FOOTER_LENGTH) return false;
  const bytes = new Uint8Array(CHUNK_FOOTER_LENGTH);
  file.read(bytes, 0, bytes.length, length - CHUNK_FOOTER_LENGTH);
  const footer = decodeChunkFooter(bytes);
  if (typeof footer === 'string' || !footer.isCompleted) return false;
  return CHUNK_HEADER_LENGTH + footer.physicalDataSize + footer.mapSize + CHUNK_FOOTER_LENGTH <= length;
}

async function isHashRight(file: OpenFile, length: number, control: OperationControl): Promise<boolean> {
  const md5 = createHash('md5');
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  const end = length - MD5_LENGTH;
  for (let at = 0; at < end;) {
    const count = file.read(block, 0, Math.min(block.length, end - at), at);
    if (count === 0) return false;
    md5.update(block.subarray(0, count));
    at += count;
    if (control.isDue) await control.breathe();
  }
  const stored = Buffer.alloc(MD5_LENGTH);
  file.read(stored, 0, MD5_LENGTH, end);
  return md5.digest().equals(stored);
}
