/**
 * What a scavenge would rewrite and free with one threshold or another, from the counted chunks and the weights of
 * the scavenger, merges and index included: the numbers of a detached plan with that threshold at the same time.
 * And how the bytes of records that can go become the bytes of files that are freed.
 */
import { assert } from '../../assert.ts';
import { mapSizeOf } from '../../chunks/chunk-writer.ts';
import type { OperationControl } from '../../database/operation-control.ts';
import { newestFormatVersion } from '../../scavenge/output/chunk-output.ts';
import { reachesThreshold } from '../../scavenge/decisions/chunk-weights.ts';
import { requiredSpace } from '../../scavenge/required-space.ts';
import type { SpaceSaved } from '../../scavenge/space-saved.ts';
import {
  tellingWeights,
  thresholdOutcome,
  type ThresholdQuestion
} from '../../scavenge/threshold-outcomes.ts';
import { indexSavings } from './index-savings.ts';
import type { Usage } from './read-usage.ts';
import { weighedChunks, type CountedChunk } from './weighed-chunks.ts';

export interface ThresholdRow {
  threshold: number;
  /** Chunk files that are read and judged. */
  chunks: number;
  /** Of them, those that become smaller and are replaced. */
  chunksRewritten: number;
  recordsDiscarded: number;
  spaceSaved: SpaceSaved;
  /** Needed beside the old files meanwhile: the largest new file, the index and the state. */
  scratchBytes: number;
  bytesJudged: number;
  bytesWritten: number;
}

/** Why the files lose more or less than the records that can go. */
export interface SavingStep {
  /**
   * `records`: those that can go. `keptLarger`: of them, those in chunks that would not become smaller. `positionMaps`:
   * a rewritten file says of each record where it was. `padding`: files end at whole pages, and old ones may have
   * reserved more. `merging`: headers, footers and padding of files that are joined.
   */
  cause: 'records' | 'keptLarger' | 'positionMaps' | 'padding' | 'merging' | 'index';
  bytes: number;
}

export interface UsageSavings {
  /** With threshold 0. */
  spaceSaved: SpaceSaved;
  /** Their sum is the total of `spaceSaved`. */
  steps: SavingStep[];
}

/** `asked`: thresholds of interest; without any, -1, 0 and those at which something changes. */
export async function compareThresholds(
  usage: Usage,
  operation: OperationControl,
  asked: readonly number[] = []
): Promise<ThresholdRow[]> {
  if (!usage.point) return [];
  const { chunks, question } = await questionOf(usage, operation);
  const { database, index } = usage.session;
  const { indexBytes } = requiredSpace({ database, index, threads: 1, merge: false, writesPoint: false });
  const thresholds = asked.length > 0 ? asked : [-1, 0, ...tellingWeights(chunks)];
  const rows: ThresholdRow[] = [];
  for (const threshold of thresholds) {
    const judged = chunks.filter(
      ({ isBeforePoint, weight }) => isBeforePoint && reachesThreshold(weight, threshold)
    );
    const rewritten = judged.filter(({ after }) => after);
    const sum = (of: (chunk: CountedChunk) => number, among = rewritten) =>
      among.reduce((total, chunk) => total + of(chunk), 0);
    const largest = rewritten.reduce((most, { after }) => Math.max(most, after!.fileSize), 0);
    const { spaceSaved } = await thresholdOutcome(question, threshold);
    rows.push({
      threshold,
      chunks: judged.length,
      chunksRewritten: rewritten.length,
      recordsDiscarded: sum(({ discardable }) => discardable.records),
      spaceSaved,
      scratchBytes: largest + indexBytes,
      bytesJudged: sum(({ chunk }) => chunk.dataSize, judged),
      bytesWritten: sum(({ after }) => after!.fileSize)
    });
  }
  return rows;
}

/** What a scavenge of all completed chunks frees, step by step from the records that can go. */
export async function usageSavings(usage: Usage, operation: OperationControl): Promise<UsageSavings> {
  if (!usage.point) return { spaceSaved: { log: 0, index: 0, total: 0 }, steps: [] };
  const { chunks, question } = await questionOf(usage, operation);
  const { spaceSaved, merged } = await thresholdOutcome(question, 0);
  let records = 0;
  let keptLarger = 0;
  let maps = 0;
  let rewritten = 0;
  for (const { chunk, after, weight, discardable } of chunks) {
    records += discardable.bytes;
    if (!after || weight === 0) {
      keptLarger += discardable.bytes;
      continue;
    }
    maps += mapSizeOf(after.recordCount ?? 0) - (chunk.chunk?.footer?.mapSize ?? 0);
    rewritten += chunk.fileSize - after.fileSize;
  }
  const padding = rewritten - (records - keptLarger - maps);
  const steps: SavingStep[] = [
    { cause: 'records', bytes: records },
    { cause: 'keptLarger', bytes: -keptLarger },
    { cause: 'positionMaps', bytes: -maps },
    { cause: 'padding', bytes: padding },
    { cause: 'merging', bytes: merged },
    { cause: 'index', bytes: spaceSaved.index }
  ];
  return { spaceSaved, steps: steps.filter(({ bytes }) => bytes !== 0) };
}

async function questionOf(
  usage: Usage,
  operation: OperationControl
): Promise<{ chunks: CountedChunk[]; question: ThresholdQuestion }> {
  const { log } = usage.session.database;
  const chunks = weighedChunks(usage);
  const question: ThresholdQuestion = {
    chunks,
    index: await indexSavings(usage, chunks, operation),
    chunkSizeBytes: log.chunkSizeBytes,
    formatVersion: newestFormatVersion(log.chunks),
    merge: true,
    countRecords: ({ fileName }) => {
      assert(false, `the records of ${fileName} are counted`);
      return Promise.resolve(0);
    }
  };
  return { chunks, question };
}
