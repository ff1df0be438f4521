/**
 * The scavenge state as it would stand after calculation for a point at the end of the last completed chunk: what
 * each record is judged by. Made by the scavenger itself, in files of our own; nothing of the database is written.
 *
 * What accumulation gathers from the log no longer changes and is kept between two runs, so that the next
 * one reads only new chunks. Calculation depends on the time and works on a copy.
 */
import type { Database } from '../../database/database.ts';
import type { OperationControl } from '../../database/operation-control.ts';
import type { StreamIndex } from '../../index/stream-index.ts';
import { hashStream } from '../../index/stream-hash.ts';
import { MeasuringChunkOutput } from '../../scavenge/output/chunk-output.ts';
import { findLatestScavengePoint } from '../../scavenge/points/find-scavenge-point.ts';
import { refuseObstacles } from '../../scavenge/find-obstacle.ts';
import { RunControl } from '../../scavenge/run-control.ts';
import type { ScavengePoint } from '../../scavenge/points/scavenge-point.ts';
import { ScavengeOutcome } from '../../scavenge/scavenge-result.ts';
import { runScavenger, type ScavengeStart } from '../../scavenge/scavenger.ts';
import { ScavengeState } from '../../scavenge/state/scavenge-state.ts';
import { removeState } from '../../scavenge/state/state-file.ts';
import { StateStore } from '../../scavenge/state/state-store.ts';
import { IndexTableOutput } from '../../scavenge/output/table-output.ts';
import type { Ticks } from '../../units/ticks.ts';

export interface CalculateState {
  database: Database;
  index: StreamIndex;
  effectiveNow: Ticks;
  operation: OperationControl;
  newGuid: () => string;
  /** File of what accumulation has gathered, here or in an earlier run. */
  accumulatedPath: string;
  /** Number of the last chunk whose records are in it already; undefined: none, the file is rebuilt. */
  accumulatedChunk: number | undefined;
  /** File that the state is made in. */
  calculatedPath: string;
}

/** A point at the end of the last completed chunk; undefined when none is completed. */
export function pointAtLastCompleted(
  { log }: Database,
  index: StreamIndex,
  effectiveNow: Ticks
): ScavengePoint | undefined {
  const open = log.chunks.find(({ isActive, isCompleted }) => isActive || !isCompleted);
  const position = open ? open.startPosition : log.end;
  if (position === 0) return undefined;
  const number = (findLatestScavengePoint(log, index)?.number ?? -1) + 1;
  return { number, position, effectiveNow, threshold: 0 };
}

/** Makes the state for a point. Returns it open; close it. */
export async function calculateState(parts: CalculateState, point: ScavengePoint): Promise<ScavengeState> {
  const { database, accumulatedPath, accumulatedChunk, calculatedPath, operation } = parts;
  const { fileSystem, log } = database;
  const from = accumulatedChunk === undefined ? 0 : (accumulatedChunk + 1) * log.chunkSizeBytes;
  await refuseObstacles(log, { from, to: point.position }, new RunControl({ operation }));
  if (accumulatedChunk === undefined) removeState(fileSystem, accumulatedPath);
  const accumulated = openState(accumulatedPath);
  try {
    const start: ScavengeStart =
      accumulatedChunk === undefined
        ? { kind: 'fresh', point, previous: null }
        : {
            kind: 'resume',
            checkpoint: { stage: 'accumulating', scavengePoint: point, doneChunk: accumulatedChunk }
          };
    await runPhase(parts, accumulated.state, start, 'accumulation');
    removeState(fileSystem, calculatedPath);
    accumulated.store.prepare('VACUUM INTO ?').run(calculatedPath);
  } finally {
    accumulated.state.close();
  }
  const { state } = openState(calculatedPath);
  try {
    const checkpoint = { stage: 'calculating', scavengePoint: point, doneStream: null } as const;
    await runPhase(parts, state, { kind: 'resume', checkpoint }, 'calculation');
    return state;
  } catch (error) {
    state.close();
    throw error;
  }
}

function openState(path: string): { store: StateStore; state: ScavengeState } {
  const store = StateStore.open({ path });
  return { store, state: new ScavengeState({ store, hasher: hashStream }) };
}

async function runPhase(
  { database, index, operation, newGuid }: CalculateState,
  state: ScavengeState,
  start: ScavengeStart,
  phase: 'accumulation' | 'calculation'
): Promise<void> {
  const { fileSystem, dataDirectory: directory, log } = database;
  const control = new RunControl({ operation });
  await runScavenger(
    {
      fileSystem,
      directories: [],
      log,
      index,
      state,
      // It ends before anything is put out.
      chunkOutput: new MeasuringChunkOutput({
        fileSystem,
        directory,
        log,
        control,
        newGuid,
        alwaysKeepScavenged: false
      }),
      tableOutput: () => new IndexTableOutput({ fileSystem, index, newGuid, isDryRun: true }),
      control,
      outcome: new ScavengeOutcome(),
      options: {
        merge: false,
        ignoreHardDeletes: false,
        alwaysKeepScavenged: false,
        threads: 1,
        stopAfter: phase
      },
      isPointInLog: false
    },
    start
  );
}
