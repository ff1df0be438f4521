/**
 * Replaces chunks by their completed rewrite, and removes files that are no longer in use.
 *
 * Order: owner, group and mode of the old file; rename to the next version, which is the durable commit point
 * once the directory is flushed; only then the old files go. Cut anywhere, each logical chunk has one complete
 * file, and opening chooses it. Format: docs/format/log.md, "Choosing files".
 */
import { assert } from '../assert.ts';
import type { Chunk } from '../chunks/chunk.ts';
import { describeCompletedChunk } from '../chunks/completed-chunk.ts';
import { requireUnchanged } from '../storage/unchanged-file.ts';
import type { FileSystem } from '../storage/file-system.ts';
import type { ChunkSet } from './chunk-set.ts';
import { ChunkVersions } from './chunk-versions.ts';

export interface SwitchIn {
  fileSystem: FileSystem;
  directory: string;
  /** A completed, flushed file in the same directory. */
  temporaryPath: string;
  /** The physical chunks it replaces, in order, exactly covering its range. */
  replaced: readonly Chunk[];
  /** Of a run that replaces several. */
  versions?: ChunkVersions | undefined;
}

/** Gives the chunk as it now stands. The old files are gone when this returns. */
export function switchInChunk({
  fileSystem,
  directory,
  temporaryPath,
  replaced,
  versions = new ChunkVersions(fileSystem, directory)
}: SwitchIn): Chunk {
  const first = replaced[0];
  const last = replaced.at(-1);
  assert(first !== undefined && last !== undefined, 'a switch-in replaces at least one chunk');
  const old = fileSystem.describe(first.path);
  requireUnchanged(old !== undefined, first.fileName, 'it is gone');
  fileSystem.changeOwner(temporaryPath, old.uid, old.gid);
  fileSystem.changeMode(temporaryPath, old.mode & 0o777);

  const fileName = versions.nextName(first.startNumber);
  const path = fileSystem.join(directory, fileName);
  const chunk = describeCompletedChunk({ fileSystem, path: temporaryPath, fileName, finalPath: path });
  requireUnchanged(typeof chunk !== 'string', temporaryPath, typeof chunk === 'string' ? chunk : '');
  const isInPlace = chunk.startNumber === first.startNumber && chunk.endNumber === last.endNumber;
  requireUnchanged(
    isInPlace,
    temporaryPath,
    `it holds the chunks ${chunk.startNumber} to ${chunk.endNumber}`
  );
  fileSystem.rename(temporaryPath, path);
  versions.add(fileName);
  fileSystem.syncDirectory(directory);
  for (const chunkFile of replaced) fileSystem.remove(chunkFile.path);
  return chunk;
}

/** Removes superseded versions and temporary files, as the server does when it opens a directory for writing. */
export function sweepLeftovers(fileSystem: FileSystem, set: ChunkSet): string[] {
  const removed: string[] = [];
  for (const { file } of [...set.superseded, ...set.leftovers]) {
    fileSystem.remove(fileSystem.join(set.directory, file));
    removed.push(file);
  }
  return removed;
}
