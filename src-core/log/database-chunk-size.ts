/** The chunk size of a database, which each header names. Format: docs/format/log.md, "Choosing files". */
import type { ChunkHeader } from '../chunks/chunk-header.ts';

export const DEFAULT_CHUNK_SIZE_BYTES = 268435456;

/** That which most headers name, of several the one that comes first: a byte of one header condemns none of the others. */
export function databaseChunkSize(headers: readonly ChunkHeader[]): number {
  const counts = new Map<number, number>();
  for (const { chunkSizeBytes } of headers) counts.set(chunkSizeBytes, (counts.get(chunkSizeBytes) ?? 0) + 1);
  let common = DEFAULT_CHUNK_SIZE_BYTES;
  for (const [size, count] of counts) if (count > (counts.get(common) ?? 0)) common = size;
  return common;
}
