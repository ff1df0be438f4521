/** Removes the backups that a retention does not keep, or lists them. */
import { plainBytes, planPrune, runPrune, type PrunePlan } from '../../../src-core/index.ts';
import type { PruneReport } from '../../contract/operations/backup-reports.ts';
import { withTarget } from './backup-target-access.ts';
import { timeOf, type OperationContext } from '../operation.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import { planIdOf, requirePlan, type PlanParts } from '../plan/plan-identity.ts';
import { catalogueState } from '../plan/plan-state.ts';

export async function pruneBackups(
  request: CheckedRequestOf<'pruneBackups'>,
  context: OperationContext
): Promise<PruneReport> {
  return withTarget({ ...request, mustExist: true, signs: true }, context, async ({ target }) => {
    const now = timeOf(context);
    const prune = {
      retention: request.retention,
      includeUnfinished: request.unfinished,
      acceptsMissing: request.acceptMissing,
      now
    };
    const identify = ({ catalogue }: PrunePlan): PlanParts => ({
      operation: 'pruneBackups',
      request,
      state: [catalogueState(catalogue)]
    });
    const underLock = (plan: PrunePlan): void => requirePlan(request.plan, () => identify(plan));
    const plan = request.dryRun
      ? await planPrune(target, prune)
      : await runPrune(target, prune, { control: context.control, underLock });
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
      dryRun: request.dryRun,
      ...(request.dryRun ? { planId: planIdOf(identify(plan), now) } : {})
    };
  });
}
