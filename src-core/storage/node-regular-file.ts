/**
 * The one place where a file with an untrusted name is opened. What lies at that name may be a pipe, a device, a
 * socket or a directory: an open of a pipe waits for its other end, deaf to every signal, and a device has no end.
 * Therefore every open is one that does not wait, and what is not a regular file is refused before a byte is read.
 */
import fs from 'node:fs';
import { EngineError } from '../errors.ts';
import { isInterrupted } from './interrupted-call.ts';
import { tooLarge } from './file-system.ts';

/** Regular files know no waiting, so the flag changes nothing for them. Windows has neither the flag nor such pipes. */
const WITHOUT_WAITING = fs.constants.O_NONBLOCK ?? 0;
const NEW_FILE_MODE = 0o666;

/**
 * A descriptor of the regular file at `path`; `flags` as of open(2). Throws the system's own error, or StorageFailed
 * with the reason `notARegularFile`.
 */
export function openRegularFile(path: string, flags: number, mode: number = NEW_FILE_MODE): number {
  return openWithSize(path, flags, mode).descriptor;
}

/** The same, with the length that the file had. */
export function openWithSize(
  path: string,
  flags: number,
  mode: number = NEW_FILE_MODE
): { descriptor: number; size: number } {
  let descriptor: number;
  try {
    descriptor = fs.openSync(path, flags | WITHOUT_WAITING, mode);
  } catch (error) {
    // A socket, a pipe without a reader and a directory are refused by the system, with unhelpful messages.
    const stat = fs.statSync(path, { throwIfNoEntry: false });
    if (stat && !stat.isFile()) throw notARegularFile(path, stat);
    throw error;
  }
  const stat = fs.fstatSync(descriptor);
  if (stat.isFile()) return { descriptor, size: stat.size };
  fs.closeSync(descriptor);
  throw notARegularFile(path, stat);
}

/**
 * Throws what `openRegularFile` throws, for callers that let a library open the file. A missing file is not an error; a
 * link to nothing is one: the library would make the file that it names, wherever that is.
 */
export function requireRegularFile(path: string): void {
  const stat = factsOf(path, fs.statSync);
  if (stat && !stat.isFile()) throw notARegularFile(path, stat);
  if (!stat && factsOf(path, fs.lstatSync)) throw notARegularFile(path, undefined);
}

/** undefined: nothing is there, also where a directory of the path is a file. Throws StorageFailed for what the system refuses. */
function factsOf(path: string, look: typeof fs.statSync): fs.Stats | undefined {
  try {
    return look(path, { throwIfNoEntry: false });
  } catch (error) {
    const { code: osCode = 'unknown', message } = error as NodeJS.ErrnoException;
    if (osCode === 'ENOTDIR') return undefined;
    throw new EngineError({
      code: 'StorageFailed',
      message: `Could not inspect ${path}: ${message}.`,
      remedy: 'Check the path, and the permissions of the directories in it.',
      details: { file: path, osCode },
      cause: error
    });
  }
}

/** An SQLite file with what lies beside it while it is open: SQLite opens them all, and waits. */
export function requireRegularDatabase(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) requireRegularFile(`${path}${suffix}`);
}

/**
 * The whole of a small regular file. Never reads more than `maxBytes` and the one that is too much: a file may grow
 * while it is read, and those of /proc have no length at all.
 */
export function readRegularFile(path: string, maxBytes: number): Buffer {
  const descriptor = openRegularFile(path, fs.constants.O_RDONLY);
  try {
    const { size } = fs.fstatSync(descriptor);
    if (size > maxBytes) throw tooLarge(path, { maxBytes, size });
    const parts: Buffer[] = [];
    let total = 0;
    for (;;) {
      const part = Buffer.allocUnsafe(Math.min(Math.max(size - total, 0) + 1, maxBytes + 1 - total));
      const count = readOn(descriptor, part);
      if (count === 0) return Buffer.concat(parts, total);
      parts.push(part.subarray(0, count));
      total += count;
      if (total > maxBytes) throw tooLarge(path, { maxBytes, size: total });
    }
  } finally {
    fs.closeSync(descriptor);
  }
}

/** From where the last one ended. */
function readOn(descriptor: number, target: Buffer): number {
  for (;;) {
    try {
      return fs.readSync(descriptor, target, 0, target.length, null);
    } catch (error) {
      if (!isInterrupted(error)) throw error;
    }
  }
}

function kindOf(stat: fs.Stats): string {
  if (stat.isDirectory()) return 'a directory';
  if (stat.isFIFO()) return 'a named pipe';
  if (stat.isSocket()) return 'a socket';
  return stat.isCharacterDevice() || stat.isBlockDevice() ? 'a device' : 'not a file';
}

/** `stat`: of what lies there; undefined for a link that leads to nothing. */
function notARegularFile(path: string, stat: fs.Stats | undefined): EngineError {
  const kind = stat ? kindOf(stat) : 'a link to nothing';
  return new EngineError({
    code: 'StorageFailed',
    message: `${path} is ${kind}, not a regular file.`,
    remedy: 'Move it away and put the right file there. Nothing was read from it.',
    details: { file: path, reason: 'notARegularFile', found: kind }
  });
}
