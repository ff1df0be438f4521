/** A log of a plain chunk, a scavenged one and the one being written, and what a chunk set makes of changes to its files. */
import { readChunkSet, type ChunkSet } from '../../../src-core/log/chunk-set.ts';
import { LogSide, randomLog, type SideFile } from '../../support/log-side.ts';
import { Prng } from '../../support/prng.ts';

export const CHUNK_BYTES = 4096;
export const FOOTER_BYTES = 128;
export const DIRECTORY = '/db';

export const PLAIN: SideFile = { startNumber: 0, endNumber: 0, isScavenged: false };
export const SCAVENGED: SideFile = { startNumber: 1, endNumber: 1, isScavenged: true };
export const ACTIVE: SideFile = { startNumber: 2, endNumber: 2, isScavenged: false };
export const PLAIN_NAME = 'chunk-000000.000000';
export const SCAVENGED_NAME = 'chunk-000001.000001';
export const ACTIVE_NAME = 'chunk-000002.000000';
export const NAMES = [PLAIN_NAME, SCAVENGED_NAME, ACTIVE_NAME];

export class ThreeChunks {
  readonly #side: LogSide;

  constructor() {
    const random = new Prng(11);
    const log = randomLog(random, { chunks: 3, chunkSizeBytes: CHUNK_BYTES });
    this.#side = new LogSide(log, [PLAIN, SCAVENGED, ACTIVE], random);
  }

  get fileSystem(): LogSide['fileSystem'] {
    return this.#side.fileSystem;
  }

  /** What writer.chk says. */
  get end(): number {
    return this.#side.parts.end;
  }

  sizeOf(file: SideFile): number {
    return this.fileSystem.describe(this.#side.pathOf(file))!.size;
  }

  footerOf(file: SideFile): number {
    return this.sizeOf(file) - FOOTER_BYTES;
  }

  setHeader(file: SideFile, at: number, bytes: Uint8Array): void {
    this.#side.patch(file, at, bytes);
  }

  setFooter(file: SideFile, at: number, bytes: Uint8Array): void {
    this.#side.patch(file, this.footerOf(file) + at, bytes);
  }

  cut(file: SideFile, size: number): void {
    this.fileSystem.changeMode(this.#side.pathOf(file), 0o644);
    const open = this.fileSystem.open(this.#side.pathOf(file), 'readWrite');
    open.truncate(size);
    open.close();
  }

  read(writer: number | null = this.end): ChunkSet {
    return readChunkSet({ fileSystem: this.fileSystem, directory: DIRECTORY, writer });
  }
}

export const namesOf = ({ chunks }: ChunkSet): string[] => chunks.map(({ fileName }) => fileName);

export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

export function int64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(value);
  return bytes;
}
