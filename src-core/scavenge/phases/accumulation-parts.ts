/** What both ways of accumulation have in common: what they are given, and the ranges of the log that they go through. */
import type { Chunk } from '../../chunks/chunk.ts';
import { logCorrupt } from '../../errors.ts';
import type { LogReader } from '../../log/log-reader.ts';
import type { StreamEntries } from '../decisions/stream-entries.ts';
import type { ScavengePoint } from '../points/scavenge-point.ts';
import type { RunControl } from '../run-control.ts';
import type { ScavengeOutcome } from '../scavenge-result.ts';
import type { ScavengeTrace } from '../scavenge-trace.ts';
import type { ScavengeState } from '../state/scavenge-state.ts';
import type { WaitingLimits } from '../state/waiting/waiting-limits.ts';

export interface AccumulationParts {
  log: LogReader;
  entries: StreamEntries;
  state: ScavengeState;
  control: RunControl;
  outcome: ScavengeOutcome;
  point: ScavengePoint;
  /** The point is a record of the log; otherwise it is merely the end of what may be scavenged. */
  isPointInLog: boolean;
  /** See MetadataOrderParts. */
  keepMetadataFrom?: number | undefined;
  /** The state is new, and nobody asks it for the first users of hashes. */
  mayDoWithoutNames?: boolean | undefined;
  /** Asked before each chunk; throws when the state may not grow by it. */
  requireRoom?: (() => void) | undefined;
  /** For tests. */
  waiting?: WaitingLimits | undefined;
  trace?: ScavengeTrace | undefined;
}

/** The records of one logical chunk that count. */
export interface ChunkRange {
  number: number;
  from: number;
  to: number;
  /** The file that they lie in; undefined: there is none. */
  chunk: Chunk | undefined;
}

export function rangesOf(log: LogReader, { first, end }: { first: number; end: number }): ChunkRange[] {
  const { chunkSizeBytes } = log;
  const count = Math.max(Math.ceil(end / chunkSizeBytes) - first, 0);
  return Array.from({ length: count }, (_, i) => {
    const from = (first + i) * chunkSizeBytes;
    return { number: first + i, from, to: Math.min(from + chunkSizeBytes, end), chunk: log.chunkAt(from) };
  });
}

/** Nothing was ever removed from it. */
export function isUntouched({ chunks }: LogReader): boolean {
  return chunks.every((chunk) => !chunk.isScavenged);
}

/** The record of a scavenge point is the last one that counts. */
export function requirePoint(
  { point, isPointInLog }: AccumulationParts,
  { to }: ChunkRange,
  { end, lastPosition }: { end: number; lastPosition: number }
): void {
  if (!isPointInLog || to !== end || lastPosition === point.position) return;
  throw logCorrupt(`The record of scavenge point ${point.number} is not at position ${point.position}.`, {
    position: point.position
  });
}

/** A merged file stands for several chunks, and counts with the first of them. */
export function tellOfChunk({ outcome }: AccumulationParts, { from, chunk }: ChunkRange): void {
  outcome.onWork?.({ kind: 'read', bytes: chunk?.startPosition === from ? chunk.dataSize : 0 });
}
