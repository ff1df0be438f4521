/**
 * The chunk files at the end of the log, before and after a scavenge point is written: it completes the active chunk,
 * and what the run tells of itself may begin the next one.
 */
import { decodeChunkFileName } from '../../chunks/chunk-file-name.ts';
import type { Database } from '../../database/database.ts';
import { namesIn } from '../../storage/directory-entries.ts';
import { sizeOf } from '../../storage/file-size.ts';
import type { FileSystem } from '../../storage/file-system.ts';

export class LogEndFiles {
  readonly #fileSystem: FileSystem;
  readonly #directory: string;
  /** Number of the last chunk, as it was. */
  readonly #from: number;
  /** Files that are swept: they count elsewhere. */
  readonly #swept: ReadonlySet<string>;
  readonly #bytesBefore: number;

  private constructor(fileSystem: FileSystem, { chunkSet, log }: Database) {
    this.#fileSystem = fileSystem;
    this.#directory = chunkSet.directory;
    this.#from = log.chunks.at(-1)?.startNumber ?? 0;
    this.#swept = new Set([...chunkSet.superseded, ...chunkSet.leftovers].map(({ file }) => file));
    this.#bytesBefore = this.#bytes();
  }

  static of(fileSystem: FileSystem, database: Database): LogEndFiles {
    return new LogEndFiles(fileSystem, database);
  }

  /** Since this was made; below 0 when the files have grown. */
  bytesSaved(): number {
    return this.#bytesBefore - this.#bytes();
  }

  #bytes(): number {
    let sum = 0;
    for (const name of namesIn(this.#fileSystem, this.#directory)) {
      const decoded = decodeChunkFileName(name);
      if (!decoded || decoded.chunkNumber < this.#from || this.#swept.has(name)) continue;
      sum += sizeOf(this.#fileSystem, this.#fileSystem.join(this.#directory, name));
    }
    return sum;
  }
}
