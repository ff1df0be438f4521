/**
 * The real file system, with one directory as a volume of its own that has a capacity: beyond it every write is
 * refused. Keeps the most bytes that its files ever took, those of SQLite included as far as they are seen at calls.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../../src-core/errors.ts';
import type { FileFacts, OpenFile, OpenMode } from '../../src-core/storage/file-system.ts';
import { NodeFileSystem } from '../../src-core/storage/node-file-system.ts';

const DEVICE = 77;

export class LimitedDisk extends NodeFileSystem {
  readonly #directory: string;
  readonly #except: string | undefined;
  readonly #capacityBytes: number;
  /** Most bytes at once. */
  peakBytes: number;
  /** Writes that found no space. */
  refusals = 0;

  /** `spareBytes`: what is free now; `except`: a directory in it that is on another volume. */
  constructor(directory: string, { spareBytes, except }: { spareBytes: number; except?: string }) {
    super();
    this.#directory = directory;
    this.#except = except;
    this.peakBytes = bytesBelow(directory, except);
    this.#capacityBytes = this.peakBytes + spareBytes;
  }

  override describe(path: string): FileFacts | undefined {
    const facts = super.describe(path);
    return facts && this.#holds(path) ? { ...facts, device: DEVICE } : facts;
  }

  override freeBytes(path: string): number {
    if (!this.#holds(path)) return super.freeBytes(path);
    return Math.max(0, this.#capacityBytes - this.#look());
  }

  override open(path: string, mode: OpenMode): OpenFile {
    const file = super.open(path, mode);
    if (!this.#holds(path) || mode === 'read') return file;
    return {
      path: file.path,
      size: () => file.size(),
      read: (target, targetOffset, length, position) => file.read(target, targetOffset, length, position),
      write: (source, sourceOffset, length, position) => {
        this.#refuseBeyond(file, position + length);
        file.write(source, sourceOffset, length, position);
        this.#look();
      },
      truncate: (size) => {
        this.#refuseBeyond(file, size);
        file.truncate(size);
        this.#look();
      },
      sync: () => file.sync(),
      close: () => file.close()
    };
  }

  #holds(path: string): boolean {
    return isBelow(path, this.#directory) && !(this.#except && isBelow(path, this.#except));
  }

  #look(): number {
    const bytes = bytesBelow(this.#directory, this.#except);
    this.peakBytes = Math.max(this.peakBytes, bytes);
    return bytes;
  }

  #refuseBeyond(file: OpenFile, end: number): void {
    if (this.#look() + Math.max(0, end - file.size()) <= this.#capacityBytes) return;
    this.refusals++;
    throw new EngineError({
      code: 'StorageFailed',
      message: `No space is left for ${file.path}.`,
      remedy: 'Free space, then run again.',
      details: { file: file.path, osCode: 'ENOSPC' }
    });
  }
}

/** There is room, as it seems, until it is written: others fill the volume meanwhile. */
export class FullLaterDisk extends LimitedDisk {
  override freeBytes(path: string): number {
    return super.freeBytes(path) + 2 ** 30;
  }
}

function isBelow(path: string, directory: string): boolean {
  return path === directory || path.startsWith(`${directory}/`);
}

/** Bytes of all files below a directory. */
export function bytesBelow(directory: string, except?: string): number {
  return readdirSync(directory, { withFileTypes: true, recursive: true }).reduce((sum, entry) => {
    const path = join(entry.parentPath, entry.name);
    // SQLite takes its journals away while they are listed.
    const isCounted = entry.isFile() && !(except && isBelow(path, except));
    return isCounted && existsSync(path) ? sum + statSync(path).size : sum;
  }, 0);
}
