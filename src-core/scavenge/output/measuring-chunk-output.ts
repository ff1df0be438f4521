/** Measures what a run would write. */
import { assert } from '../../assert.ts';
import type { Chunk } from '../../chunks/chunk.ts';
import { requireChecksumOf, requireChunkChecksum } from '../../chunks/chunk-checksum.ts';
import { ChunkReader } from '../../chunks/chunk-reader.ts';
import { completedFileSize, mapSizeOf } from '../../chunks/chunk-writer.ts';
import { chunkNumberOf } from '../../units/log-position.ts';
import { judgeRecords, judgeRecordsOf, type Judging } from '../decisions/judge-records.ts';
import { KeptRecords } from '../decisions/kept-records.ts';
import {
  newestFormatVersion,
  type ChunkOutput,
  type ChunkOutputParts,
  type PreparedMerge
} from './chunk-output.ts';
import type { PreparedRewrite } from './prepare-rewrite.ts';
import { fileOf, type ScavengedChunk } from './scavenged-chunk.ts';

export class MeasuringChunkOutput implements ChunkOutput {
  readonly formatVersion: number;
  readonly #parts: ChunkOutputParts;
  /** Numbers of the logical chunks that would have been rewritten. */
  readonly #measured = new Set<number>();
  /** Records by file name. */
  readonly #counts = new Map<string, number>();

  constructor(parts: ChunkOutputParts) {
    this.#parts = parts;
    this.formatVersion = newestFormatVersion(parts.log.chunks);
  }

  expect(): void {
    // nothing is checked ahead
  }

  async prepare(chunk: ScavengedChunk, judging: Judging, largestBytes: number): Promise<PreparedRewrite> {
    const kept = await this.#judge(fileOf(chunk), judging);
    const fileSize = kept.fileSize(this.formatVersion);
    const isWanted = this.#parts.alwaysKeepScavenged || fileSize < chunk.fileSize;
    const isTooLarge = isWanted && fileSize > largestBytes;
    if (isWanted && !isTooLarge) await judging.tally?.replaced(fileOf(chunk), kept.discards);
    return {
      ...kept.counts,
      fileSize,
      isReplacement: isWanted && !isTooLarge,
      isTooLarge,
      temporaryPath: ''
    };
  }

  /** Sound, as in `#requireSound`; the file is opened once for both. */
  async #judge(chunk: Chunk, judging: Judging): Promise<KeptRecords> {
    const { heads, judged } = judging;
    const before = judged?.of(chunk);
    if (before) return KeptRecords.counted(before);
    if (heads?.isSound(chunk)) {
      const kept = await judgeRecords(judging, chunk);
      // Unless its digest turned out to be damaged, and the chunk with it.
      if (heads.isSound(chunk)) return kept;
    }
    const reader = new ChunkReader(this.#parts.fileSystem, chunk);
    try {
      await requireChecksumOf(reader.file, chunk, () => this.#parts.control.breatheWhenDue());
      return await judgeRecordsOf(reader, judging);
    } finally {
      reader.close();
    }
  }

  switchIn(chunk: ScavengedChunk, prepared: PreparedRewrite): ScavengedChunk {
    for (let number = chunk.startNumber; number <= chunk.endNumber; number++) this.#measured.add(number);
    return {
      ...chunk,
      chunk: null,
      dataSize: prepared.keptBytes,
      recordCount: prepared.keptCount,
      fileSize: prepared.fileSize
    };
  }

  abandon(): void {
    // nothing was written
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async prepareMerge(members: readonly ScavengedChunk[]): Promise<PreparedMerge> {
    const first = members[0]!;
    const last = members.at(-1)!;
    let dataSize = 0;
    let recordCount = 0;
    for (const member of members) {
      if (member.chunk) await this.#requireSound(member.chunk);
      dataSize += member.dataSize;
      recordCount += member.recordCount ?? (await this.countRecords(fileOf(member)));
    }
    const mapSize = mapSizeOf(recordCount);
    const measured = {
      ...first,
      chunk: null,
      endNumber: last.endNumber,
      endPosition: last.endPosition,
      dataSize,
      recordCount,
      fileSize: completedFileSize({ dataSize, mapSize, version: this.formatVersion })
    };
    return { temporaryPath: '', measured };
  }

  mayWriteMore(): boolean {
    return false;
  }

  awaitSeals(): void {
    // nothing is sealed
  }

  seal(): Promise<void> {
    return Promise.resolve();
  }

  switchInMerged(_members: readonly ScavengedChunk[], { measured }: PreparedMerge): ScavengedChunk {
    assert(measured !== undefined, 'what is measured here was prepared here');
    return measured;
  }

  isOnlyMeasured(position: number): boolean {
    return this.#measured.has(chunkNumberOf(position, this.#parts.log.chunkSizeBytes));
  }

  /** As the run does before it copies: a plan that would fail there says so. */
  async #requireSound(chunk: Chunk): Promise<void> {
    const { control, fileSystem, log } = this.#parts;
    if (log.knownHeads?.isSound(chunk)) return;
    await requireChunkChecksum(fileSystem, chunk, () => control.breatheWhenDue());
  }

  /** Counted once: several thresholds may ask. */
  async countRecords(chunk: Chunk): Promise<number> {
    const known = this.#counts.get(chunk.fileName);
    if (known !== undefined) return known;
    const { control, fileSystem, log } = this.#parts;
    if (log.knownHeads) return log.knownHeads.countOf(chunk);
    const reader = new ChunkReader(fileSystem, chunk);
    let count = 0;
    try {
      for (const cursor = reader.cursor(); cursor.next(); count++) {
        if (control.isDue()) await control.breathe();
      }
    } finally {
      reader.close();
    }
    this.#counts.set(chunk.fileName, count);
    return count;
  }
}
