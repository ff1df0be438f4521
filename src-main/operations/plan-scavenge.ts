/** The exact dry run of a scavenge. Its temporary state lies in a directory of its own and goes with it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { planScavenge as plan, type ScavengeReportData } from '../../src-core/index.ts';
import type { OperationContext } from './operation.ts';
import type { CheckedRequestOf, ScavengeOptions } from './operation-contract.ts';
import type { ScavengeReport } from './reports.ts';
import { asScavengeReport, engineRequest, refuseEncrypted, scavengeEnvironment } from './scavenge-run.ts';

export async function planScavenge(
  request: CheckedRequestOf<'planScavenge'>,
  context: OperationContext
): Promise<ScavengeReport> {
  return asScavengeReport(await runPlan(request, context));
}

/** A plan stops in the middle only because it was asked to: half a plan is none. */
export async function runPlan(
  options: ScavengeOptions,
  context: OperationContext
): Promise<ScavengeReportData> {
  const request = engineRequest(options);
  await refuseEncrypted(options, context);
  const parent = request.scratchDirectory ?? tmpdir();
  context.fileSystem.makeDirectory(parent);
  const scratchDirectory = await mkdtemp(path.join(parent, 'winnow-plan-'));
  try {
    const report = await plan({ ...request, scratchDirectory }, scavengeEnvironment(context));
    context.control.throwIfStopped();
    return report;
  } finally {
    await rm(scratchDirectory, { recursive: true, force: true });
  }
}
