/** Second names, clones and copies of files: how a file is kept, and put back. Each is complete before it has its name. */
import { createHash } from 'node:crypto';
import { osCodeOf } from '../errors.ts';
import type { FileSystem } from '../storage/file-system.ts';

const BLOCK_BYTES = 1024 * 1024;
const ZEROS = Buffer.alloc(BLOCK_BYTES);

/** A second name, or a clone, of a file that never changes; false where the volume has neither. */
export function shareFile(fileSystem: FileSystem, from: string, to: string): boolean {
  return linked(fileSystem, from, to) || fileSystem.clone?.(from, to) === true;
}

function linked(fileSystem: FileSystem, from: string, to: string): boolean {
  try {
    return fileSystem.link?.(from, to) === true;
  } catch (error) {
    // Another mount of the same volume.
    if (osCodeOf(error) === 'EXDEV') return false;
    throw error;
  }
}

export interface CopyKept {
  fileSystem: FileSystem;
  from: string;
  /** Free. */
  to: string;
  /** Called for each block that is read. */
  breathe: () => Promise<void>;
}

/**
 * Copies a file that may change later, and returns once the bytes are on the disk. Owner and permissions come along. Zeros are
 * left out of the writing, because the rest of an open chunk is nothing else. Gives its SHA-256.
 */
export async function copyKept({ fileSystem, from, to, breathe }: CopyKept): Promise<string> {
  const hash = createHash('sha256');
  const facts = fileSystem.describe(from);
  const source = fileSystem.open(from, 'read');
  try {
    const target = fileSystem.open(to, 'createNew');
    try {
      const block = Buffer.allocUnsafe(BLOCK_BYTES);
      let at = 0;
      for (let count = -1; count !== 0; at += count) {
        count = source.read(block, 0, BLOCK_BYTES, at);
        const bytes = block.subarray(0, count);
        hash.update(bytes);
        if (count > 0 && bytes.compare(ZEROS.subarray(0, count)) !== 0) target.write(block, 0, count, at);
        await breathe();
      }
      if (target.size() !== at) target.truncate(at);
      target.sync();
    } finally {
      target.close();
    }
  } finally {
    source.close();
  }
  if (facts) {
    fileSystem.changeOwner(to, facts.uid, facts.gid);
    fileSystem.changeMode(to, facts.mode & 0o777);
  }
  return hash.digest('hex');
}

/** SHA-256 of a file, lower-case hex. */
export async function hashOfFile(
  fileSystem: FileSystem,
  path: string,
  breathe: () => Promise<void>
): Promise<string> {
  const hash = createHash('sha256');
  const file = fileSystem.open(path, 'read');
  try {
    const block = Buffer.allocUnsafe(BLOCK_BYTES);
    for (let at = 0, count = -1; count !== 0; at += count) {
      count = file.read(block, 0, BLOCK_BYTES, at);
      hash.update(block.subarray(0, count));
      await breathe();
    }
  } finally {
    file.close();
  }
  return hash.digest('hex');
}
