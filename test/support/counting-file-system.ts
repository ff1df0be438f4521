/**
 * Any file system, with every read counted. It answers three questions: how much did an operation read, did it
 * close what it opened, and does it ever end: beyond a budget of calls or bytes a read throws BudgetExceeded,
 * which no error family of the engine covers. A target much larger than the file it is filled from throws too,
 * because its length can only have come from damaged bytes.
 */
import type {
  DirectoryEntry,
  FileFacts,
  FileSystem,
  LockHolder,
  OpenFile,
  OpenMode
} from '../../src-core/storage/file-system.ts';

/** Blocks of fixed size for sequential reads stay below this, whatever the file's length. */
const LARGEST_BLOCK_BYTES = 4 * 1024 * 1024 + 4096;

export class BudgetExceeded extends Error {}

export interface ReadBudget {
  calls: number;
  bytes: number;
}

export class CountingFileSystem implements FileSystem {
  readonly bytesByPath = new Map<string, number>();
  readCalls = 0;
  bytesRead = 0;
  openFiles = 0;
  readonly #inner: FileSystem;
  readonly #budget: ReadBudget;

  constructor(inner: FileSystem, budget: ReadBudget = { calls: Infinity, bytes: Infinity }) {
    this.#inner = inner;
    this.#budget = budget;
  }

  /** Starts all counts again; files that are open stay counted. */
  reset(): void {
    this.bytesByPath.clear();
    this.readCalls = 0;
    this.bytesRead = 0;
  }

  open(path: string, mode: OpenMode): OpenFile {
    const file = this.#inner.open(path, mode);
    this.openFiles++;
    let isClosed = false;
    return {
      path: file.path,
      size: () => file.size(),
      read: (target, targetOffset, length, position) => {
        this.#refuseExcess(target, file.size(), path);
        const count = file.read(target, targetOffset, length, position);
        this.#count(path, count);
        return count;
      },
      write: (source, sourceOffset, length, position) => file.write(source, sourceOffset, length, position),
      truncate: (size) => file.truncate(size),
      sync: () => file.sync(),
      close: () => {
        if (!isClosed) this.openFiles--;
        isClosed = true;
        file.close();
      }
    };
  }

  describe(path: string): FileFacts | undefined {
    return this.#inner.describe(path);
  }
  list(path: string): DirectoryEntry[] | undefined {
    return this.#inner.list(path);
  }
  rename(from: string, to: string): void {
    this.#inner.rename(from, to);
  }
  remove(path: string): void {
    this.#inner.remove(path);
  }
  makeDirectory(path: string): void {
    this.#inner.makeDirectory(path);
  }
  removeDirectory(path: string): void {
    this.#inner.removeDirectory(path);
  }
  changeMode(path: string, mode: number): void {
    this.#inner.changeMode(path, mode);
  }
  changeOwner(path: string, uid: number, gid: number): void {
    this.#inner.changeOwner(path, uid, gid);
  }
  syncDirectory(path: string): void {
    this.#inner.syncDirectory(path);
  }
  freeBytes(path: string): number {
    return this.#inner.freeBytes(path);
  }
  tryLock(path: string): (() => void) | undefined {
    return this.#inner.tryLock(path);
  }
  lockHolder(path: string): LockHolder | undefined {
    return this.#inner.lockHolder(path);
  }
  join(...parts: string[]): string {
    return this.#inner.join(...parts);
  }

  #refuseExcess(target: Uint8Array, fileSize: number, path: string): void {
    if (target.length <= fileSize + LARGEST_BLOCK_BYTES) return;
    throw new BudgetExceeded(`${target.length} bytes were set aside for ${path}, which has ${fileSize}.`);
  }

  #count(path: string, count: number): void {
    this.readCalls++;
    this.bytesRead += count;
    this.bytesByPath.set(path, (this.bytesByPath.get(path) ?? 0) + count);
    if (this.readCalls > this.#budget.calls || this.bytesRead > this.#budget.bytes) {
      throw new BudgetExceeded(`${this.readCalls} reads of ${this.bytesRead} bytes, the last of ${path}.`);
    }
  }
}
