/** The error for what is named as the data directory of a node and is none. */
import { EngineError } from '../errors.ts';
import type { FileSystem } from './file-system.ts';

/** Throws DatabaseNotFound unless there is a directory. What lies in it is not looked at. */
export function requireDataDirectory(fileSystem: FileSystem, dataDirectory: string): void {
  if (fileSystem.describe(dataDirectory)?.isDirectory === true) return;
  throw noDatabase(`The directory ${dataDirectory} does not exist.`, dataDirectory);
}

export function noDatabase(message: string, dataDirectory: string): EngineError {
  return new EngineError({
    code: 'DatabaseNotFound',
    message,
    remedy:
      'Choose the data directory of a node: the one with writer.chk and files named chunk-000000.000000.',
    details: { file: dataDirectory }
  });
}
