/**
 * A scavenge that pauses for backups: while a backup holds its door, it stops at its checkpoint, releases its lock and
 * waits; then the same process starts it again with the same options, and it resumes. From outside it is one run: one id,
 * one history, one report. Decision: docs/decisions/0030-a-scavenge-pauses-itself.md.
 */
import {
  maxChunkScavengedOf,
  type PausedRun,
  type ScavengeEnvironment,
  type ScavengeReportData,
  type ScavengeRequest
} from '../../../src-core/index.ts';
import { ScavengeDoor } from '../../backup/scavenge-door.ts';
import type { OperationContext } from '../operation.ts';

export type BeginScavenge = (
  request: ScavengeRequest,
  environment: ScavengeEnvironment
) => Promise<ScavengeReportData>;

export async function runPausable(
  request: ScavengeRequest,
  environment: ScavengeEnvironment,
  context: OperationContext,
  begin: BeginScavenge
): Promise<ScavengeReportData> {
  const { control } = context;
  const entrance = new Entrance(request, context);
  const parts: ScavengeReportData[] = [];
  let isInLog = false;
  try {
    for (let next = request; ; next = restOf(request, parts.at(-1)!)) {
      const pause = new AbortController();
      const onPause = (): void => pause.abort();
      const isPausing = (): boolean => pause.signal.aborted && control.signal?.aborted !== true;
      const report = await begin(next, {
        ...environment,
        operation: control.stoppedAlsoBy(pause.signal),
        isPausing,
        continues: parts.length === 0 ? undefined : doneBefore(parts, isInLog),
        onStart: (start) => {
          if (parts.length === 0) {
            isInLog = start.isInLog;
            environment.onStart?.(start);
          }
          entrance.open(start, onPause);
        }
      });
      parts.push(report);
      // Asked to pause, but it had already finished.
      const isAtItsEnd = report.phases.at(-1)?.phase === request.stopAfter;
      if (report.result !== 'stopped' || !isPausing() || isAtItsEnd) break;
      await entrance.pause();
      if (control.signal?.aborted) break;
    }
  } finally {
    await entrance.close();
  }
  return joined(parts);
}

/** The door, open once the run has chosen its point: from then on a pause loses nothing. */
class Entrance {
  readonly #request: ScavengeRequest;
  readonly #context: OperationContext;
  #door: Promise<ScavengeDoor | undefined> | undefined;

  constructor(request: ScavengeRequest, context: OperationContext) {
    this.#request = request;
    this.#context = context;
  }

  open(
    start: { scavengeId: string; placement: string; point: { threshold: number } },
    onPause: () => void
  ): void {
    this.#door ??= this.#opened(start);
    void this.#door.then((door) => {
      if (door?.pauseSignal.aborted) onPause();
      else door?.pauseSignal.addEventListener('abort', onPause, { once: true });
    });
  }

  async pause(): Promise<void> {
    const { log, control } = this.#context;
    log({ level: 'info', message: 'The scavenge pauses for a backup.' });
    await (await this.#door)?.whilePaused(control.signal);
    if (control.signal?.aborted !== true) log({ level: 'info', message: 'The scavenge resumes.' });
  }

  async close(): Promise<void> {
    (await this.#door)?.close();
  }

  async #opened({
    scavengeId,
    placement,
    point
  }: Parameters<Entrance['open']>[0]): Promise<ScavengeDoor | undefined> {
    const { winnowHome, dataDirectory } = this.#request;
    if (winnowHome === undefined) return undefined;
    try {
      const { threshold } = point;
      return await ScavengeDoor.open({ winnowHome, dataDirectory, scavengeId, placement, threshold });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const message = `Backups cannot ask this scavenge to pause: ${reason}`;
      this.#context.log({ level: 'warning', message });
      return undefined;
    }
  }
}

/** The options for resuming: the point and the state already exist and are not chosen again. */
function restOf(request: ScavengeRequest, { scavengePoint }: ScavengeReportData): ScavengeRequest {
  const isDetached = scavengePoint?.placement === 'detached';
  return { ...request, startAfresh: false, scavengePoint: isDetached ? 'detached' : 'existing' };
}

function doneBefore(parts: readonly ScavengeReportData[], isInLog: boolean): PausedRun {
  return {
    isInLog,
    spaceSavedBytes: parts.reduce((sum, { spaceSavedBytes }) => sum + spaceSavedBytes, 0),
    maxChunkScavenged: maxChunkScavengedOf(parts.flatMap(({ chunks }) => chunks))
  };
}

/** The parts of a paused run joined into one report. */
function joined(parts: readonly ScavengeReportData[]): ScavengeReportData {
  const first = parts[0]!;
  const last = parts.at(-1)!;
  if (parts.length === 1) return first;
  const sum = (of: (part: ScavengeReportData) => number): number =>
    parts.reduce((total, part) => total + of(part), 0);
  const phases = Map.groupBy(
    parts.flatMap((part) => part.phases),
    ({ phase }) => phase
  );
  const spaceSaved = {
    log: sum((part) => part.spaceSaved.log),
    index: sum((part) => part.spaceSaved.index),
    total: sum((part) => part.spaceSaved.total)
  };
  const spaceSavedBytes = spaceSaved.total;
  const besides = Map.groupBy(
    parts.flatMap((part) => part.besides),
    ({ cause }) => cause
  );
  return {
    ...last,
    scavengePoint: first.scavengePoint,
    resumed: first.resumed,
    recordsDiscarded: sum((part) => part.recordsDiscarded),
    indexEntriesDiscarded: sum((part) => part.indexEntriesDiscarded),
    bytesBefore: first.bytesBefore,
    bytesAfter: first.bytesBefore - spaceSavedBytes,
    spaceSavedBytes,
    spaceSaved,
    chunkCount: {
      visited: sum((part) => part.chunkCount.visited),
      rewritten: sum((part) => part.chunkCount.rewritten),
      merges: sum((part) => part.chunkCount.merges)
    },
    besides: [...besides].map(([cause, changes]) => ({
      cause,
      bytes: changes.reduce((total, { bytes }) => total + bytes, 0)
    })),
    scratchBytes: Math.max(...parts.map((part) => part.scratchBytes)),
    hashUsersCache: {
      hits: sum((part) => part.hashUsersCache?.hits ?? 0),
      misses: sum((part) => part.hashUsersCache?.misses ?? 0)
    },
    warnings: uniqueByMessage(parts.flatMap((part) => part.warnings)),
    chunks: parts.flatMap((part) => part.chunks),
    tables: parts.flatMap((part) => part.tables),
    phases: [...phases].map(([phase, times]) => ({
      phase,
      elapsedMs: times.reduce((total, { elapsedMs }) => total + (elapsedMs ?? 0), 0)
    }))
  };
}

function uniqueByMessage<T extends { message: string }>(warnings: readonly T[]): T[] {
  return [...new Map(warnings.map((warning) => [warning.message, warning])).values()];
}
