/**
 * Reads the scavenge state beside an index, without changing it: how far a scavenge came, and the weights it
 * left. An unreadable state is reported as such and never prevents reading the database.
 */
import {
  decodeScavengeCheckpoint,
  EngineError,
  lookAtState,
  storedStatePath,
  ticksToIso,
  type Database,
  type ScavengeCheckpoint,
  type StateReading,
  requireFault
} from '../../../src-core/index.ts';
import { makeStateScratch } from './stored-state.ts';

/** More chunks than any log has; damaged data may seem endless. */
const MOST_WEIGHTS = 2 ** 20;

export interface ScavengeStateGlance {
  /** Such as `accumulating` or `done`; `none` before the first checkpoint, `unreadable` for anything unknown. */
  stage: string;
  scavengePoint: number | null;
  effectiveNow: string | null;
  /** Of the scavenge point. */
  threshold: number | null;
  /** By logical chunk number. */
  weights: ReadonlyMap<number, number>;
  /** How far the last scavenge came; undefined if the stage is `none` or `unreadable`. */
  checkpoint: ScavengeCheckpoint | undefined;
  /** Why the file cannot be used at all; an unknown checkpoint is not such a reason. */
  problem: EngineError | undefined;
}

/** undefined if there is no state. */
export function glanceAtScavengeState(database: Database): ScavengeStateGlance | undefined {
  const { fileSystem } = database;
  try {
    return lookAtState(
      { fileSystem, path: storedStatePath(database), makeScratch: makeStateScratch, isQuick: true },
      read
    );
  } catch (error) {
    requireFault(error);
    return { ...NOTHING, stage: 'unreadable', problem: error };
  }
}

const NOTHING: ScavengeStateGlance = {
  stage: 'none',
  scavengePoint: null,
  effectiveNow: null,
  threshold: null,
  weights: new Map(),
  checkpoint: undefined,
  problem: undefined
};

function read({ database: sqlite, isComplete }: StateReading): ScavengeStateGlance {
  if (!isComplete) return NOTHING; // interrupted while its tables were created
  const row = sqlite.prepare('SELECT value FROM Checkpoint WHERE key = 0').get();
  const weights = new Map<number, number>();
  const rows = sqlite.prepare(
    `SELECT key, value FROM ChunkWeights WHERE key >= 0 AND typeof(value) = 'real' AND value >= 0 LIMIT ${MOST_WEIGHTS}`
  );
  for (const { key, value } of rows.all()) weights.set(Number(key), Number(value));
  if (!row) return { ...NOTHING, weights };
  const checkpoint = decodeScavengeCheckpoint(String(row['value']));
  if (!checkpoint) return { ...NOTHING, stage: 'unreadable', weights };
  return {
    stage: checkpoint.stage,
    scavengePoint: checkpoint.scavengePoint.number,
    effectiveNow: ticksToIso(checkpoint.scavengePoint.effectiveNow),
    threshold: checkpoint.scavengePoint.threshold,
    weights,
    checkpoint,
    problem: undefined
  };
}
