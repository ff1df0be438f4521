/** The exact dry run of a scavenge. Its state is in its own temporary directory. */
import { rm } from 'node:fs/promises';
import {
  breakDownRemoval,
  planScavenge as plan,
  RemovalTally,
  type Removal,
  type ScavengeEnvironment,
  type ScavengeReportData,
  type ScavengeRequest,
  isFileGone
} from '../../../src-core/index.ts';
import { warnOfUse } from '../database/database-access.ts';
import { digestsOfPlan } from '../database/digests-of.ts';
import { timeOf, type OperationContext } from '../operation.ts';
import type { CheckedRequestOf, ScavengeOptions } from '../../contract/operations/operation-contract.ts';
import { planIdOf } from '../plan/plan-identity.ts';
import { identifyScavenge, type Timed } from './planned-scavenge.ts';
import type { ScavengeReport } from '../../contract/operations/reports.ts';
import { estimateScavenge } from './estimate-scavenge.ts';
import { parseWindow } from './night-times.ts';
import { planWindow } from './plan-window.ts';
import { namePace } from './window-pace.ts';
import { asScavengeReport, engineRequest, progressOf, scavengeEnvironment } from './scavenge-run.ts';
import { makeScratchDirectory } from '../scratch-directory.ts';

export async function planScavenge(
  request: CheckedRequestOf<'planScavenge'>,
  context: OperationContext
): Promise<ScavengeReport> {
  // Said at once, not after the log was read.
  if (request.window !== undefined) parseWindow(request.window, 'window');
  return asPlan('planScavenge', request, context, async (timed) => {
    const tally = request.breakdown === true ? new RemovalTally({ top: MOST_NAMED }) : undefined;
    const report = await runPlan(timed, context, tally);
    return {
      ...report,
      ...(tally ? await broken(timed, { report, tally }, context) : {}),
      ...(await windowOf(timed, report, context))
    };
  });
}

async function windowOf(
  options: ScavengeOptions,
  report: ScavengeReportData,
  context: OperationContext
): Promise<Pick<ScavengeReport, 'window'>> {
  const { window } = options;
  if (window === undefined) return {};
  const plan = await planWindow({ ...options, window }, report, context);
  namePace(plan, options, context);
  return { window: plan };
}

/** Streams and categories that a plan names. */
const MOST_NAMED = 1000;

/** Which records a plan removes, and how long the run takes. Nothing of it where the files have changed meanwhile. */
async function broken(
  options: ScavengeOptions,
  { report, tally }: { report: ScavengeReportData; tally: RemovalTally },
  context: OperationContext
): Promise<Pick<ScavengeReport, 'byRule' | 'removed' | 'estimatedMs'>> {
  const estimatedMs = await estimateScavenge(options, report, context);
  const removed = tally.removalOf(report) ?? (await breakDown(options, report, context));
  return {
    ...(removed === undefined ? {} : { byRule: removed.byRule, removed }),
    ...(estimatedMs === null ? {} : { estimatedMs })
  };
}

/** undefined: the files are no longer those of the plan. */
function breakDown(
  options: ScavengeOptions,
  report: ScavengeReportData,
  context: OperationContext
): Promise<Removal | undefined> {
  return inScratch(options, context, (request, environment) =>
    breakDownRemoval({ request, plan: report, top: MOST_NAMED }, environment)
  ).catch((error: unknown) => {
    if (isFileGone(error)) return undefined;
    throw error;
  });
}

/** Makes the plan for one time, which is part of it, and computes its identity. */
export async function asPlan<R extends Timed>(
  operation: 'planScavenge' | 'planRescue',
  request: R,
  context: OperationContext,
  make: (
    request: R
  ) => Promise<ScavengeReportData & Pick<ScavengeReport, 'byRule' | 'removed' | 'estimatedMs' | 'window'>>
): Promise<ScavengeReport> {
  const now = request.now ?? timeOf(context);
  const parts = identifyScavenge(operation, request, context);
  const report = asScavengeReport(await make({ ...request, now }));
  return { ...report, planId: planIdOf(parts, now) };
}

/** `tally`: hears what the plan removes. */
export function runPlan(
  options: ScavengeOptions,
  context: OperationContext,
  tally?: RemovalTally
): Promise<ScavengeReportData> {
  return planInScratch(options, context, (request, environment) => plan(request, { ...environment, tally }));
}

/**
 * Plans a scavenge, or a rescue, with a temporary directory for its state. A plan that was stopped in the middle
 * counts as stopped: half a plan is not a plan. A rescue that ran out of room has ended by itself.
 */
export async function planInScratch<Answer>(
  options: ScavengeOptions,
  context: OperationContext,
  begin: (request: ScavengeRequest, environment: ScavengeEnvironment) => Promise<Answer>
): Promise<Answer> {
  warnOfUse(options, context);
  return inScratch(options, context, begin);
}

async function inScratch<Answer>(
  options: ScavengeOptions,
  context: OperationContext,
  begin: (request: ScavengeRequest, environment: ScavengeEnvironment) => Promise<Answer>
): Promise<Answer> {
  const request = engineRequest(options);
  const scratchDirectory = makeScratchDirectory(request.scratchDirectory, 'plan');
  try {
    const digests = digestsOfPlan(request, context);
    const report = await begin(
      { ...request, scratchDirectory },
      { ...scavengeEnvironment(context), ...progressOf(request), digests }
    );
    context.control.throwIfStopped();
    return report;
  } finally {
    await rm(scratchDirectory, { recursive: true, force: true });
  }
}
