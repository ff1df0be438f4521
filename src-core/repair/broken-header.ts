/**
 * A file at the end of the log whose header cannot be read. Its records say where they belong: where a chain of them
 * begins behind the header, the header follows from them, from the file's name and from the other chunks. Nothing of
 * the log is lost by that: no hash covers the chunk being written, and its id is kept where the file still has one.
 * A file in which no record reads is moved aside.
 */
import { decodeChunkFileName } from '../chunks/chunk-file-name.ts';
import { CHUNK_FOOTER_LENGTH } from '../chunks/chunk-footer.ts';
import {
  CHUNK_HEADER_LENGTH,
  decodeChunkHeader,
  encodeChunkHeader,
  FIRST_ALIGNED_VERSION,
  NEWEST_CHUNK_VERSION,
  type ChunkHeader
} from '../chunks/chunk-header.ts';
import { CHUNK_ALIGNMENT } from '../chunks/chunk-writer.ts';
import { decodeGuid, EMPTY_GUID } from '../codec/guid.ts';
import type { Database } from '../database/database.ts';
import { DEFAULT_CHUNK_SIZE_BYTES } from '../log/database-chunk-size.ts';
import { entriesIn } from '../storage/directory-entries.ts';
import type { FileSystem } from '../storage/file-system.ts';
import type { Finding } from '../verify/finding.ts';
import { byteChanges, nameChange } from './file-change.ts';
import type { LogEnd } from './log-end.ts';
import type { RepairAction, RepairWork } from './repair-plan.ts';

const LOWEST_CHUNK_VERSION = 2;
const CHUNK_SIZE_OFFSET = 2;
const CHUNK_ID_OFFSET = 18;
const VERSION_OFFSET = 34;

/**
 * Whether the finding names the last chunk file that the log has, and says that its header cannot be read, or takes it for a
 * scavenged one that has no footer.
 */
export function isHeaderOfLastFile({ code, severity, file }: Finding, database: Database): boolean {
  const { fileSystem, chunkSet, checkpoints } = database;
  if (severity !== 'damage' || file === null) return false;
  if (code !== 'chunkHeaderInvalid' && !(code === 'chunkNotCompleted' && claimsScavenged(database, file)))
    return false;
  const names = entriesIn(fileSystem, chunkSet.directory)
    .filter(({ name, isDirectory }) => !isDirectory && decodeChunkFileName(name) !== undefined)
    .map(({ name }) => name)
    // Made beforehand, or left behind: nothing that was written lies there.
    .filter(
      (name) => name <= file || startOf(name, chunkSet.chunkSizeBytes) < (checkpoints.writer ?? Infinity)
    );
  return file === names.sort().at(-1) && !chunkSet.chunks.some(({ fileName }) => fileName === file);
}

function startOf(fileName: string, chunkSizeBytes: number): number {
  return decodeChunkFileName(fileName)!.chunkNumber * chunkSizeBytes;
}

function claimsScavenged(database: Database, file: string): boolean {
  const decoded = decodeChunkHeader(readHeader(database, file).bytes);
  return typeof decoded !== 'string' && decoded.isScavenged;
}

/** undefined: neither can be done; the file is one that has to be whole. */
export function planBrokenHeader(
  finding: Finding,
  database: Database,
  end: LogEnd
): { action: RepairAction; isRebuilt: boolean } | undefined {
  const { file: fileName, code } = finding;
  if (fileName === null) return undefined;
  const { chunkSizeBytes } = database.chunkSet;
  if (end.active?.chunk.fileName === fileName) {
    const header = headerFor(database, fileName, end.active.dataSize);
    if (!header) return undefined;
    const why =
      'its header is rewritten: the records after it say which chunk it is, and it is the one being written, ' +
      'which no hash covers yet';
    const run = (work: RepairWork) => Promise.resolve(writeHeader(work, { fileName, header, why }));
    const path = database.fileSystem.join(database.dataDirectory, fileName);
    const patch = { offset: 0, bytes: encodeChunkHeader(header) };
    const changes = byteChanges(database.fileSystem, { path, file: fileName }, [patch]);
    return { action: { code, file: fileName, why, changes, run }, isRebuilt: true };
  }
  const start = startOf(fileName, chunkSizeBytes);
  if (start < end.position || code !== 'chunkHeaderInvalid') return undefined;
  const why = 'neither its header nor a record after it can be read; the log ends before it';
  const run = (work: RepairWork) => {
    work.setAside.move('data', fileName, why);
    return Promise.resolve(undefined);
  };
  const changes = [nameChange(fileName, fileName, null)];
  return { action: { code, file: fileName, why, changes, run }, isRebuilt: false };
}

/** undefined when nothing tells how large a chunk of this database is. */
function headerFor(database: Database, fileName: string, dataSize: number): ChunkHeader | undefined {
  const { bytes, fileSize } = readHeader(database, fileName);
  const before = headerBefore(database);
  const chunkSizeBytes =
    before?.chunkSizeBytes ?? sizeFrom(bytes.readInt32LE(CHUNK_SIZE_OFFSET), { fileSize, dataSize });
  if (chunkSizeBytes === undefined) return undefined;
  const lowest = bytes[1]!;
  const version = bytes[VERSION_OFFSET] === 0 ? lowest : bytes[VERSION_OFFSET]!;
  const isSound = [lowest, version].every(
    (one) => one >= LOWEST_CHUNK_VERSION && one <= NEWEST_CHUNK_VERSION
  );
  const number = decodeChunkFileName(fileName)!.chunkNumber;
  return {
    version: isSound ? version : (before?.version ?? FIRST_ALIGNED_VERSION),
    minCompatibleVersion: isSound ? lowest : (before?.minCompatibleVersion ?? FIRST_ALIGNED_VERSION),
    chunkSizeBytes,
    startNumber: number,
    endNumber: number,
    isScavenged: false,
    chunkId: decodeGuid(bytes, CHUNK_ID_OFFSET),
    // Its records read as they lie there.
    transformType: 0
  };
}

/** Of the last chunk that the log has; where writer.chk leads nowhere, all chunks lie behind it. */
function headerBefore(database: Database): ChunkHeader | undefined {
  const { chunks, surplus } = database.chunkSet;
  const last = chunks.at(-1)?.header;
  if (last !== undefined || surplus.length === 0) return last;
  const decoded = decodeChunkHeader(readHeader(database, surplus.at(-1)!.file).bytes);
  return typeof decoded === 'string' ? undefined : decoded;
}

function readHeader(
  { chunkSet, fileSystem }: Database,
  fileName: string
): { bytes: Buffer; fileSize: number } {
  const bytes = Buffer.alloc(CHUNK_HEADER_LENGTH);
  const file = fileSystem.open(fileSystem.join(chunkSet.directory, fileName), 'read');
  try {
    file.read(bytes, 0, CHUNK_HEADER_LENGTH, 0);
    return { bytes, fileSize: file.size() };
  } finally {
    file.close();
  }
}

/** For the only chunk of a database: what its header says or else the usual size, where the file's length agrees. */
function sizeFrom(
  written: number,
  { fileSize, dataSize }: { fileSize: number; dataSize: number }
): number | undefined {
  const lengthOf = (size: number) =>
    Math.ceil((CHUNK_HEADER_LENGTH + size + CHUNK_FOOTER_LENGTH) / CHUNK_ALIGNMENT) * CHUNK_ALIGNMENT;
  return [written, DEFAULT_CHUNK_SIZE_BYTES].find((size) => size >= dataSize && lengthOf(size) === fileSize);
}

function writeHeader(
  work: RepairWork,
  { fileName, header, why }: { fileName: string; header: ChunkHeader; why: string }
): undefined {
  const { fileSystem, dataDirectory } = work.place;
  work.setAside.copy('data', fileName, why);
  const chunkId = header.chunkId === EMPTY_GUID ? work.newGuid() : header.chunkId;
  const path = fileSystem.join(dataDirectory, fileName);
  makeWritable(fileSystem, path);
  const file = fileSystem.open(path, 'readWrite');
  try {
    file.write(encodeChunkHeader({ ...header, chunkId }), 0, CHUNK_HEADER_LENGTH, 0);
    file.sync();
  } finally {
    file.close();
  }
  return undefined;
}

/** A chunk being written may have been marked as one that is completed. */
export function makeWritable(fileSystem: FileSystem, path: string): void {
  const mode = fileSystem.describe(path)?.mode ?? 0o200;
  if ((mode & 0o200) === 0) fileSystem.changeMode(path, mode | 0o200);
}
