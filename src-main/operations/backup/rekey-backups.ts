/** Encrypts the backups of a target for other keys, or says what that would do. */
import { planRekey, runRekey, type RekeyPlan } from '../../../src-core/index.ts';
import type { RekeyReport } from '../../contract/operations/backup-reports.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import { timeOf, type OperationContext } from '../operation.ts';
import { planIdOf, requirePlan, type PlanParts } from '../plan/plan-identity.ts';
import { catalogueState, shortHash } from '../plan/plan-state.ts';
import { backupEnvironment } from './backup-create.ts';
import { withTarget } from './backup-target-access.ts';

export async function rekeyBackups(
  request: CheckedRequestOf<'rekeyBackups'>,
  context: OperationContext
): Promise<RekeyReport> {
  return withTarget({ ...request, mustExist: true, signs: true }, context, async (open) => {
    const { target } = open;
    const { recipients, recoding } = await open.recodingFor(request.newKeys);
    const identify = ({ catalogue }: RekeyPlan): PlanParts => ({
      operation: 'rekeyBackups',
      request,
      // The file may have other keys by then.
      state: [['new keys', shortHash(recipients.join())], catalogueState(catalogue)]
    });
    const planned = async (): Promise<RekeyPlan> => {
      const plan = await planRekey(target, recoding);
      for (const manifest of plan.due) open.requireKeys(manifest);
      return plan;
    };
    const reportOf = async (plan: RekeyPlan): Promise<RekeyReport> => ({
      target: target.description,
      result: plan.due.length === 0 ? 'exists' : 'planned',
      recipients,
      due: plan.due.map(({ id }) => id),
      done: plan.done.map(({ id }) => id),
      plain: plan.plain.map(({ id }) => id),
      unfinished: plan.unfinished,
      bytes: plan.bytes,
      freeBytes: (await target.freeBytes()) ?? null,
      rekeyed: [],
      warnings: warningsOf(plan)
    });
    if (request.dryRun) {
      const plan = await planned();
      return { ...(await reportOf(plan)), planId: planIdOf(identify(plan), timeOf(context)) };
    }
    const unlock = await target.lock?.();
    try {
      const plan = await planned();
      requirePlan(request.plan, () => identify(plan));
      const report = await reportOf(plan);
      const rekeyed = await runRekey(plan, recoding, backupEnvironment(context, open));
      return { ...report, ...(plan.due.length > 0 && { result: 'rekeyed' as const }), rekeyed };
    } finally {
      await unlock?.();
    }
  });
}

function warningsOf({ unfinished, plain }: RekeyPlan): RekeyReport['warnings'] {
  return [
    ...unfinished.map((id) => ({
      code: 'unfinishedKeepsKeys',
      message: `The unfinished backup ${id} may have files that the old keys open.`,
      remedy: 'Finish it with the new keys, or remove it with "winnow backup prune --unfinished".'
    })),
    ...plain.map(({ id }) => ({
      code: 'notEncrypted',
      message: `The backup ${id} is not encrypted, and stays so.`,
      remedy: 'Take an encrypted one, then remove it.'
    }))
  ];
}
