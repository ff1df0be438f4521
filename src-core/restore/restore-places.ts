/**
 * Where the new files are gathered and where the old ones go: beside the directory, on the same volume, so that
 * both are matters of renaming; or, where the directory is a mount point or nothing may be written beside it, inside
 * it under names that the server ignores. Only names; nothing is created here.
 */
import { EngineError, invalidRequest } from '../errors.ts';
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

/** Entries that are nobody's to move. */
const NOT_OURS = new Set(['lost+found']);

export function restorePlaces(question: PlacesQuestion): RestorePlaces {
  const { fileSystem, dataDirectory, indexDirectory } = question;
  const within = pathWithin(indexDirectory, dataDirectory);
  if (within === '' || pathWithin(dataDirectory, indexDirectory) !== undefined) {
    throw invalidRequest(
      `The index directory ${indexDirectory} is not one of its own beside or inside the data directory.`,
      'indexDirectory'
    );
  }
  const data = baseOf(question, dataDirectory, question.dataInside);
  const isOnVolumeOfData =
    fileSystem.describe(indexDirectory) === undefined ||
    fileSystem.describe(indexDirectory)?.device === fileSystem.describe(dataDirectory)?.device;
  const index =
    within !== undefined && isOnVolumeOfData
      ? {
          staging: fileSystem.join(data.staging, within),
          aside: fileSystem.join(data.aside, within),
          isInside: data.isInside
        }
      : baseOf(question, indexDirectory, question.indexInside === true || within !== undefined);
  return {
    stagingData: data.staging,
    stagingIndex: index.staging,
    asideData: data.aside,
    asideIndex: index.aside,
    isDataInside: data.isInside,
    isIndexInside: index.isInside
  };
}

/** The places of a plan, moved inside where this user may not create a directory beside. */
export function writablePlaces(
  fileSystem: FileSystem,
  plan: { dataDirectory: string; indexDirectory: string; places: RestorePlaces; stamp: string }
): RestorePlaces {
  const { places } = plan;
  const dataInside = !places.isDataInside && !mayCreate(fileSystem, places.stagingData);
  const isIndexOwn = pathWithin(places.stagingIndex, places.stagingData) === undefined;
  const indexInside = isIndexOwn && !places.isIndexInside && !mayCreate(fileSystem, places.stagingIndex);
  return dataInside || indexInside ? restorePlaces({ ...plan, fileSystem, dataInside, indexInside }) : places;
}

/** Tried on an empty directory, above which everything may still be missing. */
function mayCreate(fileSystem: FileSystem, directory: string): boolean {
  if (fileSystem.describe(fileSystem.join(directory, '..')) === undefined) return true;
  try {
    fileSystem.makeDirectory(directory);
  } catch (error) {
    const osCode = error instanceof EngineError ? error.details.osCode : undefined;
    if (osCode === 'EACCES' || osCode === 'EPERM' || osCode === 'EROFS') return false;
    throw error;
  }
  fileSystem.removeDirectory(directory);
  return true;
}

interface Base {
  staging: string;
  aside: string;
  isInside: boolean;
}

function baseOf({ fileSystem, stamp }: PlacesQuestion, directory: string, mustBeInside = false): Base {
  const facts = fileSystem.describe(directory);
  const parent = fileSystem.describe(fileSystem.join(directory, '..'));
  const isInside = mustBeInside || (facts !== undefined && facts.device !== parent?.device);
  return isInside
    ? {
        staging: fileSystem.join(directory, `winnow-restoring-${stamp}`),
        aside: fileSystem.join(directory, `before-restore-${stamp}`),
        isInside
      }
    : {
        staging: `${directory}.restoring-${stamp}`,
        aside: `${directory}.before-restore-${stamp}`,
        isInside
      };
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
  return (fileSystem.list(directory) ?? [])
    .map(({ name }) => name)
    .filter((name) => !keptNames.has(name) && !NOT_OURS.has(name))
    .sort();
}
