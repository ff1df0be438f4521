/** Rebuilds the index of a stopped node from its log, or plans that. */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { planIndexRebuild as plan, rebuildIndex as rebuild } from '../../../src-core/index.ts';
import { withDatabase } from '../database/database-access.ts';
import { timeOf, type OperationContext } from '../operation.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import { expireReplaced } from '../scavenge/expire-replaced.ts';
import { planIdOf, requirePlan } from '../plan/plan-identity.ts';
import { databaseState } from '../plan/plan-state.ts';
import type { IndexRebuildReport } from '../../contract/operations/rebuild-reports.ts';

export async function planIndexRebuild(
  request: CheckedRequestOf<'planIndexRebuild'>,
  context: OperationContext
): Promise<IndexRebuildReport> {
  const state = databaseState(context.fileSystem, request);
  const report = await withDatabase(request, context, (database) => plan(database));
  return {
    ...report,
    planId: planIdOf({ operation: 'planIndexRebuild', request, state }, timeOf(context))
  };
}

export async function rebuildIndex(
  request: CheckedRequestOf<'rebuildIndex'>,
  context: OperationContext
): Promise<IndexRebuildReport> {
  const { fileSystem, control } = context;
  expireReplaced(request, context);
  return rebuild({
    fileSystem,
    dataDirectory: path.resolve(request.dataDirectory),
    indexDirectory: request.indexDirectory === undefined ? undefined : path.resolve(request.indexDirectory),
    assumeStopped: request.assumeStopped,
    control,
    newGuid: randomUUID,
    underLock: () =>
      requirePlan(request.plan, () => ({
        operation: 'rebuildIndex',
        request,
        state: databaseState(fileSystem, request)
      }))
  });
}
