/** Writes the stored scavenge state with which a case begins a step. */
import {
  isScavengePointRecord,
  openDatabase,
  scavengePointOf,
  StreamStatus,
  ticksFromIso,
  type LogReader,
  type ScavengeCheckpoint,
  type ScavengePoint
} from '../../src-core/index.ts';
import { CASE_CHUNK_BYTES, type CasePlace } from './case-database.ts';
import {
  numberOf,
  type CaseCheckpoint,
  type CaseHandle,
  type CaseLimits,
  type CaseSeed
} from './case-format.ts';
import { openCaseState } from './case-observation.ts';
import { handleOf } from './small-cases.ts';

export function seedState(place: CasePlace, seed: CaseSeed): void {
  const state = openCaseState(place, { create: true })!;
  try {
    for (const stream of seed.knownStreams ?? []) state.detectCollision(stream);
    for (const [stream, data] of Object.entries(seed.streams ?? {})) {
      const handle = state.handleOf(stream);
      state.originals.setMetadata(handle, limitsOf({ ...data, ...data.metadata }));
      if (data.tombstoned) state.originals.setTombstone(handle);
      state.originals.setDiscardPoints(handle, {
        status: statusOf(data.status ?? 'active'),
        discardPoint: numberOf(data.discardBefore ?? 0),
        maybeDiscardPoint: numberOf(data.maybeDiscardBefore ?? 0)
      });
    }
    for (const [chunk, [min, max]] of Object.entries(seed.chunkTimeRanges ?? {})) {
      state.timeRanges.put(Number(chunk), ticksFromIso(min)!, ticksFromIso(max)!);
    }
    if (seed.checkpoint) state.setCheckpoint(seededCheckpoint(place, seed.checkpoint));
  } finally {
    state.close();
  }
}

export function statusOf(name: string | undefined): number {
  return StreamStatus[(name ?? 'none') as keyof typeof StreamStatus];
}

export function limitsOf(limits: CaseLimits) {
  const value = (limit: number | 'max' | null | undefined) =>
    limit === null || limit === undefined ? null : limit === 'max' ? 0x7fff_ffff_ffff_ffffn : BigInt(limit);
  return {
    maxAgeSeconds: value(limits.maxAgeSeconds),
    maxCount: value(limits.maxCount),
    truncateBefore: value(limits.truncateBefore)
  };
}

/** The first record of the named chunk; without a chunk the point with that number. */
function pointNamed(log: LogReader, { scavengePoint, scavengePointChunk }: CaseCheckpoint): ScavengePoint {
  const from = scavengePointChunk === undefined ? 0 : scavengePointChunk * CASE_CHUNK_BYTES;
  const cursor = log.cursor(from);
  try {
    while (cursor.next()) {
      if (!isScavengePointRecord(cursor.record)) continue;
      const point = scavengePointOf(cursor.record);
      if (scavengePointChunk !== undefined || point.number === (scavengePoint ?? 0)) return point;
    }
  } finally {
    cursor.close();
  }
  throw new Error(`The log of the case has no scavenge point ${scavengePoint ?? 0}.`);
}

/** Position, time and threshold of the point are those of its record. */
function seededCheckpoint(
  { fileSystem, dataDirectory }: CasePlace,
  checkpoint: CaseCheckpoint
): ScavengeCheckpoint {
  const database = openDatabase({ fileSystem, dataDirectory });
  try {
    const scavengePoint = pointNamed(database.log, checkpoint);
    const stage = checkpoint.stage as ScavengeCheckpoint['stage'];
    const done = typeof checkpoint.done === 'number' ? checkpoint.done : null;
    if (stage === 'accumulating' || stage === 'executingChunks')
      return { stage, scavengePoint, doneChunk: done };
    if (stage === 'calculating') {
      const isHandle = typeof checkpoint.done === 'object' && checkpoint.done !== null;
      return { stage, scavengePoint, doneStream: isHandle ? handleOf(checkpoint.done as CaseHandle) : null };
    }
    return { stage, scavengePoint };
  } finally {
    database.close();
  }
}
