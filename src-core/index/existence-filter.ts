/**
 * The filter over all streams that ever existed: `stream-existence/streamExistenceFilter.dat`, and beside it a
 * check point, eight bytes: every stream with a record before that position is in the filter (-1: none is, build it
 * again). The server adds the streams after the check point at its start, so removing records never harms it.
 * Streams that appear before the check point for the first time would be invisible: then remove both files.
 */
import { readInt64 } from '../codec/int64.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { readWholeFile } from '../storage/file-system.ts';
import { entriesByName } from '../storage/remove-entry.ts';
import type { DecodedFilter } from './bloom-filter.ts';
import { readFilterFile } from './filter-file.ts';

export const EXISTENCE_FILTER_DIRECTORY = 'stream-existence';
export const EXISTENCE_FILTER_NAME = 'streamExistenceFilter.dat';
export const EXISTENCE_CHECKPOINT_NAME = 'streamExistenceFilter.chk';
const CHECKPOINT_SIZE_BYTES = 8;

export interface ExistenceFilter extends DecodedFilter {
  /** Up to where in the log the filter is complete. -1: it will be rebuilt. */
  checkpoint: number;
}

/** Reads both files (273 MB by default). Undefined if there is no filter. */
export function readExistenceFilter(
  fileSystem: FileSystem,
  indexDirectory: string
): ExistenceFilter | undefined {
  const directory = fileSystem.join(indexDirectory, EXISTENCE_FILTER_DIRECTORY);
  const filter = readFilterFile(fileSystem, fileSystem.join(directory, EXISTENCE_FILTER_NAME));
  if (!filter) return undefined;
  return { ...filter, checkpoint: readExistenceCheckpoint(fileSystem, directory) };
}

/** -1: there is none, or one that the server makes again. */
export function readExistenceCheckpoint(fileSystem: FileSystem, directory: string): number {
  const path = fileSystem.join(directory, EXISTENCE_CHECKPOINT_NAME);
  if (fileSystem.describe(path)?.size !== CHECKPOINT_SIZE_BYTES) return -1;
  const stored = readWholeFile(fileSystem, path);
  if (stored?.length !== CHECKPOINT_SIZE_BYTES) return -1;
  return readInt64(new DataView(stored.buffer, stored.byteOffset, CHECKPOINT_SIZE_BYTES), 0);
}

/**
 * The server rebuilds the filter at its next start. The check point goes first: alone, the filter is nothing. Says whether
 * there was a filter.
 */
export function removeExistenceFilter(fileSystem: FileSystem, indexDirectory: string): boolean {
  const directory = fileSystem.join(indexDirectory, EXISTENCE_FILTER_DIRECTORY);
  const entries = entriesByName(fileSystem, directory);
  for (const name of [EXISTENCE_CHECKPOINT_NAME, EXISTENCE_FILTER_NAME]) {
    if (entries.get(name)?.isDirectory !== true) fileSystem.remove(fileSystem.join(directory, name));
  }
  return entries.get(EXISTENCE_FILTER_NAME)?.isDirectory === false;
}
