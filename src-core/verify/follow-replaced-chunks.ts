/**
 * Chunks with which a running scavenge has replaced others since the log was opened. The log then reads from the
 * new files; where it ends stays as it was.
 */
import type { Database } from '../database/database.ts';
import { isFileGone } from '../errors.ts';
import { readChunkSet } from '../log/chunk-set.ts';
import { MOST_READINGS } from '../storage/read-again.ts';

/** Switches the log of an open database to the files that are there now. */
export function followReplacedChunks({ fileSystem, dataDirectory, checkpoints, log }: Database): void {
  const now = readChunkSet({ fileSystem, directory: dataDirectory, writer: checkpoints.writer });
  const known = new Set(log.chunks.map(({ fileName }) => fileName));
  for (const chunk of now.chunks) if (!known.has(chunk.fileName)) log.switchIn(chunk);
}

/** Does `read` again, with the files of the moment, when one was gone. */
export async function readingOn<T>(database: Database, read: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read();
    } catch (error) {
      if (attempt === MOST_READINGS || !isFileGone(error)) throw error;
      followReplacedChunks(database);
    }
  }
}
