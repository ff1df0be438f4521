/** What a scavenge with a threshold would do to each chunk, as a plan that judged all of them tells it. Pure. */
import type { ChunkRow } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { weightOf, type PlannedChunk } from '../chunk-shares.ts';
import { isGap, type LogPlace } from '../log-places.ts';

/** `left`: below the threshold, or nothing to remove. `keptLarger`: its new file would not be smaller. */
export type ChunkFate = 'rewritten' | 'left' | 'keptLarger' | 'active' | 'unknown';

export function fateOf(chunk: ChunkRow, planned: PlannedChunk | undefined, threshold: number): ChunkFate {
  if (chunk.isActive) return 'active';
  const weight = weightOf(chunk, planned);
  if (weight === null || planned === undefined) return 'unknown';
  const isReached = threshold < 0 || (weight > 0 && weight >= threshold);
  if (!isReached || planned.decision === 'skipped') return 'left';
  return planned.decision === 'keptLarger' ? 'keptLarger' : 'rewritten';
}

/** Weight and fate of what stands at one place of the log. */
export interface WeighedPlace {
  chunkStart: number;
  chunkEnd: number;
  /** null: not known. */
  weight: number | null;
  fate: ChunkFate | 'gap';
}

export function weighedPlaces(
  log: readonly LogPlace[],
  planned: ReadonlyMap<number, PlannedChunk>,
  threshold: number
): WeighedPlace[] {
  return log.map((place) => {
    const { chunkStart, chunkEnd } = place;
    if (isGap(place)) return { chunkStart, chunkEnd, weight: null, fate: 'gap' };
    const plan = planned.get(chunkStart);
    const weight = place.isActive ? null : weightOf(place, plan);
    return { chunkStart, chunkEnd, weight, fate: fateOf(place, plan, threshold) };
  });
}

/** Heaviest first; what has no weight comes last, in the order of the log. */
export function byWeight(places: readonly WeighedPlace[]): WeighedPlace[] {
  return places.toSorted((a, b) => (b.weight ?? -1) - (a.weight ?? -1));
}
