/** Reads a filter from its file: its header first, so that a file that cannot be one costs a line and no more. */
import type { FileSystem } from '../storage/file-system.ts';
import { BloomFilter, decodeFilterHeader, LINE_SIZE_BYTES, type DecodedFilter } from './bloom-filter.ts';

/** Undefined if there is no file. */
export function readFilterFile(fileSystem: FileSystem, path: string): DecodedFilter | undefined {
  if (fileSystem.describe(path) === undefined) return undefined;
  const file = fileSystem.open(path, 'read');
  try {
    const size = file.size();
    const header = new Uint8Array(LINE_SIZE_BYTES);
    const found = file.read(header, 0, LINE_SIZE_BYTES, 0);
    const logicalSizeBytes = decodeFilterHeader(header.subarray(0, found), size);
    if (typeof logicalSizeBytes === 'string') return { damagedLineCount: 0, problem: logicalSizeBytes };
    const bytes = new Uint8Array(size);
    return BloomFilter.decode(bytes.subarray(0, file.read(bytes, 0, size, 0)));
  } finally {
    file.close();
  }
}
