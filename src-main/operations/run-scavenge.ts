/** A scavenge. Being stopped is an outcome: the report says so, and the next run goes on. */
import { runScavenge as run } from '../../src-core/index.ts';
import type { OperationContext } from './operation.ts';
import type { CheckedRequestOf } from './operation-contract.ts';
import type { ScavengeReport } from './reports.ts';
import { asScavengeReport, engineRequest, refuseEncrypted, scavengeEnvironment } from './scavenge-run.ts';

export async function runScavenge(
  request: CheckedRequestOf<'runScavenge'>,
  context: OperationContext
): Promise<ScavengeReport> {
  const checked = engineRequest(request);
  await refuseEncrypted(request, context);
  return asScavengeReport(await run(checked, scavengeEnvironment(context)));
}
