/**
 * Reads a filter from its file: its header first, so that a file that cannot be one costs a line and no more. A filter is
 * only an aid: a directory, a pipe or a device of its name is a filter that is not used, and no reason to answer nothing.
 */
import { isFileGone } from '../errors.ts';
import { isIrregular, type FileSystem, type OpenFile } from '../storage/file-system.ts';
import { BloomFilter, decodeFilterHeader, LINE_SIZE_BYTES, type DecodedFilter } from './bloom-filter.ts';

/** Undefined if there is no file. */
export function readFilterFile(fileSystem: FileSystem, path: string): DecodedFilter | undefined {
  const file = openFilter(fileSystem, path);
  if (file === undefined) return undefined;
  if ('problem' in file) return { damagedLineCount: 0, ...file };
  try {
    const size = file.size();
    const logicalSizeBytes = readHeader(file, size);
    if (typeof logicalSizeBytes === 'string') return { damagedLineCount: 0, problem: logicalSizeBytes };
    const bytes = new Uint8Array(size);
    return BloomFilter.decode(bytes.subarray(0, file.read(bytes, 0, size, 0)));
  } finally {
    file.close();
  }
}

/** Bytes of bits that its header names, or why it is not used; undefined if there is no file. */
export function readFilterSize(fileSystem: FileSystem, path: string): number | string | undefined {
  const file = openFilter(fileSystem, path);
  if (file === undefined) return undefined;
  if ('problem' in file) return file.problem;
  try {
    return readHeader(file, file.size());
  } finally {
    file.close();
  }
}

function readHeader(file: OpenFile, size: number): number | string {
  const header = new Uint8Array(LINE_SIZE_BYTES);
  return decodeFilterHeader(header.subarray(0, file.read(header, 0, LINE_SIZE_BYTES, 0)), size);
}

interface NoFile {
  problem: string;
  isIrregular: true;
}

function openFilter(fileSystem: FileSystem, path: string): OpenFile | NoFile | undefined {
  const facts = fileSystem.describe(path);
  if (facts === undefined) return undefined;
  if (facts.isDirectory) return noFile('a directory');
  try {
    return fileSystem.open(path, 'read');
  } catch (error) {
    if (isFileGone(error)) return undefined;
    if (!isIrregular(error)) throw error;
    return noFile(String(error.details.found));
  }
}

function noFile(kind: string): NoFile {
  return { problem: `it is ${kind}, not a regular file`, isIrregular: true };
}
