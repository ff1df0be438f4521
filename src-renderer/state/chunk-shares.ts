/**
 * What lies in a chunk file: live, removable (only a plan knows), freed by earlier scavenges. Pure arithmetic over
 * the list of chunks and the newest plan.
 */
import type { ChunkRow, ScavengeReport } from '../../src-main/ipc/contract.ts';

export type PlannedChunk = ScavengeReport['chunks'][number];

export interface ChunkShares {
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
  // A file of another size than planned with is the outcome already: while a scavenge runs, its plan is shown on.
  const isAhead = planned?.bytesBefore === chunk.fileSize;
  const removable = isAhead ? Math.min(removableBytes(planned), chunk.physicalDataSize) : 0;
  return {
    live: chunk.physicalDataSize - removable,
    removable,
    freed: total - chunk.physicalDataSize,
    total
  };
}

/** What a cell of the map is coloured by. */
export type ColourBy = 'removable' | 'freed' | 'size' | 'age' | 'version' | 'weight';

/** Between 0 and 1. `largest` are the greatest values in the list, for the measures without an end of their own. */
export function measure(
  chunk: ChunkRow,
  planned: PlannedChunk | undefined,
  by: ColourBy,
  largest: { fileSize: number; version: number; weight: number; ageMs?: number },
  ageMs = 0
): number {
  const shares = sharesOf(chunk, planned);
  switch (by) {
    case 'removable':
      return ratio(shares.removable, shares.live + shares.removable);
    case 'freed':
      return ratio(shares.freed, shares.total);
    case 'size':
      return ratio(chunk.fileSize, largest.fileSize);
    case 'age':
      return ratio(ageMs, largest.ageMs ?? 0);
    case 'version':
      return ratio(chunk.version, largest.version);
    case 'weight':
      return ratio(planned?.weight ?? chunk.weight ?? 0, largest.weight);
  }
}

function ratio(part: number, whole: number): number {
  return whole > 0 ? Math.max(0, Math.min(1, part / whole)) : 0;
}
