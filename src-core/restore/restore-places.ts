/**
 * Where the new files are gathered and where the old ones go: beside the directory, on the same volume, so that
 * both are matters of renaming; or, where the directory is a mount point or nothing may be written beside it, inside
 * it under names that the server ignores. Only names; nothing is created here.
 */
import { invalidRequest, osCodeOf } from '../errors.ts';
import { namesIn } from '../storage/directory-entries.ts';
import type { FileSystem } from '../storage/file-system.ts';

export interface RestorePlaces {
  /** New files of the data directory until they are all there. */
  stagingData: string;
  stagingIndex: string;
  /** Old content; stays when the restore has ended. */
  asideData: string;
  asideIndex: string;
  /** The old content of the data directory stays on its mount point. */
  isDataInside: boolean;
  isIndexInside: boolean;
}

export interface PlacesQuestion {
  fileSystem: FileSystem;
  dataDirectory: string;
  indexDirectory: string;
  /** Distinguishes this restore from earlier ones: `20261121T050000Z`. */
  stamp: string;
  /** Nothing may be written beside the directory. */
  dataInside?: boolean;
  indexInside?: boolean;
}

/** Names in the directories that are moved aside. */
export interface OldNames {
  data: string[];
  index: string[];
}

/** Entries that must not be moved. */
const NOT_OURS = new Set(['lost+found']);

export function restorePlaces(question: PlacesQuestion): RestorePlaces {
  const { fileSystem, dataDirectory, indexDirectory, stamp } = question;
  const within = pathWithin(indexDirectory, dataDirectory);
  if (within === '' || pathWithin(dataDirectory, indexDirectory) !== undefined) {
    throw invalidRequest(
      `The index directory ${indexDirectory} is not a separate directory beside or inside the data directory.`,
      'indexDirectory'
    );
  }
  const isOnVolumeOfData =
    fileSystem.describe(indexDirectory) === undefined ||
    fileSystem.describe(indexDirectory)?.device === fileSystem.describe(dataDirectory)?.device;
  const isDataInside = isInside(fileSystem, dataDirectory, question.dataInside);
  const isIndexShared = within !== undefined && isOnVolumeOfData;
  const isIndexInside = isIndexShared
    ? isDataInside
    : isInside(fileSystem, indexDirectory, question.indexInside === true || within !== undefined);
  const directories = { dataDirectory, indexDirectory, stamp };
  return placesNamed(fileSystem, { ...directories, isDataInside, isIndexInside, isIndexShared });
}

export interface NamedPlaces {
  dataDirectory: string;
  indexDirectory: string;
  stamp: string;
  isDataInside: boolean;
  isIndexInside: boolean;
  /** The index directory lies in the data directory and goes with it. */
  isIndexShared: boolean;
}

/** The places by the names alone: nothing else decides where an unfinished restore resumes. */
export function placesNamed(fileSystem: Pick<FileSystem, 'join'>, named: NamedPlaces): RestorePlaces {
  const { dataDirectory, indexDirectory, stamp, isDataInside, isIndexInside, isIndexShared } = named;
  const data = baseOf(fileSystem, dataDirectory, stamp, isDataInside);
  const within = pathWithin(indexDirectory, dataDirectory);
  const index =
    isIndexShared && within !== undefined
      ? { staging: fileSystem.join(data.staging, within), aside: fileSystem.join(data.aside, within) }
      : baseOf(fileSystem, indexDirectory, stamp, isIndexInside);
  return {
    stagingData: data.staging,
    stagingIndex: index.staging,
    asideData: data.aside,
    asideIndex: index.aside,
    isDataInside,
    isIndexInside
  };
}

/** The index has places of its own, not inside those of the data directory. */
export function isIndexApart({ stagingIndex, stagingData }: RestorePlaces): boolean {
  return pathWithin(stagingIndex, stagingData) === undefined;
}

interface PlannedPlaces {
  dataDirectory: string;
  indexDirectory: string;
  places: RestorePlaces;
  stamp: string;
}

/** The places, moved inside where this user may not create a directory beside; looked up, nothing is tried. */
export function foreseenPlaces(fileSystem: FileSystem, plan: PlannedPlaces): RestorePlaces {
  return placesWhere(fileSystem, plan, (directory) => {
    const parent = fileSystem.join(directory, '..');
    return fileSystem.describe(parent) === undefined || fileSystem.mayCreateIn?.(parent) !== false;
  });
}

/** The same, tried. A plan foresees it, but for what only the try shows. */
export function writablePlaces(fileSystem: FileSystem, plan: PlannedPlaces): RestorePlaces {
  return placesWhere(fileSystem, plan, (directory) => mayCreate(fileSystem, directory));
}

/** The directories of the old files that something will be moved to: what a plan names, and a restore makes. */
export function asidePlaces({ places, old }: { places: RestorePlaces; old: OldNames }): string[] {
  const { asideData, asideIndex } = places;
  const isWithin = pathWithin(asideIndex, asideData) !== undefined;
  return [
    ...(old.data.length > 0 || (isWithin && old.index.length > 0) ? [asideData] : []),
    ...(!isWithin && old.index.length > 0 ? [asideIndex] : [])
  ];
}

function placesWhere(
  fileSystem: FileSystem,
  plan: PlannedPlaces,
  mayCreateAt: (directory: string) => boolean
): RestorePlaces {
  const { places } = plan;
  const mayLieBeside = (staging: string, aside: string): boolean =>
    mayBeNamed(fileSystem, staging) && mayBeNamed(fileSystem, aside) && mayCreateAt(staging);
  const dataInside = !places.isDataInside && !mayLieBeside(places.stagingData, places.asideData);
  const indexInside =
    isIndexApart(places) && !places.isIndexInside && !mayLieBeside(places.stagingIndex, places.asideIndex);
  return dataInside || indexInside ? restorePlaces({ ...plan, fileSystem, dataInside, indexInside }) : places;
}

/** A directory whose own name is as long as the volume takes has no room for a longer one beside it. */
function mayBeNamed(fileSystem: FileSystem, directory: string): boolean {
  try {
    fileSystem.describe(directory);
    return true;
  } catch (error) {
    if (osCodeOf(error) === 'ENAMETOOLONG') return false;
    throw error;
  }
}

/** Tried on an empty directory, above which everything may still be missing. */
function mayCreate(fileSystem: FileSystem, directory: string): boolean {
  if (fileSystem.describe(fileSystem.join(directory, '..')) === undefined) return true;
  try {
    fileSystem.makeDirectory(directory);
  } catch (error) {
    const osCode = osCodeOf(error);
    if (osCode === 'EACCES' || osCode === 'EPERM' || osCode === 'EROFS') return false;
    throw error;
  }
  fileSystem.removeDirectory(directory);
  return true;
}

/** Only there is the same volume for sure. */
function isInside(fileSystem: FileSystem, directory: string, mustBeInside = false): boolean {
  const facts = fileSystem.describe(directory);
  const parent = fileSystem.describe(fileSystem.join(directory, '..'));
  return mustBeInside || (facts !== undefined && facts.device !== parent?.device);
}

function baseOf(
  fileSystem: Pick<FileSystem, 'join'>,
  directory: string,
  stamp: string,
  isInside: boolean
): { staging: string; aside: string } {
  return isInside
    ? {
        staging: fileSystem.join(directory, `winnow-restoring-${stamp}`),
        aside: fileSystem.join(directory, `before-restore-${stamp}`)
      }
    : { staging: `${directory}.restoring-${stamp}`, aside: `${directory}.before-restore-${stamp}` };
}

/** The part of `path` below `directory`: empty when they are the same, undefined when it is not below. */
export function pathWithin(path: string, directory: string): string | undefined {
  if (path === directory) return '';
  const rest = path.startsWith(directory) ? path.slice(directory.length) : '';
  return /^[\\/]/.test(rest) ? rest.slice(1) : undefined;
}

/** Names in a directory that a restore moves: all but its own places, the directory of the index, and the volume's. */
export function movableEntries(fileSystem: FileSystem, directory: string, kept: readonly string[]): string[] {
  const keptNames = new Set(
    kept.map((path) => pathWithin(path, directory)?.split(/[\\/]/)[0]).filter((name) => name !== undefined)
  );
  return namesIn(fileSystem, directory)
    .filter((name) => !keptNames.has(name) && !NOT_OURS.has(name))
    .sort();
}
