/**
 * One chunk file in a directory: what its name, header and footer say. Immutable; reading its
 * records is the ChunkReader's work.
 */
import type { ChunkNumber } from '../units/of-unit.ts';
import type { LogPosition } from '../units/log-position.ts';
import type { ChunkFooter } from './chunk-footer.ts';
import { CHUNK_HEADER_LENGTH, type ChunkHeader } from './chunk-header.ts';

export interface ChunkParts {
  fileName: string;
  path: string;
  fileVersion: number;
  fileSize: number;
  header: ChunkHeader;
  footer: ChunkFooter | null;
  isActive: boolean;
  dataSize: number;
}

export class Chunk {
  readonly fileName: string;
  readonly path: string;
  /** Rewrite counter of the name. */
  readonly fileVersion: number;
  readonly fileSize: number;
  readonly header: ChunkHeader;
  /** Null while the chunk is being written. */
  readonly footer: ChunkFooter | null;
  /** Holds the writer's position: records end there and not at a footer. */
  readonly isActive: boolean;
  /** Bytes of framed records in the file: of the footer, or up to the writer checkpoint. */
  readonly dataSize: number;

  constructor(parts: ChunkParts) {
    this.fileName = parts.fileName;
    this.path = parts.path;
    this.fileVersion = parts.fileVersion;
    this.fileSize = parts.fileSize;
    this.header = parts.header;
    this.footer = parts.footer;
    this.isActive = parts.isActive;
    this.dataSize = parts.dataSize;
  }

  get startNumber(): ChunkNumber {
    return this.header.startNumber;
  }
  /** Inclusive: the number of the last logical chunk in this file. */
  get endNumber(): ChunkNumber {
    return this.header.endNumber;
  }
  get startPosition(): LogPosition {
    return (this.header.startNumber * this.header.chunkSizeBytes) as LogPosition;
  }
  /** Exclusive. */
  get endPosition(): LogPosition {
    return ((this.header.endNumber + 1) * this.header.chunkSizeBytes) as LogPosition;
  }
  get isCompleted(): boolean {
    return this.footer !== null;
  }
  /** What is completed never changes. */
  get isLasting(): boolean {
    return this.footer !== null && !this.isActive;
  }
  get isScavenged(): boolean {
    return this.header.isScavenged;
  }
  get isMerged(): boolean {
    return this.header.endNumber > this.header.startNumber;
  }
  /** Logical offset behind the last record. */
  get logicalDataSize(): number {
    return this.footer ? this.footer.logicalDataSize : this.dataSize;
  }
  get mapEntries(): number {
    return this.footer ? this.footer.mapSize / (this.footer.isMap12Bytes ? 12 : 8) : 0;
  }
  /** Offset in the file of the first record. */
  get dataStart(): number {
    return CHUNK_HEADER_LENGTH;
  }
}

/** Plain values of a chunk, which cross to a worker; `new Chunk` makes it again. */
export function partsOf(chunk: Chunk): ChunkParts {
  const { fileName, path, fileVersion, fileSize, header, footer, isActive, dataSize } = chunk;
  return { fileName, path, fileVersion, fileSize, header, footer, isActive, dataSize };
}
