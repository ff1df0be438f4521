/** Any file system, with the bytes of its files counted against a rate. It delays nothing itself. */
import type { ByteRate } from './byte-rate.ts';
import type { DirectoryEntry, FileFacts, FileSystem, LockHolder, OpenFile, OpenMode } from './file-system.ts';

export class RatedFileSystem implements FileSystem {
  readonly #inner: FileSystem;
  readonly #rate: ByteRate;

  constructor(inner: FileSystem, rate: ByteRate) {
    this.#inner = inner;
    this.#rate = rate;
  }

  open(path: string, mode: OpenMode): OpenFile {
    return new RatedFile(this.#inner.open(path, mode), this.#rate);
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
  mayCreateIn(directory: string): boolean {
    return this.#inner.mayCreateIn?.(directory) ?? true;
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
}

class RatedFile implements OpenFile {
  readonly #inner: OpenFile;
  readonly #rate: ByteRate;

  constructor(inner: OpenFile, rate: ByteRate) {
    this.#inner = inner;
    this.#rate = rate;
  }
  get path(): string {
    return this.#inner.path;
  }
  size(): number {
    return this.#inner.size();
  }
  read(target: Uint8Array, targetOffset: number, length: number, position: number): number {
    const count = this.#inner.read(target, targetOffset, length, position);
    this.#rate.count(count);
    return count;
  }
  write(source: Uint8Array, sourceOffset: number, length: number, position: number): void {
    this.#inner.write(source, sourceOffset, length, position);
    this.#rate.count(length);
  }
  truncate(size: number): void {
    this.#inner.truncate(size);
  }
  sync(): void {
    this.#inner.sync();
  }
  close(): void {
    this.#inner.close();
  }
}
