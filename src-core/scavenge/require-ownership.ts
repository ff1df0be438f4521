/**
 * New files take the owner and group of those they replace. Whether this process may make files in the directories of the
 * database and give them away is found out before anything is written, the second by an empty file, rather than at the
 * first chunk.
 */
import { EngineError, osCodeOf } from '../errors.ts';
import type { FileSystem } from '../storage/file-system.ts';

export interface OwnershipQuestion {
  fileSystem: FileSystem;
  /** Of the chunks; the index may be elsewhere, or not there. */
  dataDirectory: string;
  indexDirectory: string;
  /** Files that may be replaced. */
  paths: readonly string[];
  newGuid: () => string;
}

export function requireOwnership({
  fileSystem,
  dataDirectory,
  indexDirectory,
  paths,
  newGuid
}: OwnershipQuestion): void {
  for (const directory of [dataDirectory, indexDirectory]) requireWritable(fileSystem, directory);
  const owners = new Map<string, { path: string; uid: number; gid: number }>();
  for (const path of paths) {
    const facts = fileSystem.describe(path);
    if (facts) owners.set(`${facts.uid}:${facts.gid}`, { path, uid: facts.uid, gid: facts.gid });
  }
  const trial = fileSystem.join(dataDirectory, `${newGuid()}.ownership.tmp`);
  fileSystem.open(trial, 'createNew').close();
  try {
    for (const { path, uid, gid } of owners.values()) {
      try {
        fileSystem.changeOwner(trial, uid, gid);
      } catch (error) {
        throw new EngineError({
          code: 'StorageFailed',
          message: `${path} belongs to user ${uid}, group ${gid}; this user may not create files for that owner.`,
          remedy: 'Run the scavenge as the user who owns the database, or as root.',
          details: { file: path, osCode: osCodeOf(error) },
          cause: error
        });
      }
    }
  } finally {
    fileSystem.remove(trial);
  }
}

function requireWritable(fileSystem: FileSystem, directory: string): void {
  if (fileSystem.describe(directory)?.isDirectory !== true) return;
  if (fileSystem.mayCreateIn?.(directory) !== false) return;
  throw new EngineError({
    code: 'StorageFailed',
    message: `Nothing can be written in ${directory}: this user may not, or the volume is mounted read-only.`,
    remedy: 'Run the scavenge as the user who owns the database, or mount the volume for writing.',
    details: { file: directory, osCode: 'EACCES' }
  });
}
