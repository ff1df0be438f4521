/**
 * Which step of a scavenge is shown. The one that the address names, as long as there is something to see on it; else the one
 * that the work on the node has come to.
 */
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
