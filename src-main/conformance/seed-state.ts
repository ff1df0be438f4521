/** Puts the stored scavenge state in place that a case begins a step with. */
import {
  openDatabase,
  scavengePointOf,
  StreamStatus,
  ticksFromIso,
  type ScavengeCheckpoint
} from '../../src-core/index.ts';
import { CASE_CHUNK_BYTES, type CasePlace } from './case-database.ts';
import { numberOf, type CaseCheckpoint, type CaseLimits, type CaseSeed } from './case-format.ts';
import { openCaseState } from './case-observation.ts';

export function seedState(place: CasePlace, seed: CaseSeed): void {
  const state = openCaseState(place, { create: true })!;
  try {
    for (const stream of seed.knownStreams ?? []) state.detectCollision(stream);
    for (const [stream, data] of Object.entries(seed.streams ?? {})) {
      const handle = state.handleOf(stream);
      if (data.metadata) state.originals.setMetadata(handle, limitsOf(data.metadata));
      if (data.tombstoned) state.originals.setTombstone(handle);
      state.originals.setDiscardPoints(handle, {
        status: statusOf(data.status),
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

/** Position, time and threshold of the point are those of its record. */
function seededCheckpoint(
  { fileSystem, dataDirectory }: CasePlace,
  checkpoint: CaseCheckpoint
): ScavengeCheckpoint {
  const database = openDatabase({ fileSystem, dataDirectory });
  try {
    const scavengePoint = scavengePointOf(
      database.log.readAt((checkpoint.scavengePointChunk ?? 0) * CASE_CHUNK_BYTES)!
    );
    const stage = checkpoint.stage as ScavengeCheckpoint['stage'];
    const done = typeof checkpoint.done === 'number' ? checkpoint.done : null;
    if (stage === 'accumulating' || stage === 'executingChunks')
      return { stage, scavengePoint, doneChunk: done };
    if (stage === 'calculating') return { stage, scavengePoint, doneStream: null };
    return { stage, scavengePoint };
  } finally {
    database.close();
  }
}
