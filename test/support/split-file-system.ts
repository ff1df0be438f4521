/** Two file systems as one: everything at or below one directory belongs to the second, the rest to the first. */
import type {
  DirectoryEntry,
  FileFacts,
  FileSystem,
  LockHolder,
  OpenFile,
  OpenMode
} from '../../src-core/storage/file-system.ts';

export class SplitFileSystem implements FileSystem {
  readonly #first: FileSystem;
  readonly #second: FileSystem;
  readonly #directory: string;

  constructor(first: FileSystem, second: FileSystem, directory: string) {
    this.#first = first;
    this.#second = second;
    this.#directory = directory;
  }

  #of(path: string): FileSystem {
    return path === this.#directory || path.startsWith(`${this.#directory}/`) ? this.#second : this.#first;
  }

  describe(path: string): FileFacts | undefined {
    return this.#of(path).describe(path);
  }
  list(path: string): DirectoryEntry[] | undefined {
    return this.#of(path).list(path);
  }
  open(path: string, mode: OpenMode): OpenFile {
    return this.#of(path).open(path, mode);
  }
  rename(from: string, to: string): void {
    this.#of(from).rename(from, to);
  }
  link(from: string, to: string): boolean {
    return this.#of(from) === this.#of(to) && (this.#of(from).link?.(from, to) ?? false);
  }
  remove(path: string): void {
    this.#of(path).remove(path);
  }
  makeDirectory(path: string): void {
    this.#of(path).makeDirectory(path);
  }
  removeDirectory(path: string): void {
    this.#of(path).removeDirectory(path);
  }
  changeMode(path: string, mode: number): void {
    this.#of(path).changeMode(path, mode);
  }
  changeOwner(path: string, uid: number, gid: number): void {
    this.#of(path).changeOwner(path, uid, gid);
  }
  syncDirectory(path: string): void {
    this.#of(path).syncDirectory(path);
  }
  freeBytes(path: string): number {
    return this.#of(path).freeBytes(path);
  }
  tryLock(path: string): (() => void) | undefined {
    return this.#of(path).tryLock(path);
  }
  lockHolder(path: string): LockHolder | undefined {
    return this.#of(path).lockHolder(path);
  }
  join(...parts: string[]): string {
    return this.#first.join(...parts);
  }
}
