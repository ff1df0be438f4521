/** A small database in memory, ways to damage it, and a repair of it with everything that a repair needs. */
import { createHash } from 'node:crypto';
import { CHUNK_FOOTER_LENGTH, MD5_LENGTH } from '../../../src-core/chunks/chunk-footer.ts';
import {
  CHUNK_HEADER_LENGTH,
  decodeChunkHeader,
  type ChunkHeader
} from '../../../src-core/chunks/chunk-header.ts';
import { ChunkWriter } from '../../../src-core/chunks/chunk-writer.ts';
import { OperationControl, uncontrolled } from '../../../src-core/database/operation-control.ts';
import { rebuildIndex } from '../../../src-core/repair/rebuild-index.ts';
import { runRepair, type RepairOutcome, type RunRepair } from '../../../src-core/repair/run-repair.ts';
import { FRAME_LENGTH } from '../../../src-core/records/log-record.ts';
import { Random } from '../../../src-core/sample/random.ts';
import { writeSampleDatabase } from '../../../src-core/sample/write-sample-database.ts';
import { readWholeFile, type FileSystem } from '../../../src-core/storage/file-system.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import { verifyDatabase } from '../../../src-core/verify/verify-database.ts';
import { copyTree } from '../../support/copy-tree.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';

export const DATABASE = '/node/db';
export const CHUNK_SIZE = 32768;
const control: OperationControl = uncontrolled();

export async function sampleInMemory(indexDirectory?: string): Promise<MemoryFileSystem> {
  const fileSystem = new MemoryFileSystem();
  fileSystem.makeDirectory('/node');
  await writeSampleDatabase({
    fileSystem,
    dataDirectory: DATABASE,
    indexDirectory,
    sizeBytes: 130_000,
    chunkSizeBytes: CHUNK_SIZE,
    seed: 3,
    now: ticksFromIso('2026-01-01T00:00:00Z')!,
    control
  });
  return fileSystem;
}

/** The same files in a memory of their own. */
export function copyOf(fileSystem: MemoryFileSystem): MemoryFileSystem {
  const copy = new MemoryFileSystem();
  copyTree({ fileSystem, path: '/node' }, { fileSystem: copy, path: '/node' });
  return copy;
}

export function repair(fileSystem: FileSystem, change: Partial<RunRepair> = {}): Promise<RepairOutcome> {
  const random = new Random(11);
  const newGuid = () => random.guid();
  return runRepair({
    place: { fileSystem, dataDirectory: DATABASE },
    verify: (database) => verifyDatabase({ database, quick: false, control }),
    rebuildIndex: async (place) => {
      await rebuildIndex({ ...place, control, newGuid });
    },
    acceptLoss: false,
    only: [],
    dryRun: false,
    assumeStopped: false,
    stamp: '20261121T050000Z',
    newGuid,
    control,
    ...change
  });
}

export function bytesOf(fileSystem: FileSystem, name: string): Buffer {
  return Buffer.from(readWholeFile(fileSystem, `${DATABASE}/${name}`) ?? new Uint8Array(0));
}

/** Replaces the content of a file, whatever its mode. */
export function overwrite(fileSystem: FileSystem, name: string, bytes: Uint8Array): void {
  const path = `${DATABASE}/${name}`;
  fileSystem.remove(path);
  const file = fileSystem.open(path, 'createNew');
  file.write(bytes, 0, bytes.length, 0);
  file.close();
}

export function flip(fileSystem: FileSystem, name: string, offset: number): void {
  const bytes = bytesOf(fileSystem, name);
  bytes[offset]! ^= 0xff;
  overwrite(fileSystem, name, bytes);
}

export function int64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(value));
  return bytes;
}

export function checkpointOf(fileSystem: FileSystem, name: string): number {
  return Number(bytesOf(fileSystem, `${name}.chk`).readBigInt64LE(0));
}

export function namesIn(fileSystem: FileSystem, directory: string): string[] {
  return (fileSystem.list(directory) ?? []).map(({ name }) => name).sort();
}

/** A completed chunk that was never scavenged, as a scavenge would leave it that keeps these of its records. */
export function scavengedOf(
  fileSystem: FileSystem,
  name: string,
  keeps: (index: number) => boolean = () => true,
  change: Partial<ChunkHeader> = {}
): Buffer {
  const bytes = bytesOf(fileSystem, name);
  const header = decodeChunkHeader(bytes);
  if (typeof header === 'string') throw new Error(header);
  const scratch = new MemoryFileSystem();
  const path = '/chunk';
  const writer = ChunkWriter.create({
    fileSystem: scratch,
    path,
    header: { ...header, isScavenged: true, ...change },
    withMap: true
  });
  recordOffsets(bytes).forEach(({ offset, length }, index) => {
    if (keeps(index)) writer.append(bytes, offset, length, offset - CHUNK_HEADER_LENGTH);
  });
  writer.complete();
  return Buffer.from(readWholeFile(scratch, path)!);
}

/** File offsets of the records of a completed chunk, each with its length and both of its frames. */
export function recordOffsets(bytes: Buffer): { offset: number; length: number }[] {
  const end = CHUNK_HEADER_LENGTH + bytes.readInt32LE(bytes.length - CHUNK_FOOTER_LENGTH + 1);
  const found: { offset: number; length: number }[] = [];
  for (let offset = CHUNK_HEADER_LENGTH; offset < end;) {
    const length = bytes.readInt32LE(offset) + FRAME_LENGTH;
    found.push({ offset, length });
    offset += length;
  }
  return found;
}

/** The same chunk with the hash of the bytes that it has now: as if they had been written so. */
export function rehashed(bytes: Buffer): Buffer {
  const end = bytes.length - MD5_LENGTH;
  const hash = createHash('md5').update(bytes.subarray(0, end)).digest();
  return Buffer.concat([bytes.subarray(0, end), hash]);
}

/** Its slices are used up at once; `onTurn` is told the count of its turns so far. */
export function hastyControl(onTurn: (turns: number) => void, signal?: AbortSignal): OperationControl {
  let nowMs = 0;
  let turns = 0;
  return new OperationControl({
    signal,
    elapsedMs: () => (nowMs += 1000),
    yieldTurn: () => Promise.resolve(onTurn(++turns))
  });
}
