/**
 * The entries that no index table holds, from digests: the streams of a digest are sorted by hash, and a stream's records by
 * number, so each chunk is a sorted run as it is, and the runs are merged. Where that is not so (explicit transactions, two
 * streams with one hash, numbers that fall) there is no answer, and the log is read in its order instead.
 */
import type { Chunk } from '../chunks/chunk.ts';
import { EntryBlock } from '../index/index-entry.ts';
import { RecentEntries } from '../index/recent-entries.ts';
import type { AskedStreams } from '../index/log-entries.ts';
import type { RecentRange } from '../index/read-recent-entries.ts';
import { PrepareFlag } from '../records/log-record.ts';
import type { ChunkDigest } from './chunk-digest.ts';

export interface RecentFromDigests extends RecentRange {
  chunks: readonly Chunk[];
  /** Good until the next one. */
  digestOf: (chunk: Chunk) => ChunkDigest;
  /** It has no digest, and is read for its entries. */
  isRead?: (chunk: Chunk) => boolean;
  /** Its entries in table order, of a chunk that is read. */
  readChunk?: (chunk: Chunk) => Promise<EntryBlock>;
  /** For who asks about some streams: entries of others are left out. Of read chunks too. */
  only?: AskedStreams | undefined;
  /** Where the merged entries of chunks that no longer change are kept, all of them. */
  kept?: KeptRecent | undefined;
  breathe: () => Promise<void>;
}

/** Merged entries of some chunks, from an earlier question. */
export interface KeptRecent {
  load(chunks: readonly Chunk[], range: RecentRange): EntryBlock | undefined;
  save(chunks: readonly Chunk[], range: RecentRange, entries: EntryBlock): void;
}

/** Those that may hold entries which no table holds. */
export function chunksInRange(
  chunks: readonly Chunk[],
  { commitCheckpoint, end }: RecentRange
): readonly Chunk[] {
  return chunks.filter(
    ({ startPosition, endPosition }) => endPosition > commitCheckpoint && startPosition < end
  );
}

export async function recentFromDigests(parts: RecentFromDigests): Promise<RecentEntries | undefined> {
  const { end } = parts;
  const kept = parts.only ? undefined : parts.kept;
  const concerned = chunksInRange(parts.chunks, parts);
  const isKept = (chunk: Chunk): boolean =>
    chunk.isLasting && chunk.endPosition <= end && !parts.isRead?.(chunk);
  const lasting = kept ? concerned.filter(isKept) : [];
  const others = concerned.filter((chunk) => !lasting.includes(chunk));
  let old = lasting.length > 0 ? kept?.load(lasting, parts) : undefined;
  if (!old && lasting.length > 0) {
    old = await mergedRuns(parts, lasting);
    if (!old) return undefined;
    kept?.save(lasting, parts, old);
  }
  const recent = await mergedRuns(parts, others);
  if (!recent) return undefined;
  return new RecentEntries(old ? mergeRuns(old, recent) : recent);
}

async function mergedRuns(
  parts: RecentFromDigests,
  chunks: readonly Chunk[]
): Promise<EntryBlock | undefined> {
  const { digestOf, isRead, readChunk, breathe } = parts;
  let runs: EntryBlock[] = [];
  for (const chunk of chunks) {
    const run = readChunk && isRead?.(chunk) ? await readChunk(chunk) : sortedRun(digestOf(chunk), parts);
    if (!run) return undefined;
    runs.push(run);
    await breathe();
  }
  while (runs.length > 1) {
    const merged: EntryBlock[] = [];
    for (let i = 0; i < runs.length; i += 2) {
      const one = runs[i]!;
      const other = runs[i + 1];
      const both = other ? mergeRuns(one, other) : one;
      for (const used of [one, other]) if (used !== both) used?.release();
      merged.push(both);
      await breathe();
    }
    runs = merged;
  }
  return runs[0] ?? new EntryBlock(0);
}

/** In table order: falling by hash, number and position. */
function sortedRun(digest: ChunkDigest, parts: RecentFromDigests): EntryBlock | undefined {
  const { columns, streamCount } = digest;
  const { hashHigh, hashLow, streamStarts, byStream, flags, numbers } = columns;
  const { commitCheckpoint, prepareCheckpoint, end } = parts;
  if (columns.inTransaction.length > 0) return undefined;
  const asked = parts.only && streamsAsked(digest, parts.only);
  const run = new EntryBlock(asked ? recordsOf(digest, asked) : byStream.length);
  for (let i = (asked?.length ?? streamCount) - 1; i >= 0; i--) {
    const stream = asked ? asked[i]! : i;
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

/** Their ordinals, rising. */
function streamsAsked(digest: ChunkDigest, only: AskedStreams): number[] {
  const { hashHigh, hashLow } = digest.columns;
  const named = { bytes: digest.names, streamStart: 0 };
  const hash = { high: 0, low: 0 };
  const asked: number[] = [];
  for (let stream = 0; stream < digest.streamCount; stream++) {
    named.streamStart = digest.nameStart(stream);
    hash.high = hashHigh[stream]!;
    hash.low = hashLow[stream]!;
    if (only(named, hash)) asked.push(stream);
  }
  return asked;
}

function recordsOf({ columns }: ChunkDigest, streams: readonly number[]): number {
  const { streamStarts } = columns;
  return streams.reduce((sum, stream) => sum + streamStarts[stream + 1]! - streamStarts[stream]!, 0);
}

/** Of each run so much is merged at once that belongs before the other's next entry, when one is far longer. */
const FAR_LONGER = 16;

function mergeRuns(a: EntryBlock, b: EntryBlock): EntryBlock {
  if (b.count === 0) return a;
  if (a.count === 0) return b;
  if (a.count > b.count * FAR_LONGER) return mergeFew(a, b);
  if (b.count > a.count * FAR_LONGER) return mergeFew(b, a);
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

/** Copies what lies between the places of the few. */
function mergeFew(many: EntryBlock, few: EntryBlock): EntryBlock {
  const merged = new EntryBlock(many.count + few.count);
  let from = 0;
  for (let i = 0; i < few.count; i++) {
    let to = many.count;
    let low = from;
    while (low < to) {
      const middle = (low + to) >>> 1;
      if (isBefore(many, middle, few, i)) low = middle + 1;
      else to = middle;
    }
    merged.copy(many, from, low - from, from + i);
    merged.copy(few, i, 1, low + i);
    from = low;
  }
  merged.copy(many, from, many.count - from, from + few.count);
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
