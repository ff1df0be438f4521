/** Log, index, filters and checkpoints, one against the other; the scavenge state against the log. */
import os from 'node:os';
import { checkOfVerification, verifyDatabase as verify, type Database } from '../../src-core/index.ts';
import { startVerifyWorkers } from '../verify-workers/start-verify-workers.ts';
import { weightsOfLastScavenge } from './chunk-weights.ts';
import { withDatabase } from './database-access.ts';
import { directoryIdentity, keepCheck } from './kept-health.ts';
import { timeOf, type OperationContext } from './operation.ts';
import type { CheckedRequestOf } from './operation-contract.ts';
import type { VerifyReport } from './reports.ts';
import { findStateProblem } from './stored-state.ts';

export async function verifyDatabase(
  request: CheckedRequestOf<'verifyDatabase'>,
  context: OperationContext
): Promise<VerifyReport> {
  const directory = directoryIdentity(context.fileSystem, request);
  const report = await verifyLocation(request, context);
  const check = checkOfVerification({ findings: report.findings, isQuick: request.quick }, timeOf(context));
  keepCheck(check, { place: request, directory }, context);
  return report;
}

/** Without keeping what was found: of a repair the last verification counts. */
export async function verifyLocation(
  request: CheckedRequestOf<'verifyDatabase'>,
  context: OperationContext
): Promise<VerifyReport> {
  return withDatabase(request, context, async (database) => {
    const report = await verify({
      database,
      quick: request.quick,
      control: context.control,
      threads: effectiveThreads(request.threads, database),
      startWorkers: startVerifyWorkers,
      weightOf: weightsOfLastScavenge(database)
    });
    const without = (why: string) => ({
      ...report,
      notChecked: [...report.notChecked, `the scavenge state: ${why}`]
    });
    if (!report.ok) return without('the log or the index is damaged');
    // A scavenge may be writing to it, and what is behind its checkpoint is no fault.
    if (database.inUse) return without('the database is in use');
    const problem = await findStateProblem(database, context);
    if (!problem) return report;
    const command = problem.code === 'stateAheadOfLog' ? 'winnow scavenge --start-afresh' : 'winnow repair';
    const finding = { severity: 'damage' as const, offset: null, position: null, command, ...problem };
    return { ...report, findings: [...report.findings, finding], ok: false };
  });
}

/** No more than there are cores, and chunks for them. */
function effectiveThreads(asked: number, { chunkSet }: Database): number {
  return Math.max(1, Math.min(asked, os.availableParallelism(), chunkSet.chunks.length));
}
