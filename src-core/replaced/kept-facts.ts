/** Facts about files that are kept, as the manifest has them, and the refusals of those that cannot be kept. */
import type { Chunk } from '../chunks/chunk.ts';
import type { Database } from '../database/database.ts';
import { EngineError } from '../errors.ts';
import {
  EXISTENCE_CHECKPOINT_NAME,
  EXISTENCE_FILTER_DIRECTORY,
  EXISTENCE_FILTER_NAME
} from '../index/existence-filter.ts';
import { MD5_SIZE_BYTES } from '../index/index-table.ts';
import { CHECKPOINT_NAMES, checkpointFileName, type CheckpointName } from '../log/checkpoint-file.ts';
import { readWholeFile, type FileSystem } from '../storage/file-system.ts';
import { hashOfFile } from './copy-kept.ts';
import type { KeptPlace } from './kept-folders.ts';
import type { KeptFile, KeptManifest } from './kept-manifest.ts';

export function isAsideState(name: string): boolean {
  return /^scavenging\.aside-\d+$/.test(name);
}

/** Chunk files that may still be written to. */
export function openChunks({ chunkSet }: Database): Chunk[] {
  return chunkSet.chunks.filter(({ isLasting }) => !isLasting);
}

export function plainFacts(
  fileSystem: FileSystem,
  path: string
): Pick<KeptFile, 'bytes' | 'mode' | 'hash' | 'start' | 'end'> {
  const facts = fileSystem.describe(path);
  return {
    bytes: facts?.size ?? 0,
    mode: (facts?.mode ?? 0o644) & 0o777,
    hash: null,
    start: null,
    end: null
  };
}

export function chunkFile(fileSystem: FileSystem, chunk: Chunk, kind: 'chunk' | 'open'): KeptFile {
  const { fileName, startNumber, endNumber, footer, path } = chunk;
  return {
    ...plainFacts(fileSystem, path),
    area: 'data',
    name: fileName,
    kind,
    hash: kind === 'chunk' ? (footer?.md5 ?? null) : null,
    start: startNumber,
    end: endNumber
  };
}

/** The MD5 at the end of a table. */
export function lastBytes(fileSystem: FileSystem, path: string): string {
  const bytes = new Uint8Array(MD5_SIZE_BYTES);
  const file = fileSystem.open(path, 'read');
  try {
    file.read(bytes, 0, bytes.length, Math.max(0, file.size() - bytes.length));
  } finally {
    file.close();
  }
  return Buffer.from(bytes).toString('hex');
}

export function checkpointBytes(
  fileSystem: FileSystem,
  dataDirectory: string
): Record<CheckpointName, string | null> {
  const read = (name: CheckpointName): string | null => {
    const bytes = readWholeFile(fileSystem, fileSystem.join(dataDirectory, checkpointFileName(name)), 32);
    return bytes && bytes.length > 0 ? Buffer.from(bytes).toString('hex') : null;
  };
  return Object.fromEntries(CHECKPOINT_NAMES.map((name) => [name, read(name)])) as Record<
    CheckpointName,
    string | null
  >;
}

/** The files of the existence filter, with their hashes. */
export async function existenceOf(
  { fileSystem, indexDirectory }: KeptPlace,
  breathe: () => Promise<void>
): Promise<KeptManifest['existence']> {
  const found: KeptManifest['existence'] = [];
  for (const name of [EXISTENCE_CHECKPOINT_NAME, EXISTENCE_FILTER_NAME]) {
    const path = fileSystem.join(indexDirectory, EXISTENCE_FILTER_DIRECTORY, name);
    if (fileSystem.describe(path)) found.push({ name, hash: await hashOfFile(fileSystem, path, breathe) });
  }
  return found;
}

export function requireFree(fileSystem: FileSystem, directory: string, neededBytes: number): void {
  if (neededBytes === 0 || fileSystem.describe(directory) === undefined) return;
  const freeBytes = fileSystem.freeBytes(directory);
  if (freeBytes >= neededBytes) return;
  throw new EngineError({
    code: 'StorageFailed',
    message: `Keeping what the scavenge replaces takes ${neededBytes} bytes at once in ${directory}, for copies of the files that change in place; ${freeBytes} are free.`,
    remedy: 'Free space on this volume, or scavenge without "--keep-replaced". Nothing was changed.',
    details: { file: directory, neededBytes, freeBytes, osCode: 'ENOSPC' }
  });
}

export function cannotKeep(file: string, why: string): EngineError {
  return new EngineError({
    code: 'StorageFailed',
    message: `${file} cannot be kept without a full copy: ${why}.`,
    remedy: 'Take a backup, then scavenge without "--keep-replaced". Nothing was changed.',
    details: { file, reason: 'cannotKeep' }
  });
}
