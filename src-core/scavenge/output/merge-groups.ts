/** Which chunks a merge would join: for the phase that does it, and for predictions of its result. */
import type { ScavengedChunk } from './scavenged-chunk.ts';

/**
 * Runs of neighbours, at least two, whose data together fit one chunk. Pure: one pass over the list as it stands
 * when the pass begins.
 */
export function mergeGroups<C extends Pick<ScavengedChunk, 'isCompleted' | 'dataSize'>>(
  chunks: readonly C[],
  chunkSizeBytes: number
): C[][] {
  const groups: C[][] = [];
  let group: C[] = [];
  let size = 0;
  for (const chunk of chunks) {
    if (!chunk.isCompleted) break;
    if (size + chunk.dataSize > chunkSizeBytes) {
      groups.push(group);
      group = [];
      size = 0;
    }
    group.push(chunk);
    size += chunk.dataSize;
  }
  groups.push(group);
  return groups.filter((candidate) => candidate.length > 1);
}
