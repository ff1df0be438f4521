/**
 * What a database contains and what a scavenge could free of it now. Order: a digest of each chunk, the scavenge state
 * for a point at the end of the last completed chunk, then all records counted from the digests and judged by that
 * state. Nothing that was counted is kept; only chunks without a digest are read.
 *
 * Writes nothing into the database.
 */
import type { ChunkDigests } from '../../digest/chunk-digests.ts';
import { PreparedHeads } from '../../digest/prepared-heads.ts';
import { openDatabase } from '../../database/database.ts';
import { requireWriterCheckpoint } from '../../database/writer-checkpoint.ts';
import type { OperationControl } from '../../database/operation-control.ts';
import { EngineError } from '../../errors.ts';
import { hashStream } from '../../index/stream-hash.ts';
import { RunControl } from '../../scavenge/run-control.ts';
import type { ScavengePoint } from '../../scavenge/points/scavenge-point.ts';
import type { ScavengeWarning } from '../../scavenge/scavenge-result.ts';
import { openSession, type ScavengeSession } from '../../scavenge/scavenge-session.ts';
import { ScavengeState } from '../../scavenge/state/scavenge-state.ts';
import { MemoryState } from '../../scavenge/state/memory/memory-state.ts';
import { MemoryWeights } from '../../scavenge/state/memory/memory-weights.ts';
import type { WeightTable } from '../../scavenge/state/state-tables.ts';
import { StreamVerdicts } from '../../scavenge/decisions/stream-verdicts.ts';
import type { FileSystem } from '../../storage/file-system.ts';
import type { Ticks } from '../../units/ticks.ts';
import { calculateState, identityOfCalculation, pointAtLastCompleted } from './calculated-state.ts';
import { KeptUsage } from './kept-usage.ts';
import type { LogCounts } from './log-counts.ts';
import { UsageTables, type CountedLog } from './usage-tables.ts';

export interface ReadUsage {
  fileSystem: FileSystem;
  dataDirectory: string;
  indexDirectory?: string | undefined;
  /** Time at which ages are judged, ticks. */
  effectiveNow: bigint;
  digests: ChunkDigests;
  operation: OperationControl;
  newGuid: () => string;
  /** Streams that are counted at once at most; for tests. */
  mostNames?: number | undefined;
}

export interface Usage {
  session: ScavengeSession;
  digests: ChunkDigests;
  tables: UsageTables;
  counts: LogCounts;
  /** Of all chunks before the point. */
  weights: Pick<WeightTable, 'sum'>;
  /** What records are judged by; calculated where a kept count was good without it. */
  judgement: () => Promise<Judgement>;
  /** undefined: no chunk is completed, or no scavenge can pass this log; nothing can be freed. */
  point: ScavengePoint | undefined;
  effectiveNow: Ticks;
  warnings: ScavengeWarning[];
  fileSystem: FileSystem;
  /** Chunk files read for a digest in this count, and those that had one. The one being written is always read. */
  chunksRead: number;
  chunksKnown: number;
  /** Log bytes read in this count, and the time it took. */
  bytesRead: number;
  readMs: number;
  /** Of index tables; null until it is asked for. */
  indexBytesSaved: number | null;
  keepIndexBytes(bytes: number): void;
  /** Where what else is found of this count is kept as long as it is good; undefined: nothing is. */
  beside: Pick<KeptUsage, 'loadBeside' | 'saveBeside'> | undefined;
  close(): void;
}

export interface Judgement {
  state: ScavengeState;
  verdicts: StreamVerdicts;
}

/** Counts a database. Close what it returns. */
export async function readUsage(request: ReadUsage): Promise<Usage> {
  const { fileSystem, dataDirectory, indexDirectory, operation, digests } = request;
  // A directory that is not a complete database is reported as such.
  const glance = openDatabase({ fileSystem, dataDirectory, indexDirectory });
  requireWriterCheckpoint(glance);
  glance.close();
  const control = new RunControl({ operation });
  const startMs = operation.elapsedMs;
  const before = { chunks: digests.chunksRead, bytes: digests.bytesRead };
  const heads = new PreparedHeads({ digests, fileSystem, operation });
  const session = await openSession({ fileSystem, location: request, control, heads });
  let judge: Judge | undefined;
  let tables: UsageTables | undefined;
  const close = () => {
    tables?.close();
    judge?.close();
    session.close();
  };
  try {
    const judging = new Judge(request, session);
    judge = judging;
    const { chunks } = session.database.log;
    // Asked once: files may change between two questions.
    const { identity } = judging;
    const kept = identity === undefined ? undefined : keptUsageOf(request, session, identity);
    const counted = await countLog(request, session, { judge: judging, kept });
    ({ tables } = counted);
    const weights = new MemoryWeights();
    for (const [chunk, weight] of counted.weights) weights.add(chunk, weight);
    const chunksRead = Math.min(chunks.length, digests.chunksRead - before.chunks);
    return {
      fileSystem,
      session,
      digests,
      tables,
      counts: counted.log,
      weights,
      judgement: () => judging.judge(),
      point: judging.point,
      effectiveNow: request.effectiveNow as Ticks,
      warnings: judging.warnings,
      chunksRead,
      chunksKnown: chunks.length - chunksRead,
      bytesRead: digests.bytesRead - before.bytes,
      readMs: operation.elapsedMs - startMs,
      indexBytesSaved: counted.indexBytesSaved,
      keepIndexBytes: (bytes) => kept?.saveIndexBytes(bytes),
      beside: kept,
      close
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** Judges the records by a scavenge of now, once it is asked to. */
class Judge {
  /** undefined: no chunk is completed or, once it was asked, no scavenge can pass this log. */
  point: ScavengePoint | undefined;
  readonly warnings: ScavengeWarning[] = [];
  readonly #request: ReadUsage;
  readonly #session: ScavengeSession;
  #judgement: Promise<Judgement> | undefined;
  #state: ScavengeState | undefined;

  constructor(request: ReadUsage, session: ScavengeSession) {
    this.#request = request;
    this.#session = session;
    const { database, index } = session;
    this.point = pointAtLastCompleted(database, index, request.effectiveNow as Ticks);
  }

  /** Of the calculation it judges by; undefined: nothing can be kept of it. */
  get identity(): string | undefined {
    return this.point && identityOfCalculation(this.#session, this.point);
  }

  judge(): Promise<Judgement> {
    return (this.#judgement ??= this.#calculate());
  }

  close(): void {
    this.#state?.close();
  }

  async #calculate(): Promise<Judgement> {
    const effectiveNow = this.#request.effectiveNow as Ticks;
    const state = (await this.#stateAtPoint()) ?? stateIn(new MemoryState());
    this.#state = state;
    return { state, verdicts: new StreamVerdicts({ state, hasher: hashStream, effectiveNow }) };
  }

  async #stateAtPoint(): Promise<ScavengeState | undefined> {
    if (!this.point) return undefined;
    const { operation, newGuid } = this.#request;
    const effectiveNow = this.#request.effectiveNow as Ticks;
    const session = this.#session;
    try {
      return await calculateState({ session, effectiveNow, operation, newGuid }, this.point);
    } catch (error) {
      if (!(error instanceof EngineError) || error.details['reason'] === undefined) throw error;
      if (error.code !== 'UnsupportedFormat') throw error;
      this.warnings.push({ code: 'noScavenge', message: error.message, remedy: error.remedy });
      this.point = undefined;
      return undefined;
    }
  }
}

function stateIn(store: MemoryState): ScavengeState {
  return new ScavengeState({ store, hasher: hashStream });
}

function keptUsageOf(
  { effectiveNow }: ReadUsage,
  { kept }: ScavengeSession,
  identity: string
): KeptUsage | undefined {
  return kept?.files && new KeptUsage(kept.files, identity, effectiveNow);
}

function countLog(
  { digests, operation, effectiveNow, mostNames }: ReadUsage,
  { database, kept: calculation }: ScavengeSession,
  { judge, kept }: { judge: Judge; kept: KeptUsage | undefined }
): Promise<CountedLog> {
  const { chunks } = database.log;
  const total = chunks.reduce((sum, { dataSize }) => sum + dataSize, 0);
  let done = 0;
  return UsageTables.count({
    kept,
    chunks,
    digests,
    effectiveNow,
    judgement: async () => {
      const { state, verdicts } = await judge.judge();
      return {
        state,
        rules: { verdicts, pointPosition: judge.point?.position ?? 0, effectiveNow },
        // What no calculation stands behind is not kept.
        upTo: judge.point ? calculation?.held?.upTo : undefined
      };
    },
    breathe: async () => {
      if (operation.isDue) await operation.breathe();
    },
    onBytes: (bytes) => {
      done += bytes;
      operation.report({ phase: 'usage', done, total, unit: 'bytes' });
    },
    files: digests.files,
    mostNames
  });
}
