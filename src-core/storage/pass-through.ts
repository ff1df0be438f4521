/** A file system over another one that passes everything on; those that count or hold back change what they need to. */
import type { DirectoryEntry, FileFacts, FileSystem, LockHolder, OpenFile, OpenMode } from './file-system.ts';

export class PassThroughFileSystem implements FileSystem {
  protected readonly inner: FileSystem;

  constructor(inner: FileSystem) {
    this.inner = inner;
  }

  open(path: string, mode: OpenMode): OpenFile {
    return this.inner.open(path, mode);
  }
  describe(path: string): FileFacts | undefined {
    return this.inner.describe(path);
  }
  list(path: string): DirectoryEntry[] | undefined {
    return this.inner.list(path);
  }
  rename(from: string, to: string): void {
    this.inner.rename(from, to);
  }
  link(from: string, to: string): boolean {
    return this.inner.link?.(from, to) ?? false;
  }
  clone(from: string, to: string): boolean {
    return this.inner.clone?.(from, to) ?? false;
  }
  remove(path: string): void {
    this.inner.remove(path);
  }
  mayCreateIn(directory: string): boolean {
    return this.inner.mayCreateIn?.(directory) ?? true;
  }
  makeDirectory(path: string): void {
    this.inner.makeDirectory(path);
  }
  removeDirectory(path: string): void {
    this.inner.removeDirectory(path);
  }
  changeMode(path: string, mode: number): void {
    this.inner.changeMode(path, mode);
  }
  changeOwner(path: string, uid: number, gid: number): void {
    this.inner.changeOwner(path, uid, gid);
  }
  syncDirectory(path: string): void {
    this.inner.syncDirectory(path);
  }
  freeBytes(path: string): number {
    return this.inner.freeBytes(path);
  }
  tryLock(path: string): (() => void) | undefined {
    return this.inner.tryLock(path);
  }
  lockHolder(path: string): LockHolder | undefined {
    return this.inner.lockHolder(path);
  }
  join(...parts: string[]): string {
    return this.inner.join(...parts);
  }
}

export class PassThroughFile implements OpenFile {
  protected readonly inner: OpenFile;

  constructor(inner: OpenFile) {
    this.inner = inner;
  }
  get path(): string {
    return this.inner.path;
  }
  size(): number {
    return this.inner.size();
  }
  read(target: Uint8Array, targetOffset: number, length: number, position: number): number {
    return this.inner.read(target, targetOffset, length, position);
  }
  write(source: Uint8Array, sourceOffset: number, length: number, position: number): void {
    this.inner.write(source, sourceOffset, length, position);
  }
  truncate(size: number): void {
    this.inner.truncate(size);
  }
  sync(): void {
    this.inner.sync();
  }
  close(): void {
    this.inner.close();
  }
}
