/** What a threshold would free and cost: the freed bytes from a plan, time and room from the engine's comparison. Pure. */
import type {
  ScavengeReport,
  ThresholdsReport
} from '../../../src-main/contract/verbs/workbench-contract.ts';
import { stepAt, thresholdSteps } from '../scavenge/threshold-curve.ts';

export interface ThresholdCost {
  bytes: number;
  chunks: number;
  /** null: not known, like the room. */
  elapsedMs: number | null;
  scratchBytes: number | null;
}

/** With a threshold above all weights only the index becomes smaller. undefined: the plan did not judge every chunk. */
export function costOf(
  report: ScavengeReport,
  compared: Pick<ThresholdsReport, 'rows'> | null,
  threshold: number
): ThresholdCost | undefined {
  const rows = report.thresholds;
  if (!rows || rows.length === 0) return undefined;
  const step = stepAt(thresholdSteps(report), threshold);
  const row = compared?.rows.find((candidate) => candidate.threshold >= threshold);
  // What is known of the plan goes before: it names the same numbers, and its new chunk needs room as well.
  const ofPlan =
    Math.max(0, threshold) === Math.max(0, report.scavengePoint?.threshold ?? 0) ? report : undefined;
  return {
    bytes: step?.bytes ?? rows.at(-1)?.spaceSaved.index ?? 0,
    chunks: step?.chunks ?? 0,
    elapsedMs: ofPlan?.estimatedMs ?? row?.estimatedMs ?? null,
    scratchBytes: ofPlan?.scratchBytes ?? row?.scratchBytes ?? null
  };
}

/** The next threshold at which something changes, up or down from this one. */
export function nextThreshold(report: ScavengeReport, threshold: number, steps: number): number {
  const known = (report.thresholds ?? []).map((row) => row.threshold).filter((value) => value >= 0);
  const above = Math.max(0, ...known) + 1;
  const values = [...new Set([0, ...known, above])].sort((a, b) => a - b);
  const ahead =
    steps > 0
      ? values.filter((value) => value > threshold)
      : values.filter((value) => value < threshold).reverse();
  return ahead[Math.min(Math.abs(steps), ahead.length) - 1] ?? threshold;
}
