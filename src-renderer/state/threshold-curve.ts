/**
 * What each threshold would free, computed from one exact plan made with threshold 0: a chunk is rewritten when its
 * weight reaches the threshold. Merging afterwards is left out, so the curve says at least.
 */
import type { ScavengeReport } from '../../src-main/ipc/contract.ts';
import { removableBytes } from './chunk-shares.ts';

export interface ThresholdStep {
  threshold: number;
  bytes: number;
  chunks: number;
  /** Of what threshold 0 frees. */
  share: number;
}

/** Steps in ascending order of threshold; the first is 0, the last one rewrites only the heaviest chunks. */
export function thresholdSteps(plan: ScavengeReport): ThresholdStep[] {
  const heavy = plan.chunks
    .filter((chunk) => chunk.weight > 0 && removableBytes(chunk) > 0)
    .toSorted((a, b) => b.weight - a.weight);
  const total = heavy.reduce((sum, chunk) => sum + removableBytes(chunk), 0);
  const steps: ThresholdStep[] = [];
  let bytes = 0;
  heavy.forEach((chunk, index) => {
    bytes += removableBytes(chunk);
    const isLastOfWeight = heavy[index + 1]?.weight !== chunk.weight;
    if (!isLastOfWeight) return;
    steps.push({
      threshold: Math.ceil(chunk.weight),
      bytes,
      chunks: index + 1,
      share: total > 0 ? bytes / total : 0
    });
  });
  steps.reverse();
  const lightest = steps[0];
  if (lightest && lightest.threshold > 0) steps.unshift({ ...lightest, threshold: 0 });
  return steps;
}

/** The step that a threshold stands for: the first one that is not below it. */
export function stepAt(steps: readonly ThresholdStep[], threshold: number): ThresholdStep | undefined {
  return steps.find((step) => step.threshold >= threshold);
}
