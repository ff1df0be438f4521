/**
 * The one way to append a line to a file of lines, and to read them. A line counts once it and the line break behind it
 * are on the disk. A power cut or a full disk may leave a torn one at the end: readers pass it over, and the next append
 * makes good what it left.
 *
 * A file with one writer is cut to its last whole line first. Where several processes append to the same file nobody may
 * cut, since the torn line may be another's that is just being written: the torn one is ended by a line break instead, and
 * stays behind as a line that no reader can decode.
 */
import { isFailedFlush, readWholeFile, type FileSystem, type OpenFile } from './file-system.ts';

export interface AppendLine {
  directory: string;
  name: string;
  /** Without its line break. */
  line: string;
  /** Nothing else writes to this file: the caller holds a lock or a lease. */
  isSoleWriter: boolean;
  /** Permission bits of a file that is made; the process default otherwise. */
  mode?: number;
}

const LINE_BREAK = 0x0a;
const BLOCK_BYTES = 64 * 1024;

export function appendLine(
  fileSystem: FileSystem,
  { directory, name, line, isSoleWriter, mode }: AppendLine
): void {
  const path = fileSystem.join(directory, name);
  const isNew = makeIfMissing(fileSystem, path, mode);
  const file = fileSystem.open(path, isSoleWriter ? 'readWrite' : 'append');
  try {
    const size = file.size();
    const whole = wholeLength(file, size, isSoleWriter ? size : 1);
    const isTorn = whole < size;
    if (isTorn && isSoleWriter) file.truncate(whole);
    const bytes = new TextEncoder().encode(`${isTorn && !isSoleWriter ? '\n' : ''}${line}\n`);
    const at = isSoleWriter ? whole : size;
    try {
      file.write(bytes, 0, bytes.length, at);
      file.sync();
    } catch (error) {
      // A part of it may be there. After a failed flush nothing is certain any more, and nothing is tried again.
      if (isSoleWriter && !isFailedFlush(error)) cutBack(file, at);
      throw error;
    }
  } finally {
    file.close();
  }
  if (isNew) fileSystem.syncDirectory(directory);
}

/** The whole lines, without their breaks; none if the file does not exist. Throws for one beyond `maxBytes`. */
export function readLines(fileSystem: FileSystem, path: string, maxBytes: number): string[] {
  const bytes = readWholeFile(fileSystem, path, maxBytes);
  if (!bytes) return [];
  const end = bytes.lastIndexOf(LINE_BREAK);
  if (end === -1) return [];
  return new TextDecoder().decode(bytes.subarray(0, end)).split('\n');
}

function makeIfMissing(fileSystem: FileSystem, path: string, mode: number | undefined): boolean {
  if (fileSystem.describe(path)) return false;
  try {
    fileSystem.open(path, 'createNew').close();
  } catch (error) {
    // Another process made it in the same moment.
    if (!fileSystem.describe(path)) throw error;
    return true;
  }
  if (mode !== undefined) fileSystem.changeMode(path, mode);
  return true;
}

/** Bytes up to the end of the last whole line, looking back `within` bytes at most. */
function wholeLength(file: OpenFile, size: number, within: number): number {
  const block = new Uint8Array(Math.min(BLOCK_BYTES, within));
  for (let end = size; end > Math.max(0, size - within); end -= block.length) {
    const start = Math.max(0, end - block.length);
    const count = file.read(block, 0, end - start, start);
    const found = block.subarray(0, count).lastIndexOf(LINE_BREAK);
    if (found !== -1) return start + found + 1;
  }
  return Math.max(0, size - within);
}

function cutBack(file: OpenFile, size: number): void {
  try {
    file.truncate(size);
  } catch {
    // The first failure is the one to report; the next append cuts.
  }
}
