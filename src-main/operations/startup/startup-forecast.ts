/** How long the next start of a node takes and why, and the plan of what can be done beforehand. Only reads. */
import { forecastStartup as forecast, startupWords } from '../../../src-core/index.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import type { StartupReport } from '../../contract/operations/doctor-reports.ts';
import { withDatabase } from '../database/database-access.ts';
import { timeOf, type OperationContext } from '../operation.ts';
import { planIdOf } from '../plan/plan-identity.ts';
import { databaseState } from '../plan/plan-state.ts';

export async function forecastStartup(
  request: CheckedRequestOf<'forecastStartup'>,
  context: OperationContext
): Promise<StartupReport> {
  const { fileSystem, control } = context;
  const state = databaseState(fileSystem, request);
  const found = await withDatabase(request, context, ({ dataDirectory, indexDirectory }) =>
    forecast({
      place: { fileSystem, dataDirectory, indexDirectory },
      serverVersion: request.serverVersion,
      serverArguments: request.serverArguments,
      choice: { applyTruncation: request.applyTruncation, mergeTables: request.mergeTables },
      control
    })
  );
  const { estimatedMs, preparedMs, parts, rates, preparation, examination } = found;
  const { steps, refusal, notes } = preparation;
  return {
    estimatedMs,
    preparedMs,
    words: startupWords(found),
    prediction: examination.prediction,
    parts,
    rates,
    preparation: {
      steps,
      refusal: refusal && { code: refusal.code, message: refusal.message, remedy: refusal.remedy },
      notes
    },
    server: examination.server,
    notChecked: examination.notChecked,
    ...(steps.length === 0
      ? {}
      : { planId: planIdOf({ operation: 'forecastStartup', request, state }, timeOf(context)) })
  };
}
