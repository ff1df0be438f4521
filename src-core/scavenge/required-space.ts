/**
 * The space a scavenge needs while it runs, before it has freed anything: new files lie beside the old ones until
 * they are switched in. An upper bound, computed from sizes alone:
 *
 *   chunks   the largest new file of each thread: its records, a position map, a page of header and footer;
 *            with merging a new file may reach the full chunk size
 *   log      a chunk file of full size where the run writes a scavenge point
 *   index    the largest table and its filter, written once more
 *   state    what is stored for each stream, taken as a share of the log
 *
 * A run that has too little is refused before it writes. Running full in the middle is still no loss: the run ends
 * with an error and resumes when there is space.
 */
import type { Database } from '../database/database.ts';
import { EngineError } from '../errors.ts';
import type { StreamIndex } from '../index/stream-index.ts';

/** A map entry takes 12 bytes; records, names and ids included, hardly ever take less than 100. */
const MAP_SHARE = 0.12;
const PAGE_BYTES = 8192;
/** Measured: 26 MB for 330,000 short-lived streams in 512 MiB of log, the most that was seen. */
export const STATE_SHARE = 0.06;
const MIN_STATE_BYTES = 1024 * 1024;

export interface SpaceQuestion {
  database: Database;
  index: StreamIndex;
  threads: number;
  merge: boolean;
  /** A scavenge point will be written, which starts a new chunk. */
  writesPoint: boolean;
}

export interface RequiredSpace {
  /** On the volume of the data directory. */
  dataBytes: number;
  /** On the volume of the index directory. */
  indexBytes: number;
}

export function requiredSpace({
  database,
  index,
  threads,
  merge,
  writesPoint
}: SpaceQuestion): RequiredSpace {
  const { log } = database;
  const completed = log.chunks.filter(({ isCompleted }) => isCompleted);
  const total = completed.reduce((sum, { dataSize }) => sum + dataSize, 0);
  const largest = completed.reduce((most, { dataSize }) => Math.max(most, dataSize), 0);
  const largestNew = merge ? Math.max(largest, Math.min(log.chunkSizeBytes, total)) : largest;
  const newChunk = writesPoint ? log.chunkSizeBytes + PAGE_BYTES : 0;
  const table = index.tables.reduce((most, { sizeBytes }) => Math.max(most, sizeBytes), 0);
  const filter = Math.ceil(table / 64); // a quarter of a byte an entry of 24 bytes, and its checksums
  return {
    dataBytes: Math.ceil(largestNew * (1 + MAP_SHARE) + PAGE_BYTES) * threads + newChunk,
    indexBytes: table + filter + Math.max(MIN_STATE_BYTES, Math.ceil(total * STATE_SHARE))
  };
}

/** Both volumes together: what a plan names as needed meanwhile. */
export function scratchBytesOf(question: SpaceQuestion): number {
  const { dataBytes, indexBytes } = requiredSpace(question);
  return dataBytes + indexBytes;
}

/** Throws StorageFailed with the numbers when a volume has less than the run needs. */
export function refuseTooLittleSpace(question: SpaceQuestion): void {
  const { fileSystem, dataDirectory, indexDirectory } = question.database;
  const { dataBytes, indexBytes } = requiredSpace(question);
  const isOneVolume =
    (fileSystem.describe(indexDirectory) ?? fileSystem.describe(dataDirectory))?.device ===
    fileSystem.describe(dataDirectory)?.device;
  if (isOneVolume) {
    requireFree(fileSystem.freeBytes(dataDirectory), dataBytes + indexBytes, dataDirectory);
    return;
  }
  requireFree(fileSystem.freeBytes(dataDirectory), dataBytes, dataDirectory);
  requireFree(fileSystem.freeBytes(indexDirectory), indexBytes, indexDirectory);
}

function requireFree(freeBytes: number, neededBytes: number, directory: string): void {
  if (freeBytes >= neededBytes) return;
  throw new EngineError({
    code: 'StorageFailed',
    message: `A scavenge needs up to ${neededBytes} bytes beside the old files in ${directory}; ${freeBytes} are free.`,
    remedy: 'Free space on this volume. "--no-merge" and a single thread need the least space.',
    details: { file: directory, neededBytes, freeBytes, osCode: 'ENOSPC' }
  });
}
