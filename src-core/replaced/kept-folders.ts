/**
 * Where files that a scavenge replaces are kept, and what lies there.
 *
 *   <data>/winnow-replaced/lock                       held by the process that changes something here
 *   <data>/winnow-replaced/20261121T050000Z/manifest.json
 *                                           data/     under the names of the data directory
 *                                           index/    the same of the index
 *                                           completed/ chunks that a longer log needs
 *
 * Inside the data directory, so that it is the same volume and the same mount, and it moves with the database. A server
 * scans only the files directly in it, and leaves directories inside an index directory alone (docs/format/log.md,
 * docs/format/index.md). An index on another volume has such a folder of its own for its files.
 */
import { EngineError, invalidRequest, requireFault } from '../errors.ts';
import { entriesIn } from '../storage/directory-entries.ts';
import { requireDataDirectory } from '../storage/data-directory.ts';
import { lockFile, makeLockFile } from '../storage/directory-lock.ts';
import type { FileSystem } from '../storage/file-system.ts';
import {
  isKeptId,
  isPlainName,
  readKeptManifest,
  type KeptFile,
  type KeptManifest
} from './kept-manifest.ts';

export const KEPT_DIRECTORY = 'winnow-replaced';
/** In there: locked by the process that changes something, an undo among them. */
export const KEPT_LOCK = 'lock';

export interface KeptPlace {
  fileSystem: FileSystem;
  dataDirectory: string;
  indexDirectory: string;
}

export function keptDirectoryOf(fileSystem: Pick<FileSystem, 'join'>, directory: string): string {
  return fileSystem.join(directory, KEPT_DIRECTORY);
}

export function folderOf({ fileSystem, dataDirectory }: KeptPlace, id: string): string {
  return fileSystem.join(keptDirectoryOf(fileSystem, dataDirectory), id);
}

/** The folder of the index's files; that of the data directory where the index lies in it. */
export function indexFolderOf(
  place: KeptPlace,
  { id, indexWithin }: Pick<KeptManifest, 'id' | 'indexWithin'>
): string {
  if (indexWithin !== null) return folderOf(place, id);
  return place.fileSystem.join(keptDirectoryOf(place.fileSystem, place.indexDirectory), id);
}

/** Where a kept file lies. */
export function keptPath(
  place: KeptPlace,
  manifest: KeptManifest,
  file: KeptFile,
  isCompleted = false
): string {
  const { fileSystem } = place;
  const folder = file.area === 'data' ? folderOf(place, manifest.id) : indexFolderOf(place, manifest);
  return fileSystem.join(folder, isCompleted ? 'completed' : file.area, ...file.name.split('/'));
}

/** Where it lay, and lies again when it is put back. */
export function placeOf(
  { fileSystem, dataDirectory, indexDirectory }: KeptPlace,
  file: Pick<KeptFile, 'area' | 'name'>
): string {
  return fileSystem.join(file.area === 'data' ? dataDirectory : indexDirectory, ...file.name.split('/'));
}

/** The index directory as a plain name inside the data directory, on the same volume; null where it is elsewhere. */
export function indexWithin({ fileSystem, dataDirectory, indexDirectory }: KeptPlace): string | null {
  const plain = (path: string): string => fileSystem.join(path, '.').replace(/[/\\]+$/, '');
  const [data, index] = [plain(dataDirectory), plain(indexDirectory)];
  // A directory beside it may have a name that begins alike.
  const isBelow = index.startsWith(data) && /^[/\\]/.test(index.slice(data.length));
  const name = isBelow ? index.slice(data.length + 1) : '';
  if (!isPlainName(name)) return null;
  const facts = fileSystem.describe(indexDirectory);
  return facts === undefined || facts.device === fileSystem.describe(dataDirectory)?.device ? name : null;
}

/** A folder whose manifest can be read, or why it cannot. */
export type KeptGeneration = { id: string; manifest: KeptManifest } | { id: string; error: EngineError };

/** Everything that is kept, oldest first. Folders without a manifest are nobody's. Only reads. */
export function listKept(place: Pick<KeptPlace, 'fileSystem' | 'dataDirectory'>): KeptGeneration[] {
  const { fileSystem, dataDirectory } = place;
  const directory = keptDirectoryOf(fileSystem, dataDirectory);
  const found: KeptGeneration[] = [];
  for (const { name, isDirectory } of entriesIn(fileSystem, directory)) {
    if (!isDirectory || !isKeptId(name)) continue;
    try {
      const manifest = readKeptManifest(fileSystem, fileSystem.join(directory, name));
      if (manifest && manifest.id === name) found.push({ id: name, manifest });
    } catch (error) {
      requireFault(error);
      found.push({ id: name, error });
    }
  }
  return found.sort((a, b) => compareIds(a.id, b.id));
}

function compareIds(a: string, b: string): number {
  const [timeA, timeB] = [a.slice(0, 16), b.slice(0, 16)];
  if (timeA !== timeB) return timeA < timeB ? -1 : 1;
  return Number(a.slice(17) || 1) - Number(b.slice(17) || 1);
}

/** Kept and readable, oldest first. */
export function readableKept(place: Pick<KeptPlace, 'fileSystem' | 'dataDirectory'>): KeptManifest[] {
  return listKept(place).flatMap((one) => ('manifest' in one ? [one.manifest] : []));
}

/** Keeps other processes of ours from these folders; makes the directory. Returns what releases it. */
export function lockKept(place: KeptPlace, assumeStopped: boolean): () => void {
  const { fileSystem, dataDirectory } = place;
  const directory = keptDirectoryOf(fileSystem, dataDirectory);
  makeKeptDirectory(place, dataDirectory);
  const path = fileSystem.join(directory, KEPT_LOCK);
  makeLockFile(fileSystem, path);
  try {
    const release = lockFile({ fileSystem, dataDirectory: directory, file: KEPT_LOCK, assumeStopped });
    if (fileSystem.describe(path) !== undefined) return release;
    // The process that held it before removed it with the last of the kept files.
    release();
    return lockKept(place, assumeStopped);
  } catch (error) {
    if (!(error instanceof EngineError) || error.details['reason'] !== undefined) throw error;
    throw new EngineError({
      code: 'DatabaseInUse',
      message: `Another process is working on the replaced files in ${directory}.`,
      remedy: 'Wait until it has ended, then run the same command again.',
      details: { ...error.details, file: directory }
    });
  }
}

/** Makes the directory of kept files in a directory, owned like it. */
export function makeKeptDirectory({ fileSystem }: Pick<KeptPlace, 'fileSystem'>, within: string): string {
  const directory = keptDirectoryOf(fileSystem, within);
  if (fileSystem.describe(directory) === undefined) {
    makeLike(fileSystem, directory, within);
    fileSystem.syncDirectory(within);
  }
  return directory;
}

/** A directory with owner and permissions of another one. */
export function makeLike(fileSystem: FileSystem, directory: string, like: string): void {
  fileSystem.makeDirectory(directory);
  const facts = fileSystem.describe(like);
  const made = fileSystem.describe(directory);
  if (!facts || !made) return;
  if (made.uid !== facts.uid || made.gid !== facts.gid)
    fileSystem.changeOwner(directory, facts.uid, facts.gid);
  if ((made.mode & 0o777) !== (facts.mode & 0o777)) fileSystem.changeMode(directory, facts.mode & 0o777);
}

/**
 * Removes folders that no manifest stands for, which a killed process leaves; and the directory itself, with its lock, when
 * nothing is left. The lock is held. `spare`: one that is just being made.
 */
export function sweepKept(place: KeptPlace, spare?: string): void {
  const { fileSystem, dataDirectory, indexDirectory } = place;
  const known = new Set(listKept(place).map(({ id }) => id));
  if (spare !== undefined) known.add(spare);
  for (const within of new Set([indexDirectory, dataDirectory])) {
    const directory = keptDirectoryOf(fileSystem, within);
    const entries = fileSystem.list(directory);
    if (!entries) continue;
    let left = 0;
    for (const { name, isDirectory, isLink } of entries) {
      if (isDirectory && isLink !== true && isKeptId(name) && !known.has(name))
        fileSystem.removeDirectory(fileSystem.join(directory, name));
      else if (name !== KEPT_LOCK) left++;
    }
    fileSystem.syncDirectory(directory);
    if (left > 0) continue;
    fileSystem.remove(fileSystem.join(directory, KEPT_LOCK));
    fileSystem.removeDirectory(directory);
    fileSystem.syncDirectory(within);
  }
}

/** Removes one folder: its manifest first, which makes the rest nobody's. */
export function removeKept(place: KeptPlace, id: string): void {
  const { fileSystem } = place;
  const folder = folderOf(place, id);
  if (fileSystem.describe(folder) === undefined) return;
  fileSystem.remove(fileSystem.join(folder, 'manifest.json'));
  fileSystem.syncDirectory(folder);
}

/** The generation of this id, or the newest; InvalidRequest where there is none, or it cannot be read. */
export function requireKept(place: KeptPlace, id: string | undefined): KeptManifest {
  requireDataDirectory(place.fileSystem, place.dataDirectory);
  const all = listKept(place);
  const chosen = id === undefined ? all.at(-1) : all.find((one) => one.id === id);
  if (!chosen) {
    const names = all.map((one) => one.id).join(', ');
    throw invalidRequest(
      all.length === 0
        ? `Nothing that a scavenge replaced is kept in ${place.dataDirectory}.`
        : `No replaced files of ${id ?? ''} are kept in ${place.dataDirectory}; there are those of ${names}.`,
      id === undefined ? 'undo' : 'to',
      all.length === 0
        ? 'Only scavenges with "--keep-replaced" can be undone, until their files expire. Restore a backup instead.'
        : 'Name one of these, or none for the newest.'
    );
  }
  if ('error' in chosen) throw chosen.error;
  return chosen.manifest;
}
