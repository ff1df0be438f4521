/**
 * Chunks out of a directory that holds a copy of a data directory: a backup made by hand, a mounted snapshot. Nobody
 * noted the hashes of such files; completed chunks carry their own.
 */
import { openDatabase } from '../database/database.ts';
import type { FileSystem } from '../storage/file-system.ts';
import type { ChunkDonor, DonorChunk } from './chunk-donor.ts';
import { readPatched } from './patched-file.ts';

/** Throws DatabaseNotFound when the directory holds no chunks. */
export function openDirectoryDonor(fileSystem: FileSystem, directory: string): ChunkDonor {
  const database = openDatabase({ fileSystem, dataDirectory: directory });
  try {
    const { chunks, chunkSizeBytes } = database.chunkSet;
    return {
      description: directory,
      chunkSizeBytes,
      chunks: chunks.map(({ fileName, startNumber, endNumber, isCompleted, fileSize }): DonorChunk => {
        return { fileName, startNumber, endNumber, isCompleted, fileSize, sha256: null };
      }),
      read: ({ fileName }) => blocksOf(fileSystem, fileSystem.join(directory, fileName))
    };
  } finally {
    database.close();
  }
}

async function* blocksOf(fileSystem: FileSystem, path: string): AsyncIterable<Uint8Array> {
  await Promise.resolve();
  yield* readPatched(fileSystem, path, []);
}
