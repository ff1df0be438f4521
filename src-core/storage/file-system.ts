/**
 * The port through which the engine reads and writes every byte. Synchronous on purpose: the engine lives in a
 * process or thread of its own, works in short slices and yields between them, and a synchronous read costs
 * half of an asynchronous one. Implementations: node-file-system.ts, and in tests a memory and a faulty one.
 * Every failure is an EngineError of the family StorageFailed that names the file and the system's own word,
 * except that opening or describing a path that does not exist gives `undefined` where the type says so.
 * A flush that failed says so in its details (`isFailedFlush`): what it should have written may be lost although a
 * second flush would go well, so it is never tried again and never passed over.
 */
import { EngineError } from '../errors.ts';

export interface FileFacts {
  /** Bytes. */
  size: number;
  isDirectory: boolean;
  /** Permission bits. */
  mode: number;
  uid: number;
  gid: number;
  /** Identity of the file behind the path, to notice that it was replaced. */
  inode: number;
  device: number;
  modifiedMs: number;
}

export interface DirectoryEntry {
  name: string;
  /** Of the entry itself: false for a link to a directory. */
  isDirectory: boolean;
  /** A symbolic link, wherever it leads. */
  isLink?: boolean;
}

export interface OpenFile {
  readonly path: string;
  /** Length in bytes when it was opened, where opening tells. */
  readonly openedSize?: number;
  /** Current length in bytes. */
  size(): number;
  /** Reads up to `length` bytes at `position` into `target`; the count read is smaller only at the end of the file. */
  read(target: Uint8Array, targetOffset: number, length: number, position: number): number;
  /** Writes all of the given bytes at `position`. */
  write(source: Uint8Array, sourceOffset: number, length: number, position: number): void;
  truncate(size: number): void;
  /** Returns once the file's bytes and length are on the disk. */
  sync(): void;
  close(): void;
}

export type OpenMode =
  /** Must exist. */
  | 'read'
  /** Must exist; read and write. */
  | 'readWrite'
  /** Must exist; read, and write at its end, wherever that is by then: several processes may do so at once. */
  | 'append'
  /** Must not exist; read and write. */
  | 'createNew';

export interface FileSystem {
  /** undefined when there is nothing at `path`. */
  describe(path: string): FileFacts | undefined;
  /** Entries in no particular order; undefined if the directory does not exist. */
  list(path: string): DirectoryEntry[] | undefined;
  open(path: string, mode: OpenMode): OpenFile;
  /** Replaces `to` if it exists. */
  rename(from: string, to: string): void;
  /**
   * A second name for a file. Refused (`EEXIST`) where there is something of that name, even since a moment ago; false where
   * the volume has no second names.
   */
  link?(from: string, to: string): boolean;
  /**
   * A copy of a file that shares its blocks until one of them is written, under a name that is free; false where the
   * volume makes no such copies.
   */
  clone?(from: string, to: string): boolean;
  /** Removes a file; a missing file is not an error. */
  remove(path: string): void;
  /** This user may create entries in a directory. Without it that shows only when it is tried. */
  mayCreateIn?(directory: string): boolean;
  /** Creates a directory and its parents. */
  makeDirectory(path: string): void;
  removeDirectory(path: string): void;
  changeMode(path: string, mode: number): void;
  changeOwner(path: string, uid: number, gid: number): void;
  /** Returns once the directory's entries are on the disk; does nothing where the platform has no such call. */
  syncDirectory(path: string): void;
  /** Free bytes for an ordinary user on the volume of `path`. */
  freeBytes(path: string): number;
  /**
   * Takes an exclusive advisory lock on an existing file without waiting. undefined when another process holds
   * one of any kind. The lock ends with the returned function or with the process. Where the volume or the platform
   * has no locks the failure says so in its details (`reason`: `locksUnseen`, `noLocks`): nobody is in the way then,
   * as far as anybody can tell.
   */
  tryLock(path: string): (() => void) | undefined;
  /**
   * Who holds a lock on the file, as far as this platform can tell. Takes no lock that a server could run into, not
   * even for a moment.
   */
  lockHolder(path: string): LockHolder | undefined;
  join(...parts: string[]): string;
}

export interface LockHolder {
  /** Process name, `unknown` when only the lock is visible. */
  by: string;
  pid: number | null;
}

/** What was written may be lost: this error ends every operation, whatever else it tolerates. */
export function isFailedFlush(error: unknown): boolean {
  return error instanceof EngineError && error.details['call'] === 'flush';
}

/** No lock could be taken because there are none: on this volume or, so far, on this platform. */
export function isWithoutLocks(error: unknown): boolean {
  if (!(error instanceof EngineError)) return false;
  return error.details['reason'] === 'locksUnseen' || error.details['reason'] === 'noLocks';
}

/** A directory, a pipe, a device or a socket was met where a file is expected. */
export function isIrregular(error: unknown): error is EngineError {
  return error instanceof EngineError && error.details['reason'] === 'notARegularFile';
}

/**
 * The whole of a small file. Undefined when it is missing; StorageFailed with the reason `tooLarge` beyond `maxBytes`,
 * before a byte of it is read.
 */
export function readWholeFile(
  fileSystem: FileSystem,
  path: string,
  maxBytes: number = Infinity
): Uint8Array | undefined {
  if (fileSystem.describe(path) === undefined) return undefined;
  const file = fileSystem.open(path, 'read');
  try {
    const size = file.size();
    if (size > maxBytes) throw tooLarge(path, { maxBytes, size });
    const bytes = new Uint8Array(size);
    const count = file.read(bytes, 0, bytes.length, 0);
    return bytes.subarray(0, count);
  } finally {
    file.close();
  }
}

/** StorageFailed for a file that has more bytes than such a file may have. */
export function tooLarge(file: string, { maxBytes, size }: { maxBytes: number; size: number }): EngineError {
  return new EngineError({
    code: 'StorageFailed',
    message: `${file} has ${size} bytes; such a file has at most ${maxBytes}.`,
    remedy: 'Check that this is the right file.',
    details: { file, reason: 'tooLarge', expected: maxBytes, found: size }
  });
}
