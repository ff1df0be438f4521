/**
 * A scavenge: a list of phases and a loop. It enters the phase that the checkpoint names, or the first, and goes
 * through all that follow; each stores its checkpoint before its first work. What a phase has finished is never
 * done again, and a phase that was cut may be repeated without harm.
 *
 * A plan is the same run with outputs that only measure and a state of its own.
 */
import type { FileSystem } from '../storage/file-system.ts';
import type { LogReader } from '../log/log-reader.ts';
import type { LogRecord } from '../records/log-record.ts';
import type { StreamIndex } from '../index/stream-index.ts';
import { chunkNumberOf } from '../units/log-position.ts';
import {
  isReplacingStage,
  STAGE_OF_PHASE,
  type ScavengePhase,
  type WorkingPhase
} from '../units/scavenge-terms.ts';
import { reachesThreshold } from './decisions/chunk-weights.ts';
import type { DiscardTally } from './decisions/discard-tally.ts';
import type { ChunkOutput } from './output/chunk-output.ts';
import { findNewestReadablePoint } from './points/find-scavenge-point.ts';
import { refuseOtherHardDeletes, type ResumedScavenge } from './decisions/hard-deleted-leftovers.ts';
import { runAccumulation } from './phases/1-accumulation.ts';
import { runCalculation } from './phases/2-calculation.ts';
import { runChunkExecution } from './phases/3-chunk-execution.ts';
import { runChunkMerging } from './phases/4-chunk-merging.ts';
import { runIndexExecution, type TableOutput } from './phases/5-index-execution.ts';
import { runCleaning } from './phases/6-cleaning.ts';
import type { RescueBudget } from './rescue/rescue-budget.ts';
import type { RunControl } from './run-control.ts';
import type { ScavengeCheckpoint } from './state/scavenge-checkpoint.ts';
import type { ScavengePoint } from './points/scavenge-point.ts';
import type { ScavengeOutcome } from './scavenge-result.ts';
import { TRACED_PHASES, type ScavengeTrace } from './scavenge-trace.ts';
import { scavengedChunkOf, type ScavengedChunk } from './output/scavenged-chunk.ts';
import { shouldDiscardRecord } from './decisions/should-discard.ts';
import type { KeptCalculation } from './state/memory/kept-calculation.ts';
import type { ScavengeState } from './state/scavenge-state.ts';
import type { WaitingLimits } from './state/waiting/waiting-limits.ts';
import { StreamEntries } from './decisions/stream-entries.ts';
import { StreamVerdicts } from './decisions/stream-verdicts.ts';

export interface ScavengerOptions {
  merge: boolean;
  ignoreHardDeletes: boolean;
  alwaysKeepScavenged: boolean;
  /** Chunks in work at once. */
  threads: number;
  /** End after this phase; the next run resumes after it. */
  stopAfter?: ScavengePhase | undefined;
  /** Streams of one calculation transaction. */
  calculationBatchSize?: number | undefined;
}

export interface ScavengerParts {
  fileSystem: FileSystem;
  /** Those in which files are replaced. */
  directories: readonly string[];
  log: LogReader;
  index: StreamIndex;
  state: ScavengeState;
  chunkOutput: ChunkOutput;
  tableOutput: () => TableOutput;
  control: RunControl;
  outcome: ScavengeOutcome;
  options: ScavengerOptions;
  /** False for a detached point, which no record stands for. */
  isPointInLog: boolean;
  /** The state is as the run before this one left it, with the same options: what that run checked holds. */
  isSealed?: boolean | undefined;
  /** Throws what the log contradicts in a state that was found; the phases that replace files believe it. None: nothing was found. */
  holdState?: (() => Promise<void>) | undefined;
  /** Best chunks first, within this room. */
  rescue?: RescueBudget | undefined;
  /** Of a question: what an earlier one has calculated. */
  kept?: KeptCalculation | undefined;
  /** Of a plan: see Judging. */
  tally?: DiscardTally | undefined;
  /** For tests. */
  waiting?: WaitingLimits | undefined;
  trace?: ScavengeTrace | undefined;
}

export type ScavengeStart =
  | { kind: 'fresh'; point: ScavengePoint; previous: ScavengePoint | null }
  | { kind: 'resume'; checkpoint: ScavengeCheckpoint };

interface Phase {
  name: WorkingPhase;
  /** Where the phase begins when it is not resumed. */
  first: () => ScavengeCheckpoint;
  /** False: it has left work, and so does the run. */
  run: (from: ScavengeCheckpoint) => Promise<boolean | void>;
}

/** Runs the phases. False when it left early because of `stopAfter`, or because a rescue found no more room. */
export async function runScavenger(parts: ScavengerParts, start: ScavengeStart): Promise<boolean> {
  const { state, control, outcome, trace, options } = parts;
  const point = start.kind === 'fresh' ? start.point : start.checkpoint.scavengePoint;
  const previous = start.kind === 'fresh' ? start.previous : null;
  const resumed = start.kind === 'resume' ? start.checkpoint : undefined;
  // A state that was found is held against the log by the names in it, which no question keeps.
  const isNew = start.kind === 'fresh' && previous === null && parts.holdState === undefined;
  const kept = isNew && !trace ? parts.kept : undefined;
  const phases = phasesOf(parts, point, previous, { isResumed: start.kind === 'resume', isNew });
  const question = {
    state,
    point,
    outcome,
    isPointInLog: parts.isPointInLog,
    keepMetadataFrom: keepMetadataFrom(parts)
  };
  const isCalculated = options.stopAfter !== 'accumulation' && kept?.restore(question) === true;
  if (isCalculated) {
    const skipped = ['accumulation', 'calculation'] as const;
    outcome.phases.push(...skipped.map((phase) => ({ phase, elapsedMs: 0 })));
    if (options.stopAfter === 'calculation') return false;
  }
  const given = outcome.warnings.length;
  const isFirst = ({ name }: Phase) =>
    resumed ? STAGE_OF_PHASE[name] === resumed.stage : name === 'chunkExecution';
  const first = resumed || isCalculated ? phases.findIndex(isFirst) : 0;
  if (resumed && !parts.isSealed) await refuseOtherHardDeletes(resumedScavenge(parts, resumed));
  // A resumed state was compared with the log when it was opened, a calculated one is compared again: time ranges and
  // limits of a found state went into what was calculated.
  let isHeld = resumed !== undefined && isReplacingStage(resumed.stage);
  for (const phase of phases.slice(first)) {
    const stage = STAGE_OF_PHASE[phase.name];
    const traced = TRACED_PHASES[phase.name];
    if (!isHeld && isReplacingStage(stage)) {
      isHeld = true;
      await parts.holdState?.();
    }
    const isResumed = stage === resumed?.stage;
    const startMs = control.elapsedMs;
    if (isResumed) {
      trace?.entry?.({ kind: 'resume', phase: traced, from: resumed });
    } else {
      const previousNumber = stage === 'accumulating' ? { previous: previous?.number ?? null } : {};
      trace?.entry?.({ kind: 'start', phase: traced, scavengePoint: point.number, ...previousNumber });
    }
    try {
      const from = isResumed ? resumed : phase.first();
      if (!isResumed) {
        state.setCheckpoint(from);
        control.throwIfStopped();
      }
      // What decides is read from the log, and files that go take some of it with them: a state that fell back
      // behind this moment could not be made again as it was.
      if (isReplacingStage(stage)) state.flush();
      if ((await phase.run(from)) === false) return false;
    } catch (error) {
      trace?.entry?.({ kind: 'aborted', phase: traced });
      throw error;
    } finally {
      outcome.phases.push({ phase: phase.name, elapsedMs: control.elapsedMs - startMs });
    }
    trace?.entry?.({ kind: 'end', phase: traced });
    if (phase.name === 'calculation') kept?.keep(question, outcome.warnings.slice(given));
    if (options.stopAfter === phase.name && stage !== 'cleaning') return false;
  }
  // A state that says "done" is not read again: what was removed must be permanently gone by then.
  for (const directory of parts.directories) parts.fileSystem.syncDirectory(directory);
  state.setCheckpoint({ stage: 'done', scavengePoint: point });
  return true;
}

/**
 * A later scavenge by a server takes the newest point of the log if it was not reached yet, and goes by the metadata that
 * held there. A detached one before it must leave them in place.
 */
function keepMetadataFrom({ log, index, isPointInLog }: ScavengerParts): number | undefined {
  return isPointInLog ? undefined : findNewestReadablePoint(log, index)?.position;
}

function resumedScavenge(parts: ScavengerParts, checkpoint: ScavengeCheckpoint): ResumedScavenge {
  const { fileSystem, log, index, state, control, options } = parts;
  const { effectiveNow, position } = checkpoint.scavengePoint;
  const verdicts = new StreamVerdicts({ state, hasher: index.hasher, effectiveNow });
  const { ignoreHardDeletes } = options;
  const judging = {
    fileSystem,
    verdicts,
    control,
    pointPosition: position,
    ignoreHardDeletes,
    heads: log.knownHeads
  };
  return { judging, checkpoint, log, index, state };
}

function phasesOf(
  parts: ScavengerParts,
  point: ScavengePoint,
  previous: ScavengePoint | null,
  { isResumed, isNew }: { isResumed: boolean; isNew: boolean }
): Phase[] {
  const { fileSystem, log, index, state, control, outcome, options, trace, chunkOutput, isPointInLog } =
    parts;
  const { rescue } = parts;
  const requireRoom = rescue && (() => rescue.requireStateRoom(log.chunkSizeBytes));
  const { ignoreHardDeletes, alwaysKeepScavenged } = options;
  const entries = new StreamEntries({
    lookup: index.entries,
    state,
    readAt: (position) => log.readAt(position),
    beforePosition: point.position
  });
  const chunks = log.chunks.map(scavengedChunkOf);
  // Of chunk and index execution alike: what they say of ten million streams fills hundreds of megabytes.
  const verdicts = new StreamVerdicts({ state, hasher: index.hasher, effectiveNow: point.effectiveNow });
  return [
    {
      name: 'accumulation',
      first: () => ({
        stage: 'accumulating',
        scavengePoint: point,
        doneChunk: previous ? chunkNumberOf(previous.position, log.chunkSizeBytes) : null
      }),
      run: (from) =>
        runAccumulation(
          {
            log,
            entries,
            state,
            control,
            point,
            isPointInLog,
            keepMetadataFrom: keepMetadataFrom(parts),
            outcome,
            mayDoWithoutNames: isNew,
            requireRoom,
            waiting: parts.waiting,
            trace
          },
          from.stage === 'accumulating' ? from.doneChunk : null
        )
    },
    {
      name: 'calculation',
      first: () => ({ stage: 'calculating', scavengePoint: point, doneStream: null }),
      run: (from) => {
        // Weights only grow: what reaches the threshold now will be rewritten, and its hash can be checked meanwhile.
        if (!rescue && options.stopAfter !== 'calculation') {
          const expected = chunks.filter((chunk) => isToRewrite(chunk, state, point));
          chunkOutput.expect(expected, expected.length);
        }
        return runCalculation(
          {
            log,
            entries,
            state,
            control,
            point,
            batchSize: options.calculationBatchSize,
            requireRoom,
            trace
          },
          from.stage === 'calculating' ? from.doneStream : null
        );
      }
    },
    {
      name: 'chunkExecution',
      first: () => ({ stage: 'executingChunks', scavengePoint: point, doneChunk: null }),
      run: async (from) => {
        const { effectiveNow } = point;
        const judged = ignoreHardDeletes || trace ? undefined : parts.kept?.judgements(effectiveNow);
        const { kept, tally } = parts;
        tally?.begin({ state, entries, hasher: index.hasher, control, effectiveNow, kept: judged && kept });
        const isDone = await runChunkExecution(
          {
            fileSystem,
            chunks,
            state,
            verdicts,
            output: chunkOutput,
            control,
            outcome,
            point,
            ignoreHardDeletes,
            alwaysKeepScavenged,
            heads: log.knownHeads,
            judged,
            tally,
            threads: options.threads,
            rescue,
            trace
          },
          from.stage === 'executingChunks' ? from.doneChunk : null
        );
        judged?.save();
        tally?.end();
        return isDone;
      }
    },
    {
      name: 'chunkMerging',
      first: () => ({ stage: 'mergingChunks', scavengePoint: point }),
      run: async () => {
        if (!options.merge) return;
        const { chunkSizeBytes } = log;
        await runChunkMerging({ chunks, chunkSizeBytes, output: chunkOutput, control, outcome, trace });
      }
    },
    {
      name: 'indexExecution',
      first: () => ({ stage: 'executingIndex', scavengePoint: point }),
      run: () => {
        const readAt = recordsLeft(parts, chunks, point, verdicts);
        return runIndexExecution({
          tables: parts.tableOutput(),
          state,
          verdicts,
          control,
          outcome,
          point,
          ignoreHardDeletes,
          readAt,
          rescue,
          trace
        });
      }
    },
    {
      name: 'cleaning',
      first: () => ({ stage: 'cleaning', scavengePoint: point }),
      run: () => runCleaning({ state, control, point, ignoreHardDeletes, alwaysKeepScavenged, isResumed })
    }
  ];
}

function isToRewrite(chunk: ScavengedChunk, state: ScavengeState, point: ScavengePoint): boolean {
  const { startNumber, endNumber, startPosition, isCompleted } = chunk;
  if (!isCompleted || startPosition >= point.position) return false;
  return reachesThreshold(state.weights.sum(startNumber, endNumber), point.threshold);
}

/**
 * Records as chunk execution has left them. A plan has rewritten nothing, so there a record of a chunk that would
 * have been rewritten is judged once more.
 */
function recordsLeft(
  { log, chunkOutput, options }: ScavengerParts,
  chunks: readonly ScavengedChunk[],
  point: ScavengePoint,
  verdicts: StreamVerdicts
): (position: number) => LogRecord | undefined {
  if (chunks.every(({ chunk }) => chunk !== null)) return (position) => log.readAt(position);
  return (position) => {
    const record = log.readAt(position);
    if (record?.kind !== 'prepare' || position >= point.position || !chunkOutput.isOnlyMeasured(position))
      return record;
    return shouldDiscardRecord(record, verdicts.ofRecord(record), options.ignoreHardDeletes)
      ? undefined
      : record;
  };
}
