/** The location of the database to explain: a data directory, or the inside of an unencoded backup. */
import path from 'node:path';
import { invalidRequest, type FileSystem } from '../../../src-core/index.ts';
import type { DatabaseLocation } from '../../contract/operations/operation-contract.ts';

const MANIFEST = 'manifest.json';

/** For the folder of a backup the data inside it; any other directory unchanged. */
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
      `The backup ${directory} is compressed or encrypted, so it cannot be read in place.`,
      'DB',
      'Restore it into an empty directory first ("winnow restore"), and run explain there.'
    );
  }
  return {
    dataDirectory: path.join(directory, 'data'),
    indexDirectory: indexDirectory ?? path.join(directory, 'index')
  };
}
