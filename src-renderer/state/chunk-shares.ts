/**
 * What lies in a chunk file: live and removable, which only a plan knows, and what earlier scavenges freed. Without a
 * plan for it nothing of a chunk is live: it is not known yet. Pure arithmetic over the list of chunks and the newest
 * plan.
 */
import type { ChunkRow, ScavengeReport } from '../../src-main/contract/verbs/workbench-contract.ts';

export type PlannedChunk = ScavengeReport['chunks'][number];

export interface ChunkShares {
  /** In the file, live or removable: no plan has looked at it. */
  unknown: number;
  live: number;
  removable: number;
  freed: number;
  total: number;
}

/** Planned chunks by their first chunk number. A merged chunk's line would hide its parts', so parts win. */
export function plannedByStart(plan: ScavengeReport | undefined): Map<number, PlannedChunk> {
  const byStart = new Map<number, PlannedChunk>();
  for (const chunk of plan?.chunks ?? []) {
    const known = byStart.get(chunk.chunkStart);
    if (known === undefined || chunk.chunkEnd < known.chunkEnd) byStart.set(chunk.chunkStart, chunk);
  }
  return byStart;
}

/** Bytes that the plan would free in this chunk. */
export function removableBytes(planned: PlannedChunk | undefined): number {
  if (!planned || planned.decision === 'keptLarger' || planned.decision === 'skipped') return 0;
  return Math.max(0, planned.bytesBefore - planned.bytesAfter);
}

export function sharesOf(chunk: ChunkRow, planned: PlannedChunk | undefined): ChunkShares {
  const total = Math.max(chunk.logicalDataSize, chunk.physicalDataSize);
  const kept = chunk.physicalDataSize;
  const freed = total - kept;
  const isAhead = planned?.bytesBefore === chunk.fileSize;
  // A file of another size than planned with is the outcome already: while a scavenge runs, its plan is shown on.
  const isOutcome = planned !== undefined && !isAhead && chunk.isScavenged;
  if (!isAhead && !isOutcome) return { unknown: kept, live: 0, removable: 0, freed, total };
  const removable = isAhead ? Math.min(removableBytes(planned), kept) : 0;
  return { unknown: 0, live: kept - removable, removable, freed, total };
}

/** What a cell of the map is coloured by. */
export type ColourBy = 'removable' | 'freed' | 'size' | 'age' | 'version' | 'weight';

/**
 * Between 0 and 1; null: not known. `largest` are the greatest values in the list, for the measures without an end of
 * their own; `ageMs` is null where nobody knows when the chunk was written.
 */
export function measure(
  chunk: ChunkRow,
  planned: PlannedChunk | undefined,
  by: ColourBy,
  largest: { fileSize: number; version: number; weight: number; ageMs?: number },
  ageMs: number | null = null
): number | null {
  const shares = sharesOf(chunk, planned);
  switch (by) {
    case 'removable':
      return shares.unknown > 0 ? null : ratio(shares.removable, shares.live + shares.removable);
    case 'freed':
      return ratio(shares.freed, shares.total);
    case 'size':
      return ratio(chunk.fileSize, largest.fileSize);
    case 'age':
      return ageMs === null ? null : ratio(ageMs, largest.ageMs ?? 0);
    case 'version':
      return ratio(chunk.version, largest.version);
    case 'weight':
      return weightOf(chunk, planned) === null ? null : ratio(weightOf(chunk, planned) ?? 0, largest.weight);
  }
}

/** As planned, or as the last scavenge left it; null: not known. */
export function weightOf(chunk: ChunkRow, planned: PlannedChunk | undefined): number | null {
  return planned?.weight ?? chunk.weight;
}

function ratio(part: number, whole: number): number {
  return whole > 0 ? Math.max(0, Math.min(1, part / whole)) : 0;
}
