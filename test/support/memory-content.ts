/** What a scavenge state in memory holds, for comparison. */
import type { MemoryState } from '../../src-core/scavenge/state/memory/memory-state.ts';

/** Everything that a state holds, in orders of their own. */
export function contentOf({ tables, checkpointText }: MemoryState) {
  const { originals, metastreams, weights, timeRanges, hashUsers, collisions } = tables;
  const users: string[] = [];
  hashUsers.forEach((high, low, name) => users.push(`${high} ${low} ${name}`));
  const chunks = Array.from({ length: Math.max(weights.lastChunk, timeRanges.lastChunk) + 1 }, (_, i) => i);
  return {
    checkpointText,
    originals: [...originals.handlesAfter(null)].map((handle) => ({ handle, data: originals.get(handle) })),
    metastreams: [...metastreams.handlesAfter(null)].map((handle) => ({
      handle,
      data: metastreams.get(handle)
    })),
    weights: chunks.map((chunk) => weights.get(chunk)),
    timeRanges: chunks.map((chunk) => timeRanges.get(chunk)),
    users: users.sort(),
    collisions: collisions.all().sort()
  };
}
