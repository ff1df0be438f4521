/**
 * Files in one directory whose content can be made again from what they were made of: so nothing is flushed, nothing is
 * written where room is short, and a directory that cannot be read or written only means that nothing is kept.
 */
import { requireFault } from '../errors.ts';
import type { ByteRoom } from './byte-room.ts';
import type { FileSystem, OpenFile } from './file-system.ts';
import { entriesIn } from './directory-entries.ts';

const TEMPORARY = '.tmp';
/** Names of streams and metadata may be in them. */
const DIRECTORY_OF_OWNER = 0o700;
/** A file is stored only while so many times its size is free on the volume. */
const FREE_TIMES = 64;
/** One that is gone in a moment: while so many times its size is free. */
const SCRATCH_FREE_TIMES = 8;

export interface DerivedFilesParts {
  fileSystem: FileSystem;
  /** Need not exist. */
  directory: string;
  newGuid: () => string;
}

export class DerivedFiles {
  readonly #fileSystem: FileSystem;
  readonly #directory: string;
  readonly #newGuid: () => string;

  constructor({ fileSystem, directory, newGuid }: DerivedFilesParts) {
    this.#fileSystem = fileSystem;
    this.#directory = directory;
    this.#newGuid = newGuid;
  }

  /**
   * What `decode` makes of the file; undefined when there is none. One of which `decode` makes nothing is removed, so that
   * it is made again. `room`: where its bytes are put.
   */
  load<T>(
    name: string,
    decode: (bytes: Uint8Array<ArrayBuffer>) => T | undefined,
    room?: ByteRoom
  ): T | undefined {
    return this.#unlessFailed(() => {
      const fileSystem = this.#fileSystem;
      const path = fileSystem.join(this.#directory, name);
      const size = fileSystem.describe(path)?.size;
      if (size === undefined) return undefined;
      const file = fileSystem.open(path, 'read');
      try {
        const bytes = room?.take(size) ?? new Uint8Array(size);
        const decoded = file.read(bytes, 0, size, 0) === size ? decode(bytes) : undefined;
        if (decoded === undefined) fileSystem.remove(path);
        return decoded;
      } finally {
        file.close();
      }
    });
  }

  /** A part of a file; undefined where it is not there, or `find` makes nothing of it. */
  loadPart<T>(
    name: string,
    find: (read: (from: number, length: number) => Uint8Array<ArrayBuffer>) => T | undefined
  ): T | undefined {
    return this.#unlessFailed(() => {
      const path = this.#fileSystem.join(this.#directory, name);
      const size = this.#fileSystem.describe(path)?.size;
      if (size === undefined) return undefined;
      const file = this.#fileSystem.open(path, 'read');
      try {
        return find((from, length) => {
          const bytes = new Uint8Array(Math.max(0, Math.min(length, size - from)));
          return bytes.subarray(0, file.read(bytes, 0, bytes.length, from));
        });
      } finally {
        file.close();
      }
    });
  }

  /** undefined when there is no such file. */
  sizeOf(name: string): number | undefined {
    return this.#unlessFailed(
      () => this.#fileSystem.describe(this.#fileSystem.join(this.#directory, name))?.size
    );
  }

  /** The file is there, and as large as `sizeOf` says by its first `headBytes`. */
  has(
    name: string,
    headBytes: number,
    sizeOf: (head: Uint8Array<ArrayBuffer>) => number | undefined
  ): boolean {
    const isThere = this.#unlessFailed(() => {
      const path = this.#fileSystem.join(this.#directory, name);
      const size = this.#fileSystem.describe(path)?.size;
      if (size === undefined) return false;
      const file = this.#fileSystem.open(path, 'read');
      try {
        const head = new Uint8Array(Math.min(size, headBytes));
        return file.read(head, 0, head.length, 0) === head.length && sizeOf(head) === size;
      } finally {
        file.close();
      }
    });
    return isThere === true;
  }

  /** `encode`: the whole file, or pieces that lie one behind the other. */
  save(name: string, encode: () => Uint8Array | readonly Uint8Array[]): void {
    this.#unlessFailed(() => {
      const fileSystem = this.#fileSystem;
      this.#makeDirectory();
      const encoded = encode();
      const pieces = encoded instanceof Uint8Array ? [encoded] : encoded;
      const sizeBytes = pieces.reduce((sum, { length }) => sum + length, 0);
      if (fileSystem.freeBytes(this.#directory) < sizeBytes * FREE_TIMES) return;
      const temporary = fileSystem.join(this.#directory, `${this.#newGuid()}${TEMPORARY}`);
      const file = fileSystem.open(temporary, 'createNew');
      try {
        let at = 0;
        for (const piece of pieces) {
          file.write(piece, 0, piece.length, at);
          at += piece.length;
        }
      } catch (error) {
        file.close();
        fileSystem.remove(temporary);
        throw error;
      }
      file.close();
      fileSystem.rename(temporary, fileSystem.join(this.#directory, name));
    });
  }

  /** A file of this size could be stored. */
  hasRoom(sizeBytes: number): boolean {
    return (
      this.#unlessFailed(() => this.#fileSystem.freeBytes(this.#directory) >= sizeBytes * FREE_TIMES) === true
    );
  }

  /**
   * A file for this work alone, to be written and read; undefined where there is no room for it. It is gone with `close`, and
   * another process that finds it takes it for what a killed one left.
   */
  scratch(sizeBytes: number): OpenFile | undefined {
    return this.#unlessFailed(() => {
      const fileSystem = this.#fileSystem;
      this.#makeDirectory();
      if (fileSystem.freeBytes(this.#directory) < sizeBytes * SCRATCH_FREE_TIMES) return undefined;
      const path = fileSystem.join(this.#directory, `${this.#newGuid()}${TEMPORARY}`);
      const file = fileSystem.open(path, 'createNew');
      const close = (): void => {
        file.close();
        fileSystem.remove(path);
      };
      return {
        path,
        size: () => file.size(),
        read: (...place) => file.read(...place),
        write: (...place) => file.write(...place),
        truncate: (size) => file.truncate(size),
        sync: () => file.sync(),
        close
      };
    });
  }

  remove(name: string): void {
    this.#unlessFailed(() => this.#fileSystem.remove(this.#fileSystem.join(this.#directory, name)));
  }

  /**
   * Removes the files of these kinds that are not wanted, and what a killed process left: another one that is writing just
   * now only loses the file.
   */
  keepOnly(suffixes: readonly string[], isWanted: (name: string) => boolean): void {
    this.#unlessFailed(() => {
      for (const { name, isDirectory } of entriesIn(this.#fileSystem, this.#directory)) {
        if (isDirectory || isWanted(name)) continue;
        if ([...suffixes, TEMPORARY].some((suffix) => name.endsWith(suffix)))
          this.#fileSystem.remove(this.#fileSystem.join(this.#directory, name));
      }
    });
  }

  /** Removes the oldest files with this suffix until at most `count` are left. */
  keepNewest(suffix: string, count: number): void {
    this.#unlessFailed(() => {
      const paths = entriesIn(this.#fileSystem, this.#directory)
        .filter(({ name, isDirectory }) => !isDirectory && name.endsWith(suffix))
        .map(({ name }) => this.#fileSystem.join(this.#directory, name));
      const aged = paths
        .map((path) => ({ path, modifiedMs: this.#fileSystem.describe(path)?.modifiedMs ?? 0 }))
        .sort((a, b) => b.modifiedMs - a.modifiedMs);
      for (const { path } of aged.slice(count)) this.#fileSystem.remove(path);
    });
  }

  #makeDirectory(): void {
    const fileSystem = this.#fileSystem;
    if (fileSystem.describe(this.#directory)) return;
    fileSystem.makeDirectory(this.#directory);
    fileSystem.changeMode(this.#directory, DIRECTORY_OF_OWNER);
  }

  #unlessFailed<T>(action: () => T): T | undefined {
    try {
      return action();
    } catch (error) {
      requireFault(error);
      return undefined;
    }
  }
}
