/**
 * Our own files that only their owner can read: in WINNOW_HOME, and users files elsewhere. Missing directories
 * are created for the owner only; an existing file keeps its owner and mode.
 */
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import {
  appendLine,
  createFile,
  EngineError,
  NodeFileSystem,
  replaceFile,
  requireNothingAt,
  type FileSystem
} from '../../src-core/index.ts';
import { removeLeftBehind } from './left-behind.ts';

const OWNER_ONLY = 0o600;
const DIRECTORY_OF_OWNER = 0o700;
const ENDS_AS_OURS = /^\d+\.tmp$/;
const ownFileSystem = new NodeFileSystem();

export interface PrivateContent {
  file: string;
  content: string | Uint8Array;
  /** Restricts an existing file to its owner too. */
  isSecret?: boolean;
}

/** Interrupted anywhere, the file has its old content or the new one. */
export function writePrivateFile(
  { file, content, isSecret = false }: PrivateContent,
  fileSystem: FileSystem = ownFileSystem
): void {
  const directory = path.dirname(file);
  makePrivateDirectory(directory, fileSystem);
  const isNew = fileSystem.describe(file) === undefined;
  const name = path.basename(file);
  removeLeftBehind(fileSystem, { directory, before: `${name}.`, after: ENDS_AS_OURS });
  replaceFile(fileSystem, {
    directory,
    name,
    // Two processes may replace the same file at once: each has its own temporary file.
    temporaryName: `${name}.${process.pid}.tmp`,
    bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content,
    ...(isNew || isSecret ? { mode: OWNER_ONLY } : {})
  });
}

/**
 * Makes the empty file on which processes lock each other out, where nothing has its name: a link to nothing has it, and
 * what that points to is not made. Errors are the system's.
 */
export function makeLockFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', OWNER_ONLY));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Throws StorageFailed where `createPrivateFile` would: before what is worth something only together with the file. */
export function requireRoomForNew(file: string, fileSystem: FileSystem = ownFileSystem): void {
  requireNothingAt(fileSystem, file);
  const directory = path.dirname(path.resolve(file));
  if (fileSystem.describe(directory)?.isDirectory === true && fileSystem.mayCreateIn?.(directory) !== false)
    return;
  throw new EngineError({
    code: 'StorageFailed',
    message: `No file can be created in ${directory}.`,
    remedy: 'Name a directory that exists and that you may write to.',
    details: { file }
  });
}

/** Interrupted anywhere, the file is complete or absent; never replaces an existing one. */
export function createPrivateFile(
  file: string,
  content: string,
  fileSystem: FileSystem = ownFileSystem
): void {
  const directory = path.dirname(path.resolve(file));
  const name = path.basename(file);
  removeLeftBehind(fileSystem, { directory, before: `${name}.`, after: ENDS_AS_OURS });
  createFile(fileSystem, {
    directory,
    name,
    temporaryName: `${name}.${process.pid}.tmp`,
    bytes: new TextEncoder().encode(content),
    mode: OWNER_ONLY
  });
}

/** `isSoleWriter`: this process holds a lease or lock for the file. */
export function appendPrivateLine(
  { file, line, isSoleWriter }: { file: string; line: string; isSoleWriter: boolean },
  fileSystem: FileSystem = ownFileSystem
): void {
  const directory = path.dirname(file);
  makePrivateDirectory(directory, fileSystem);
  appendLine(fileSystem, { directory, name: path.basename(file), line, isSoleWriter, mode: OWNER_ONLY });
}

/** Creates each missing directory, and flushes its parent. */
export function makePrivateDirectory(directory: string, fileSystem: FileSystem = ownFileSystem): void {
  if (fileSystem.describe(directory)?.isDirectory === true) return;
  const above = path.dirname(directory);
  if (above !== directory) makePrivateDirectory(above, fileSystem);
  fileSystem.makeDirectory(directory);
  fileSystem.changeMode(directory, DIRECTORY_OF_OWNER);
  fileSystem.syncDirectory(above);
}
