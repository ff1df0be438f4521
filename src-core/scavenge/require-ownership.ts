/**
 * New files take the owner and group of those they replace. Whether this process may give files away is tried
 * before anything is rewritten, on an empty file, rather than found out at the first chunk.
 */
import { EngineError } from '../errors.ts';
import type { FileSystem } from '../storage/file-system.ts';

export interface OwnershipQuestion {
  fileSystem: FileSystem;
  directory: string;
  /** Files that may be replaced. */
  paths: readonly string[];
  newGuid: () => string;
}

export function requireOwnership({ fileSystem, directory, paths, newGuid }: OwnershipQuestion): void {
  const owners = new Map<string, { path: string; uid: number; gid: number }>();
  for (const path of paths) {
    const facts = fileSystem.describe(path);
    if (facts) owners.set(`${facts.uid}:${facts.gid}`, { path, uid: facts.uid, gid: facts.gid });
  }
  const trial = fileSystem.join(directory, `${newGuid()}.ownership.tmp`);
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
          details: { file: path, osCode: error instanceof EngineError ? (error.details.osCode ?? '') : '' },
          cause: error
        });
      }
    }
  } finally {
    fileSystem.remove(trial);
  }
}
