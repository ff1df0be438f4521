/** What a plan that judged every chunk says of other thresholds than its own. */
import { assert } from '../assert.ts';
import type { LogReader } from '../log/log-reader.ts';
import type { MeasuringChunkOutput } from './output/measuring-chunk-output.ts';
import { scavengedChunkOf } from './output/scavenged-chunk.ts';
import type { ScavengeOutcome } from './scavenge-result.ts';
import {
  tellingWeights,
  thresholdOutcome,
  type ThresholdOutcome,
  type WeighedChunk
} from './threshold-outcomes.ts';

export async function plannedThresholds({
  outcome,
  log,
  output,
  threshold: planned,
  merge
}: {
  outcome: ScavengeOutcome;
  log: LogReader;
  output: MeasuringChunkOutput;
  /** Of the plan: -1 or 0. */
  threshold: number;
  merge: boolean;
}): Promise<ThresholdOutcome[]> {
  const visited = new Map(outcome.visited.map((row) => [row.chunk.startNumber, row]));
  const chunks = log.chunks.map((file): WeighedChunk => {
    const row = visited.get(file.startNumber);
    // What lies behind the point stays as it is; merges take it all the same.
    if (!row) return { chunk: scavengedChunkOf(file), after: null, weight: 0 };
    const { chunk, after, weight } = row;
    return { chunk, after: after === chunk ? null : after, weight };
  });
  const question = {
    chunks,
    index: outcome.spaceSaved.index,
    chunkSizeBytes: log.chunkSizeBytes,
    formatVersion: output.formatVersion,
    merge,
    countRecords: ({ chunk, fileName }: Pick<WeighedChunk['chunk'], 'chunk' | 'fileName'>) => {
      assert(chunk !== null, `${fileName} is a file`);
      return output.countRecords(chunk);
    }
  };
  const rows: ThresholdOutcome[] = [];
  for (const threshold of [...(planned < 0 ? [planned] : []), 0, ...tellingWeights(chunks)]) {
    const { merged: _merged, ...row } = await thresholdOutcome(question, threshold);
    rows.push(row);
  }
  return rows;
}
