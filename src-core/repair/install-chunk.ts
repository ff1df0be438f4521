/**
 * Installs a sound chunk file in a data directory, replacing a damaged or missing one. Written under a temporary
 * name that the server removes, flushed, examined as a whole, and only then renamed to the next version of its
 * number: cut anywhere, either the old file or the new one serves, and both are complete as files.
 */
import { createHash } from 'node:crypto';
import type { Chunk } from '../chunks/chunk.ts';
import { decodeChunkFileName, encodeChunkFileName } from '../chunks/chunk-file-name.ts';
import { COMPLETED_FILE_MODE } from '../chunks/unsealed-chunk.ts';
import type { OperationControl } from '../database/operation-control.ts';
import { EngineError, OperationStopped, requireFault } from '../errors.ts';
import { entriesIn } from '../storage/directory-entries.ts';
import type { FileFacts, FileSystem } from '../storage/file-system.ts';
import { examineChunk } from './examine-chunk.ts';

export interface InstallChunk {
  fileSystem: FileSystem;
  directory: string;
  /** Name as its source has it: number and, where no file of the number is there, version. */
  fileName: string;
  fileSize: number;
  /** Checked while copying; null if it was not recorded. */
  sha256: string | null;
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** Owner and group are taken from this file. */
  likePath: string;
  newGuid: () => string;
  /** A last word on the examined file: a sentence refuses it. */
  refuse?: (chunk: Chunk) => Promise<string | undefined>;
  /** Other checks than those of a completed chunk, for the one being written. */
  examine?: (path: string) => Promise<Chunk | string>;
  control: OperationControl;
}

/** Gives the name under which it now serves, or a sentence about why it does not. */
export async function installChunk(options: InstallChunk): Promise<{ fileName: string } | string> {
  const { fileSystem, directory, fileName, newGuid, control } = options;
  requireSpace(options);
  const temporary = fileSystem.join(directory, `${fileName}.${newGuid()}.tmp`);
  try {
    const sha256 = await writeContent(options, temporary);
    if (options.sha256 !== null && sha256 !== options.sha256)
      return discard(fileSystem, temporary, `the SHA-256 of its bytes differs from the manifest`);
    const examined = options.examine
      ? await options.examine(temporary)
      : await examineChunk({ fileSystem, path: temporary, fileName, control });
    if (typeof examined === 'string') return discard(fileSystem, temporary, examined);
    const misfit = await options.refuse?.(examined);
    if (misfit !== undefined) return discard(fileSystem, temporary, misfit);
    takeOver(fileSystem, temporary, {
      like: fileSystem.describe(options.likePath),
      mode: examined.isCompleted ? COMPLETED_FILE_MODE : 0o644
    });
    const name = nextChunkName(fileSystem, directory, fileName);
    fileSystem.rename(temporary, fileSystem.join(directory, name));
    fileSystem.syncDirectory(directory);
    return { fileName: name };
  } catch (error) {
    if (error instanceof EngineError || error instanceof OperationStopped)
      discard(fileSystem, temporary, error.message);
    throw error;
  }
}

async function writeContent(
  { fileSystem, fileSize, content, control }: InstallChunk,
  temporary: string
): Promise<string> {
  const hash = createHash('sha256');
  const file = fileSystem.open(temporary, 'createNew');
  let at = 0;
  try {
    for await (const block of content) {
      file.write(block, 0, block.length, at);
      hash.update(block);
      at += block.length;
      control.report({ phase: 'copying a chunk', done: at, total: fileSize, unit: 'bytes' });
      if (control.isDue) await control.breathe();
    }
    file.sync();
  } finally {
    file.close();
  }
  return hash.digest('hex');
}

function takeOver(
  fileSystem: FileSystem,
  path: string,
  { like, mode }: { like: FileFacts | undefined; mode: number }
): void {
  if (like) fileSystem.changeOwner(path, like.uid, like.gid);
  fileSystem.changeMode(path, mode);
}

/** One version above all files of the number; the source's own name when there is none. */
export function nextChunkName(fileSystem: FileSystem, directory: string, fileName: string): string {
  const wanted = decodeChunkFileName(fileName);
  const versions = entriesIn(fileSystem, directory)
    .map(({ name }) => decodeChunkFileName(name))
    .filter((name) => name !== undefined && name.chunkNumber === wanted?.chunkNumber)
    .map((name) => name!.fileVersion);
  if (versions.length === 0 || !wanted) return fileName;
  return encodeChunkFileName({ chunkNumber: wanted.chunkNumber, fileVersion: Math.max(...versions) + 1 });
}

function requireSpace({ fileSystem, directory, fileName, fileSize }: InstallChunk): void {
  const free = fileSystem.freeBytes(directory);
  if (free >= fileSize) return;
  throw new EngineError({
    code: 'StorageFailed',
    message: `${fileName} needs ${fileSize} bytes in ${directory}; ${free} are free.`,
    remedy: 'Free space on this volume, then run the same command again; it resumes where it stopped.',
    details: { file: fileName, osCode: 'ENOSPC' }
  });
}

function discard(fileSystem: FileSystem, path: string, why: string): string {
  try {
    fileSystem.remove(path);
  } catch (error) {
    requireFault(error);
    // It has a temporary name: the next repair, or the server's start, takes it away.
  }
  return why;
}
