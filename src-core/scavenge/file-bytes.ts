/** Bytes of the files that a scavenge counts. */
import type { Database } from '../database/database.ts';
import { ownStrayFiles } from '../index/stray-files.ts';
import type { StreamIndex } from '../index/stream-index.ts';
import { sizeOfAll } from '../storage/file-size.ts';
import type { FileSystem } from '../storage/file-system.ts';

/** Chunk files and index tables. */
export function totalBytes(database: Database, tables: readonly { sizeBytes: number }[]): number {
  return tables.reduce((sum, { sizeBytes }) => sum + sizeBytes, logBytes(database));
}

function logBytes({ log }: Database): number {
  return log.chunks.reduce((sum, { fileSize }) => sum + fileSize, 0);
}

/** Of the files that are swept before anything else is done. */
export function leftoverBytes(fileSystem: FileSystem, { chunkSet }: Database, index: StreamIndex): number {
  const ofLog = [...chunkSet.superseded, ...chunkSet.leftovers].map(({ file }) =>
    fileSystem.join(chunkSet.directory, file)
  );
  const { directory, map } = index.directory;
  const ofIndex = ownStrayFiles(fileSystem, directory, map).map((name) => fileSystem.join(directory, name));
  return sizeOfAll(fileSystem, [...ofLog, ...ofIndex]);
}
