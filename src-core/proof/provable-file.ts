/**
 * The files of a database whose bytes can be proved, each with what binds a proof to it: completed chunks and index
 * tables, which end with a hash over all of their bytes and never change, and the chunk that is being written, which has
 * no hash yet and only has its turn.
 */
import { hash } from 'node:crypto';
import type { Chunk } from '../chunks/chunk.ts';
import type { Database } from '../database/database.ts';
import { digestIdentity } from '../digest/digest-identity.ts';
import type { IndexTableReader } from '../index/index-table-reader.ts';
import type { FileSystem } from '../storage/file-system.ts';

export interface ProvableFile {
  /** `growing`: nothing proves all of its bytes. */
  kind: 'chunk' | 'table' | 'growing';
  /** In the data directory, or in the index directory. */
  name: string;
  /** Of the file. */
  bytes: number;
  /** What the file is: another one as soon as its header, footer, size or time of change differ. */
  identity: string;
}

/** In the order of the log. */
export function provableChunks({
  fileSystem,
  chunkSet
}: Pick<Database, 'fileSystem' | 'chunkSet'>): ProvableFile[] {
  return chunkSet.chunks.map((chunk) => provableChunk(fileSystem, chunk));
}

export function provableChunk(fileSystem: Pick<FileSystem, 'describe'>, chunk: Chunk): ProvableFile {
  const { fileName: name, path, fileSize: bytes, header, dataSize } = chunk;
  const modifiedMs = fileSystem.describe(path)?.modifiedMs ?? 0;
  const completed = digestIdentity(chunk, modifiedMs);
  const identity = short(completed ?? JSON.stringify([header, bytes, dataSize, modifiedMs]));
  return { kind: completed === undefined ? 'growing' : 'chunk', name, bytes, identity };
}

export function provableTable(
  fileSystem: Pick<FileSystem, 'describe'>,
  table: IndexTableReader
): ProvableFile {
  const { name, path, sizeBytes: bytes, version, count } = table;
  const modifiedMs = fileSystem.describe(path)?.modifiedMs ?? 0;
  const md5 = Buffer.from(table.readStoredMd5()).toString('hex');
  return {
    kind: 'table',
    name,
    bytes,
    identity: short(JSON.stringify([md5, bytes, version, count, modifiedMs]))
  };
}

function short(identity: string): string {
  return hash('sha256', identity).slice(0, 40);
}
