/**
 * Where rewritten and merged chunks go. One of two implementations writes files and switches them in, the other
 * only measures: a plan is the same run with the second.
 */
import { assert } from '../../assert.ts';
import { partsOf, type Chunk } from '../../chunks/chunk.ts';
import { requireChecksumOf, requireChunkChecksum } from '../../chunks/chunk-checksum.ts';
import { ChunkReader } from '../../chunks/chunk-reader.ts';
import { ChunkDigest, type DigestImage } from '../../digest/chunk-digest.ts';
import type { ChunkDigests } from '../../digest/chunk-digests.ts';
import { DigestBuilder } from '../../digest/digest-builder.ts';
import { completedFileSize, mapSizeOf } from '../../chunks/chunk-writer.ts';
import type { LogReader } from '../../log/log-reader.ts';
import { switchInChunk } from '../../log/switch-in.ts';
import type { FileSystem } from '../../storage/file-system.ts';
import { chunkNumberOf } from '../../units/log-position.ts';
import { judgeRecords, judgeRecordsOf, type Judging } from '../decisions/judge-records.ts';
import { KeptRecords } from '../decisions/kept-records.ts';
import { judgeChunk, prepareRewrite, type JudgedChunk, type PreparedRewrite } from './prepare-rewrite.ts';
import type { RewriteWorkers } from './rewrite-workers.ts';
import type { RunControl } from '../run-control.ts';
import { scavengedChunkOf, type ScavengedChunk } from './scavenged-chunk.ts';
import { SourceChecks } from './source-checks.ts';
import { writeChunk } from './write-chunk.ts';

export interface ChunkOutput {
  /** Format version of new files. */
  readonly formatVersion: number;
  /** These will be prepared, in about this order. */
  expect(chunks: readonly ScavengedChunk[]): void;
  /** Judges the records of a chunk and gets its replacement ready, unless that is larger than `largestBytes`. */
  prepare(chunk: ScavengedChunk, judging: Judging, largestBytes: number): Promise<PreparedRewrite>;
  /** Replaces the chunk by what was prepared. */
  switchIn(chunk: ScavengedChunk, prepared: PreparedRewrite): ScavengedChunk;
  /** Gives up what was prepared. */
  abandon(prepared: PreparedRewrite): void;
  /** One chunk with the records of all members, in their place. */
  merge(members: readonly ScavengedChunk[]): Promise<ScavengedChunk>;
  /** Nothing is read or written any more. */
  close(): Promise<void>;
  /** The chunk of this position counts as rewritten, but its discarded records are still in the log. */
  isOnlyMeasured(position: number): boolean;
}

export interface ChunkOutputParts {
  fileSystem: FileSystem;
  directory: string;
  log: LogReader;
  control: RunControl;
  newGuid: () => string;
  /** Replace a chunk even if the new file is not smaller. */
  alwaysKeepScavenged: boolean;
  /** Where new chunks get a digest in place of those they replace. */
  digests?: ChunkDigests | undefined;
}

/** The newest format version among the chunks: new files are never newer than what the database uses already. */
export function newestFormatVersion(chunks: readonly Chunk[]): number {
  return chunks.reduce((newest, chunk) => Math.max(newest, chunk.header.version), 2);
}

export class WritingChunkOutput implements ChunkOutput {
  readonly formatVersion: number;
  readonly #parts: ChunkOutputParts;
  /** They prepare chunks. */
  readonly #workers: RewriteWorkers | undefined;
  readonly #sources: SourceChecks | undefined;
  /** New files are hashed in another thread while this one writes them. */
  readonly #follow: RewriteWorkers['follow'];
  readonly #close: () => Promise<void> | undefined;
  #expected: readonly ScavengedChunk[] = [];
  /** The next chunk, judged while the hash of the one before it was awaited. */
  #ahead: { chunk: ScavengedChunk; judged: Promise<JudgedChunk> } | undefined;
  /** By temporary path: the digests that a new one takes the place of. */
  readonly #known = new Map<string, readonly string[]>();

  /** With several `threads` chunks are prepared there; with one they are prepared here and their sources checked there. */
  constructor(
    parts: ChunkOutputParts,
    { workers, threads }: { workers: RewriteWorkers | undefined; threads: number }
  ) {
    this.#parts = parts;
    this.#workers = threads > 1 ? workers : undefined;
    this.#close = () => workers?.close();
    this.#sources = workers && new SourceChecks(workers);
    this.#follow = workers?.follow;
    this.formatVersion = newestFormatVersion(parts.log.chunks);
  }

  expect(chunks: readonly ScavengedChunk[]): void {
    this.#expected = chunks;
    this.#sources?.expect(chunks.map(fileOf));
  }

  async prepare(chunk: ScavengedChunk, judging: Judging, largestBytes: number): Promise<PreparedRewrite> {
    const sources = this.#sources;
    const { newGuid, alwaysKeepScavenged } = this.#parts;
    const temporaryPath = this.#temporaryPath('scavenge');
    const order = {
      chunk: partsOf(fileOf(chunk)),
      temporaryPath,
      wantsDigest: this.#wantsDigest([fileOf(chunk)], temporaryPath),
      chunkId: newGuid(),
      formatVersion: this.formatVersion,
      isLargerWanted: alwaysKeepScavenged,
      largestBytes,
      isCheckedElsewhere: sources !== undefined
    };
    if (!this.#workers || !sources) {
      const requireSound = sources && (() => sources.require(fileOf(chunk)));
      const judged = this.#ahead?.chunk === chunk ? this.#ahead.judged : undefined;
      this.#ahead = undefined;
      const onCopied = this.#follow && (() => this.#judgeAhead(chunk, judging));
      return prepareRewrite(order, judging, { requireSound, follow: this.#follow, judged, onCopied });
    }
    const sound = sources.require(fileOf(chunk));
    sound.catch(() => {}); // heard below
    const prepared = await this.#workers.prepare({ ...order, verdicts: judging.verdicts.shared() });
    try {
      if (prepared.isReplacement) await sound;
      return prepared;
    } catch (error) {
      this.abandon(prepared);
      throw error;
    }
  }

  #judgeAhead(before: ScavengedChunk, judging: Judging): void {
    const chunk = this.#expected[this.#expected.indexOf(before) + 1];
    if (!chunk || judging.trace || this.#ahead) return;
    const file = fileOf(chunk);
    const wantsDigest = this.#parts.digests?.knownOf([file]) !== undefined;
    const judged = judgeChunk(file, judging, { wantsDigest, isCheckedElsewhere: true });
    judged.catch(() => {}); // heard when its turn comes
    this.#ahead = { chunk, judged };
  }

  /** Ends the workers; nothing is read any more. */
  async close(): Promise<void> {
    await this.#ahead?.judged.catch(() => {});
    await this.#close();
  }

  switchIn(chunk: ScavengedChunk, { temporaryPath, digest }: PreparedRewrite): ScavengedChunk {
    return this.#switchIn(temporaryPath, [fileOf(chunk)], digest);
  }

  abandon({ temporaryPath, isReplacement }: PreparedRewrite): void {
    if (isReplacement) this.#parts.fileSystem.remove(temporaryPath);
  }

  async merge(members: readonly ScavengedChunk[]): Promise<ScavengedChunk> {
    const { fileSystem, control, newGuid } = this.#parts;
    const sources = members.map(fileOf);
    const temporaryPath = this.#temporaryPath('merge.scavenge');
    const { formatVersion } = this;
    const { startPosition } = sources[0]!;
    const wantsDigest = this.#wantsDigest(sources, temporaryPath);
    const digest = wantsDigest ? new DigestBuilder({ startPosition, isScavenged: true }) : undefined;
    const dataSize = sources.reduce((sum, source) => sum + source.dataSize, 0);
    const sound = this.#requireSound(sources);
    if (!this.#sources) await sound;
    await writeChunk({
      fileSystem,
      control,
      sources,
      temporaryPath,
      chunkId: newGuid(),
      formatVersion,
      byteCount: dataSize,
      sound,
      follow: this.#follow,
      digest
    });
    return this.#switchIn(temporaryPath, sources, digest?.build({ dataSize, isHashed: true }).image);
  }

  isOnlyMeasured(): boolean {
    return false;
  }

  async #requireSound(files: readonly Chunk[]): Promise<void> {
    const { fileSystem, control } = this.#parts;
    for (const file of files) {
      if (this.#sources) await this.#sources.require(file);
      else {
        await requireChunkChecksum(fileSystem, file, async () => {
          if (control.isDue()) await control.breathe();
        });
      }
    }
  }

  #temporaryPath(purpose: string): string {
    const { fileSystem, directory, newGuid } = this.#parts;
    return fileSystem.join(directory, `${newGuid()}.${purpose}.tmp`);
  }

  #wantsDigest(replaced: readonly Chunk[], temporaryPath: string): boolean {
    const known = this.#parts.digests?.knownOf(replaced);
    if (known) this.#known.set(temporaryPath, known);
    return known !== undefined;
  }

  #switchIn(temporaryPath: string, replaced: readonly Chunk[], digest?: DigestImage): ScavengedChunk {
    const { fileSystem, directory, log, digests } = this.#parts;
    try {
      const chunk = switchInChunk({ fileSystem, directory, temporaryPath, replaced });
      log.switchIn(chunk);
      // Only of a file that is in place: one that a killed run leaves is nobody's.
      const known = this.#known.get(temporaryPath);
      if (digest && known) digests?.carryOver(known, chunk, new ChunkDigest(digest.columns, digest.facts));
      return scavengedChunkOf(chunk);
    } catch (error) {
      fileSystem.remove(temporaryPath); // after the rename there is nothing of that name
      throw error;
    }
  }
}

/** Measures what the other one writes. */
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

  async merge(members: readonly ScavengedChunk[]): Promise<ScavengedChunk> {
    const first = members[0]!;
    const last = members.at(-1)!;
    let dataSize = 0;
    let recordCount = 0;
    for (const member of members) {
      if (member.chunk) await this.#requireSound(member.chunk);
      dataSize += member.dataSize;
      recordCount += member.recordCount ?? (await this.countRecords(fileOf(member)));
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

function fileOf({ chunk, startNumber }: ScavengedChunk): Chunk {
  assert(chunk !== null, `chunk ${startNumber} is a file`);
  return chunk;
}
