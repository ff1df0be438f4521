/**
 * The digests of a database's chunks: from memory, from the store, or made by reading the chunk. `prepare` makes the missing
 * ones, several at once, before a question begins; what is asked for besides is read at once.
 */
import { createHash } from 'node:crypto';
import { partsOf, type Chunk } from '../chunks/chunk.ts';
import type { OperationControl } from '../database/operation-control.ts';
import type { ByteRoom } from '../storage/byte-room.ts';
import { DerivedFiles } from '../storage/derived-files.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { hashStream } from '../index/stream-hash.ts';
import type { ChunkDigest } from './chunk-digest.ts';
import { chunksTogether } from './chunks-together.ts';
import { digestIdentity } from './digest-identity.ts';
import { DigestStore } from './digest-store.ts';
import { readDigestsInThisThread, type StartDigestWorkers } from './digest-workers.ts';
import { readDigestAtOnce } from './read-digest.ts';
import { StreamRun, type CheckedStreams } from './stream-run.ts';

/** What several digests were merged to. */
export const KEPT_RECENT = '.recent';
export const KEPT_STATE = '.state';
export const KEPT_STREAMS = '.streams';
export const KEPT_USAGE = '.usage';
/** Of streams or types, that belongs to a `.usage`. */
export const KEPT_TABLE = '.table';
export const KEPT_JUDGEMENTS = '.judged';
export const KEPT_REMOVAL = '.removed';
const MADE_OF_DIGESTS = [
  KEPT_RECENT,
  KEPT_STATE,
  KEPT_STREAMS,
  KEPT_USAGE,
  KEPT_TABLE,
  KEPT_JUDGEMENTS,
  KEPT_REMOVAL
];
/** Of the bytes of a chunk's records, what its digest takes: 50 bytes of a record of 1 KB. */
const ROUGH_SHARE = 0.05;
/** A chunk that was not written for so long is that of a node at rest: its digest is kept until it grows. */
const AT_REST_MS = 60_000;
/** Of digests in memory. */
const MEMORY_BYTES = 256 * 1024 * 1024;

export interface ChunkDigestsParts {
  fileSystem: FileSystem;
  /** Where digests of this database are kept; undefined: in memory only. */
  directory?: string | undefined;
  newGuid: () => string;
  /** Milliseconds since 1970, as files have them; without it no chunk that may grow is taken for one at rest. */
  clock?: (() => number) | undefined;
  startWorkers?: StartDigestWorkers | undefined;
  /** Chunks are read by at most so many threads. */
  threads: number;
  memoryBytes?: number;
  /** No thread is started for fewer bytes. */
  leastThreadBytes?: number | undefined;
  /** Called after new digests were stored. */
  onStored?: (() => void) | undefined;
}

export class ChunkDigests {
  /** Of the next reading. */
  threads: number;
  /** Where else is kept what was made of digests. */
  readonly files: DerivedFiles | undefined;
  readonly #parts: ChunkDigestsParts;
  /** Where digests are kept; undefined: in memory only. */
  readonly store: DigestStore | undefined;
  /** By identity; most recently used last. */
  readonly #memory = new Map<string, ChunkDigest>();
  #memoryBytes = 0;
  /** What is being read just now, by identity; never rejected. */
  readonly #inWork = new Map<string, Promise<void>>();
  /** Chunks read in this process for a digest, and log bytes of them. */
  chunksRead = 0;
  bytesRead = 0;

  constructor(parts: ChunkDigestsParts) {
    this.#parts = parts;
    this.threads = parts.threads;
    const { fileSystem, directory, newGuid } = parts;
    this.files = directory === undefined ? undefined : new DerivedFiles({ fileSystem, directory, newGuid });
    this.store = this.files && new DigestStore(this.files);
  }

  /** Of the store. */
  get directory(): string | undefined {
    return this.#parts.directory;
  }

  /**
   * `fileSystem`: where the chunk is read, and whether it is still the one that is known. Throws LogCorrupt when the chunk is
   * read and a record is damaged.
   */
  of(chunk: Chunk, fileSystem = this.#parts.fileSystem): ChunkDigest {
    const identity = identityOf(fileSystem, chunk);
    const known = this.#recall(identity) ?? this.#load(identity, chunk);
    if (known) return known;
    this.chunksRead++;
    this.bytesRead += chunk.dataSize;
    const digest = readDigestAtOnce(fileSystem, chunk);
    this.#remember(identity, digest);
    if (!chunk.isLasting && this.#mayStore(chunk, digest)) this.store?.save(digest, identity);
    return digest;
  }

  /** The same for who goes through all chunks once: nothing is remembered, and the digest is good until the next one in `room`. */
  inPassing(chunk: Chunk, room: ByteRoom, fileSystem = this.#parts.fileSystem): ChunkDigest {
    const identity = identityOf(fileSystem, chunk);
    const stored = this.#isStored(chunk) && !this.#memory.has(identity);
    return (stored ? this.store?.load(identity, room) : undefined) ?? this.of(chunk, fileSystem);
  }

  /** The streams of the chunk by the rising order of their hashes, `most` of them in memory where the digest is stored. */
  streamsOf(chunk: Chunk, most: number, fileSystem = this.#parts.fileSystem): CheckedStreams {
    const identity = identityOf(fileSystem, chunk);
    const stored =
      this.#memory.has(identity) || !this.#isStored(chunk)
        ? undefined
        : this.store?.streamsOf(identity, most);
    return stored
      ? { run: new StreamRun(() => stored.next()), isSound: () => stored.isSound }
      : { run: StreamRun.ofDigest(this.of(chunk, fileSystem)), isSound: () => true };
  }

  /** The digest if it is there: nothing is read for it. Of a chunk that may grow: if it does so no longer. */
  known(chunk: Chunk): ChunkDigest | undefined {
    const identity = identityOf(this.#parts.fileSystem, chunk);
    return this.#recall(identity) ?? this.#load(identity, chunk);
  }

  /** As `of(chunk).isHashed`, without loading a digest that is stored: only a sound one of a completed chunk is. */
  isSound(chunk: Chunk, fileSystem = this.#parts.fileSystem): boolean {
    const identity = identityOf(fileSystem, chunk);
    const known = this.#recall(identity);
    if (!known && chunk.isLasting && this.store?.has(identity)) return true;
    return (known ?? this.of(chunk, fileSystem)).isHashed;
  }

  /** As `of(chunk).recordCount`, without loading a digest that is stored. */
  countOf(chunk: Chunk, fileSystem = this.#parts.fileSystem): number {
    const identity = identityOf(fileSystem, chunk);
    const stored = chunk.isLasting ? this.store?.countOf(identity) : undefined;
    return stored ?? this.of(chunk, fileSystem).recordCount;
  }

  /** False: the chunk has no record of a stream with this name. Loads no digest for that where it can tell without. */
  mayHoldStream(chunk: Chunk, stream: string, fileSystem = this.#parts.fileSystem): boolean {
    const identity = identityOf(fileSystem, chunk);
    const known = this.#memory.get(identity);
    if (known) return known.streamOrdinal(stream) >= 0;
    if (!this.#isStored(chunk)) return true;
    return this.store?.mayHold(identity, hashStream(stream).high) ?? true;
  }

  /**
   * Reads the chunks of the log that have no digest yet, that which is being written too. One that is damaged is left: it
   * fails for the question that needs it. Throws OperationStopped.
   */
  async prepare(chunks: readonly Chunk[], control: OperationControl): Promise<void> {
    const identities = new Map(
      chunks.map((chunk) => [chunk, identityOf(this.#parts.fileSystem, chunk)] as const)
    );
    // Threads may be writing some just now.
    if (this.#inWork.size === 0) this.store?.keepOnly(identities.values());
    const tried = new Set<string>();
    for (;;) {
      const missing = [...identities].filter(
        ([chunk, identity]) => !tried.has(identity) && !this.#isKnown(chunk, identity)
      );
      if (missing.length === 0) return;
      const others = missing.flatMap(([, identity]) => this.#inWork.get(identity) ?? []);
      const own = missing.filter(([, identity]) => !this.#inWork.has(identity));
      for (const [, identity] of own) tried.add(identity);
      if (own.length > 0) await this.#readForAll(own, control);
      await untilSettled(others, control);
    }
  }

  /** No completed chunk of these would have to be read. */
  knowsCompleted(chunks: readonly Chunk[]): boolean {
    return chunks.every((chunk) => !chunk.isLasting || this.isKnown(chunk));
  }

  /** Nothing is known of any chunk: nothing was read in this process, and nothing was ever stored. */
  get isEmpty(): boolean {
    const { fileSystem, directory } = this.#parts;
    return this.#memory.size === 0 && (directory === undefined || !fileSystem.describe(directory));
  }

  /** As `known`, without loading a digest that is stored. */
  isKnown(chunk: Chunk, fileSystem = this.#parts.fileSystem): boolean {
    return this.#isKnown(chunk, identityOf(fileSystem, chunk));
  }

  #isKnown(chunk: Chunk, identity: string): boolean {
    return this.#memory.has(identity) || (this.#isStored(chunk) && this.store?.has(identity) === true);
  }

  /** While it goes on, others that want the same chunks wait for it. */
  async #readForAll(
    missing: readonly (readonly [Chunk, string])[],
    control: OperationControl
  ): Promise<void> {
    const reading = this.#readAll(missing, control);
    const settled = reading.catch(() => undefined);
    for (const [, identity] of missing) this.#inWork.set(identity, settled);
    try {
      await reading;
    } finally {
      for (const [, identity] of missing) this.#inWork.delete(identity);
    }
  }

  /**
   * For those who read the whole chunk anyway: what it is stored under when it was read and found sound; undefined when its
   * digest is there, or would not be stored. Asked before the chunk is read.
   */
  wantedOf(chunk: Chunk): string | undefined {
    if (!this.store || !chunk.isLasting) return undefined;
    const identity = identityOf(this.#parts.fileSystem, chunk);
    return this.store.has(identity) ? undefined : identity;
  }

  /**
   * For those who replace chunks: what `carryOver` wants when that is done; undefined unless all of them are known here and
   * there is room for as much again. Asked before the files go.
   */
  knownOf(chunks: readonly Chunk[]): readonly string[] | undefined {
    const store = this.store;
    if (!store || !chunks.every(({ isLasting }) => isLasting)) return undefined;
    const identities = chunks.map((chunk) => identityOf(this.#parts.fileSystem, chunk));
    const isCarried = identities.every((identity) => store.has(identity));
    const roughly = chunks.reduce((sum, { dataSize }) => sum + dataSize, 0) * ROUGH_SHARE;
    return isCarried && store.hasRoom(roughly) ? identities : undefined;
  }

  /** Keeps the digest of the chunk that is now there in place of others. */
  carryOver(known: readonly string[], chunk: Chunk, digest: ChunkDigest): void {
    this.store?.save(digest, identityOf(this.#parts.fileSystem, chunk));
    for (const identity of known) this.store?.remove(identity);
  }

  /** Gives the memory back, where digests are stored and can be loaded again. */
  release(): void {
    if (!this.store) return;
    this.#memory.clear();
    this.#memoryBytes = 0;
  }

  /** Memory holds the stored digests of all these chunks at once. */
  holdsAll(chunks: readonly Chunk[], fileSystem = this.#parts.fileSystem): boolean {
    let bytes = 0;
    for (const chunk of chunks) bytes += this.store?.sizeOf(identityOf(fileSystem, chunk)) ?? 0;
    return bytes <= this.#mostBytes;
  }

  get #mostBytes(): number {
    return this.#parts.memoryBytes ?? MEMORY_BYTES;
  }

  /** Removes what is stored of chunks that these no longer are: names that are gone from the log are not left here. */
  removeStale(chunks: readonly Chunk[]): void {
    this.store?.keepOnly(chunks.map((chunk) => identityOf(this.#parts.fileSystem, chunk)));
    this.files?.keepOnly(MADE_OF_DIGESTS, () => false);
  }

  /** What these chunks are now, the one that is being written included: equal as long as none of them changes. Short. */
  identityOf(chunks: readonly Chunk[]): string {
    const identities = createHash('sha256');
    for (const chunk of chunks) identities.update(`${identityOf(this.#parts.fileSystem, chunk)}\n`);
    return identities.digest('hex');
  }

  async #readAll(missing: readonly (readonly [Chunk, string])[], control: OperationControl): Promise<void> {
    const { fileSystem, directory, startWorkers, leastThreadBytes } = this.#parts;
    const chunks = missing.map(([chunk]) => chunk);
    const reading = { chunks, threads: startWorkers ? this.threads : 1, fileSystem, leastThreadBytes };
    const { threads: count, together, digestBytes } = chunksTogether(reading);
    const isLeftInStore = digestBytes > this.#mostBytes;
    const breathe = async () => {
      if (control.isDue) await control.breathe();
    };
    const workers =
      startWorkers && count > 1
        ? startWorkers({ count, signal: control.signal, directory })
        : readDigestsInThisThread({ fileSystem, store: this.store, breathe });
    const total = missing.reduce((sum, [{ fileSize }]) => sum + fileSize, 0);
    let done = 0;
    const onBytes = (bytes: number): void => {
      done += bytes;
      control.report({ phase: 'reading chunks', done: Math.min(done, total), total, unit: 'bytes' });
    };
    const waiting = [...missing];
    const work = async (): Promise<void> => {
      for (let group = waiting.splice(0, together); group.length > 0; group = waiting.splice(0, together)) {
        const settled = await workers.read(
          group.map(([chunk, identity]) => ({
            chunk: partsOf(chunk),
            keptAs: this.#isStored(chunk) ? identity : undefined,
            isLeftInStore
          })),
          onBytes
        );
        settled.forEach((one, i) => {
          if (one.status === 'rejected') return;
          const [chunk, identity] = group[i]!;
          this.chunksRead++;
          this.bytesRead += chunk.dataSize;
          if (one.value) this.#remember(identity, one.value);
        });
        control.throwIfStopped();
      }
    };
    try {
      const ends = await Promise.allSettled(Array.from({ length: count }, () => work()));
      if (this.store) this.#parts.onStored?.();
      const failure = ends.find((end) => end.status === 'rejected');
      if (failure) throw failure.reason;
    } finally {
      await workers.close();
    }
  }

  #recall(identity: string): ChunkDigest | undefined {
    const known = this.#memory.get(identity);
    if (!known) return undefined;
    this.#memory.delete(identity);
    this.#memory.set(identity, known);
    return known;
  }

  /** A completed chunk of which every byte was sound; one that may grow has no hash to tell. */
  #mayStore(chunk: Chunk, { isHashed }: ChunkDigest): boolean {
    return chunk.isLasting ? isHashed : this.#isStored(chunk);
  }

  #isStored(chunk: Chunk): boolean {
    const { fileSystem, clock } = this.#parts;
    if (chunk.isLasting || !clock) return chunk.isLasting;
    const modifiedMs = fileSystem.describe(chunk.path)?.modifiedMs;
    return modifiedMs !== undefined && clock() - modifiedMs > AT_REST_MS;
  }

  #load(identity: string, chunk: Chunk): ChunkDigest | undefined {
    if (!this.#isStored(chunk)) return undefined;
    this.#makeRoom(this.store?.sizeOf(identity) ?? 0);
    const digest = this.store?.load(identity);
    if (digest) this.#remember(identity, digest);
    return digest;
  }

  #remember(identity: string, digest: ChunkDigest): void {
    if (this.#memory.has(identity)) return;
    const { sizeBytes } = digest;
    this.#makeRoom(sizeBytes);
    this.#memory.set(identity, digest);
    this.#memoryBytes += sizeBytes;
  }

  /** For one more of this size. Before it is loaded: both would be there for a moment. */
  #makeRoom(wantedBytes: number): void {
    for (const [oldest, { sizeBytes }] of this.#memory) {
      if (this.#memoryBytes + wantedBytes <= this.#mostBytes) break;
      this.#memory.delete(oldest);
      this.#memoryBytes -= sizeBytes;
    }
  }
}

/** Throws OperationStopped. */
async function untilSettled(work: readonly Promise<void>[], control: OperationControl): Promise<void> {
  if (work.length === 0) return;
  const { signal } = control;
  let wake: (() => void) | undefined;
  const stopped = new Promise<void>((resolve) => {
    wake = () => {
      resolve();
    };
    signal?.addEventListener('abort', wake, { once: true });
  });
  await Promise.race([Promise.all(work), stopped]);
  if (wake) signal?.removeEventListener('abort', wake);
  control.throwIfStopped();
}

/** Of one that is being written its end counts. */
function identityOf(fileSystem: FileSystem, chunk: Chunk): string {
  const modifiedMs = fileSystem.describe(chunk.path)?.modifiedMs ?? 0;
  const { path, header, dataSize } = chunk;
  return digestIdentity(chunk, modifiedMs) ?? JSON.stringify([path, header, dataSize, modifiedMs]);
}
