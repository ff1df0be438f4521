/** The real file system until a number of bytes has been added to files; from then on the disk is full. */
import { EngineError } from '../../src-core/errors.ts';
import type { OpenFile, OpenMode } from '../../src-core/storage/file-system.ts';
import { NodeFileSystem } from '../../src-core/storage/node-file-system.ts';

export class QuotaFileSystem extends NodeFileSystem {
  #leftBytes: number;
  /** The quota was used up: a write was refused. */
  isFull = false;

  constructor(quotaBytes: number) {
    super();
    this.#leftBytes = quotaBytes;
  }

  override open(path: string, mode: OpenMode): OpenFile {
    const file = super.open(path, mode);
    return {
      path: file.path,
      size: () => file.size(),
      read: (target, targetOffset, length, position) => file.read(target, targetOffset, length, position),
      write: (source, sourceOffset, length, position) => {
        this.#grow(file, position + length);
        file.write(source, sourceOffset, length, position);
      },
      truncate: (size) => {
        this.#grow(file, size);
        file.truncate(size);
      },
      sync: () => file.sync(),
      close: () => file.close()
    };
  }

  #grow(file: OpenFile, end: number): void {
    const growth = Math.max(0, end - file.size());
    if (growth <= this.#leftBytes) {
      this.#leftBytes -= growth;
      return;
    }
    this.#leftBytes = 0;
    this.isFull = true;
    throw new EngineError({
      code: 'StorageFailed',
      message: `No space is left for ${file.path}.`,
      remedy: 'Free space, then run again.',
      details: { file: file.path, osCode: 'ENOSPC' }
    });
  }
}
