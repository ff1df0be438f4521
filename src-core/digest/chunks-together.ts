/**
 * How many threads read chunks for their digests, and how many chunks each of them at once: as many as are hashed side by
 * side, fewer where records are short. A digest in the making takes memory for each record, and a chunk of short ones has
 * millions.
 */
import type { Chunk } from '../chunks/chunk.ts';
import { ChunkReader } from '../chunks/chunk-reader.ts';
import { requireFault } from '../errors.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { DIGESTS_TOGETHER } from './read-digest.ts';

/** Of all digests in the making, in all threads. */
const MEMORY_BYTES = 512 * 1024 * 1024;
/** Of a record: its columns, twice for a moment, and its share of names and metadata. */
const BYTES_OF_RECORD = 150;
/** Of a record in the digest that was made. */
const BYTES_OF_DIGEST = 75;
const SAMPLED_RECORDS = 1024;
/** What is read and digested by the thread that asks while another starts and compiles its code (docs/performance.md). */
const LEAST_THREAD_BYTES = 64 * 1024 * 1024;

export interface ChunksTogether {
  chunks: readonly Chunk[];
  /** At most so many. */
  threads: number;
  fileSystem: FileSystem;
  memoryBytes?: number;
  /** No thread is started for less. */
  leastThreadBytes?: number | undefined;
}

export interface PlannedReading {
  /** One: the thread that asks, without another. */
  threads: number;
  /** At least one. */
  together: number;
  /** What the digests of all these chunks will take, about; of a few it is not looked at. */
  digestBytes: number;
}

/** Told by the first records of three of the chunks. */
export function chunksTogether({
  chunks,
  threads: mostThreads,
  fileSystem,
  memoryBytes = MEMORY_BYTES,
  leastThreadBytes = LEAST_THREAD_BYTES
}: ChunksTogether): PlannedReading {
  const bytes = chunks.reduce((sum, { dataSize }) => sum + dataSize, 0);
  const worthwhile = Math.floor(bytes / leastThreadBytes);
  const threads = Math.max(1, Math.min(mostThreads, worthwhile, chunks.length));
  const wanted = Math.max(1, Math.min(DIGESTS_TOGETHER, Math.ceil(chunks.length / threads)));
  if (wanted === 1) return { threads, together: 1, digestBytes: 0 };
  const sampled = new Set([chunks[0]!, chunks[chunks.length >>> 1]!, chunks.at(-1)!]);
  let records = 0;
  for (const chunk of sampled) records = Math.max(records, roughCount(chunk, fileSystem));
  const fitting = Math.floor(memoryBytes / threads / (records * BYTES_OF_RECORD));
  const together = Math.max(1, Math.min(wanted, fitting));
  return {
    threads: Math.min(threads, Math.ceil(chunks.length / together)),
    together,
    digestBytes: chunks.length * records * BYTES_OF_DIGEST
  };
}

/** Records of a chunk, if all were as long as its first; 1 where they cannot be read, which the reading itself reports. */
function roughCount(chunk: Chunk, fileSystem: FileSystem): number {
  const reader = new ChunkReader(fileSystem, chunk);
  try {
    const cursor = reader.cursor();
    let count = 0;
    while (count < SAMPLED_RECORDS && cursor.next()) count++;
    return count < SAMPLED_RECORDS ? count + 1 : (chunk.dataSize / cursor.physicalOffset) * count;
  } catch (error) {
    requireFault(error);
    return 1;
  } finally {
    reader.close();
  }
}
