/** Where the database lies that is asked about: a data directory, or the inside of a backup that is stored plainly. */
import path from 'node:path';
import { invalidRequest, type FileSystem } from '../../src-core/index.ts';
import type { DatabaseLocation } from './operation-contract.ts';

const MANIFEST = 'manifest.json';

/** The folder of one backup is looked into; any other directory is taken as it is. */
export function explainLocation(
  { dataDirectory, indexDirectory }: DatabaseLocation,
  fileSystem: FileSystem
): DatabaseLocation {
  const directory = path.resolve(dataDirectory);
  const isThere = (...parts: string[]) => fileSystem.describe(path.join(directory, ...parts)) !== undefined;
  if (isThere('writer.chk') || !isThere(MANIFEST)) {
    return indexDirectory === undefined ? { dataDirectory } : { dataDirectory, indexDirectory };
  }
  if (!isThere('data', 'writer.chk')) {
    throw invalidRequest(
      `The backup ${directory} is not stored as plain files, so it cannot be looked at where it lies.`,
      'DB',
      'Restore it into an empty directory first ("winnow restore"), and ask there.'
    );
  }
  return {
    dataDirectory: path.join(directory, 'data'),
    indexDirectory: indexDirectory ?? path.join(directory, 'index')
  };
}
