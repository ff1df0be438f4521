/**
 * How far a restore is: a file in the data directory that is replaced as a whole at every step (its name and what
 * other code reads of it: storage/restore-marker.ts). It is there before anything is changed and goes last.
 *
 *   copying      new files are gathered; the old database is untouched
 *   preparing    all gathered; cut and looked through there; the old database is untouched
 *   movingAside  the old files go
 *   movingIn     the new files come
 *   finishing    the new database is whole; only cleaning up is left
 *   takingOut    undone from movingIn: the new files go again
 *   movingBack   undone: the old files come back
 *
 * It is bound to its directory: it holds no path of the places, only the stamp in their names, and every folder that is
 * moved or removed carries a mark (restore-mark.ts). Decision: docs/decisions/0023-a-restore-is-bound-to-its-directory.md.
 *
 * Between movingAside and finishing chaser.chk holds a position that no writer reaches: the server refuses to start
 * on such a directory and changes nothing in it. Decision: docs/decisions/0010-a-restore-blocks-the-start.md.
 */
import { isSafeName } from '../backup/backup-layout.ts';
import { EngineError } from '../errors.ts';
import { replaceFile } from '../storage/replace-file.ts';
import { RESTORE_MARKER } from '../storage/restore-marker.ts';
import { readWholeFile, type FileSystem } from '../storage/file-system.ts';
import { entryOf, isOwnedAlike, notOurs } from './restore-mark.ts';
import { isIndexApart, pathWithin, placesNamed, type RestorePlaces } from './restore-places.ts';
import { isRestorable, type SourceFile, type SourceLocation } from './restore-source.ts';

export const RESTORE_PHASES = [
  'copying',
  'preparing',
  'movingAside',
  'movingIn',
  'finishing',
  'takingOut',
  'movingBack'
] as const;
export type RestorePhase = (typeof RESTORE_PHASES)[number];

export interface RestoreJournal {
  formatVersion: number;
  /** Description of the source. */
  backup: string;
  source: SourceLocation;
  phase: RestorePhase;
  /** ISO 8601. */
  startedAt: string;
  /** As in the names of the places: `20261121T050000Z`. */
  stamp: string;
  indexDirectory: string;
  places: RestorePlaces;
  /** Of the data directory when the restore began; with the stamp it names this restore in marks. */
  inode: number;
  /** Names of what is moved aside, of the data and of the index directory; empty until that begins. */
  old: { data: string[]; index: string[] };
  /** What was missing and made for this restore. */
  madeDataDirectory: boolean;
  madeIndexDirectory: boolean;
  appliesTruncation: boolean;
  isSourceNode: boolean;
  /** Where the log ends once it is cut; null until that is worked out. */
  end: number | null;
  /** Files of the new database; truncate.chk is not among them. */
  files: SourceFile[];
}

const FORMAT_VERSION = 2;
const STAMP = /^\d{8}T\d{6}Z$/;
/** Not `.tmp`: the server removes those, and this one may be ours to find. */
export const MARKER_TEMPORARY = `${RESTORE_MARKER}.new`;

/** Held while a restore works, so that a second one is refused. */
export const RESTORE_LOCK = 'winnow-restore.lock';

export function newJournal(
  parts: Omit<RestoreJournal, 'formatVersion' | 'phase' | 'end' | 'old'>
): RestoreJournal {
  const old = { data: [], index: [] };
  return { ...parts, formatVersion: FORMAT_VERSION, phase: 'copying', end: null, old };
}

/** What marks call this restore. */
export function restoreName({ stamp, inode }: Pick<RestoreJournal, 'stamp' | 'inode'>): string {
  return `${stamp}-${inode}`;
}

/** On the disk: how the places are named, not where they are. */
interface StoredPlaces {
  isDataInside: boolean;
  isIndexInside: boolean;
  isIndexShared: boolean;
}

export function writeJournal(fileSystem: FileSystem, dataDirectory: string, journal: RestoreJournal): void {
  fileSystem.remove(fileSystem.join(dataDirectory, MARKER_TEMPORARY));
  replaceFile(fileSystem, {
    directory: dataDirectory,
    name: RESTORE_MARKER,
    temporaryName: MARKER_TEMPORARY,
    bytes: new TextEncoder().encode(`${JSON.stringify(stored(dataDirectory, journal))}\n`)
  });
}

/** The journal goes last: with it gone the directory is an ordinary one. */
export function removeJournal(fileSystem: FileSystem, dataDirectory: string): void {
  fileSystem.remove(fileSystem.join(dataDirectory, MARKER_TEMPORARY));
  fileSystem.remove(fileSystem.join(dataDirectory, RESTORE_LOCK));
  fileSystem.remove(fileSystem.join(dataDirectory, RESTORE_MARKER));
  fileSystem.syncDirectory(dataDirectory);
}

/** undefined when no restore is under way. */
export function readJournal(fileSystem: FileSystem, dataDirectory: string): RestoreJournal | undefined {
  const bytes = readWholeFile(fileSystem, fileSystem.join(dataDirectory, RESTORE_MARKER));
  if (!bytes) return undefined;
  let content: unknown;
  try {
    content = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw unreadable(dataDirectory, 'it is not a JSON document', error);
  }
  const journal = content as Partial<RestoreJournal>;
  if (journal.formatVersion !== FORMAT_VERSION) {
    throw new EngineError({
      code: 'UnsupportedFormat',
      message: `${RESTORE_MARKER} in ${dataDirectory} has the format version ${String(journal.formatVersion)}.`,
      remedy: 'Use the version of Winnow that began this restore, or a newer one. Nothing was changed.',
      details: { file: RESTORE_MARKER }
    });
  }
  requireOwnJournal(fileSystem, dataDirectory);
  const { phase, files, source, stamp, old, inode } = journal;
  const places = journal.places as Partial<StoredPlaces> | undefined;
  const within = (journal as { indexWithin?: unknown }).indexWithin;
  const { isDataInside, isIndexInside, isIndexShared } = places ?? {};
  const isWhole =
    RESTORE_PHASES.some((known) => known === phase) &&
    typeof stamp === 'string' &&
    STAMP.test(stamp) &&
    typeof inode === 'number' &&
    isDataInside !== undefined &&
    isIndexInside !== undefined &&
    isIndexShared !== undefined &&
    (typeof within === 'string' ? isSafeName(within) : typeof journal.indexDirectory === 'string') &&
    typeof source?.target === 'string' &&
    [old?.data, old?.index].every((names) => Array.isArray(names) && names.every(isOneName)) &&
    Array.isArray(files) &&
    files.every(isRestorable);
  if (!isWhole)
    throw unreadable(dataDirectory, 'members are missing, or name files that no restore puts in place');
  const indexDirectory =
    typeof within === 'string'
      ? fileSystem.join(dataDirectory, ...within.split('/'))
      : journal.indexDirectory!;
  const named = { dataDirectory, indexDirectory, stamp, isDataInside, isIndexInside, isIndexShared };
  return { ...journal, indexDirectory, places: placesNamed(fileSystem, named) } as RestoreJournal;
}

function isOneName(name: unknown): boolean {
  return typeof name === 'string' && isSafeName(name) && !name.includes('/');
}

/** The index directory by its name where it lies inside: a copy of the directory then means its own. */
function stored(dataDirectory: string, { places, indexDirectory, ...rest }: RestoreJournal): object {
  const within = pathWithin(indexDirectory, dataDirectory)?.replaceAll('\\', '/');
  const { isDataInside, isIndexInside } = places;
  return {
    ...rest,
    ...(within === undefined ? { indexDirectory } : { indexWithin: within }),
    places: { isDataInside, isIndexInside, isIndexShared: !isIndexApart(places) }
  };
}

/** A journal that belongs to a user other than the directory's, or that is elsewhere, is not trusted. */
function requireOwnJournal(fileSystem: FileSystem, dataDirectory: string): void {
  const path = fileSystem.join(dataDirectory, RESTORE_MARKER);
  if (entryOf(fileSystem, path)?.isLink === true) throw notOurs(dataDirectory, path, 'it is a link');
  if (!isOwnedAlike(fileSystem, path, dataDirectory))
    throw notOurs(dataDirectory, path, 'it belongs to a different user than the directory');
}

function unreadable(dataDirectory: string, what: string, cause?: unknown): EngineError {
  return new EngineError({
    code: 'LogCorrupt',
    message: `${RESTORE_MARKER} in ${dataDirectory} cannot be read: ${what}.`,
    remedy:
      'Look for directories named "restoring" (the new files) and "before-restore" (the old ones) in or beside ' +
      'the data directory, move what you want to keep into place yourself, then remove this file.',
    details: { file: RESTORE_MARKER },
    cause
  });
}
