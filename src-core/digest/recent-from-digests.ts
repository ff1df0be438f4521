/**
 * The entries that no index table holds, from digests: the streams of a digest are sorted by hash, and a stream's records by
 * number, so each chunk is a sorted run as it is, and the runs are merged. Where that is not so (explicit transactions, two
 * streams with one hash, numbers that fall) there is no answer, and the log is read in its order instead.
 */
import type { Chunk } from '../chunks/chunk.ts';
import { EntryBlock } from '../index/index-entry.ts';
import { RecentEntries } from '../index/recent-entries.ts';
import type { RecentRange } from '../index/read-recent-entries.ts';
import { PrepareFlag } from '../records/log-record.ts';
import type { ChunkDigest } from './chunk-digest.ts';

export interface RecentFromDigests extends RecentRange {
  chunks: readonly Chunk[];
  digestOf: (chunk: Chunk) => ChunkDigest;
  breathe: () => Promise<void>;
}

export async function recentFromDigests(parts: RecentFromDigests): Promise<RecentEntries | undefined> {
  const { chunks, commitCheckpoint, end, digestOf, breathe } = parts;
  let runs: EntryBlock[] = [];
  for (const chunk of chunks) {
    if (chunk.endPosition <= commitCheckpoint || chunk.startPosition >= end) continue;
    const run = sortedRun(digestOf(chunk), parts);
    if (!run) return undefined;
    if (run.count > 0) runs.push(run);
    await breathe();
  }
  while (runs.length > 1) {
    const merged: EntryBlock[] = [];
    for (let i = 0; i < runs.length; i += 2) {
      const other = runs[i + 1];
      merged.push(other ? mergeRuns(runs[i]!, other) : runs[i]!);
      await breathe();
    }
    runs = merged;
  }
  return runs[0] ? new RecentEntries(runs[0]) : RecentEntries.none();
}

/** In table order: falling by hash, number and position. */
function sortedRun(digest: ChunkDigest, { commitCheckpoint, prepareCheckpoint, end }: RecentRange) {
  const { columns, streamCount } = digest;
  const { hashHigh, hashLow, streamStarts, byStream, flags, numbers } = columns;
  if (columns.inTransaction.length > 0) return undefined;
  const run = new EntryBlock(byStream.length);
  for (let stream = streamCount - 1; stream >= 0; stream--) {
    const high = hashHigh[stream]!;
    const low = hashLow[stream]!;
    if (stream > 0 && hashHigh[stream - 1] === high && hashLow[stream - 1] === low) return undefined;
    let last = Infinity;
    for (let at = streamStarts[stream + 1]! - 1; at >= streamStarts[stream]!; at--) {
      const place = byStream[at]!;
      if ((flags[place]! & (PrepareFlag.data | PrepareFlag.streamDelete)) === 0) continue;
      const position = digest.positionOf(place);
      if (position >= end) continue;
      const isNew =
        position > commitCheckpoint || (position === commitCheckpoint && position > prepareCheckpoint);
      if (!isNew) break;
      const number = numbers[place]!;
      if (number > last) return undefined;
      last = number;
      run.set(run.count++, high, low, number, position);
    }
  }
  return run;
}

function mergeRuns(a: EntryBlock, b: EntryBlock): EntryBlock {
  const merged = new EntryBlock(a.count + b.count);
  let left = 0;
  let right = 0;
  for (let at = 0; at < merged.capacity; at++) {
    const takesLeft = right === b.count || (left < a.count && isBefore(a, left, b, right));
    const from = takesLeft ? a : b;
    const i = takesLeft ? left++ : right++;
    merged.hashHigh[at] = from.hashHigh[i]!;
    merged.hashLow[at] = from.hashLow[i]!;
    merged.number[at] = from.number[i]!;
    merged.position[at] = from.position[i]!;
  }
  merged.count = merged.capacity;
  return merged;
}

/** In table order, where the greater comes first. */
function isBefore(a: EntryBlock, i: number, b: EntryBlock, j: number): boolean {
  if (a.hashHigh[i] !== b.hashHigh[j]) return a.hashHigh[i]! > b.hashHigh[j]!;
  if (a.hashLow[i] !== b.hashLow[j]) return a.hashLow[i]! > b.hashLow[j]!;
  if (a.number[i] !== b.number[j]) return a.number[i]! > b.number[j]!;
  return a.position[i]! > b.position[j]!;
}
