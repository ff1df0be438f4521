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
 * Between movingAside and finishing chaser.chk holds a position that no writer reaches: the server refuses to start
 * on such a directory and changes nothing in it. Decision: docs/decisions/0010-a-restore-blocks-the-start.md.
 */
import { isSafeName } from '../backup/backup-layout.ts';
import { EngineError } from '../errors.ts';
import { replaceFile } from '../storage/replace-file.ts';
import { RESTORE_MARKER } from '../storage/restore-marker.ts';
import { readWholeFile, type FileSystem } from '../storage/file-system.ts';
import type { RestorePlaces } from './restore-places.ts';
import type { SourceFile, SourceLocation } from './restore-source.ts';

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
  indexDirectory: string;
  places: RestorePlaces;
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

const FORMAT_VERSION = 1;
/** Not `.tmp`: the server removes those, and this one may be ours to find. */
export const MARKER_TEMPORARY = `${RESTORE_MARKER}.new`;

/** Held while a restore works, so that a second one is refused. */
export const RESTORE_LOCK = 'winnow-restore.lock';

export function newJournal(parts: Omit<RestoreJournal, 'formatVersion' | 'phase' | 'end'>): RestoreJournal {
  return { ...parts, formatVersion: FORMAT_VERSION, phase: 'copying', end: null };
}

export function writeJournal(fileSystem: FileSystem, dataDirectory: string, journal: RestoreJournal): void {
  fileSystem.remove(fileSystem.join(dataDirectory, MARKER_TEMPORARY));
  replaceFile(fileSystem, {
    directory: dataDirectory,
    name: RESTORE_MARKER,
    temporaryName: MARKER_TEMPORARY,
    bytes: new TextEncoder().encode(`${JSON.stringify(journal)}\n`)
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
    throw unreadable(dataDirectory, 'it is no JSON document', error);
  }
  const journal = content as Partial<RestoreJournal>;
  if (journal.formatVersion !== FORMAT_VERSION) {
    throw new EngineError({
      code: 'UnsupportedFormat',
      message: `${RESTORE_MARKER} in ${dataDirectory} has the format version ${String(journal.formatVersion)}.`,
      remedy: 'Use the workbench that began this restore, or a newer one. Nothing was changed.',
      details: { file: RESTORE_MARKER }
    });
  }
  const { phase, places, files, source } = journal;
  const isWhole =
    RESTORE_PHASES.some((known) => known === phase) &&
    typeof journal.indexDirectory === 'string' &&
    typeof places?.stagingData === 'string' &&
    typeof places.stagingIndex === 'string' &&
    typeof places.asideData === 'string' &&
    typeof places.asideIndex === 'string' &&
    typeof source?.target === 'string' &&
    Array.isArray(files) &&
    files.every((file) => isSafeName(file.name));
  if (!isWhole) throw unreadable(dataDirectory, 'members are missing');
  return journal as RestoreJournal;
}

function unreadable(dataDirectory: string, what: string, cause?: unknown): EngineError {
  return new EngineError({
    code: 'LogCorrupt',
    message: `${RESTORE_MARKER} in ${dataDirectory} cannot be read: ${what}.`,
    remedy:
      'Look for directories named "restoring" (the new files) and "before-restore" (the old ones) in or beside ' +
      'the data directory, move what you want to keep into place by hand, then remove this file.',
    details: { file: RESTORE_MARKER },
    cause
  });
}
