/**
 * Digests of one database on the disk: a file for each chunk in a directory of its own. Everything in it can be made again,
 * so nothing is flushed, nothing is written where room is short, and whatever does not fit is passed over. Files of chunks
 * that the database no longer has are removed.
 */
import { EngineError } from '../errors.ts';
import type { FileSystem } from '../storage/file-system.ts';
import type { ChunkDigest } from './chunk-digest.ts';
import { decodeDigest, encodeDigest } from './digest-file.ts';
import { digestFileName } from './digest-identity.ts';

const SUFFIX = '.digest';
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
        return file.read(bytes, 0, size, 0) === size ? decodeDigest(bytes, identity) : undefined;
      } finally {
        file.close();
      }
    });
  }

  has(identity: string): boolean {
    const path = this.#fileSystem.join(this.#directory, digestFileName(identity));
    return this.#unlessFailed(() => this.#fileSystem.describe(path)) !== undefined;
  }

  save(digest: ChunkDigest, identity: string): void {
    this.#unlessFailed(() => {
      const fileSystem = this.#fileSystem;
      fileSystem.makeDirectory(this.#directory);
      const bytes = encodeDigest(digest, identity);
      if (fileSystem.freeBytes(this.#directory) < bytes.length * FREE_TIMES) return;
      const temporary = fileSystem.join(this.#directory, `${this.#newGuid()}.tmp`);
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

  /** Removes every file but those of these chunks. */
  keepOnly(identities: Iterable<string>): void {
    this.#unlessFailed(() => {
      const wanted = new Set(Array.from(identities, digestFileName));
      for (const { name, isDirectory } of this.#fileSystem.list(this.#directory) ?? []) {
        if (isDirectory || wanted.has(name)) continue;
        // Another process may be writing a temporary one: its own rename then fails, which only costs the file.
        if (name.endsWith(SUFFIX)) this.#fileSystem.remove(this.#fileSystem.join(this.#directory, name));
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
