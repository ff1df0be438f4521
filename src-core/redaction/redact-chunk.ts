/**
 * One chunk with the data of chosen events overwritten: a copy of its file, byte by byte, in which these data are
 * 0xFF, their flag says so, and the hash at the end is that of the copy. Header, positions, lengths and map stay.
 *
 *   old file: hash checked ► copy under a temporary name ► flushed ► read again: hash and every record
 *   ► renamed to the next version ► directory flushed ► old file removed
 *
 * Cut anywhere, the old file or the new one is whole. The hash of the old file is checked first, because the new hash
 * would hide any damage. The payload is never written to the new file, not even for a moment.
 * Format: docs/format/chunks.md, "Redaction".
 */
import { createHash, type Hash } from 'node:crypto';
import { MD5_LENGTH } from '../chunks/chunk-footer.ts';
import { chunkCorrupt } from '../chunks/chunk-reader.ts';
import type { Chunk } from '../chunks/chunk.ts';
import type { OperationControl } from '../database/operation-control.ts';
import { EngineError, OperationStopped, requireFault } from '../errors.ts';
import { switchInChunk } from '../log/switch-in.ts';
import { PrepareFlag } from '../records/log-record.ts';
import { examineChunk } from '../repair/examine-chunk.ts';
import { requireUnchanged } from '../storage/unchanged-file.ts';
import type { FileSystem, OpenFile } from '../storage/file-system.ts';
import { REDACTED_BYTE, type FoundRecord, type PlannedChunk } from './plan-redaction.ts';

/** What is known of a file by reading all of it. */
export interface WholeFile {
  fileName: string;
  bytes: number;
  /** Lower-case hex digits. */
  md5: string;
  sha256: string;
}

export interface RedactedChunk {
  chunk: Chunk;
  before: WholeFile;
  after: WholeFile;
}

export interface RedactChunk extends PlannedChunk {
  fileSystem: FileSystem;
  directory: string;
  newGuid: () => string;
  control: OperationControl;
  /** Before the new file takes the place of the old one: after a cut, nothing else knows what the old one was. */
  onWritten?: ((written: WrittenChunk) => void) | undefined;
}

/** Both files lie there; the new one has no name yet. */
export interface WrittenChunk {
  before: WholeFile;
  after: Omit<WholeFile, 'fileName'>;
}

const BLOCK_BYTES = 4 * 1024 * 1024;

export async function redactChunk(options: RedactChunk): Promise<RedactedChunk> {
  const { fileSystem, directory, chunk, control, newGuid } = options;
  requireSpace(options);
  const before = await readSound(options);
  const temporary = fileSystem.join(directory, `${chunk.fileName}.${newGuid()}.tmp`);
  try {
    const written = await writeRedacted(options, temporary);
    await requireWhatWasMeant(options, temporary, written);
    options.onWritten?.({ before, after: written });
    const now = switchInChunk({ fileSystem, directory, temporaryPath: temporary, replaced: [chunk] });
    // The removal of the old name is what erases: it is to last as well.
    fileSystem.syncDirectory(directory);
    control.report({ phase: 'redacting', done: 1, total: 1, unit: 'chunks', message: now.fileName });
    return { chunk: now, before, after: { ...written, fileName: now.fileName } };
  } catch (error) {
    if (error instanceof EngineError || error instanceof OperationStopped) discard(fileSystem, temporary);
    throw error;
  }
}

/** Reads the whole file; LogCorrupt unless its hash holds. */
async function readSound({ fileSystem, chunk, control }: RedactChunk): Promise<WholeFile> {
  const file = fileSystem.open(chunk.path, 'read');
  try {
    const hashes = new FileHashes(chunk.fileSize);
    await eachBlock(
      { file, size: chunk.fileSize, control, phase: 'checking', name: chunk.fileName },
      (block) => hashes.update(block)
    );
    const { md5, sha256 } = hashes.digest();
    const stored = chunk.footer?.md5;
    if (md5 !== stored) {
      const at = chunk.fileSize - MD5_LENGTH;
      throw chunkCorrupt(chunk, at, `its hash is ${md5}, the footer says ${stored ?? 'nothing'}`, {
        expected: stored ?? '',
        found: md5
      });
    }
    return { fileName: chunk.fileName, bytes: chunk.fileSize, md5, sha256 };
  } finally {
    file.close();
  }
}

async function writeRedacted(options: RedactChunk, temporary: string): Promise<Omit<WholeFile, 'fileName'>> {
  const { fileSystem, chunk, control, records } = options;
  const source = fileSystem.open(chunk.path, 'read');
  try {
    const target = fileSystem.open(temporary, 'createNew');
    try {
      takeOwner(fileSystem, chunk, temporary);
      const hashes = new FileHashes(chunk.fileSize);
      const size = chunk.fileSize - MD5_LENGTH;
      const names = { file: source, size, control, phase: 'redacting', name: chunk.fileName };
      await eachBlock(names, (block, at) => {
        for (const record of records) blank(block, at, record);
        hashes.update(block);
        target.write(block, 0, block.length, at);
      });
      const stored = Buffer.from(hashes.md5(), 'hex');
      hashes.update(stored);
      target.write(stored, 0, stored.length, size);
      target.sync();
      return { bytes: chunk.fileSize, ...hashes.digest() };
    } finally {
      target.close();
    }
  } finally {
    source.close();
  }
}

/** Overwrites what of this record lies in a block that begins at `at` of the file. */
function blank(block: Buffer, at: number, { dataAt, dataLength, flagsAt }: FoundRecord): void {
  const from = Math.max(dataAt - at, 0);
  const end = Math.min(dataAt + dataLength - at, block.length);
  if (from < end) block.fill(REDACTED_BYTE, from, end);
  // Little-endian: the bit lies in the second byte, which may be in another block than the first.
  const flags = flagsAt + 1 - at;
  if (flags >= 0 && flags < block.length) block[flags]! |= PrepareFlag.isRedacted >> 8;
}

/** Reads the new file again: it is whole, it is what was written, and each record is blank. */
async function requireWhatWasMeant(
  { fileSystem, chunk, records, control }: RedactChunk,
  temporary: string,
  written: Omit<WholeFile, 'fileName'>
): Promise<void> {
  const { fileName } = chunk;
  const examined = await examineChunk({ fileSystem, path: temporary, fileName, control });
  const isRight = typeof examined !== 'string' && examined.footer?.md5 === written.md5;
  if (!isRight) {
    throw new EngineError({
      code: 'StorageFailed',
      message: `What was written as the new ${fileName} is not what is read again${typeof examined === 'string' ? `: ${examined}` : ''}. The old file is unchanged.`,
      remedy: 'Check the disk, then run the same command again.',
      details: { file: fileName }
    });
  }
  const file = fileSystem.open(temporary, 'read');
  try {
    for (const { dataAt, dataLength } of records) {
      const data = Buffer.alloc(dataLength);
      file.read(data, 0, dataLength, dataAt);
      const isBlank = data.every((byte) => byte === REDACTED_BYTE);
      requireUnchanged(isBlank, temporary, `the data at offset ${dataAt} are not what was written`);
    }
  } finally {
    file.close();
  }
}

/** Before a byte is copied, so that a refusal leaves nothing behind. */
function takeOwner(fileSystem: FileSystem, chunk: Chunk, temporary: string): void {
  const old = fileSystem.describe(chunk.path);
  requireUnchanged(old !== undefined, chunk.fileName, 'it is gone');
  try {
    fileSystem.changeOwner(temporary, old.uid, old.gid);
  } catch (error) {
    requireFault(error);
    throw new EngineError({
      code: 'StorageFailed',
      message: `${chunk.fileName} belongs to user ${old.uid}, group ${old.gid}; this user may not create files for that owner.`,
      remedy: 'Run the redaction as the user who owns the database, or as root.',
      details: { file: chunk.fileName, osCode: error.details.osCode ?? '' },
      cause: error
    });
  }
}

function requireSpace({ fileSystem, directory, chunk }: RedactChunk): void {
  const free = fileSystem.freeBytes(directory);
  if (free >= chunk.fileSize) return;
  throw new EngineError({
    code: 'StorageFailed',
    message: `The redacted copy of ${chunk.fileName} needs ${chunk.fileSize} bytes in ${directory}; ${free} are free.`,
    remedy: 'Free space on this volume, then run the same command again; it resumes where it stopped.',
    details: { file: chunk.fileName, neededBytes: chunk.fileSize, freeBytes: free, osCode: 'ENOSPC' }
  });
}

interface Blocks {
  file: OpenFile;
  size: number;
  control: OperationControl;
  phase: string;
  name: string;
}

/** The block is valid during the call, which may change it. */
async function eachBlock(
  { file, size, control, phase, name }: Blocks,
  onBlock: (block: Buffer, at: number) => void
): Promise<void> {
  const buffer = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, size));
  for (let at = 0; at < size;) {
    const count = file.read(buffer, 0, Math.min(buffer.length, size - at), at);
    requireUnchanged(count > 0, name, `it ends at offset ${at}; it had ${size} bytes`);
    onBlock(buffer.subarray(0, count), at);
    at += count;
    control.report({ phase, done: at, total: size, unit: 'bytes', message: name });
    if (control.isDue) await control.breathe();
  }
}

/** Both hashes of a file in one pass: MD5 of all but the last 16 bytes, SHA-256 of all. */
class FileHashes {
  readonly #md5 = createHash('md5');
  readonly #sha256: Hash = createHash('sha256');
  #left: number;
  #digest: string | undefined;

  constructor(fileSize: number) {
    this.#left = fileSize - MD5_LENGTH;
  }

  update(block: Uint8Array): void {
    const own = Math.min(this.#left, block.length);
    if (own > 0) this.#md5.update(block.subarray(0, own));
    this.#left -= own;
    this.#sha256.update(block);
  }

  md5(): string {
    return (this.#digest ??= this.#md5.digest('hex'));
  }

  digest(): { md5: string; sha256: string } {
    return { md5: this.md5(), sha256: this.#sha256.digest('hex') };
  }
}

function discard(fileSystem: FileSystem, path: string): void {
  try {
    fileSystem.remove(path);
  } catch (error) {
    requireFault(error);
    // It has a temporary name: the next run, or the server's start, takes it away.
  }
}
