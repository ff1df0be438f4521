/**
 * `chunk-000007.000002`: number of the first logical chunk and the file's version, six decimal digits each.
 * Any other file in a data directory is not a chunk. Format: docs/format/chunks.md, "Names".
 */
export interface ChunkFileName {
  chunkNumber: number;
  /** A rewrite counter; unrelated to the format version in the header. */
  fileVersion: number;
}

const PATTERN = /^chunk-(\d{6})\.(\d{6})$/;

export function decodeChunkFileName(name: string): ChunkFileName | undefined {
  const match = PATTERN.exec(name);
  return match ? { chunkNumber: Number(match[1]), fileVersion: Number(match[2]) } : undefined;
}

export function encodeChunkFileName({ chunkNumber, fileVersion }: ChunkFileName): string {
  return `chunk-${String(chunkNumber).padStart(6, '0')}.${String(fileVersion).padStart(6, '0')}`;
}

/** Leftovers of a rewrite that was cut; the server deletes them when it opens the directory. */
export function isTemporaryFileName(name: string): boolean {
  return name.endsWith('.tmp');
}
