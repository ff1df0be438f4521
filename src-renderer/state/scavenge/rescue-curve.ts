/**
 * What a rescue frees in the course of time: the log is read first, then chunks are replaced in the order of the plan, each
 * taking as long as the bytes that it moves.
 */
import type { ScavengeReport } from '../../../src-main/contract/verbs/workbench-contract.ts';

export interface RescueStep {
  /** From 1. */
  order: number;
  chunkStart: number;
  chunkEnd: number;
  /** Of the new file, which must fit beside the old one. */
  scratchBytes: number;
  freedBytes: number;
  /** Freed for each byte of the new file. */
  gain: number;
  /** With this one and all before it. */
  freedSoFar: number;
  /** Share of the work, from 0 to 1, after which it is done. */
  doneAt: number;
}

/** Only the chunks that are replaced, in the order of the run. */
export function rescueSteps({ chunks, bytesBefore }: ScavengeReport): RescueStep[] {
  const replaced = chunks.filter(({ decision }) => decision === 'rewritten' || decision === 'emptied');
  const moved = replaced.reduce((sum, chunk) => sum + chunk.bytesBefore + chunk.bytesAfter, 0);
  const work = Math.max(1, bytesBefore + moved);
  let done = bytesBefore;
  let freedSoFar = 0;
  return replaced.map((chunk, index) => {
    const freedBytes = chunk.bytesBefore - chunk.bytesAfter;
    done += chunk.bytesBefore + chunk.bytesAfter;
    freedSoFar += freedBytes;
    return {
      order: index + 1,
      chunkStart: chunk.chunkStart,
      chunkEnd: chunk.chunkEnd,
      scratchBytes: chunk.bytesAfter,
      freedBytes,
      gain: freedBytes / Math.max(1, chunk.bytesAfter),
      freedSoFar,
      doneAt: done / work
    };
  });
}

const MINUTE_MS = 60_000;

/** Freed at the end of each minute; the last one is the end of the run. */
export function freedByMinute(
  steps: readonly RescueStep[],
  estimatedMs: number
): { minute: number; freedBytes: number }[] {
  const minutes = Math.max(1, Math.ceil(estimatedMs / MINUTE_MS));
  return Array.from({ length: minutes }, (_, index) => {
    const share = Math.min(1, ((index + 1) * MINUTE_MS) / estimatedMs);
    const last = steps.findLast(({ doneAt }) => doneAt <= share);
    return { minute: index + 1, freedBytes: last?.freedSoFar ?? 0 };
  });
}
