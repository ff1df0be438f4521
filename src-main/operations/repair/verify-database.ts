/** Compares log, index, filters and checkpoints with each other, and the scavenge state with the log. */
import os from 'node:os';
import { checkOfVerification, verifyDatabase as verify, type Database } from '../../../src-core/index.ts';
import { startVerifyWorkersAt } from '../../threads/start-verify-workers.ts';
import { weightsOfLastScavenge } from '../scavenge/chunk-weights.ts';
import { withDatabase } from '../database/database-access.ts';
import { digestsOf } from '../database/digests-of.ts';
import { directoryIdentity, keepCheck } from '../doctor/kept-health.ts';
import { limitedContext } from '../limited-context.ts';
import { timeOf, type OperationContext } from '../operation.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import type { VerifyReport } from '../../contract/operations/reports.ts';
import { keepVerification } from './last-verification.ts';
import { findStateProblem } from '../scavenge/stored-state.ts';

export async function verifyDatabase(
  request: CheckedRequestOf<'verifyDatabase'>,
  context: OperationContext
): Promise<VerifyReport> {
  const directory = directoryIdentity(context.fileSystem, request);
  const report = await verifyLocation(request, context);
  const check = checkOfVerification({ findings: report.findings, isQuick: request.quick }, timeOf(context));
  keepCheck(check, { place: request, directory }, context);
  // Where it left out the scavenge state because of another process, a repair would have to look at it.
  const isWhole = !request.quick && (!report.ok || !report.notChecked.some(isOfState));
  if (isWhole) keepVerification(request, directory, report);
  return report;
}

function isOfState(notChecked: string): boolean {
  return notChecked.startsWith('the scavenge state');
}

/** Does not store the result: in a repair only the last verification counts. */
export async function verifyLocation(
  request: CheckedRequestOf<'verifyDatabase'>,
  unlimited: OperationContext
): Promise<VerifyReport> {
  const context = limitedContext(unlimited, request);
  return withDatabase(request, context, async (database) => {
    const report = await verify({
      database,
      quick: request.quick,
      control: context.control,
      threads: effectiveThreads(request.threads, database),
      startWorkers: startVerifyWorkersAt(context.rate),
      weightOf: weightsOfLastScavenge(database),
      digests: digestsOf({ ...request, dataDirectory: database.dataDirectory }, unlimited)
    });
    const without = (why: string) => ({
      ...report,
      notChecked: [...report.notChecked, `the scavenge state: ${why}`]
    });
    if (!report.ok) return without('the log or the index is damaged');
    // A scavenge may be writing to it, and data after its checkpoint is not a fault.
    if (database.inUse) return without('the database is in use');
    const problem = await findStateProblem(database, context);
    if (!problem) return report;
    const command = problem.code === 'stateAheadOfLog' ? 'winnow scavenge --start-afresh' : 'winnow repair';
    const finding = { severity: 'damage' as const, offset: null, position: null, command, ...problem };
    return { ...report, findings: [...report.findings, finding], ok: false };
  });
}

/** At most one per core, and per chunk. */
function effectiveThreads(asked: number, { chunkSet }: Database): number {
  return Math.max(1, Math.min(asked, os.availableParallelism(), chunkSet.chunks.length));
}
