/**
 * One of the two logs that are compared: a database directory, or a backup that is decoded chunk by chunk. Facts about
 * its chunks are known beforehand; bytes are there once a chunk is opened, and only while it is.
 */
import type { Chunk } from '../../chunks/chunk.ts';
import type { OpenFile } from '../../storage/file-system.ts';

export interface SideChunk {
  fileName: string;
  startNumber: number;
  /** Inclusive. */
  endNumber: number;
  /** Bytes of the file as the server would have it. */
  fileSize: number;
  isScavenged: boolean;
  /** The hash that the file ends with, lower-case hex digits; null while it is being written. */
  md5: string | null;
}

/** The bytes of a chunk; its opener closes it. */
export interface OpenedChunk {
  chunk: Chunk;
  file: OpenFile;
  close(): void;
}

export interface DifferenceSide {
  /** For messages: the directory or the backup as the user would name it. */
  readonly description: string;
  readonly chunkSizeBytes: number;
  /** Exclusive: where the next record would go. */
  readonly end: number;
  /** In the order of the log, without overlaps; numbers may be missing. */
  readonly chunks: readonly SideChunk[];
  /** Why no chunk holds a position, where more is known than that there is none. */
  whyMissing?(position: number): string | undefined;
  /** Throws LogCorrupt or UnsupportedFormat if its records cannot be read at all. */
  open(chunk: SideChunk): Promise<OpenedChunk>;
}

/** Where one of the two cannot be read: `[from, to)` in the log. */
export interface Hole {
  from: number;
  to: number;
  /** `missing`: no file serves it. `damaged`: no records are found there. `encrypted`: they cannot be known. */
  kind: 'missing' | 'damaged' | 'encrypted';
  /** null: no file. */
  fileName: string | null;
  /** In the file; null where none is meant. */
  fileOffset: number | null;
  /** One sentence. */
  because: string;
}
