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
import type { OperationControl } from '../../database/operation-control.ts';
import { EngineError } from '../../errors.ts';
import { hashStream } from '../../index/stream-hash.ts';
import { RunControl } from '../../scavenge/run-control.ts';
import type { ScavengePoint } from '../../scavenge/points/scavenge-point.ts';
import type { ScavengeWarning } from '../../scavenge/scavenge-result.ts';
import {
  openSession,
  requireWriterCheckpoint,
  type ScavengeSession
} from '../../scavenge/scavenge-session.ts';
import { ScavengeState } from '../../scavenge/state/scavenge-state.ts';
import { MemoryState } from '../../scavenge/state/memory/memory-state.ts';
import { StreamVerdicts } from '../../scavenge/decisions/stream-verdicts.ts';
import type { FileSystem } from '../../storage/file-system.ts';
import type { Ticks } from '../../units/ticks.ts';
import { calculateState, pointAtLastCompleted } from './calculated-state.ts';
import { KeptUsage } from './kept-usage.ts';
import type { LogCounts } from './log-counts.ts';
import { UsageTables } from './usage-tables.ts';

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
  state: ScavengeState;
  verdicts: StreamVerdicts;
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
  /** Of index tables; undefined until it is asked for. */
  indexBytesSaved?: number;
  close(): void;
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
  let state: ScavengeState | undefined;
  const close = () => {
    state?.close();
    session.close();
  };
  try {
    const { chunks } = session.database.log;
    const judged = await judgeBy(request, session);
    ({ state } = judged);
    const effectiveNow = request.effectiveNow as Ticks;
    const verdicts = new StreamVerdicts({ state, hasher: hashStream, effectiveNow });
    const { tables, log: counts } = await countLog(request, session, { verdicts, point: judged.point });
    const chunksRead = Math.min(chunks.length, digests.chunksRead - before.chunks);
    return {
      ...judged,
      fileSystem,
      session,
      digests,
      tables,
      counts,
      verdicts,
      effectiveNow,
      chunksRead,
      chunksKnown: chunks.length - chunksRead,
      bytesRead: digests.bytesRead - before.bytes,
      readMs: operation.elapsedMs - startMs,
      close
    };
  } catch (error) {
    close();
    throw error;
  }
}

interface Judged {
  state: ScavengeState;
  point: ScavengePoint | undefined;
  warnings: ScavengeWarning[];
}

async function judgeBy(request: ReadUsage, session: ScavengeSession): Promise<Judged> {
  const { database, index } = session;
  const { operation, newGuid } = request;
  const effectiveNow = request.effectiveNow as Ticks;
  const point = pointAtLastCompleted(database, index, effectiveNow);
  const warnings: ScavengeWarning[] = [];
  if (point) {
    try {
      const state = await calculateState({ session, effectiveNow, operation, newGuid }, point);
      return { state, point, warnings };
    } catch (error) {
      if (!(error instanceof EngineError) || error.details['reason'] === undefined) throw error;
      if (error.code !== 'UnsupportedFormat') throw error;
      warnings.push({ code: 'noScavenge', message: error.message, remedy: error.remedy });
    }
  }
  return { state: stateIn(new MemoryState()), point: undefined, warnings };
}

function stateIn(store: MemoryState): ScavengeState {
  return new ScavengeState({ store, hasher: hashStream });
}

function countLog(
  { digests, operation, effectiveNow, mostNames }: ReadUsage,
  { database, kept }: ScavengeSession,
  { verdicts, point }: { verdicts: StreamVerdicts; point: ScavengePoint | undefined }
): Promise<{ tables: UsageTables; log: LogCounts }> {
  const { chunks } = database.log;
  const total = chunks.reduce((sum, { dataSize }) => sum + dataSize, 0);
  let done = 0;
  const isKept = point !== undefined && mostNames === undefined && kept?.files && kept.held;
  return UsageTables.count({
    kept: isKept ? new KeptUsage(kept.files, kept.held, effectiveNow) : undefined,
    chunks,
    digests,
    rules: { verdicts, pointPosition: point?.position ?? 0, effectiveNow },
    breathe: async () => {
      if (operation.isDue) await operation.breathe();
    },
    onBytes: (bytes) => {
      done += bytes;
      operation.report({ phase: 'usage', done, total, unit: 'bytes' });
    },
    mostNames
  });
}
