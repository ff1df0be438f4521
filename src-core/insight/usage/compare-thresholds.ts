/**
 * What a scavenge would rewrite and free with one threshold or another, from the counted chunks and the weights of
 * the scavenger. Chunks alone: what leaves the index does not depend on the threshold, and merging is left out.
 */
import { completedFileSize, mapSizeOf } from '../../chunks/chunk-writer.ts';
import { newestFormatVersion } from '../../scavenge/chunk-output.ts';
import { reachesThreshold } from '../../scavenge/chunk-weights.ts';
import { requiredSpace } from '../../scavenge/required-space.ts';
import type { Usage } from './read-usage.ts';

/** Rows beside those of -1 and 0. */
const MOST_WEIGHTS = 10;

export interface ThresholdRow {
  threshold: number;
  /** Chunk files that are read and judged. */
  chunks: number;
  /** Of them, those that become smaller and are replaced. */
  chunksRewritten: number;
  recordsDiscarded: number;
  bytesFreed: number;
  /** Needed beside the old files meanwhile: the largest new file, the index and the state. */
  scratchBytes: number;
  bytesJudged: number;
  bytesWritten: number;
}

interface ChunkFacts {
  weight: number;
  fileSize: number;
  dataSize: number;
  newSize: number;
  discarded: number;
}

/** `asked`: thresholds of interest; without any, -1, 0 and those at which something changes. */
export function compareThresholds(usage: Usage, asked: readonly number[] = []): ThresholdRow[] {
  const facts = chunkFacts(usage);
  const { database, index } = usage.session;
  const question = { database, index, threads: 1, merge: false, writesPoint: false };
  const { indexBytes } = requiredSpace(question);
  const thresholds = asked.length > 0 ? asked : [-1, 0, ...weightsOf(facts)];
  return thresholds.map((threshold) => {
    const judged = facts.filter(({ weight }) => reachesThreshold(weight, threshold));
    const rewritten = judged.filter(({ newSize, fileSize }) => newSize < fileSize);
    const sum = (of: (chunk: ChunkFacts) => number, chunks = rewritten) =>
      chunks.reduce((total, chunk) => total + of(chunk), 0);
    const largest = rewritten.reduce((most, { newSize }) => Math.max(most, newSize), 0);
    return {
      threshold,
      chunks: judged.length,
      chunksRewritten: rewritten.length,
      recordsDiscarded: sum(({ discarded }) => discarded),
      bytesFreed: sum(({ fileSize, newSize }) => fileSize - newSize),
      scratchBytes: usage.point ? largest + indexBytes : 0,
      bytesJudged: sum(({ dataSize }) => dataSize, judged),
      bytesWritten: sum(({ newSize }) => newSize)
    };
  });
}

function chunkFacts({ session, store, state, point }: Usage): ChunkFacts[] {
  if (!point) return [];
  const { chunks } = session.database.log;
  const version = newestFormatVersion(chunks);
  const facts: ChunkFacts[] = [];
  for (const chunk of chunks) {
    const counted = store.chunk(chunk.startNumber);
    if (!counted || chunk.startPosition >= point.position) continue;
    const { total, discardable } = counted;
    facts.push({
      weight: state.weights.sum(chunk.startNumber, chunk.endNumber),
      fileSize: chunk.fileSize,
      dataSize: chunk.dataSize,
      newSize: completedFileSize({
        dataSize: total.bytes - discardable.bytes,
        mapSize: mapSizeOf(total.records - discardable.records),
        version
      }),
      discarded: discardable.records
    });
  }
  return facts;
}

/** Weights of chunks in rising order, evenly chosen where there are many. */
function weightsOf(facts: readonly ChunkFacts[]): number[] {
  const weights = [...new Set(facts.map(({ weight }) => weight).filter((weight) => weight > 0))];
  weights.sort((a, b) => a - b);
  if (weights.length <= MOST_WEIGHTS) return weights;
  const last = weights.length - 1;
  return Array.from(
    { length: MOST_WEIGHTS },
    (_, i) => weights[Math.round((i * last) / (MOST_WEIGHTS - 1))]!
  );
}
