/**
 * What a scavenge is asked for and what it answers, as plain values. The members are those of the operations'
 * table; a run needs nothing else but the environment it works in.
 */
import type { Threshold } from '../units/of-unit.ts';
import type { OperationControl } from '../database/operation-control.ts';
import type { ChunkDigests } from '../digest/chunk-digests.ts';
import { invalidRequest } from '../errors.ts';
import type { StreamHasher } from '../index/stream-hash.ts';
import type { FileSystem } from '../storage/file-system.ts';
import type { ChosenPlacement, PointPlacement, ScavengePhase } from '../units/scavenge-terms.ts';
import { ticksFromIso, type Ticks } from '../units/ticks.ts';
import type { DiscardTally } from './decisions/discard-tally.ts';
import type { DoneBefore } from './history/log-history.ts';
import type { OutcomeRow } from './history/row-events.ts';
import type { LeftInActiveChunk } from './decisions/left-in-active-chunk.ts';
import type { RescueLimits } from './rescue/rescue-budget.ts';
import type { ChunkCount, DiskChange, SpaceSaved } from './space-saved.ts';
import type { KeptEstimate } from './kept-estimate.ts';
import type { StartRewriteWorkers } from './output/rewrite-workers.ts';
import type {
  ChunkOutcome,
  DoneWork,
  HashUsersCacheUse,
  ScavengeWarning,
  TableOutcome
} from './scavenge-result.ts';
import type { ScavengePoint } from './points/scavenge-point.ts';
import type { ProgressStore } from './run-progress.ts';
import type { ScavengeTrace } from './scavenge-trace.ts';
import type { ThresholdOutcome } from './threshold-outcomes.ts';

export interface ScavengeRequest {
  dataDirectory: string;
  /** Default: `index` inside the data directory. */
  indexDirectory?: string | undefined;
  scavengePoint: PointPlacement;
  /** Stored in a point that this run writes; an existing point keeps its own. */
  threshold: Threshold;
  threads: number;
  throttlePercent: number;
  /** The same as placement `existing`. */
  syncOnly: boolean;
  merge: boolean;
  unsafeIgnoreHardDeletes: boolean;
  alwaysKeepScavenged: boolean;
  /** KiB for 1..64, bytes for 512..65536. */
  pageSize?: number | undefined;
  cacheSizeBytes?: number | undefined;
  hashUsersCacheCapacity?: number | undefined;
  /** Effective time of a detached or new point, ISO 8601. */
  now?: string | undefined;
  stopAfter?: ScavengePhase | undefined;
  /** Locks cannot be seen here (a network share); the caller knows that no server runs. */
  assumeStopped: boolean;
  /** Move the stored state aside and begin with an empty one. */
  startAfresh: boolean;
  /** false: a member of a cluster. undefined: nobody knows. */
  singleNode?: boolean | undefined;
  /** The cluster in which the directory is registered as a member, for words about it. */
  clusterName?: string | undefined;
  /** Plan only: directory for its state. */
  scratchDirectory?: string | undefined;
  /** Retention of the history that is written to the log; default 30. */
  scavengeHistoryMaxAgeDays?: number | undefined;
  /** Our own data; the state of a detached run lives there. */
  winnowHome?: string | undefined;
  /** Keep what is replaced for so many milliseconds, so that the scavenge can be undone. */
  keepReplacedMs?: number | undefined;
  /** Best chunks first, within limits: see rescue-database.ts, which sets what goes with it. */
  rescue?: RescueLimits | undefined;
}

export interface ScavengeEnvironment {
  fileSystem: FileSystem;
  operation: OperationControl;
  /** Time of a point that is written, when the request names none. */
  now: () => Ticks;
  newGuid: () => string;
  /** Lines of the run's log. */
  onLog?: ((line: string) => void) | undefined;
  /** For tests; the server's hash otherwise. */
  hasher?: StreamHasher | undefined;
  trace?: ScavengeTrace | undefined;
  /** A way to work on several chunks at once, and how many processors there are for it; one thread without. */
  workers?: { start: StartRewriteWorkers; processorCount: number } | undefined;
  calculationBatchSize?: number | undefined;
  /**
   * For tests: neither the stored state nor the log is examined before the run, so that both may be what no log
   * could lead to, and obstacles are met where they lie.
   */
  isUnexamined?: boolean | undefined;
  /** Of the run; random when absent. */
  scavengeId?: string | undefined;
  /** Who scavenges, in the history that goes into the log of a single node. Without it none is written. */
  hostName?: string | undefined;
  /** Called under the lock, before the first write; what it throws ends the run. Never called by a plan. */
  underLock?: (() => void) | undefined;
  /** Called once there is a scavenge point to work to, before the first phase; never by a plan. */
  onStart?: ((start: ScavengeRunStart) => void) | undefined;
  /** Hears of each chunk, merge and table when it is done, unless the log itself tells of the run. */
  onRow?: ((row: OutcomeRow, elapsedMs: number) => void) | undefined;
  /** Hears of each piece of work when it is done: for how fast it goes. */
  onWork?: ((work: DoneWork) => void) | undefined;
  /** Asked when the run was stopped: true means that it pauses and continues later, so that no end of it is recorded. */
  isPausing?: (() => boolean) | undefined;
  /** This run is the rest of one that paused. */
  continues?: PausedRun | undefined;
  /**
   * Of plans and questions: chunks that are known need not be read. A run reads the log itself, and gives the chunks that it
   * writes a digest where those they replace had one.
   */
  digests?: ChunkDigests | undefined;
  /** Of a plan: hears what is discarded of chunks that are known. */
  tally?: DiscardTally | undefined;
  /** What a stopped run leaves for the one that resumes it; without it that one compares the whole state with the log. */
  progress?: ProgressStore | undefined;
  /** Of a plan: its state is committed as a run's is, for a caller that copies it while the plan is open. */
  keepsPlanState?: boolean | undefined;
  sleep?: ((ms: number) => Promise<void>) | undefined;
}

/** What a paused run had done. */
export interface PausedRun extends DoneBefore {
  /** The log itself tells of it. */
  isInLog: boolean;
}

/** A run that begins its work. */
export interface ScavengeRunStart {
  scavengeId: string;
  point: ScavengePoint;
  placement: ChosenPlacement;
  /** An earlier run's work is resumed. */
  resumed: boolean;
  /** The log itself tells of this run. */
  isInLog: boolean;
}

/** The report, member for member that of the contract. */
export interface ScavengeReportData {
  scavengeId?: string;
  result: 'success' | 'stopped';
  scavengePoint: {
    number: number;
    position: number;
    effectiveNow: string;
    threshold: number;
    placement: ChosenPlacement;
  } | null;
  resumed: boolean;
  recordsDiscarded: number;
  indexEntriesDiscarded: number;
  bytesBefore: number;
  bytesAfter: number;
  /** The total of `spaceSaved`. */
  spaceSavedBytes: number;
  spaceSaved: SpaceSaved;
  chunkCount: ChunkCount;
  /** What else changes on the disk, beside the scavenge state. */
  besides: DiskChange[];
  /**
   * Of a plan that judged every chunk: what it would free with other thresholds, all else the same. Merges and index
   * included; the row of the plan's own threshold has the plan's numbers.
   */
  thresholds?: ThresholdOutcome[];
  /** Upper bound of what the run needs beside the old files while it works; 0 where there is nothing to do. */
  scratchBytes: number;
  /** Of a run that was stopped among its chunks: how many files before the point it has not visited. */
  chunksLeft?: number;
  /** What was replaced is kept until then, and can be put back; absent where it is not. */
  kept?: { id: string; expiresAt: string };
  /** Of a plan that is to keep what is replaced. */
  keeps?: KeptEstimate;
  leftInActiveChunk: LeftInActiveChunk;
  /** Both 0 where nothing was accumulated; absent from a plan that knew by digests that no two streams share a hash. */
  hashUsersCache?: HashUsersCacheUse;
  warnings: ScavengeWarning[];
  threads: number;
  chunks: ChunkOutcome[];
  tables: TableOutcome[];
  phases: { phase: ScavengePhase; elapsedMs?: number }[];
}

/** Rules between members; what the table of operations cannot say of one member alone. */
export function checkRequest(request: ScavengeRequest): void {
  if (request.threshold < -1 || !Number.isInteger(request.threshold)) {
    throw invalidRequest(
      `A threshold of ${request.threshold} is not possible: it is -1, 0 or a weight.`,
      'threshold'
    );
  }
  if (request.throttlePercent < 1 || request.throttlePercent > 100) {
    throw invalidRequest('throttlePercent must be between 1 and 100 inclusive.', 'throttlePercent');
  }
  if (request.threads > 1 && request.throttlePercent !== 100) {
    throw invalidRequest('throttlePercent must be 100 for a multi-threaded scavenge.', 'throttlePercent');
  }
  if (request.syncOnly && (request.scavengePoint === 'new' || request.scavengePoint === 'detached')) {
    throw invalidRequest(
      `syncOnly uses only existing scavenge points, which contradicts the placement "${request.scavengePoint}".`,
      'syncOnly'
    );
  }
  if (request.keepReplacedMs !== undefined && request.rescue) {
    throw invalidRequest('A rescue frees space, so it keeps nothing of what it replaces.', 'keepReplaced');
  }
  pageSizeBytesOf(request.pageSize);
  effectiveNowOf(request);
}

/** 1, 2, 4 … 64 are KiB; 512, 1024 … 65536 are bytes. */
export function pageSizeBytesOf(pageSize: number | undefined): number | undefined {
  if (pageSize === undefined) return undefined;
  const bytes = pageSize <= 64 ? pageSize * 1024 : pageSize;
  const isPowerOfTwo = Number.isInteger(pageSize) && Number.isInteger(Math.log2(bytes));
  if (isPowerOfTwo && bytes >= 512 && bytes <= 65536) return bytes;
  throw invalidRequest(
    `A page size of ${pageSize} is not possible: powers of two from 1 to 64 are KiB, from 512 to 65536 bytes.`,
    'pageSize'
  );
}

export function effectiveNowOf({ now }: ScavengeRequest): Ticks | undefined {
  if (now === undefined) return undefined;
  const ticks = ticksFromIso(now);
  if (ticks === undefined) throw invalidRequest(`"${now}" is not a time in ISO 8601.`, 'now');
  return ticks;
}
