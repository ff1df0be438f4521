/** Removes the backups that a retention does not keep, or says which those are. */
import { plainBytes, planPrune, runPrune, ticksFromMs, ticksToIso } from '../../src-core/index.ts';
import type { PruneReport } from './backup-reports.ts';
import { withTarget } from './backup-target-access.ts';
import type { OperationContext } from './operation.ts';
import type { CheckedRequestOf } from './operation-contract.ts';

export async function pruneBackups(
  request: CheckedRequestOf<'pruneBackups'>,
  context: OperationContext
): Promise<PruneReport> {
  return withTarget({ ...request, mustExist: true }, context, async ({ target }) => {
    const now = ticksToIso(ticksFromMs(context.clock()));
    const prune = { retention: request.retention, includeUnfinished: request.unfinished, now };
    const plan = request.dryRun
      ? await planPrune(target, prune)
      : await runPrune(target, prune, context.control);
    return {
      target: target.description,
      kept: plan.kept.map(({ id, manifest, rules }) => ({ id, startedAt: manifest.startedAt, rules })),
      removed: plan.removed.map((manifest) => ({
        id: manifest.id,
        startedAt: manifest.startedAt,
        bytes: plainBytes(manifest)
      })),
      leftovers: plan.leftovers,
      bytesFreed: plan.bytesFreed,
      warnings: plan.warnings,
      dryRun: request.dryRun
    };
  });
}
