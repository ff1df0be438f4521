/** Overwrites the data of single events in a stopped node, or plans that. */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import {
  planRedaction as plan,
  runRedaction,
  type RedactedChunk,
  type RedactionPlan,
  type WrittenChunk
} from '../../../src-core/index.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import type { RedactionReport } from '../../contract/operations/redaction-reports.ts';
import { withDatabase } from '../database/database-access.ts';
import { timeOf, type OperationContext } from '../operation.ts';
import { planIdOf, requirePlan, type PlanParts } from '../plan/plan-identity.ts';
import { databaseState } from '../plan/plan-state.ts';
import { findElsewhere } from './find-elsewhere.ts';
import { redactionReportOf } from './redaction-report.ts';

type Asked = CheckedRequestOf<'planRedaction'>;

export async function planRedaction(request: Asked, context: OperationContext): Promise<RedactionReport> {
  const startedAt = timeOf(context);
  const planId = planIdOf(identify(request, context), startedAt);
  const { control } = context;
  const { planned, elsewhere, places } = await withDatabase(request, context, async (database) => {
    const found = await plan({ database, question: request, control });
    return {
      planned: found,
      elsewhere: await findElsewhere(database, found, control),
      places: { dataDirectory: database.dataDirectory, indexDirectory: database.indexDirectory }
    };
  });
  const report = redactionReportOf({
    ...places,
    plan: planned,
    chunks: [],
    swept: planned.sweeps,
    elsewhere: elsewhere.filter(({ file }) => !planned.sweeps.includes(file)),
    result: 'planned',
    startedAt,
    endedAt: timeOf(context),
    freeBytes: context.fileSystem.freeBytes(places.dataDirectory)
  });
  return { ...report, planId };
}

/** Is told what a certificate needs of a run that may be cut, before each write that makes it. */
export interface RedactionJournal {
  onPlan: (planned: RedactionReport) => void;
  onWritten: (written: WrittenChunk) => void;
}

export async function redactEvents(
  request: CheckedRequestOf<'redactEvents'>,
  context: OperationContext,
  journal?: RedactionJournal
): Promise<RedactionReport> {
  const startedAt = timeOf(context);
  const { fileSystem, control } = context;
  const dataDirectory = path.resolve(request.dataDirectory);
  const indexDirectory = path.resolve(request.indexDirectory ?? path.join(dataDirectory, 'index'));
  const confirm = (): void => requirePlan(request.plan, () => identify(request, context));
  confirm();
  const plannedOf = (found: RedactionPlan): RedactionReport =>
    redactionReportOf({
      ...{ dataDirectory, indexDirectory, plan: found, chunks: [], swept: found.sweeps, elsewhere: [] },
      ...{
        result: 'planned',
        startedAt,
        endedAt: timeOf(context),
        freeBytes: fileSystem.freeBytes(dataDirectory)
      }
    });
  const outcome = await runRedaction({
    place: { fileSystem, dataDirectory, indexDirectory },
    question: request,
    assumeStopped: request.assumeStopped,
    newGuid: randomUUID,
    control,
    underLock: confirm,
    onPlan: (found) => journal?.onPlan(plannedOf(found)),
    onWritten: journal?.onWritten,
    onChunk: (redacted) => tell(redacted, context)
  });
  const elsewhere = await withDatabase(request, context, (database) =>
    findElsewhere(database, outcome.plan, control)
  );
  return redactionReportOf({
    dataDirectory,
    indexDirectory,
    ...outcome,
    elsewhere,
    result: outcome.isFinished ? 'redacted' : 'stopped',
    startedAt,
    endedAt: timeOf(context),
    freeBytes: fileSystem.freeBytes(dataDirectory)
  });
}

function identify(request: Asked, { fileSystem }: OperationContext): PlanParts {
  return { operation: 'redactEvents', request, state: databaseState(fileSystem, request) };
}

/** So that the log of a run that is cut has what its certificate would have had. */
function tell({ before, after }: RedactedChunk, { log }: OperationContext): void {
  log({
    level: 'info',
    message: `${before.fileName} (SHA-256 ${before.sha256}) became ${after.fileName} (SHA-256 ${after.sha256}).`
  });
}
