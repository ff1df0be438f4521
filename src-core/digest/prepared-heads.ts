/**
 * The digests of a database as one question sees it: through its own file system, which may lie over the real one. Chunks
 * are read before the question begins; what it changes on its overlay is read there.
 */
import type { Chunk } from '../chunks/chunk.ts';
import type { OperationControl } from '../database/operation-control.ts';
import type { EntryBlock } from '../index/index-entry.ts';
import type { AskedStreams } from '../index/log-entries.ts';
import { readRecentEntries, type RecentRange } from '../index/read-recent-entries.ts';
import type { RecentEntries } from '../index/recent-entries.ts';
import type { RecordLog } from '../index/record-source.ts';
import { hashStream } from '../index/stream-hash.ts';
import type { HeadSource } from '../log/log-reader.ts';
import type { NotableCursor } from '../records/record-head.ts';
import { ByteRoom } from '../storage/byte-room.ts';
import type { DerivedFiles } from '../storage/derived-files.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { ApartDigests } from './apart-digests.ts';
import type { ChunkDigest } from './chunk-digest.ts';
import type { ChunkDigests } from './chunk-digests.ts';
import { DigestNotableCursor } from './notable-cursor.ts';
import { keptRecentIn } from './kept-recent.ts';
import { recentFromDigests, type KeptRecent } from './recent-from-digests.ts';
import { DigestCursor, DigestStreamCursor } from './digest-cursor.ts';
import { DigestStreamsCursor } from './streams-cursor.ts';
import { DigestSweepCursor } from './sweep-cursor.ts';

/** Of all chunks together, and of one: streams that lie in memory while all are merged. */
const STREAMS_TOGETHER = 1024 * 1024;
const MOST_STREAMS = 65_536;
const FEWEST_STREAMS = 512;

export interface PreparedHeadsParts {
  digests: ChunkDigests;
  fileSystem: FileSystem;
  operation: OperationControl;
}

type LoggedChunks = Pick<RecordLog, 'cursor' | 'heads'> & { readonly chunks: readonly Chunk[] };

export class PreparedHeads implements HeadSource {
  readonly #parts: PreparedHeadsParts;
  #isPrepared = false;
  #chunks: readonly Chunk[] = [];
  #identity = '';
  #areAllHeld: boolean | undefined;

  constructor(parts: PreparedHeadsParts) {
    this.#parts = parts;
  }

  /** Reads what is not known, once: later the files may be those of the overlay. */
  async prepare(chunks: readonly Chunk[]): Promise<void> {
    if (this.#isPrepared) return;
    this.#isPrepared = true;
    this.#chunks = chunks;
    this.#identity = this.#identityNow();
    await this.#parts.digests.prepare(chunks, this.#parts.operation);
  }

  /** The log as it was when the question began; undefined when it is not that any more. */
  get logIdentity(): string | undefined {
    return this.#isPrepared && this.#identityNow() === this.#identity ? this.#identity : undefined;
  }

  /** Where is kept what was made of digests; undefined: nowhere. */
  get files(): DerivedFiles | undefined {
    return this.#parts.digests.files;
  }

  #identityNow(): string {
    return this.#parts.digests.identityOf(this.#chunks);
  }

  headsOf(chunk: Chunk, from: number): DigestCursor {
    return new DigestCursor(this.#of(chunk), from);
  }

  headsOfStream(chunk: Chunk, stream: string): DigestStreamCursor | undefined {
    const { digests, fileSystem } = this.#parts;
    if (!digests.mayHoldStream(chunk, stream, fileSystem)) return undefined;
    return new DigestStreamCursor(this.#of(chunk), stream);
  }

  sweepOf(chunk: Chunk): DigestSweepCursor {
    return new DigestSweepCursor(this.#of(chunk));
  }

  streamsOf(chunk: Chunk): DigestStreamsCursor {
    return new DigestStreamsCursor(this.#of(chunk));
  }

  notableOf(chunk: Chunk, from: number, to: number): NotableCursor {
    return new DigestNotableCursor(this.#of(chunk), from, to);
  }

  readApart(chunks: readonly Chunk[]): ApartDigests {
    const { digests, fileSystem } = this.#parts;
    const most = Math.max(
      FEWEST_STREAMS,
      Math.min(MOST_STREAMS, Math.floor(STREAMS_TOGETHER / Math.max(1, chunks.length)))
    );
    const room = new ByteRoom();
    return new ApartDigests({
      chunks,
      digestOf: (chunk) => this.#inPassing(chunk, room),
      onPassed: () => this.onPassed(),
      onAllPassed: () => room.release(),
      streamsOf: (chunk) => digests.streamsOf(chunk, most, fileSystem),
      breathe: () => this.#breathe()
    });
  }

  /** Who goes through all of them the next time would find nothing of those that are held last. */
  onPassed(): void {
    if (!this.#isAllHeld) this.#parts.digests.release();
  }

  get #isAllHeld(): boolean {
    const { digests, fileSystem } = this.#parts;
    if (!this.#isPrepared) return false; // nothing tells of how many will be asked for
    return (this.#areAllHeld ??= digests.holdsAll(this.#chunks, fileSystem));
  }

  /**
   * The entries behind the check points of the index map; undefined where only the log as a whole can tell. A chunk without a
   * digest is read for them, and gets none.
   */
  async recentEntries(
    log: LoggedChunks,
    range: RecentRange,
    only?: AskedStreams
  ): Promise<RecentEntries | undefined> {
    const room = new ByteRoom();
    try {
      return await recentFromDigests({
        ...range,
        chunks: log.chunks,
        digestOf: (chunk) => this.#inPassing(chunk, room),
        isRead: (chunk) => !this.#parts.digests.isKnown(chunk, this.#parts.fileSystem),
        readChunk: (chunk) => this.#entriesOf(log, chunk, { ...range, only }),
        only,
        kept: this.#keptRecent(),
        breathe: () => this.#breathe()
      });
    } finally {
      room.release();
    }
  }

  async #entriesOf(
    log: LoggedChunks,
    chunk: Chunk,
    range: RecentRange & { only: AskedStreams | undefined }
  ): Promise<EntryBlock> {
    const { block } = await readRecentEntries({
      ...range,
      log,
      from: chunk.startPosition,
      end: Math.min(chunk.endPosition, range.end),
      hasher: hashStream,
      breathe: () => this.#breathe()
    });
    return block;
  }

  /** Good until the next one in `room`. */
  #inPassing(chunk: Chunk, room: ByteRoom): ChunkDigest {
    const { digests, fileSystem } = this.#parts;
    return this.#isAllHeld ? this.#of(chunk) : digests.inPassing(chunk, room, fileSystem);
  }

  async #breathe(): Promise<void> {
    const { operation } = this.#parts;
    if (operation.isDue) await operation.breathe();
  }

  #keptRecent(): KeptRecent | undefined {
    const { digests } = this.#parts;
    return digests.files && keptRecentIn(digests.files, (chunks) => digests.identityOf(chunks));
  }

  countOf(chunk: Chunk): number {
    const { digests, fileSystem } = this.#parts;
    return digests.countOf(chunk, fileSystem);
  }

  isSound(chunk: Chunk): boolean {
    const { digests, fileSystem } = this.#parts;
    return digests.isSound(chunk, fileSystem);
  }

  #of(chunk: Chunk) {
    return this.#parts.digests.of(chunk, this.#parts.fileSystem);
  }
}
