/**
 * Where rewritten and merged chunks go. One of two implementations writes files and switches them in, the other
 * only measures: a plan is the same run with the second.
 */
import { assert } from '../assert.ts';
import type { Chunk } from '../chunks/chunk.ts';
import { ChunkReader } from '../chunks/chunk-reader.ts';
import { ChunkWriter, completedFileSize, mapSizeOf } from '../chunks/chunk-writer.ts';
import { FIRST_ALIGNED_VERSION } from '../chunks/chunk-header.ts';
import { FRAME_LENGTH } from '../records/log-record.ts';
import type { LogReader } from '../log/log-reader.ts';
import { switchInChunk } from '../log/switch-in.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { chunkNumberOf } from '../units/log-position.ts';
import type { KeptRecords } from './kept-records.ts';
import type { RunControl } from './run-control.ts';
import { scavengedChunkOf, type ScavengedChunk } from './scavenged-chunk.ts';

export interface ChunkOutput {
  /** Format version of new files. */
  readonly formatVersion: number;
  /** The chunk with only its kept records, in the place of the old one. */
  rewrite(chunk: ScavengedChunk, kept: KeptRecords): Promise<ScavengedChunk>;
  /** One chunk with the records of all members, in their place. */
  merge(members: readonly ScavengedChunk[]): Promise<ScavengedChunk>;
  /** The chunk of this position counts as rewritten, but its discarded records are still in the log. */
  isOnlyMeasured(position: number): boolean;
}

export interface ChunkOutputParts {
  fileSystem: FileSystem;
  directory: string;
  log: LogReader;
  control: RunControl;
  newGuid: () => string;
}

/** The newest format version among the chunks: new files are never newer than what the database uses already. */
export function newestFormatVersion(chunks: readonly Chunk[]): number {
  return chunks.reduce((newest, chunk) => Math.max(newest, chunk.header.version), 2);
}

const COPY_WINDOW_BYTES = 1024 * 1024;

export class WritingChunkOutput implements ChunkOutput {
  readonly formatVersion: number;
  readonly #parts: ChunkOutputParts;
  readonly #window = Buffer.allocUnsafe(COPY_WINDOW_BYTES);

  constructor(parts: ChunkOutputParts) {
    this.#parts = parts;
    this.formatVersion = newestFormatVersion(parts.log.chunks);
  }

  async rewrite(chunk: ScavengedChunk, kept: KeptRecords): Promise<ScavengedChunk> {
    const source = fileOf(chunk);
    return this.#write('scavenge', [source], (writer) => this.#copyKept(source, kept, writer));
  }

  async merge(members: readonly ScavengedChunk[]): Promise<ScavengedChunk> {
    const sources = members.map(fileOf);
    const start = sources[0]!.startPosition;
    return this.#write('merge.scavenge', sources, async (writer) => {
      for (const source of sources) await this.#copyAll(source, start, writer);
    });
  }

  isOnlyMeasured(): boolean {
    return false;
  }

  async #write(
    purpose: string,
    replaced: readonly Chunk[],
    copy: (writer: ChunkWriter) => Promise<void>
  ): Promise<ScavengedChunk> {
    const { fileSystem, directory, log, newGuid } = this.#parts;
    const temporaryPath = fileSystem.join(directory, `${newGuid()}.${purpose}.tmp`);
    const first = replaced[0]!;
    const writer = ChunkWriter.create({
      fileSystem,
      path: temporaryPath,
      withMap: true,
      header: {
        version: this.formatVersion,
        minCompatibleVersion: Math.min(this.formatVersion, FIRST_ALIGNED_VERSION),
        chunkSizeBytes: first.header.chunkSizeBytes,
        startNumber: first.startNumber,
        endNumber: replaced.at(-1)!.endNumber,
        isScavenged: true,
        chunkId: newGuid(),
        transformType: 0
      }
    });
    try {
      await copy(writer);
      writer.complete();
    } catch (error) {
      writer.abort();
      throw error;
    }
    let chunk: Chunk;
    try {
      chunk = switchInChunk({ fileSystem, directory, temporaryPath, replaced });
    } catch (error) {
      fileSystem.remove(temporaryPath); // after the rename there is nothing of that name
      throw error;
    }
    log.switchIn(chunk);
    return scavengedChunkOf(chunk);
  }

  /** Neighbouring kept records are read together; each is appended for itself, since each has a place in the map. */
  async #copyKept(source: Chunk, kept: KeptRecords, writer: ChunkWriter): Promise<void> {
    const { control, fileSystem } = this.#parts;
    const reader = new ChunkReader(fileSystem, source);
    let window = this.#window;
    let windowStart = 0;
    let windowEnd = 0;
    try {
      for (let i = 0; i < kept.count; i++) {
        const physical = kept.physical[i]!;
        const length = kept.framedLength[i]!;
        if (physical < windowStart || physical + length > windowEnd) {
          if (length > window.length) window = Buffer.allocUnsafe(length);
          windowStart = physical;
          windowEnd = physical + reader.file.read(window, 0, window.length, source.dataStart + physical);
          assert(physical + length <= windowEnd, 'a record that was read a moment ago is still there');
        }
        writer.append(window, physical - windowStart, length, kept.logical[i]!);
        if (control.isDue()) await control.breathe();
      }
    } finally {
      reader.close();
    }
  }

  async #copyAll(source: Chunk, start: number, writer: ChunkWriter): Promise<void> {
    const { control, fileSystem } = this.#parts;
    const reader = new ChunkReader(fileSystem, source);
    try {
      const cursor = reader.cursor();
      while (cursor.next()) {
        const { record } = cursor;
        writer.append(
          record.bytes,
          cursor.framedStart,
          record.length + FRAME_LENGTH,
          record.position - start
        );
        if (control.isDue()) await control.breathe();
      }
    } finally {
      reader.close();
    }
  }
}

/** Measures what the other one writes. */
export class MeasuringChunkOutput implements ChunkOutput {
  readonly formatVersion: number;
  readonly #parts: ChunkOutputParts;
  /** Numbers of the logical chunks that would have been rewritten. */
  readonly #measured = new Set<number>();

  constructor(parts: ChunkOutputParts) {
    this.#parts = parts;
    this.formatVersion = newestFormatVersion(parts.log.chunks);
  }

  isOnlyMeasured(position: number): boolean {
    return this.#measured.has(chunkNumberOf(position, this.#parts.log.chunkSizeBytes));
  }

  async rewrite(chunk: ScavengedChunk, kept: KeptRecords): Promise<ScavengedChunk> {
    for (let number = chunk.startNumber; number <= chunk.endNumber; number++) this.#measured.add(number);
    return {
      ...chunk,
      chunk: null,
      dataSize: kept.keptBytes,
      recordCount: kept.count,
      fileSize: kept.fileSize(this.formatVersion)
    };
  }

  async merge(members: readonly ScavengedChunk[]): Promise<ScavengedChunk> {
    const first = members[0]!;
    const last = members.at(-1)!;
    let dataSize = 0;
    let recordCount = 0;
    for (const member of members) {
      dataSize += member.dataSize;
      recordCount += member.recordCount ?? (await this.#countRecords(fileOf(member)));
    }
    return {
      ...first,
      chunk: null,
      endNumber: last.endNumber,
      endPosition: last.endPosition,
      dataSize,
      recordCount,
      fileSize: completedFileSize({ dataSize, mapSize: mapSizeOf(recordCount), version: this.formatVersion })
    };
  }

  async #countRecords(chunk: Chunk): Promise<number> {
    const { control, fileSystem } = this.#parts;
    const reader = new ChunkReader(fileSystem, chunk);
    let count = 0;
    try {
      for (const cursor = reader.cursor(); cursor.next(); count++) {
        if (control.isDue()) await control.breathe();
      }
    } finally {
      reader.close();
    }
    return count;
  }
}

function fileOf({ chunk, startNumber }: ScavengedChunk): Chunk {
  assert(chunk !== null, `chunk ${startNumber} is a file`);
  return chunk;
}
