/**
 * A database directory, opened for reading: checkpoints, the files that are the log, records, index. Opening reads
 * headers and footers only and changes nothing; a directory that a server has open may be opened too. Faults found
 * on the way are values (`problems`), so that a damaged database can be read.
 */
import { EngineError } from '../errors.ts';
import type { StreamHasher } from '../index/stream-hash.ts';
import { openStreamIndex, type StreamIndex } from '../index/stream-index.ts';
import { readCheckpoints, type Checkpoints } from '../log/checkpoint-file.ts';
import { readChunkSet, type ChunkSet } from '../log/chunk-set.ts';
import type { KeptChunkSets } from '../log/kept-chunk-sets.ts';
import { problemAsError, type LogProblem } from '../log/log-problem.ts';
import { LogReader } from '../log/log-reader.ts';
import { noDatabase, requireDataDirectory } from '../storage/data-directory.ts';
import type { FileSystem, LockHolder } from '../storage/file-system.ts';
import {
  refuseUnfinishedRestore,
  unfinishedRestore,
  type UnfinishedRestore
} from '../storage/restore-marker.ts';
import type { OperationControl } from './operation-control.ts';

export interface DatabasePlace {
  fileSystem: FileSystem;
  dataDirectory: string;
  /** Default: `index` inside the data directory. */
  indexDirectory?: string | undefined;
  /** For looks: what of the chunk files is known from looks before. Default: every header and footer is read. */
  kept?: KeptChunkSets | undefined;
}

export class Database {
  readonly fileSystem: FileSystem;
  readonly dataDirectory: string;
  readonly indexDirectory: string;
  readonly checkpoints: Checkpoints;
  readonly chunkSet: ChunkSet;
  readonly log: LogReader;

  constructor(place: DatabasePlace, indexDirectory: string, checkpoints: Checkpoints, chunkSet: ChunkSet) {
    this.fileSystem = place.fileSystem;
    this.dataDirectory = place.dataDirectory;
    this.indexDirectory = indexDirectory;
    this.checkpoints = checkpoints;
    this.chunkSet = chunkSet;
    this.log = new LogReader({
      fileSystem: place.fileSystem,
      chunks: chunkSet.chunks,
      chunkSizeBytes: chunkSet.chunkSizeBytes,
      end: chunkSet.writerPosition
    });
  }

  get problems(): readonly LogProblem[] {
    return this.chunkSet.problems;
  }

  /** Who has the directory open for writing, as far as the platform shows; null if no process. */
  get inUse(): LockHolder | null {
    const writer = this.fileSystem.join(this.dataDirectory, 'writer.chk');
    return this.fileSystem.lockHolder(writer) ?? null;
  }

  /** A restore into this directory that has not ended; null when there is none. */
  get unfinishedRestore(): UnfinishedRestore | null {
    return unfinishedRestore(this.fileSystem, this.dataDirectory) ?? null;
  }

  /** Throws the first fault that makes the log unreadable as a whole; an unfinished restore is the first of all. */
  requireWhole(): void {
    refuseUnfinishedRestore(this.fileSystem, this.dataDirectory);
    const fault = this.problems.find((problem) => problem.severity === 'damage');
    if (fault) throw problemAsError(fault);
    const { writer, chaser } = this.checkpoints;
    if ((chaser ?? 0) > (writer ?? 0)) {
      throw new EngineError({
        code: 'LogCorrupt',
        message: `chaser.chk (${chaser ?? 0}) is ahead of writer.chk (${writer ?? 'missing'}).`,
        remedy: 'Restore the checkpoints from one backup.',
        details: { file: 'chaser.chk', offset: 0 }
      });
    }
  }

  /**
   * The index: tables, and what only the log holds, which is read first as the server does at its start (all of
   * the log when the tables cannot be used). Opened once, closed with the database.
   */
  async openIndex(control: OperationControl, hasher?: StreamHasher): Promise<StreamIndex> {
    this.#index ??= await openStreamIndex({
      fileSystem: this.fileSystem,
      directory: this.indexDirectory,
      log: this.log,
      chaserCheckpoint: this.checkpoints.chaser ?? 0,
      breathe: () => control.breathe(),
      ...(hasher ? { hasher } : {})
    });
    return this.#index;
  }
  #index: StreamIndex | undefined;

  close(): void {
    this.#index?.close();
    this.#index = undefined;
    this.log.close();
  }
}

/** Opens a directory that holds a log; DatabaseNotFound when it holds none. */
export function openDatabase(place: DatabasePlace): Database {
  const { fileSystem, dataDirectory } = place;
  requireDataDirectory(fileSystem, dataDirectory);
  const indexDirectory = place.indexDirectory ?? fileSystem.join(dataDirectory, 'index');
  // Checkpoints before the list of chunks: of a running server the chunks may be newer, never older.
  const checkpoints = readCheckpoints(fileSystem, dataDirectory);
  const { writer } = checkpoints;
  const chunkSet = place.kept
    ? place.kept.read(fileSystem, dataDirectory, writer)
    : readChunkSet({ fileSystem, directory: dataDirectory, writer });
  const hasChunkFile =
    chunkSet.chunks.length + chunkSet.surplus.length + chunkSet.superseded.length + chunkSet.problems.length >
    0;
  // In the middle of a restore neither the old nor the new database may be there yet.
  const isRestoring = unfinishedRestore(fileSystem, dataDirectory) !== undefined;
  if (checkpoints.writer === null && !hasChunkFile && !isRestoring) {
    throw noDatabase(
      `${dataDirectory} is not a database: it has neither writer.chk nor a chunk file.`,
      dataDirectory
    );
  }
  return new Database(place, indexDirectory, checkpoints, chunkSet);
}
