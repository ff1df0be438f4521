/**
 * Copies one file and hashes it on the way: as a clone where the file system has them, else block by block, leaving
 * out blocks of zeros. Reads the source, takes no locks on it, and returns once the copy is on the disk. The copy
 * has the given name: the caller renames it.
 */
import { createHash } from 'node:crypto';
import { EngineError, OperationStopped } from '../errors.ts';
import type { FileSystem, OpenFile } from '../storage/file-system.ts';
import type { CopiedFile, CopyCallbacks, FileCopyOrder } from './backup-target.ts';
import { CopyPace } from './copy-pace.ts';

/** What some file systems can do beyond the engine's port. */
export interface FileLinks {
  /** A hard link; false where it is impossible (other volume, no such thing). */
  link(from: string, to: string): boolean;
  /** A copy that shares its blocks; false where it is impossible. `to` must not exist. */
  clone(from: string, to: string): boolean;
}

export type CopyJob = { from: string; to: string } & Omit<FileCopyOrder, 'sourcePath' | 'name'>;

export interface CopyEnvironment extends CopyCallbacks {
  fileSystem: FileSystem;
  links?: FileLinks | undefined;
}

const BLOCK_BYTES = 1024 * 1024;
const ZEROS = Buffer.alloc(BLOCK_BYTES);

export async function copyFileInto(job: CopyJob, environment: CopyEnvironment): Promise<CopiedFile> {
  const { fileSystem, links } = environment;
  // Whatever an earlier attempt left under the temporary name.
  fileSystem.remove(job.to);
  const isWhole = job.sourceBytes === job.bytes;
  if (isWhole && links?.clone(job.from, job.to) === true) {
    const clone = fileSystem.open(job.to, 'readWrite');
    try {
      // The source may have grown between being listed and being cloned.
      if (clone.size() !== job.bytes) clone.truncate(job.bytes);
      const sha256 = await pump(clone, undefined, job, environment);
      clone.sync();
      return { sha256 };
    } finally {
      clone.close();
    }
  }
  const source = fileSystem.open(job.from, 'read');
  let target: OpenFile | undefined;
  try {
    target = fileSystem.open(job.to, 'createNew');
    const sha256 = await pump(source, target, job, environment);
    target.sync();
    return { sha256 };
  } catch (error) {
    target?.close();
    target = undefined;
    discard(fileSystem, job.to);
    throw error;
  } finally {
    target?.close();
    source.close();
  }
}

function discard(fileSystem: FileSystem, path: string): void {
  try {
    fileSystem.remove(path);
  } catch {
    // The first failure is the one to report; the temporary name is cleared by the next attempt.
  }
}

/** Reads, hashes and (with a `target`) writes. Returns the hash. */
async function pump(
  source: OpenFile,
  target: OpenFile | undefined,
  job: CopyJob,
  { signal, onBytes }: CopyCallbacks
): Promise<string> {
  const hash = createHash('sha256');
  const block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  const throwIfStopped = (): void => {
    if (signal?.aborted) throw new OperationStopped();
  };
  const pace = new CopyPace(job.bytesPerSecond, throwIfStopped);
  let written = 0;
  for (let at = 0; at < job.sourceBytes;) {
    throwIfStopped();
    const wanted = Math.min(BLOCK_BYTES, job.sourceBytes - at);
    const count = source.read(block, 0, wanted, at);
    if (count === 0) throw cutMeanwhile(job, at);
    const bytes = block.subarray(0, count);
    hash.update(bytes);
    if (target && !bytes.equals(count === BLOCK_BYTES ? ZEROS : ZEROS.subarray(0, count))) {
      target.write(block, 0, count, at);
      written = at + count;
    }
    at += count;
    onBytes(count);
    await pace.after(count);
  }
  for (let at = job.sourceBytes; at < job.bytes; at += BLOCK_BYTES) {
    hash.update(ZEROS.subarray(0, Math.min(BLOCK_BYTES, job.bytes - at)));
  }
  if (target && written < job.bytes) target.truncate(job.bytes);
  return hash.digest('hex');
}

function cutMeanwhile(job: CopyJob, at: number): EngineError {
  return new EngineError({
    code: 'StorageFailed',
    message: `${job.from} ended at byte ${at} while it was copied; it had ${job.sourceBytes} bytes before.`,
    remedy: 'Something other than a server is changing the source. Stop it, then take the backup again.',
    details: { file: job.from, offset: at }
  });
}
