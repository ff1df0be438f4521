/**
 * What a scavenge frees with one threshold or another, once it is known what becomes of each chunk that is rewritten:
 * by the weights of the chunks, with the merges that follow. What leaves the index does not depend on the threshold.
 * Pure arithmetic over chunks; nothing of them is read but, where a merge needs it, the number of their records.
 */
import type { Threshold } from '../units/of-unit.ts';
import { completedFileSize, mapSizeOf } from '../chunks/chunk-writer.ts';
import { reachesThreshold } from './decisions/chunk-weights.ts';
import { mergeGroups } from './output/merge-groups.ts';
import type { ScavengedChunk } from './output/scavenged-chunk.ts';
import type { SpaceSaved } from './space-saved.ts';

export interface ThresholdOutcome {
  threshold: number;
  /** Chunk files that are replaced. */
  chunks: number;
  spaceSaved: SpaceSaved;
}

type Sized = Pick<
  ScavengedChunk,
  'isCompleted' | 'dataSize' | 'fileSize' | 'recordCount' | 'chunk' | 'fileName'
>;

/** A physical chunk of the log. */
export interface WeighedChunk {
  chunk: Sized;
  /** What takes its place when it is rewritten; null: it stays, whatever its weight. */
  after: Sized | null;
  weight: number;
}

export interface ThresholdQuestion {
  chunks: readonly WeighedChunk[];
  /** Bytes that index tables lose. */
  index: number;
  chunkSizeBytes: number;
  formatVersion: number;
  merge: boolean;
  /** Records of a chunk that does not say it itself. */
  countRecords: (chunk: Sized) => Promise<number>;
}

/** Rows beside those of -1 and 0. */
const MOST_WEIGHTS = 10;

export async function thresholdOutcome(
  question: ThresholdQuestion,
  threshold: Threshold
): Promise<ThresholdOutcome & { merged: number }> {
  const { chunks, index, merge } = question;
  const isRewritten = ({ after, weight }: WeighedChunk) =>
    after !== null && reachesThreshold(weight, threshold);
  const rewritten = chunks.filter(isRewritten);
  const left = chunks.map((weighed) => (isRewritten(weighed) ? weighed.after! : weighed.chunk));
  const before = sizeOf(chunks.map(({ chunk }) => chunk));
  const merged = merge ? sizeOf(left) - sizeOf(await mergeAll(question, left)) : 0;
  const log = before - sizeOf(left) + merged;
  return { threshold, chunks: rewritten.length, spaceSaved: { log, index, total: log + index }, merged };
}

/** Weights at which something changes, in rising order; evenly chosen where there are many. */
export function tellingWeights(chunks: readonly WeighedChunk[]): number[] {
  const weights = [...new Set(chunks.filter(({ after }) => after).map(({ weight }) => weight))]
    .filter((weight) => weight > 0)
    .sort((a, b) => a - b);
  if (weights.length <= MOST_WEIGHTS) return weights;
  const last = weights.length - 1;
  return Array.from(
    { length: MOST_WEIGHTS },
    (_, i) => weights[Math.round((i * last) / (MOST_WEIGHTS - 1))]!
  );
}

/** As the phase does it: again and again until nothing changes. */
async function mergeAll(question: ThresholdQuestion, chunks: readonly Sized[]): Promise<Sized[]> {
  const left = [...chunks];
  for (;;) {
    const groups = mergeGroups(left, question.chunkSizeBytes);
    if (groups.length === 0) return left;
    for (const group of groups) {
      left.splice(left.indexOf(group[0]!), group.length, await mergedOf(question, group));
    }
  }
}

async function mergedOf(
  { formatVersion, countRecords }: ThresholdQuestion,
  group: readonly Sized[]
): Promise<Sized> {
  let dataSize = 0;
  let recordCount = 0;
  for (const member of group) {
    dataSize += member.dataSize;
    recordCount += member.recordCount ?? (await countRecords(member));
  }
  const fileSize = completedFileSize({ dataSize, mapSize: mapSizeOf(recordCount), version: formatVersion });
  return { ...group[0]!, chunk: null, dataSize, recordCount, fileSize };
}

function sizeOf(chunks: readonly Sized[]): number {
  return chunks.reduce((sum, { fileSize }) => sum + fileSize, 0);
}
