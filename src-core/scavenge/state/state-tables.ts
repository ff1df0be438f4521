/**
 * The tables of a scavenge state as the phases ask them. Two things are behind them: the SQLite file that the server
 * shares (state-store.ts), by which real runs resume, and columns in memory (memory-state.ts), by which questions are
 * answered whose state nobody ever reads again.
 */
import type { StreamHash } from '../../index/stream-hash.ts';
import type { ChunkNumber, ChunkWeight } from '../../units/of-unit.ts';
import type { TimeRanges } from '../decisions/should-discard.ts';
import type { CollisionStore, HashUserStore } from '../decisions/stream-collisions.ts';
import type { StreamHandle } from '../decisions/stream-handle.ts';
import type { VerdictReader } from '../decisions/verdict-table.ts';
import type { ActiveStreams } from './active-streams.ts';
import type { NameBytes } from './known-names.ts';
import type { HashRow, KeyRange } from './rows-by-hash.ts';
import type { DiscardPoints, MetastreamData, OriginalStreamData, StreamLimits } from './stream-data.ts';

/** What the tables of original streams and those of metastreams are asked alike. Everything written is an upsert. */
export interface StreamTable<T> {
  get(handle: StreamHandle): T | undefined;
  /** The row of a stream whose hash is unique. */
  getByHash(high: number, low: number): T | undefined;
  /** Streams whose hash is unique. */
  readonly hashCount: number;
  /** All streams. */
  readonly count: number;
  /** All streams whose hash is unique, in no order that counts. */
  forEachHash(visit: (high: number, low: number, data: T) => void): void;
  /** Streams whose hash is unique, by falling key. */
  hashesDownward(range: KeyRange): HashRow<T>[];
  /** Moves the row of a hash to the name that turned out to share it. */
  moveToCollisions(high: number, low: number, stream: string): void;
  /** What the rows say at a time, where they can be asked without another table. */
  verdictsAt?(effectiveNow: bigint): VerdictReader;
}

export interface OriginalTable extends StreamTable<OriginalStreamData> {
  /** Replaces all limits and makes the stream active; tombstone and discard points stay. */
  setMetadata(handle: StreamHandle, limits: StreamLimits): void;
  /** Marks the stream as hard-deleted and makes it active; everything else stays. */
  setTombstone(handle: StreamHandle): void;
  setDiscardPoints(handle: StreamHandle, points: DiscardPoints): void;
  /** Active streams behind `after`, at most `limit`: colliding ones by name first, then by signed hash. */
  readActive(after: StreamHandle | null, limit: number, into: ActiveStreams): void;
  /** Hashes of the streams that were deleted for good. */
  tombstonedHashes(hashOf: (stream: string) => StreamHash): StreamHash[];
  /** A stream is known that was deleted for good. */
  readonly hasTombstoned: boolean;
  /** Drops the rows of this status. */
  deleteWithStatus(status: number): void;
}

export interface MetastreamTable extends StreamTable<MetastreamData> {
  setTombstone(handle: StreamHandle): void;
  setDiscardPoint(handle: StreamHandle, discardPoint: number): void;
  deleteAll(): void;
  /** Drops the rows of metastreams whose stream was deleted for good. */
  deleteTombstoned(): void;
}

export interface WeightTable {
  add(chunkNumber: ChunkNumber, weight: ChunkWeight): void;
  /** undefined when nothing is stored, which weighs nothing. */
  get(chunkNumber: ChunkNumber): ChunkWeight | undefined;
  /** Weight of the logical chunks `first` … `last`, both included. */
  sum(first: ChunkNumber, last: ChunkNumber): ChunkWeight;
  /** Number of the last chunk with a weight, -1 when there is none. */
  readonly lastChunk: number;
  reset(first: ChunkNumber, last: ChunkNumber): void;
  /** Each for itself: weights that merely add up to zero do not count. */
  readonly areAllZero: boolean;
}

export interface TimeRangeTable extends TimeRanges {
  put(chunkNumber: ChunkNumber, min: bigint, max: bigint): void;
  /** The range of a chunk, undefined when there is none. */
  get(chunkNumber: ChunkNumber): { min: bigint; max: bigint } | undefined;
  /** Number of the last chunk with a range, -1 when there is none. */
  readonly lastChunk: number;
  /** Takes what is stored again, after a transaction was undone. */
  reload(): void;
}

export interface HashUserTable extends HashUserStore {
  /** No stream was seen yet; undefined where it takes a question to tell. */
  readonly isEmpty?: boolean;
  /** Certainly no stream with this hash was seen yet. */
  isNew(high: number, low: number): boolean;
  /** The first user of a hash that has none; a transaction is open. */
  putBytes(high: number, low: number, name: Omit<NameBytes, 'view'>): void;
  /**
   * Asks whether the first user of a hash has this very name; a transaction is open. The answer waits in
   * `takeDiffering`; false: it is another name. Absent where `get` costs nothing.
   */
  doubt?(high: number, low: number, name: Omit<NameBytes, 'view'>): boolean;
  /** A question about another name with this hash has no answer yet. */
  isOtherDoubted?(high: number, low: number, name: Omit<NameBytes, 'view'>): boolean;
  /** Of the names asked about those that are not the first user of their hash; one whose hash had none is it now. */
  takeDiffering?(): readonly string[];
  /** All are known now; gives back the memory that only finding them needs. No transaction is open. */
  release?(): void;
  /** Writes what waits; before the transaction ends. */
  flush(): void;
  /** The open transaction was undone. */
  forget(): void;
}

export interface Claim<T> {
  handle: StreamHandle;
  data: T;
}

export interface ClaimPages<T> {
  /** At most `limit` streams after one, null: from the first. None: the end. */
  after(after: StreamHandle | null, limit: number): Claim<T>[];
}

/** The streams that the stored state says something of: that there are no limits, too. */
export interface ClaimTables {
  readonly metastreams: ClaimPages<MetastreamData>;
  /** `isActing`: only those of which something goes by what is stored now, not by what limits would come to. */
  originals(isActing: boolean): ClaimPages<OriginalStreamData>;
}

export interface StateTables {
  readonly originals: OriginalTable;
  readonly metastreams: MetastreamTable;
  readonly weights: WeightTable;
  readonly timeRanges: TimeRangeTable;
  readonly hashUsers: HashUserTable;
  readonly collisions: CollisionStore;
  readonly claims: ClaimTables;
}

/** Where a state lies: its transactions, its checkpoint, and the tables in it. */
export interface StateStorage {
  /** The file behind it, for further connections. */
  readonly path: string;
  readonly isInTransaction: boolean;
  /** A transaction was undone of which something stays: nothing may be asked any more. */
  readonly isHalfChanged: boolean;
  checkpointText: string | undefined;
  begin(): void;
  commit(): void;
  /** Undoes the open transaction. */
  rollback(): void;
  /** Returns once everything committed is on the disk. */
  flush(): void;
  /** Gives back what is only held to answer sooner, where it is much. */
  releaseMemory?(): void;
  close(): void;
  /** Opens the tables; once. */
  openTables(): StateTables;
  /** Where everything is from now on, because this has no more room for it. Asked between transactions. */
  outgrown?(): { store: StateStorage; tables: StateTables } | undefined;
}
