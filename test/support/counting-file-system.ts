/**
 * Any file system, with every read counted. It answers three questions: how much did an operation read, did it
 * close what it opened, and does it ever end: beyond a budget of calls or bytes a read throws BudgetExceeded,
 * which no error family of the engine covers. A target much larger than the file it is filled from throws too,
 * because its length can only have come from damaged bytes.
 */
import type { FileSystem, OpenFile, OpenMode } from '../../src-core/storage/file-system.ts';
import { PassThroughFile, PassThroughFileSystem } from '../../src-core/storage/pass-through.ts';

/** Blocks of fixed size for sequential reads stay below this, whatever the file's length. */
const LARGEST_BLOCK_BYTES = 4 * 1024 * 1024 + 4096;

export class BudgetExceeded extends Error {}

export interface ReadBudget {
  calls: number;
  bytes: number;
}

export class CountingFileSystem extends PassThroughFileSystem {
  readonly bytesByPath = new Map<string, number>();
  readCalls = 0;
  bytesRead = 0;
  openFiles = 0;
  readonly #budget: ReadBudget;

  constructor(inner: FileSystem, budget: ReadBudget = { calls: Infinity, bytes: Infinity }) {
    super(inner);
    this.#budget = budget;
  }

  /** Starts all counts again; files that are open stay counted. */
  reset(): void {
    this.bytesByPath.clear();
    this.readCalls = 0;
    this.bytesRead = 0;
  }

  override open(path: string, mode: OpenMode): OpenFile {
    const file = super.open(path, mode);
    this.openFiles++;
    return new CountedFile(file, {
      aboutToRead: (target) => this.#refuseExcess(target, file.size(), path),
      onRead: (count) => this.#count(path, count),
      onClose: () => this.openFiles--
    });
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

interface Watch {
  aboutToRead: (target: Uint8Array) => void;
  onRead: (count: number) => void;
  onClose: () => void;
}

class CountedFile extends PassThroughFile {
  readonly #watch: Watch;
  #isClosed = false;

  constructor(inner: OpenFile, watch: Watch) {
    super(inner);
    this.#watch = watch;
  }

  override read(target: Uint8Array, targetOffset: number, length: number, position: number): number {
    this.#watch.aboutToRead(target);
    const count = super.read(target, targetOffset, length, position);
    this.#watch.onRead(count);
    return count;
  }
  override close(): void {
    if (!this.#isClosed) this.#watch.onClose();
    this.#isClosed = true;
    super.close();
  }
}
