/**
 * Writes new chunks. What can be done beside it is done in other threads where there are any: chunks are prepared there or
 * here, old files are hashed ahead of the copy (SourceChecks). A new file is hashed while it is written or, where there are
 * many and room for some at once, together with others once it is written (Sealing).
 */
import { assert } from '../../assert.ts';
import { partsOf, type Chunk } from '../../chunks/chunk.ts';
import { requireChunkChecksum } from '../../chunks/chunk-checksum.ts';
import { LANES } from '../../codec/md5-lanes.ts';
import { ChunkDigest } from '../../digest/chunk-digest.ts';
import { DigestBuilder } from '../../digest/digest-builder.ts';
import { ChunkVersions } from '../../log/chunk-versions.ts';
import { switchInChunk } from '../../log/switch-in.ts';
import type { Judging } from '../decisions/judge-records.ts';
import {
  newestFormatVersion,
  type ChunkOutput,
  type ChunkOutputParts,
  type NewFile,
  type PreparedMerge
} from './chunk-output.ts';
import { judgeChunk, prepareRewrite, type JudgedChunk, type PreparedRewrite } from './prepare-rewrite.ts';
import type { RewriteWorkers } from './rewrite-workers.ts';
import { fileOf, scavengedChunkOf, type ScavengedChunk } from './scavenged-chunk.ts';
import { Sealing } from './sealing.ts';
import { AHEAD_OF_MEMORY, SourceChecks } from './source-checks.ts';
import { writeChunk } from './write-chunk.ts';

/** Chunks of full size for which there must be room, for each thread, before another file is left unsealed. */
const ROOM_CHUNKS = 4;

export class WritingChunkOutput implements ChunkOutput {
  readonly formatVersion: number;
  readonly #parts: ChunkOutputParts;
  readonly #threads: number;
  /** They prepare chunks. */
  readonly #workers: RewriteWorkers | undefined;
  readonly #sources: SourceChecks | undefined;
  readonly #sealing: Sealing | undefined;
  readonly #leastUnsealedBytes: number;
  readonly #manyFiles: number;
  /** New files are hashed while this one writes them. */
  readonly #follow: RewriteWorkers['follow'];
  readonly #close: () => Promise<void> | undefined;
  #expected: readonly ScavengedChunk[] = [];
  #areMany = false;
  /** The next chunk, judged while the hash of the one before it was awaited. */
  #ahead: { chunk: ScavengedChunk; judged: Promise<JudgedChunk> } | undefined;
  /** By temporary path: rejects unless the hashes of the files it was made from are right. */
  readonly #sound = new Map<string, Promise<void>>();
  /** Listed when the first file is put in place: what a cut run left is swept by then. */
  #versions: ChunkVersions | undefined;
  /** Names of files that this run wrote and hashed: a merge need not hash them again. */
  readonly #own = new Set<string>();
  /** By temporary path: the digests that a new one takes the place of. */
  readonly #known = new Map<string, readonly string[]>();

  /** With several `threads` chunks are prepared there; with one they are prepared here, and hashed there. */
  constructor(
    parts: ChunkOutputParts,
    { workers, threads }: { workers: RewriteWorkers | undefined; threads: number }
  ) {
    this.#parts = parts;
    this.#threads = threads;
    this.#workers = threads > 1 ? workers : undefined;
    this.#close = () => workers?.close();
    this.#sources = workers && new SourceChecks(workers);
    const sealing = workers?.sealing;
    // What is hashed was written a moment ago and should still be in memory then.
    const isInMemory = LANES * parts.log.chunkSizeBytes <= (workers?.memoryBytes ?? 0) / AHEAD_OF_MEMORY;
    this.#sealing = sealing && isInMemory ? new Sealing(sealing) : undefined;
    this.#leastUnsealedBytes = sealing?.leastBytes ?? Infinity;
    this.#manyFiles = sealing?.leastFiles ?? Infinity;
    this.#follow = workers?.follow;
    this.formatVersion = newestFormatVersion(parts.log.chunks);
  }

  expect(chunks: readonly ScavengedChunk[], newFiles: number): void {
    this.#expected = chunks;
    this.#areMany = newFiles >= this.#manyFiles;
    this.#sources?.expect(this.#others(chunks.map(fileOf)));
  }

  async prepare(chunk: ScavengedChunk, judging: Judging, largestBytes: number): Promise<PreparedRewrite> {
    const sources = this.#sources;
    const { newGuid, alwaysKeepScavenged } = this.#parts;
    const file = fileOf(chunk);
    const temporaryPath = this.#temporaryPath('scavenge');
    const order = {
      chunk: partsOf(file),
      temporaryPath,
      wantsDigest: this.#wantsDigest([file], temporaryPath),
      chunkId: newGuid(),
      formatVersion: this.formatVersion,
      isLargerWanted: alwaysKeepScavenged,
      largestBytes,
      isCheckedElsewhere: sources !== undefined,
      unsealedFromBytes: this.#mayLeaveUnsealed() ? this.#leastUnsealedBytes : Infinity
    };
    let sound: Promise<void> | undefined;
    const requireSound = sources && ((): Promise<void> => (sound ??= this.#soundOf([file])));
    if (this.#workers) {
      void requireSound?.();
      const prepared = await this.#workers.prepare({ ...order, verdicts: judging.verdicts.shared() });
      if (sound && prepared.isReplacement) this.#sound.set(temporaryPath, sound);
      return prepared;
    }
    const judged = this.#ahead?.chunk === chunk ? this.#ahead.judged : undefined;
    this.#ahead = undefined;
    const onCopied = this.#follow && (() => this.#judgeAhead(chunk, judging));
    const beside = { requireSound, follow: this.#follow, judged, onCopied };
    const prepared = await prepareRewrite(order, judging, beside);
    if (sound && prepared.unsealed) this.#sound.set(temporaryPath, sound);
    return prepared;
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

  async prepareMerge(members: readonly ScavengedChunk[]): Promise<PreparedMerge> {
    const { fileSystem, control, newGuid } = this.#parts;
    const sources = members.map(fileOf);
    const temporaryPath = this.#temporaryPath('merge.scavenge');
    const { formatVersion } = this;
    const { startPosition } = sources[0]!;
    const wantsDigest = this.#wantsDigest(sources, temporaryPath);
    const digest = wantsDigest ? new DigestBuilder({ startPosition, isScavenged: true }) : undefined;
    const dataSize = sources.reduce((sum, source) => sum + source.dataSize, 0);
    const sound = this.#soundOf(sources);
    if (!this.#sources) await sound;
    const unsealed = await writeChunk({
      fileSystem,
      control,
      sources,
      temporaryPath,
      chunkId: newGuid(),
      formatVersion,
      byteCount: dataSize,
      sound,
      isHashedLater: this.#mayLeaveUnsealed() && dataSize >= this.#leastUnsealedBytes,
      follow: this.#follow,
      digest
    });
    if (unsealed) this.#sound.set(temporaryPath, sound);
    return { temporaryPath, unsealed, digest: digest?.build({ dataSize, isHashed: true }).image };
  }

  mayWriteMore(sealedBehind: number): boolean {
    return sealedBehind < LANES && this.#mayLeaveUnsealed();
  }

  #mayLeaveUnsealed(): boolean {
    if (!this.#sealing || !this.#areMany) return false;
    const { fileSystem, directory, log } = this.#parts;
    return fileSystem.freeBytes(directory) >= ROOM_CHUNKS * this.#threads * log.chunkSizeBytes;
  }

  awaitSeals(isAwaited: boolean): void {
    if (this.#sealing) this.#sealing.isAwaited = isAwaited;
  }

  async seal(prepared: NewFile): Promise<void> {
    const { temporaryPath, unsealed } = prepared;
    try {
      await this.#sound.get(temporaryPath);
      if (unsealed) await this.#sealing!.seal(unsealed); // nothing is left unsealed without it
    } catch (error) {
      this.abandon(prepared);
      throw error;
    } finally {
      this.#sound.delete(temporaryPath);
    }
  }

  switchIn(chunk: ScavengedChunk, prepared: PreparedRewrite): ScavengedChunk {
    return this.#switchIn(prepared, [fileOf(chunk)]);
  }

  switchInMerged(members: readonly ScavengedChunk[], prepared: PreparedMerge): ScavengedChunk {
    return this.#switchIn(prepared, members.map(fileOf));
  }

  abandon({ temporaryPath }: NewFile): void {
    this.#parts.fileSystem.remove(temporaryPath);
  }

  /** Ends the workers; nothing is read any more. */
  async close(): Promise<void> {
    await this.#ahead?.judged.catch(() => {});
    await this.#close();
  }

  isOnlyMeasured(): boolean {
    return false;
  }

  #others(files: readonly Chunk[]): readonly Chunk[] {
    return files.filter(({ fileName }) => !this.#own.has(fileName));
  }

  #soundOf(files: readonly Chunk[]): Promise<void> {
    const sources = this.#sources;
    const others = this.#others(files);
    const sound = sources
      ? Promise.all(others.map((file) => sources.require(file))).then(() => undefined)
      : this.#requireSound(others);
    sound.catch(() => {}); // heard when the new file is sealed
    return sound;
  }

  async #requireSound(files: readonly Chunk[]): Promise<void> {
    const { fileSystem, control } = this.#parts;
    for (const file of files) {
      await requireChunkChecksum(fileSystem, file, async () => {
        if (control.isDue()) await control.breathe();
      });
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

  #switchIn({ temporaryPath, digest }: NewFile, replaced: readonly Chunk[]): ScavengedChunk {
    const { fileSystem, directory, log, digests } = this.#parts;
    assert(!this.#sound.has(temporaryPath), 'a file is sealed before it is switched in');
    const versions = (this.#versions ??= new ChunkVersions(fileSystem, directory));
    try {
      const chunk = switchInChunk({ fileSystem, directory, temporaryPath, replaced, versions });
      log.switchIn(chunk);
      this.#own.add(chunk.fileName);
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
