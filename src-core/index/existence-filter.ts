/**
 * The filter over all streams that ever existed: `stream-existence/streamExistenceFilter.dat`, and beside it a
 * check point, eight bytes: every stream with a record before that position is in the filter (-1: none is, build it
 * anew). The server adds the streams behind the check point at its start, so removing records never harms it.
 * Streams that appear before the check point for the first time would be invisible: then remove both files.
 */
import { readInt64 } from '../codec/int64.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { readWholeFile } from '../storage/file-system.ts';
import { BloomFilter, type DecodedFilter } from './bloom-filter.ts';

export const EXISTENCE_FILTER_DIRECTORY = 'stream-existence';
export const EXISTENCE_FILTER_NAME = 'streamExistenceFilter.dat';
export const EXISTENCE_CHECKPOINT_NAME = 'streamExistenceFilter.chk';

export interface ExistenceFilter extends DecodedFilter {
  /** Up to where in the log the filter is complete. -1: it will be built anew. */
  checkpoint: number;
}

/** Reads both files (273 MB by default). Undefined when there is no filter. */
export function readExistenceFilter(
  fileSystem: FileSystem,
  indexDirectory: string
): ExistenceFilter | undefined {
  const directory = fileSystem.join(indexDirectory, EXISTENCE_FILTER_DIRECTORY);
  const bytes = readWholeFile(fileSystem, fileSystem.join(directory, EXISTENCE_FILTER_NAME));
  if (!bytes) return undefined;
  const stored = readWholeFile(fileSystem, fileSystem.join(directory, EXISTENCE_CHECKPOINT_NAME));
  const isWhole = stored?.length === 8;
  const checkpoint = isWhole ? readInt64(new DataView(stored.buffer, stored.byteOffset, 8), 0) : -1;
  return { ...BloomFilter.decode(bytes), checkpoint };
}

/** The server builds the filter anew at its next start. The check point goes first: alone, the filter is nothing. */
export function removeExistenceFilter(fileSystem: FileSystem, indexDirectory: string): void {
  const directory = fileSystem.join(indexDirectory, EXISTENCE_FILTER_DIRECTORY);
  fileSystem.remove(fileSystem.join(directory, EXISTENCE_CHECKPOINT_NAME));
  fileSystem.remove(fileSystem.join(directory, EXISTENCE_FILTER_NAME));
}
