/** A database directory, or a copy of one, as a side of a comparison: its chunk files are read where they are. */
import { refuseTransformed } from '../../chunks/chunk-reader.ts';
import type { Chunk } from '../../chunks/chunk.ts';
import type { Database } from '../../database/database.ts';
import type { FileSystem } from '../../storage/file-system.ts';
import type { DifferenceSide, SideChunk } from './difference-side.ts';

/** `fileSystem`: through which chunks are read, if not that of the database. */
export function databaseSide(
  { dataDirectory, chunkSet, fileSystem: own }: Database,
  fileSystem: FileSystem = own
): DifferenceSide {
  const chunks = new Map<SideChunk, Chunk>(chunkSet.chunks.map((chunk) => [sideChunkOf(chunk), chunk]));
  return {
    description: dataDirectory,
    chunkSizeBytes: chunkSet.chunkSizeBytes,
    end: chunkSet.writerPosition,
    chunks: [...chunks.keys()],
    whyMissing: (position) => {
      const number = Math.floor(position / chunkSet.chunkSizeBytes);
      const gap = chunkSet.gaps.find(
        ({ startNumber, endNumber }) => startNumber <= number && endNumber >= number
      );
      return gap?.state === 'missing' ? undefined : gap?.problem.message;
    },
    open: async (wanted) => {
      const chunk = chunks.get(wanted)!;
      refuseTransformed(chunk);
      const file = fileSystem.open(chunk.path, 'read');
      return { chunk, file, close: () => file.close() };
    }
  };
}

function sideChunkOf(chunk: Chunk): SideChunk {
  const { fileName, startNumber, endNumber, fileSize, isScavenged, footer } = chunk;
  const md5 = chunk.isLasting && footer ? footer.md5 : null;
  return { fileName, startNumber, endNumber, fileSize, isScavenged, md5 };
}
