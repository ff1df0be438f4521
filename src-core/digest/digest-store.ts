/**
 * Digests of one database on the disk: a file for each chunk in a directory of its own. Everything in it can be made again,
 * so nothing is flushed, nothing is written where room is short, and whatever does not fit is passed over. Files of chunks
 * that the database no longer has are removed.
 */
import { EngineError } from '../errors.ts';
import type { FileSystem } from '../storage/file-system.ts';
import type { ChunkDigest } from './chunk-digest.ts';
import { decodeDigest, digestFileSize, encodeDigest } from './digest-file.ts';
import { digestFileName } from './digest-identity.ts';

const SUFFIX = '.digest';
const TEMPORARY = '.tmp';
/** Names of streams and metadata are in it. */
const DIRECTORY_OF_OWNER = 0o700;
/** Holds the description of every digest. */
const HEAD_BYTES = 4096;
/** A digest is stored only while so many times its size is free on the volume. */
const FREE_TIMES = 64;

export class DigestStore {
  readonly #fileSystem: FileSystem;
  readonly #directory: string;
  readonly #newGuid: () => string;

  /** `directory` need not exist. */
  constructor(parts: { fileSystem: FileSystem; directory: string; newGuid: () => string }) {
    this.#fileSystem = parts.fileSystem;
    this.#directory = parts.directory;
    this.#newGuid = parts.newGuid;
  }

  /** The stored digest; undefined when there is none, or not the whole of it. */
  load(identity: string): ChunkDigest | undefined {
    return this.#unlessFailed(() => {
      const path = this.#fileSystem.join(this.#directory, digestFileName(identity));
      const size = this.#fileSystem.describe(path)?.size;
      if (size === undefined) return undefined;
      const file = this.#fileSystem.open(path, 'read');
      try {
        const bytes = new Uint8Array(size);
        const digest = file.read(bytes, 0, size, 0) === size ? decodeDigest(bytes, identity) : undefined;
        if (!digest) this.#fileSystem.remove(path); // so that it is made again
        return digest;
      } finally {
        file.close();
      }
    });
  }

  /** There is a digest, as far as its size and description tell. */
  has(identity: string): boolean {
    const isThere = this.#unlessFailed(() => {
      const path = this.#fileSystem.join(this.#directory, digestFileName(identity));
      const size = this.#fileSystem.describe(path)?.size;
      if (size === undefined) return false;
      const file = this.#fileSystem.open(path, 'read');
      try {
        const head = new Uint8Array(Math.min(size, HEAD_BYTES));
        return file.read(head, 0, head.length, 0) === head.length && digestFileSize(head, identity) === size;
      } finally {
        file.close();
      }
    });
    return isThere === true;
  }

  save(digest: ChunkDigest, identity: string): void {
    this.#unlessFailed(() => {
      const fileSystem = this.#fileSystem;
      if (!fileSystem.describe(this.#directory)) {
        fileSystem.makeDirectory(this.#directory);
        fileSystem.changeMode(this.#directory, DIRECTORY_OF_OWNER);
      }
      const bytes = encodeDigest(digest, identity);
      if (fileSystem.freeBytes(this.#directory) < bytes.length * FREE_TIMES) return;
      const temporary = fileSystem.join(this.#directory, `${this.#newGuid()}${TEMPORARY}`);
      const file = fileSystem.open(temporary, 'createNew');
      try {
        file.write(bytes, 0, bytes.length, 0);
      } catch (error) {
        file.close();
        fileSystem.remove(temporary);
        throw error;
      }
      file.close();
      fileSystem.rename(temporary, fileSystem.join(this.#directory, digestFileName(identity)));
    });
  }

  /** Removes every digest but those of these chunks, and what a killed process has left. */
  keepOnly(identities: Iterable<string>): void {
    this.#unlessFailed(() => {
      const wanted = new Set(Array.from(identities, digestFileName));
      for (const { name, isDirectory } of this.#fileSystem.list(this.#directory) ?? []) {
        if (isDirectory || wanted.has(name)) continue;
        // A temporary file is what a killed process left, or another one is writing it: that one's rename then fails,
        // which only costs the file.
        if (name.endsWith(SUFFIX) || name.endsWith(TEMPORARY))
          this.#fileSystem.remove(this.#fileSystem.join(this.#directory, name));
      }
    });
  }

  /** A home that cannot be read or written only means that nothing is kept. */
  #unlessFailed<T>(action: () => T): T | undefined {
    try {
      return action();
    } catch (error) {
      if (error instanceof EngineError) return undefined;
      throw error;
    }
  }
}
