/**
 * What each threshold would free, as the engine says with a plan that judged every chunk: index and merges included,
 * so that the step of the plan's own threshold has the plan's number.
 */
import type { ScavengeReport } from '../../../src-main/contract/verbs/workbench-contract.ts';

export interface ThresholdStep {
  threshold: number;
  bytes: number;
  chunks: number;
  /** Of what threshold 0 frees. */
  share: number;
}

/** Steps in ascending order of threshold; the first is 0, the last one rewrites only the heaviest chunks. */
export function thresholdSteps({ thresholds = [] }: ScavengeReport): ThresholdStep[] {
  const rows = thresholds.filter(({ threshold }) => threshold >= 0);
  if (!rows.some(({ chunks }) => chunks > 0)) return [];
  const most = rows[0]?.spaceSaved.total ?? 0;
  return rows.map(({ threshold, chunks, spaceSaved: { total } }) => ({
    threshold,
    bytes: total,
    chunks,
    share: most > 0 ? total / most : 0
  }));
}

/** The step that a threshold stands for: the first one that is not below it. */
export function stepAt(steps: readonly ThresholdStep[], threshold: number): ThresholdStep | undefined {
  return steps.find((step) => step.threshold >= threshold);
}
