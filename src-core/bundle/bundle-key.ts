/**
 * The key of a bundle: 32 random bytes in a file of one line, readable by its owner alone, that stays with the user. With it
 * the same names become the same again, so that two bundles of one database can be held side by side.
 */
import { EngineError, invalidRequest } from '../errors.ts';
import { createFile } from '../storage/create-file.ts';
import { readWholeFile, type FileSystem } from '../storage/file-system.ts';
import { NAME_KEY_LENGTH } from './name-map.ts';

const LARGEST_KEY_FILE = 1024;
const OWNER_ONLY = 0o600;

export interface KeyPlace {
  directory: string;
  name: string;
}

/** undefined when there is no such file. */
export function readBundleKey(fileSystem: FileSystem, { directory, name }: KeyPlace): Buffer | undefined {
  const path = fileSystem.join(directory, name);
  const bytes = readWholeFile(fileSystem, path, LARGEST_KEY_FILE);
  if (!bytes) return undefined;
  const text = new TextDecoder().decode(bytes).trim();
  if (/^[0-9a-f]{64}$/.test(text)) return Buffer.from(text, 'hex');
  throw invalidRequest(
    `${path} is no key of a bundle: it does not hold ${NAME_KEY_LENGTH * 2} hex digits.`,
    'key',
    'Name another file; one that does not exist is made.'
  );
}

/** `bytes`: random. The file must not exist. */
export function writeBundleKey(fileSystem: FileSystem, { directory, name }: KeyPlace, bytes: Buffer): void {
  if (bytes.length !== NAME_KEY_LENGTH) {
    throw new EngineError({
      code: 'AssertionFailed',
      message: `A key has ${NAME_KEY_LENGTH} bytes.`,
      remedy: 'Report this.'
    });
  }
  createFile(fileSystem, {
    directory,
    name,
    temporaryName: `${name}.tmp`,
    bytes: Buffer.from(`${bytes.toString('hex')}\n`),
    mode: OWNER_ONLY
  });
}
