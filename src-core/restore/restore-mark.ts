/**
 * The mark in each folder that a restore makes, for the new files and for the old ones. A folder is moved from, moved
 * into or removed only with a mark in it that names this restore: a journal is a file in a directory that may have come
 * from anywhere, and on its word alone nothing outside that directory is touched.
 *
 * The mark names the data directory by its inode. Folders that lie beside the data directory go where it goes when
 * somebody copies both; an index directory elsewhere stays where it is, and a copy of the data directory has no claim to it.
 * Decision: docs/decisions/0023-a-restore-is-bound-to-its-directory.md.
 */
import { EngineError } from '../errors.ts';
import { entriesIn } from '../storage/directory-entries.ts';
import { readWholeFile, type FileSystem } from '../storage/file-system.ts';
import { replaceFile } from '../storage/replace-file.ts';

export const RESTORE_MARK = 'winnow-restore-mark.json';
const MARK_TEMPORARY = `${RESTORE_MARK}.new`;
const MARK_VERSION = 1;

export type MarkedPlace = 'staging' | 'aside';

export interface RestoreMark {
  /** Of the restore that made the folder. */
  restore: string;
  place: MarkedPlace;
  /** Of the data directory. */
  inode: number;
  dataDirectory: string;
}

export function writeMark(fileSystem: FileSystem, directory: string, mark: RestoreMark): void {
  fileSystem.remove(fileSystem.join(directory, MARK_TEMPORARY));
  replaceFile(fileSystem, {
    directory,
    name: RESTORE_MARK,
    temporaryName: MARK_TEMPORARY,
    bytes: new TextEncoder().encode(`${JSON.stringify({ formatVersion: MARK_VERSION, ...mark })}\n`)
  });
}

/** undefined where there is none that can be read. */
export function readMark(fileSystem: FileSystem, directory: string): RestoreMark | undefined {
  const entry = entriesIn(fileSystem, directory).find(({ name }) => name === RESTORE_MARK);
  if (!entry || entry.isLink === true || entry.isDirectory) return undefined;
  const bytes = readWholeFile(fileSystem, fileSystem.join(directory, RESTORE_MARK));
  if (!bytes) return undefined;
  try {
    const content = JSON.parse(new TextDecoder().decode(bytes)) as Partial<RestoreMark> & {
      formatVersion?: unknown;
    };
    const isMark = content.formatVersion === MARK_VERSION && typeof content.restore === 'string';
    return isMark ? (content as RestoreMark) : undefined;
  } catch {
    return undefined; // not our mark: the caller refuses
  }
}

export interface RequirePlace {
  fileSystem: FileSystem;
  dataDirectory: string;
  directory: string;
  restore: string;
  place: MarkedPlace;
  /** The folder lies beside an index directory that is elsewhere: a copy of the data directory has no claim to it. */
  isApart: boolean;
}

/** Throws unless the folder is a real directory, of the right owner, with the mark of this restore. False: none there. */
export function requirePlace(question: RequirePlace): boolean {
  const { fileSystem, dataDirectory, directory, restore, place, isApart } = question;
  const found = entryOf(fileSystem, directory);
  if (!found) return false;
  const refuse = (why: string): EngineError => notOurs(dataDirectory, directory, why);
  if (found.isLink === true || !found.isDirectory) throw refuse('it is a link or a file, not a directory');
  if (!isOwnedAlike(fileSystem, directory, dataDirectory)) throw refuse('it belongs to a different user');
  const mark = readMark(fileSystem, directory);
  // Cut between making the folder and marking it, or between emptying it and removing it.
  if (!mark && isEmptyPlace(fileSystem, directory)) return true;
  if (!mark) throw refuse('it has no restore mark');
  if (mark.restore !== restore || mark.place !== place) throw refuse('its mark names another restore');
  if (isApart && mark.inode !== fileSystem.describe(dataDirectory)?.inode)
    throw refuse(
      `its mark names another data directory (${mark.dataDirectory}), of which this one may be a copy`
    );
  return true;
}

/** Holds nothing but the mark, or what was to become one. */
export function isEmptyPlace(fileSystem: FileSystem, directory: string): boolean {
  const entries = entriesIn(fileSystem, directory);
  return entries.every(({ name }) => name === RESTORE_MARK || name === MARK_TEMPORARY);
}

/** The mark goes last, so that a cut leaves a folder that is known, or an empty one. */
export function removePlace(fileSystem: FileSystem, directory: string): void {
  for (const { name, isDirectory } of entriesIn(fileSystem, directory)) {
    if (name === RESTORE_MARK) continue;
    const path = fileSystem.join(directory, name);
    if (isDirectory) fileSystem.removeDirectory(path);
    else fileSystem.remove(path);
  }
  fileSystem.syncDirectory(directory);
  fileSystem.removeDirectory(directory);
}

/** An owner of its own, or the superuser. */
export function isOwnedAlike(fileSystem: FileSystem, path: string, directory: string): boolean {
  const uid = fileSystem.describe(path)?.uid;
  return uid === 0 || uid === fileSystem.describe(directory)?.uid;
}

/** The entry itself, not what a link leads to. */
export function entryOf(
  fileSystem: FileSystem,
  path: string
): { isDirectory: boolean; isLink?: boolean } | undefined {
  const name = path.split(/[\\/]/).findLast((part) => part !== '');
  return entriesIn(fileSystem, fileSystem.join(path, '..')).find((entry) => entry.name === name);
}

export function notOurs(dataDirectory: string, path: string, why: string): EngineError {
  return new EngineError({
    code: 'LogCorrupt',
    message: `The restore noted in ${dataDirectory} does not match what is there: ${path}: ${why}.`,
    remedy:
      'Nothing was changed. If the directory was copied or moved manually, bring it and its "restoring" and ' +
      '"before-restore" folders together again under the old names; if someone else put the note there, remove ' +
      'winnow-restore.json.',
    details: { file: path, reason: 'notOfThisRestore' }
  });
}
