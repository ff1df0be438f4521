/**
 * Which step of a scavenge is shown. The one that the address names, as long as there is something to see on it; else the one
 * that the work on the node has come to.
 */
import type { WorkSnapshot } from '../../../src-main/contract/verbs/workbench-contract.ts';
import type { Operations } from '../operations.svelte.ts';
import { writtenAfter } from '../since-then.ts';

export const SCAVENGE_STEPS = ['options', 'plan', 'run', 'result'] as const;
export type ScavengeStep = (typeof SCAVENGE_STEPS)[number];

export interface FlowFacts {
  /** A plan is there, or on its way, or failed. */
  hasPlan: boolean;
  isPlanning: boolean;
  /** Also one that waits between two parts of itself: paused, or changing its speed. */
  isRunning: boolean;
  hasResult: boolean;
}

export function canShow(step: ScavengeStep, facts: FlowFacts): boolean {
  switch (step) {
    case 'options':
      return true;
    case 'plan':
      return facts.hasPlan;
    case 'run':
      return facts.isRunning;
    case 'result':
      return facts.hasResult;
  }
}

/** Where the work has come to. */
export function currentStep({ hasPlan, isPlanning, isRunning, hasResult }: FlowFacts): ScavengeStep {
  if (isRunning) return 'run';
  if (isPlanning) return 'plan';
  if (hasResult) return 'result';
  return hasPlan ? 'plan' : 'options';
}

export function shownStep(asked: string | undefined, facts: FlowFacts): ScavengeStep {
  const step = SCAVENGE_STEPS.find((one) => one === asked);
  return step !== undefined && canShow(step, facts) ? step : currentStep(facts);
}

/** The steps as stations of a line: what is done, and why one cannot be shown yet. */
export function flowStations(
  facts: FlowFacts,
  {
    steps,
    notYet
  }: {
    steps: Readonly<Record<ScavengeStep, string>>;
    notYet: Readonly<Record<Exclude<ScavengeStep, 'options'>, string>>;
  }
): { step: ScavengeStep; name: string; isDone: boolean; whyNot: string | undefined }[] {
  const reached = SCAVENGE_STEPS.indexOf(currentStep(facts));
  return SCAVENGE_STEPS.map((step, index) => ({
    step,
    name: steps[step],
    isDone: index < reached,
    whyNot: step === 'options' || canShow(step, facts) ? undefined : notYet[step]
  }));
}

/** A result is shown until a newer plan takes its place, or other work has made another database of it. */
export function isResultShown(
  operations: Operations,
  planWork: WorkSnapshot | undefined,
  run: WorkSnapshot | undefined
): boolean {
  if (run === undefined || run.endedMs === null) return false;
  if (planWork !== undefined && planWork.startedMs >= run.startedMs) return false;
  return writtenAfter(operations, run) === undefined;
}
