/**
 * Our own files that only their owner can read: in WINNOW_HOME, and users files elsewhere. Missing directories
 * are created for the owner only; an existing file keeps its owner and mode.
 */
import path from 'node:path';
import { appendLine, NodeFileSystem, replaceFile, type FileSystem } from '../../src-core/index.ts';

const OWNER_ONLY = 0o600;
const DIRECTORY_OF_OWNER = 0o700;
/** A temporary file older than this was left by a killed process; no write takes as long. */
const LEFT_BEHIND_MS = 10 * 60_000;
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
  removeLeftBehind(fileSystem, directory, name);
  replaceFile(fileSystem, {
    directory,
    name,
    // Two processes may replace the same file at once: each has its own temporary file.
    temporaryName: `${name}.${process.pid}.tmp`,
    bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content,
    ...(isNew || isSecret ? { mode: OWNER_ONLY } : {})
  });
}

/** Removes temporary files of processes that were killed between writing and renaming. */
function removeLeftBehind(fileSystem: FileSystem, directory: string, name: string): void {
  for (const entry of fileSystem.list(directory) ?? []) {
    if (!entry.name.startsWith(`${name}.`) || !/^\d+\.tmp$/.test(entry.name.slice(name.length + 1))) continue;
    const temporary = path.join(directory, entry.name);
    const modifiedMs = fileSystem.describe(temporary)?.modifiedMs;
    if (modifiedMs !== undefined && Date.now() - modifiedMs > LEFT_BEHIND_MS) fileSystem.remove(temporary);
  }
}

/** Never replaces an existing file; a failure leaves no file. */
export function createPrivateFile(
  file: string,
  content: string,
  fileSystem: FileSystem = ownFileSystem
): void {
  const bytes = new TextEncoder().encode(content);
  const created = fileSystem.open(file, 'createNew');
  try {
    try {
      fileSystem.changeMode(file, OWNER_ONLY);
      created.write(bytes, 0, bytes.length, 0);
      created.sync();
    } finally {
      created.close();
    }
  } catch (error) {
    fileSystem.remove(file);
    throw error;
  }
  fileSystem.syncDirectory(path.dirname(path.resolve(file)));
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
