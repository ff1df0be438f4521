/**
 * The highest version of each chunk's file in a directory. Listed once for a run that replaces many chunks: under the lock of the
 * directory nobody else makes files, and of thousands of chunks a list for each would take longer than the chunks.
 */
import { decodeChunkFileName, encodeChunkFileName } from '../chunks/chunk-file-name.ts';
import { namesIn } from '../storage/directory-entries.ts';
import type { FileSystem } from '../storage/file-system.ts';

export class ChunkVersions {
  readonly #fileSystem: FileSystem;
  readonly #directory: string;
  /** By first chunk number. */
  #highest: Map<number, number> | undefined;

  constructor(fileSystem: FileSystem, directory: string) {
    this.#fileSystem = fileSystem;
    this.#directory = directory;
  }

  /** Name of the next file of a chunk: one above all that are there, and never 0. */
  nextName(chunkNumber: number): string {
    this.#highest ??= this.#list();
    const name = this.#nameAbove(this.#highest, chunkNumber);
    if (!this.#fileSystem.describe(this.#fileSystem.join(this.#directory, name))) return name;
    // Somebody made one in spite of the lock: it must not be replaced.
    this.#highest = this.#list();
    return this.#nameAbove(this.#highest, chunkNumber);
  }

  /** The file is there now. */
  add(name: string): void {
    if (this.#highest) put(this.#highest, name);
  }

  #nameAbove(highest: ReadonlyMap<number, number>, chunkNumber: number): string {
    return encodeChunkFileName({ chunkNumber, fileVersion: (highest.get(chunkNumber) ?? 0) + 1 });
  }

  #list(): Map<number, number> {
    return highestVersions(namesIn(this.#fileSystem, this.#directory));
  }
}

/** Of the files with these names, by the number of the first chunk. */
export function highestVersions(names: Iterable<string>): Map<number, number> {
  const highest = new Map<number, number>();
  for (const name of names) put(highest, name);
  return highest;
}

function put(highest: Map<number, number>, name: string): void {
  const decoded = decodeChunkFileName(name);
  if (!decoded) return;
  const { chunkNumber, fileVersion } = decoded;
  highest.set(chunkNumber, Math.max(fileVersion, highest.get(chunkNumber) ?? 0));
}
