/**
 * Backups in a directory, on this or another volume. Every object is written beside its place under a temporary
 * name, flushed, and renamed; the directory is flushed before a call resolves. Blocks of zeros are not written, so
 * that the empty rest of an active chunk takes no room.
 *
 * Links and clones are not part of the engine's file system: they come in as `links`, where the platform has them.
 */
import { assert } from '../assert.ts';
import { EngineError, requireFault } from '../errors.ts';
import { entriesIn } from '../storage/directory-entries.ts';
import { makeLockFile } from '../storage/directory-lock.ts';
import type { DirectoryEntry, FileSystem } from '../storage/file-system.ts';
import {
  targetFailed,
  type BackupTarget,
  type ByteRange,
  type CopiedFile,
  type CopyCallbacks,
  type FileCopyOrder,
  type ObjectFacts
} from './backup-target.ts';
import { isSafeName } from './backup-layout.ts';
import { copyFileInto, type FileLinks } from './copy-file.ts';

/** Copies files on other threads. */
export interface FileCopier {
  copy(
    order: { from: string; to: string } & Omit<FileCopyOrder, 'sourcePath' | 'name'>,
    callbacks: CopyCallbacks
  ): Promise<CopiedFile>;
}

export interface LocalTargetParts {
  fileSystem: FileSystem;
  directory: string;
  links?: FileLinks | undefined;
  /** Without one, files are copied here, one after another. */
  copier?: FileCopier | undefined;
  parallelFiles?: number;
  /** Smaller files are copied here: waking a thread would cost more. */
  copierFromBytes?: number;
}

const BLOCK_BYTES = 1024 * 1024;
const SMALL_BLOCK_BYTES = 4096;
const COPIER_FROM_BYTES = 8 * 1024 * 1024;
const LOCK_NAME = '.winnow-backup.lock';
export const TEMPORARY_SUFFIX = '.partial';

export class LocalBackupTarget implements BackupTarget {
  readonly description: string;
  readonly parallelFiles: number;
  readonly directory: string;
  readonly #fileSystem: FileSystem;
  readonly #links: FileLinks | undefined;
  readonly #copier: FileCopier | undefined;
  readonly #copierFromBytes: number;
  /** Directories with links that may not be on the disk yet. */
  readonly #linkedInto = new Set<string>();
  /** Of folders from which objects are removed: how many objects and folders they hold still. */
  readonly #leftIn = new Map<string, number>();

  constructor({
    fileSystem,
    directory,
    links,
    copier,
    parallelFiles = 1,
    copierFromBytes = COPIER_FROM_BYTES
  }: LocalTargetParts) {
    this.description = directory;
    this.directory = directory;
    this.parallelFiles = parallelFiles;
    this.#fileSystem = fileSystem;
    this.#links = links;
    this.#copier = copier;
    this.#copierFromBytes = copierFromBytes;
  }

  /** Path of an object, for those who may read it as a file. */
  pathOf(name: string): string {
    assert(isSafeName(name), `${name} is a name inside the target`);
    return this.#fileSystem.join(this.directory, ...name.split('/'));
  }

  async folders(): Promise<string[]> {
    return this.#tried('list', '', () =>
      entriesIn(this.#fileSystem, this.directory)
        .filter((entry) => entry.isDirectory)
        .map((entry) => entry.name)
        .sort()
    );
  }

  async list(prefix: string): Promise<ObjectFacts[]> {
    return this.#tried('list', prefix, () => {
      const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
      const found: ObjectFacts[] = [];
      this.#collect(folder, found);
      return found.filter(({ name }) => name.startsWith(prefix)).sort((a, b) => (a.name < b.name ? -1 : 1));
    });
  }

  #collect(folder: string, found: ObjectFacts[]): void {
    const path = this.#fileSystem.join(this.directory, ...folder.split('/').filter((part) => part !== ''));
    for (const { name, isDirectory } of entriesIn(this.#fileSystem, path)) {
      if (isDirectory) this.#collect(`${folder}${name}/`, found);
      else {
        // Cut writes are listed too, under their temporary names, so that a clean-up finds them.
        const facts = this.#fileSystem.describe(this.#fileSystem.join(path, name));
        if (facts) found.push({ name: folder + name, size: facts.size });
      }
    }
  }

  async describe(name: string): Promise<ObjectFacts | undefined> {
    return this.#tried('inspect', name, () => {
      const facts = this.#fileSystem.describe(this.pathOf(name));
      return facts && !facts.isDirectory ? { name, size: facts.size } : undefined;
    });
  }

  async *read(name: string, { offset = 0, length = Infinity }: ByteRange = {}): AsyncIterable<Uint8Array> {
    const file = this.#tried('open', name, () => this.#fileSystem.open(this.pathOf(name), 'read'));
    try {
      const size = this.#tried('read', name, () => file.size());
      for (let at = offset, left = length; left > 0;) {
        // Most objects are small; one that has grown since is read on in small blocks.
        const wanted = Math.min(BLOCK_BYTES, left, Math.max(SMALL_BLOCK_BYTES, size - at));
        const block = Buffer.allocUnsafe(wanted);
        const count = this.#tried('read', name, () => file.read(block, 0, block.length, at));
        if (count === 0) return;
        at += count;
        left -= count;
        yield block.subarray(0, count);
      }
    } finally {
      file.close();
    }
  }

  async write(name: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const path = this.pathOf(name);
    this.#tried('flush the links before', name, () => this.#flushLinks());
    const temporary = path + TEMPORARY_SUFFIX;
    this.#tried('create', name, () => this.#makeParents(name));
    this.#tried('clear the way for', name, () => this.#fileSystem.remove(temporary));
    const file = this.#tried('create', name, () => this.#fileSystem.open(temporary, 'createNew'));
    try {
      let at = 0;
      for await (const block of content) {
        this.#tried('write', name, () => file.write(block, 0, block.length, at));
        at += block.length;
      }
      this.#tried('flush', name, () => file.sync());
    } catch (error) {
      file.close();
      this.#discard(temporary);
      throw error;
    }
    file.close();
    this.#tried('put in place', name, () => {
      this.#fileSystem.rename(temporary, path);
      this.#fileSystem.syncDirectory(this.#parentOf(name));
    });
  }

  async remove(name: string): Promise<void> {
    this.#tried('remove', name, () => {
      const path = this.pathOf(name);
      if (this.#fileSystem.describe(path) === undefined) return;
      this.#fileSystem.remove(path);
      if (this.#countOff(name) <= 0) this.#removeEmptyParents(name);
      else this.#fileSystem.syncDirectory(this.#parentOf(name));
    });
  }

  /**
   * How many objects and folders are left where this one was removed. Counted on from the list before: of a backup of thousands of
   * files a list for each would take longer than all else.
   */
  #countOff(name: string): number {
    const folder = this.#parentOf(name);
    const before = this.#leftIn.get(folder);
    const counted = name.endsWith(TEMPORARY_SUFFIX) ? 0 : 1;
    const left =
      before === undefined ? entriesIn(this.#fileSystem, folder).filter(isObject).length : before - counted;
    this.#leftIn.set(folder, left);
    return left;
  }

  async link(from: string, to: string): Promise<boolean> {
    const links = this.#links;
    if (!links) return false;
    return this.#tried('link', to, () => {
      this.#makeParents(to);
      const isLinked = links.link(this.pathOf(from), this.pathOf(to));
      if (isLinked) this.#linkedInto.add(this.#parentOf(to));
      return isLinked;
    });
  }

  async freeBytes(): Promise<number | undefined> {
    return this.#tried('read the free space of', '', () => {
      // A target that is only planned is not made yet: then it is the volume of the directory it will lie in.
      let existing = this.directory;
      while (this.#fileSystem.describe(existing) === undefined) {
        const parent = this.#fileSystem.join(existing, '..');
        if (parent === existing) return undefined;
        existing = parent;
      }
      return this.#fileSystem.freeBytes(existing);
    });
  }

  /** An advisory lock on a file of ours in the directory; it ends with the process. */
  async lock(): Promise<() => Promise<void>> {
    const release = this.#tried('lock', '', () => {
      this.#fileSystem.makeDirectory(this.directory);
      const file = this.#fileSystem.join(this.directory, LOCK_NAME);
      makeLockFile(this.#fileSystem, file);
      return this.#fileSystem.tryLock(file);
    });
    if (release) return async () => release();
    throw new EngineError({
      code: 'DatabaseInUse',
      message: `Another backup, prune or adoption is running in ${this.description}.`,
      remedy: 'Wait until it has ended, then run the same command again.',
      details: { file: LOCK_NAME, target: this.description }
    });
  }

  async copyFile(order: FileCopyOrder, callbacks: CopyCallbacks): Promise<CopiedFile> {
    const { sourcePath, name, ...rest } = order;
    const path = this.pathOf(name);
    this.#tried('create', name, () => this.#makeParents(name));
    const job = { ...rest, from: sourcePath, to: path + TEMPORARY_SUFFIX };
    const copied =
      this.#copier && order.sourceBytes >= this.#copierFromBytes
        ? await this.#copier.copy(job, callbacks)
        : await copyFileInto(job, { fileSystem: this.#fileSystem, links: this.#links, ...callbacks });
    this.#tried('put in place', name, () => {
      this.#fileSystem.rename(path + TEMPORARY_SUFFIX, path);
      this.#fileSystem.syncDirectory(this.#parentOf(name));
    });
    return copied;
  }

  /** Links are flushed together, before the next object is written: a manifest finds them on the disk. */
  #flushLinks(): void {
    for (const directory of this.#linkedInto) this.#fileSystem.syncDirectory(directory);
    this.#linkedInto.clear();
  }

  #parentOf(name: string): string {
    return this.#fileSystem.join(this.directory, ...name.split('/').slice(0, -1));
  }

  /** A new directory is durable only when its parent has been flushed. */
  #makeParents(name: string): void {
    this.#leftIn.clear();
    const parts = name.split('/').slice(0, -1);
    let path = this.directory;
    if (this.#fileSystem.describe(path) === undefined) this.#fileSystem.makeDirectory(path);
    for (const part of parts) {
      const parent = path;
      path = this.#fileSystem.join(parent, part);
      if (this.#fileSystem.describe(path) !== undefined) continue;
      this.#fileSystem.makeDirectory(path);
      this.#fileSystem.syncDirectory(parent);
    }
  }

  /** A backup whose last object is gone leaves no empty folders behind. */
  #removeEmptyParents(name: string): void {
    const parts = name.split('/').slice(0, -1);
    while (parts.length > 0) {
      const path = this.#fileSystem.join(this.directory, ...parts);
      const entries = entriesIn(this.#fileSystem, path);
      const leftovers = entries.filter((entry) => !isObject(entry));
      if (entries.length > leftovers.length) break;
      for (const leftover of leftovers) this.#fileSystem.remove(this.#fileSystem.join(path, leftover.name));
      this.#fileSystem.removeDirectory(path);
      this.#linkedInto.delete(path);
      this.#leftIn.clear();
      parts.pop();
    }
    this.#fileSystem.syncDirectory(this.#fileSystem.join(this.directory, ...parts));
  }

  #discard(path: string): void {
    try {
      this.#fileSystem.remove(path);
    } catch {
      // The first failure is the one to report; what is left has a temporary name and goes with the next attempt.
    }
  }

  #tried<T>(what: string, object: string, action: () => T): T {
    try {
      return action();
    } catch (error) {
      requireFault(error);
      throw targetFailed({
        target: this.description,
        object: object === '' ? 'the directory' : object,
        what,
        reason: error.message,
        ...(error.code === 'StorageFailed' ? { remedy: error.remedy } : {}),
        cause: error
      });
    }
  }
}

/** Not what a write that was cut has left. */
function isObject({ name, isDirectory }: DirectoryEntry): boolean {
  return isDirectory || !name.endsWith(TEMPORARY_SUFFIX);
}
