/** The rescue of a full disk and its plan. Recorded in the history as the scavenge that it is. */
import path from 'node:path';
import { planRescue as plan, runRescue as run } from '../../src-core/index.ts';
import type { OperationContext } from './operation.ts';
import { scavengeOptions, type CheckedRequestOf, type ScavengeOptions } from './operation-contract.ts';
import { planInScratch } from './plan-scavenge.ts';
import type { ScavengeReport } from './reports.ts';
import { runRecorded } from './run-scavenge.ts';
import { asScavengeReport } from './scavenge-run.ts';

export async function runRescue(
  request: CheckedRequestOf<'runRescue'>,
  context: OperationContext
): Promise<ScavengeReport> {
  const rescue = limitsOf(request);
  return runRecorded(scavengeOf(request), context, (checked, environment) =>
    run({ ...checked, rescue }, environment)
  );
}

export async function planRescue(
  request: CheckedRequestOf<'planRescue'>,
  context: OperationContext
): Promise<ScavengeReport> {
  const rescue = limitsOf(request);
  return asScavengeReport(
    await planInScratch(scavengeOf(request), context, (checked, environment) =>
      plan({ ...checked, rescue }, environment)
    )
  );
}

function limitsOf({ scratchBytes, reserveBytes, scratchDirectory }: CheckedRequestOf<'runRescue'>) {
  return {
    scratchBytes,
    reserveBytes,
    stateDirectory: scratchDirectory === undefined ? undefined : path.resolve(scratchDirectory)
  };
}

function scavengeOf(request: CheckedRequestOf<'runRescue'>): ScavengeOptions {
  return scavengeOptions.parse({ ...request, merge: false });
}
