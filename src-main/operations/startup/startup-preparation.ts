/** Does beforehand what the next start of a stopped node would do before it is ready. */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { prepareStartup as prepare } from '../../../src-core/index.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import type { StartupReport } from '../../contract/operations/doctor-reports.ts';
import type { OperationContext } from '../operation.ts';
import { requirePlan } from '../plan/plan-identity.ts';
import { databaseState } from '../plan/plan-state.ts';
import { expireReplaced } from '../scavenge/expire-replaced.ts';
import { forecastStartup } from './startup-forecast.ts';

export async function prepareStartup(
  request: CheckedRequestOf<'prepareStartup'>,
  context: OperationContext
): Promise<StartupReport> {
  const { fileSystem, control } = context;
  const { dataDirectory, indexDirectory, applyTruncation, mergeTables } = request;
  expireReplaced(request, context);
  const before = await forecastStartup(request, context);
  const prepared = await prepare({
    place: {
      fileSystem,
      dataDirectory: path.resolve(dataDirectory),
      indexDirectory: indexDirectory === undefined ? undefined : path.resolve(indexDirectory)
    },
    serverVersion: request.serverVersion,
    serverArguments: request.serverArguments,
    choice: { applyTruncation, mergeTables },
    assumeStopped: request.assumeStopped,
    control,
    newGuid: randomUUID,
    underLock: () =>
      requirePlan(request.plan, () => ({
        operation: 'prepareStartup',
        request,
        state: databaseState(fileSystem, request)
      }))
  });
  const after = await forecastStartup(request, context);
  return { ...after, prepared: { ...prepared, estimatedMsBefore: before.estimatedMs } };
}
