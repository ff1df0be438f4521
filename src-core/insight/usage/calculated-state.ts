/**
 * The scavenge state as it would stand after calculation for a point at the end of the last completed chunk: what
 * each record is judged by. Made by the scavenger itself, in memory; nothing of the database is written.
 */
import type { Database } from '../../database/database.ts';
import type { OperationControl } from '../../database/operation-control.ts';
import type { StreamIndex } from '../../index/stream-index.ts';
import { hashStream } from '../../index/stream-hash.ts';
import { MeasuringChunkOutput } from '../../scavenge/output/measuring-chunk-output.ts';
import { findNewestReadablePoint } from '../../scavenge/points/find-scavenge-point.ts';
import type { ScavengeSession } from '../../scavenge/scavenge-session.ts';
import { RunControl } from '../../scavenge/run-control.ts';
import type { ScavengePoint } from '../../scavenge/points/scavenge-point.ts';
import { ScavengeOutcome } from '../../scavenge/scavenge-result.ts';
import { runScavenger } from '../../scavenge/scavenger.ts';
import { ScavengeState } from '../../scavenge/state/scavenge-state.ts';
import { MemoryState } from '../../scavenge/state/memory/memory-state.ts';
import { IndexTableOutput } from '../../scavenge/output/table-output.ts';
import type { Ticks } from '../../units/ticks.ts';

export interface CalculateState {
  session: ScavengeSession;
  effectiveNow: Ticks;
  operation: OperationControl;
  newGuid: () => string;
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
  const number = (findNewestReadablePoint(log, index)?.number ?? -1) + 1;
  return { number, position, effectiveNow, threshold: 0 };
}

/** Of all that the state for a point would be made of; undefined: nothing is kept of such states, or files have changed. */
export function identityOfCalculation(
  { database, index, kept }: ScavengeSession,
  point: ScavengePoint
): string | undefined {
  return kept?.identityOf({
    point,
    state: new ScavengeState({ store: new MemoryState(), hasher: hashStream }),
    isPointInLog: false,
    keepMetadataFrom: findNewestReadablePoint(database.log, index)?.position
  });
}

/** Makes the state for a point. */
export async function calculateState(parts: CalculateState, point: ScavengePoint): Promise<ScavengeState> {
  const store = new MemoryState();
  const state = new ScavengeState({ store, hasher: hashStream });
  await decide(parts, state, point);
  // Half of the memory, and nothing here asks for names once everything is calculated.
  store.tables.hashUsers.giveUp();
  return state;
}

/** The first two phases of a scavenge. */
async function decide(
  { session, operation, newGuid }: CalculateState,
  state: ScavengeState,
  point: ScavengePoint
): Promise<void> {
  const { database, index, kept } = session;
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
        stopAfter: 'calculation'
      },
      isPointInLog: false,
      kept
    },
    { kind: 'fresh', point, previous: null }
  );
}
