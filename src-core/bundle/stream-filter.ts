/**
 * The filter of all streams that ever existed (index/existence-filter.ts) for the names of a bundle: as large as that of
 * the source, which may be 273 MB, with the same check point. It holds every stream that was met, which is what the server
 * needs of it: one too many does no harm, one too few hides a stream.
 */
import { BloomFilter } from '../index/bloom-filter.ts';
import {
  EXISTENCE_CHECKPOINT_NAME,
  EXISTENCE_FILTER_DIRECTORY,
  EXISTENCE_FILTER_NAME
} from '../index/existence-filter.ts';
import { readFilterSize } from '../index/filter-file.ts';
import { hashStream } from '../index/stream-hash.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { checkpointBytes } from './checkpoint-bytes.ts';
import { SparseFile } from './sparse-file.ts';

export class StreamFilter {
  readonly #filter: BloomFilter;
  /** Byte by byte: one that is no position is no position in the bundle either. */
  readonly #checkpoint: Uint8Array;
  readonly #hash = { high: 0, low: 0 };

  private constructor(filter: BloomFilter, checkpoint: Uint8Array) {
    this.#filter = filter;
    this.#checkpoint = checkpoint;
  }

  /** undefined: the source has none that could be read, and the bundle has none. */
  static like(fileSystem: FileSystem, sourceIndex: string): StreamFilter | undefined {
    const directory = fileSystem.join(sourceIndex, EXISTENCE_FILTER_DIRECTORY);
    const checkpointFile = fileSystem.join(directory, EXISTENCE_CHECKPOINT_NAME);
    const path = fileSystem.join(directory, EXISTENCE_FILTER_NAME);
    const known = checkpointBytes(fileSystem, checkpointFile);
    if (known === undefined) return undefined;
    const size = readFilterSize(fileSystem, path);
    return typeof size === 'number' ? new StreamFilter(BloomFilter.empty(size), known) : undefined;
  }

  /** `stream`: its name in the bundle. */
  add(stream: string): void {
    const { high, low } = hashStream(stream, this.#hash);
    this.#filter.add(high, low);
  }

  write(fileSystem: FileSystem, targetIndex: string): void {
    const directory = fileSystem.join(targetIndex, EXISTENCE_FILTER_DIRECTORY);
    fileSystem.makeDirectory(directory);
    writeFile(fileSystem, fileSystem.join(directory, EXISTENCE_FILTER_NAME), this.#filter.encode());
    writeFile(fileSystem, fileSystem.join(directory, EXISTENCE_CHECKPOINT_NAME), this.#checkpoint);
    fileSystem.syncDirectory(directory);
  }
}

function writeFile(fileSystem: FileSystem, path: string, bytes: Uint8Array): void {
  const file = new SparseFile(fileSystem, path);
  try {
    file.put(bytes);
    file.complete(bytes.length);
  } catch (error) {
    file.close();
    throw error;
  }
}
