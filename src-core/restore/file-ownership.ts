/**
 * Restored files get owner, group and mode of the files they replace: of the one of the same name, else of one of
 * the same kind, else the owner of the directory and the usual mode. Whether this process may give files away is
 * tried before anything else is done.
 */
import { decodeChunkFileName } from '../chunks/chunk-file-name.ts';
import { EngineError, osCodeOf } from '../errors.ts';
import { entriesIn } from '../storage/directory-entries.ts';
import type { FileSystem } from '../storage/file-system.ts';
import type { SourceFile } from './restore-source.ts';

export interface Ownership {
  uid: number;
  gid: number;
  mode: number;
}

const USUAL_MODE = 0o644;
/** The server and the truncation write to files that a killed server left read-only. */
const OWNER_MAY_WRITE = 0o200;

export type OwnershipOf = (file: Pick<SourceFile, 'area' | 'name'>) => Ownership | undefined;

export interface OwnershipQuestion {
  fileSystem: FileSystem;
  dataDirectory: string;
  indexDirectory: string;
}

/** Reads the directories as they are now; undefined for a file whose directory does not exist yet. */
export function readOwnership({ fileSystem, dataDirectory, indexDirectory }: OwnershipQuestion): OwnershipOf {
  const known = new Map<string, Ownership>();
  for (const [area, directory] of [
    ['data', dataDirectory],
    ['index', indexDirectory]
  ] as const) {
    const facts = fileSystem.describe(directory) ?? fileSystem.describe(dataDirectory);
    if (!facts) continue;
    known.set(area, { uid: facts.uid, gid: facts.gid, mode: USUAL_MODE });
    noteFiles(fileSystem, { area, directory, prefix: '' }, known);
    for (const { name, isDirectory } of entriesIn(fileSystem, directory)) {
      const below = fileSystem.join(directory, name);
      if (isDirectory && area === 'index') {
        noteFiles(fileSystem, { area, directory: below, prefix: `${name}/` }, known);
      }
    }
  }
  return ({ area, name }) => known.get(`${area}/${name}`) ?? known.get(kindOf(area, name)) ?? known.get(area);
}

function noteFiles(
  fileSystem: FileSystem,
  { area, directory, prefix }: { area: string; directory: string; prefix: string },
  known: Map<string, Ownership>
): void {
  for (const { name, isDirectory } of entriesIn(fileSystem, directory)) {
    const file = isDirectory ? undefined : fileSystem.describe(fileSystem.join(directory, name));
    if (!file) continue;
    const ownership = { uid: file.uid, gid: file.gid, mode: (file.mode & 0o777) | OWNER_MAY_WRITE };
    known.set(`${area}/${prefix}${name}`, ownership);
    known.set(kindOf(area, name), ownership);
  }
}

function kindOf(area: string, name: string): string {
  if (decodeChunkFileName(name)) return `${area}:chunk`;
  return `${area}:${/\.[a-z]+$/.exec(name)?.[0] ?? 'table'}`;
}

export function giveOwnership(fileSystem: FileSystem, path: string, ownership: Ownership | undefined): void {
  if (!ownership) return;
  const facts = fileSystem.describe(path);
  if (facts && (facts.uid !== ownership.uid || facts.gid !== ownership.gid)) {
    fileSystem.changeOwner(path, ownership.uid, ownership.gid);
  }
  if (facts && (facts.mode & 0o777) !== ownership.mode) fileSystem.changeMode(path, ownership.mode);
}

/** Makes a directory whose content is visible only to users who could see it in `like`. */
export function makeDirectoryLike(fileSystem: FileSystem, path: string, like: string): void {
  fileSystem.makeDirectory(path);
  const facts = fileSystem.describe(like);
  if (facts) giveOwnership(fileSystem, path, { ...facts, mode: facts.mode & 0o777 });
}

/** Tries on an empty file in `directory`, which is one of ours, whether files can be given to these owners. */
export function requireOwnership(
  fileSystem: FileSystem,
  directory: string,
  owners: readonly (Ownership | undefined)[]
): void {
  const distinct = new Map(
    owners.filter((owner) => owner !== undefined).map((owner) => [`${owner.uid}:${owner.gid}`, owner])
  );
  const trial = fileSystem.join(directory, 'ownership.part');
  fileSystem.remove(trial);
  fileSystem.open(trial, 'createNew').close();
  try {
    for (const { uid, gid } of distinct.values()) {
      try {
        fileSystem.changeOwner(trial, uid, gid);
      } catch (error) {
        throw new EngineError({
          code: 'StorageFailed',
          message: `The database belongs to user ${uid}, group ${gid}; this user may not create files for that owner.`,
          remedy:
            'As the user who owns the database, or as root, finish it with "winnow restore --continue", or put the old ' +
            'files back with "winnow restore --undo". The files of the database are as they were.',
          details: {
            file: directory,
            osCode: osCodeOf(error)
          },
          cause: error
        });
      }
    }
  } finally {
    fileSystem.remove(trial);
  }
}
