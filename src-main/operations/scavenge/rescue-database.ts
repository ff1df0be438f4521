/** The rescue of a full disk and its plan. Recorded in the history as a scavenge. */
import path from 'node:path';
import { planRescue as plan, runRescue as run } from '../../../src-core/index.ts';
import type { OperationContext } from '../operation.ts';
import {
  requests,
  type CheckedRequestOf,
  type ScavengeOptions
} from '../../contract/operations/operation-contract.ts';
import { estimateScavenge } from './estimate-scavenge.ts';
import { asPlan, planInScratch } from './plan-scavenge.ts';
import { plannedRun } from './planned-scavenge.ts';
import type { ScavengeReport } from '../../contract/operations/reports.ts';
import { runRecorded } from './run-scavenge.ts';

export async function runRescue(
  request: CheckedRequestOf<'runRescue'>,
  context: OperationContext
): Promise<ScavengeReport> {
  const rescue = limitsOf(request);
  const planned = plannedRun('runRescue', request, context);
  const { underLock, reported } = planned;
  const report = await runRecorded(scavengeOf(planned.request), context, (checked, environment) =>
    run({ ...checked, rescue }, { ...environment, underLock })
  );
  return reported(report);
}

export async function planRescue(
  request: CheckedRequestOf<'planRescue'>,
  context: OperationContext
): Promise<ScavengeReport> {
  const rescue = limitsOf(request);
  return asPlan('planRescue', request, context, async (timed) => {
    const options = scavengeOf(timed);
    const report = await planInScratch(options, context, (checked, environment) =>
      plan({ ...checked, rescue }, environment)
    );
    // Nothing is written to measure a disk that may be full.
    const estimatedMs = await estimateScavenge(options, report, context, { isFull: true });
    return { ...report, ...(estimatedMs === null ? {} : { estimatedMs }) };
  });
}

function limitsOf({ scratchBytes, reserveBytes, scratchDirectory }: CheckedRequestOf<'runRescue'>) {
  return {
    scratchBytes,
    reserveBytes,
    stateDirectory: scratchDirectory === undefined ? undefined : path.resolve(scratchDirectory)
  };
}

function scavengeOf(request: CheckedRequestOf<'runRescue'>): ScavengeOptions {
  return requests.planScavenge.parse({ ...request, merge: false });
}
