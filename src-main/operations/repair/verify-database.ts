/**
 * Compares log, index, filters and checkpoints with each other, and the scavenge state with the log; with a budget of time
 * verifies the files whose turn it is. What was proved of each file is kept.
 */
import os from 'node:os';
import {
  checkOfVerification,
  invalidRequest,
  verifyDatabase as verify,
  verifyInTurns,
  type Database,
  type ProofNotes
} from '../../../src-core/index.ts';
import { startVerifyWorkersAt } from '../../threads/start-verify-workers.ts';
import { weightsOfLastScavenge } from '../scavenge/chunk-weights.ts';
import { withDatabase } from '../database/database-access.ts';
import { digestsOf } from '../database/digests-of.ts';
import { directoryIdentity, keepCheck } from '../doctor/kept-health.ts';
import { limitedContext } from '../limited-context.ts';
import { timeOf, type OperationContext } from '../operation.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import type { VerifyReport } from '../../contract/operations/reports.ts';
import { coverageReport } from './coverage-report.ts';
import { keepVerification } from './last-verification.ts';
import { keepProofs, proofsOf } from './proofs-of.ts';
import { commandAgainst, findStateProblem } from '../scavenge/stored-state.ts';

export async function verifyDatabase(
  request: CheckedRequestOf<'verifyDatabase'>,
  context: OperationContext
): Promise<VerifyReport> {
  const directory = directoryIdentity(context.fileSystem, request);
  const hasBudget = request.budgetMs !== undefined;
  if (hasBudget && request.quick) throw budgetOrQuick();
  const report = hasBudget ? await verifyTurns(request, context) : await verifyLocation(request, context);
  const isQuick = request.quick || hasBudget;
  const check = checkOfVerification({ findings: report.findings, isQuick }, timeOf(context));
  keepCheck(check, { place: request, directory }, context);
  // Where it left out the scavenge state because of another process, a repair would have to look at it.
  const isWhole = !isQuick && (!report.ok || !report.notChecked.some(isOfState));
  if (isWhole) keepVerification(request, directory, report, context);
  if (!hasBudget && request.withinMs === undefined) return report;
  const proofs = proofsOf(request, context);
  const coverage = await withDatabase(request, context, (database) =>
    coverageReport(database, proofs.book, { nowMs: context.clock(), withinMs: request.withinMs })
  );
  return { ...report, coverage };
}

/** The files whose turn it is, as long as the budget lasts. */
async function verifyTurns(
  request: CheckedRequestOf<'verifyDatabase'>,
  unlimited: OperationContext
): Promise<VerifyReport> {
  const context = limitedContext(unlimited, request);
  const budgetMs = request.budgetMs ?? 0;
  const proofs = proofsOf(request, unlimited);
  try {
    return await withDatabase(request, context, async (database, watch) => {
      const { verifiedFiles, waitingFiles, waitingBytes, next, usedMs, ...verified } = await verifyInTurns({
        database,
        proofs,
        control: context.control,
        budgetMs,
        nowMs: context.clock(),
        threads: effectiveThreads(request.threads, database),
        startWorkers: startVerifyWorkersAt(context.rate)
      });
      watch.requireStill();
      const result = waitingFiles > 0 ? ('stopped' as const) : ('done' as const);
      const budget = {
        budgetMs,
        usedMs: Math.round(usedMs),
        verifiedFiles,
        waitingFiles,
        waitingBytes,
        next
      };
      return { ...verified, result, budget };
    });
  } finally {
    keepProofs(proofs, unlimited);
  }
}

function budgetOrQuick() {
  return invalidRequest(
    'A verification with a budget reads files whole; "quick" leaves out their hashes.',
    '--budget',
    'Give one of the two.'
  );
}

function isOfState(notChecked: string): boolean {
  return notChecked.startsWith('the scavenge state');
}

/** Does not store the result: in a repair only the last verification counts. */
export async function verifyLocation(
  request: CheckedRequestOf<'verifyDatabase'>,
  unlimited: OperationContext
): Promise<VerifyReport> {
  const proofs = proofsOf(request, unlimited);
  try {
    return await verifyWhole(request, unlimited, proofs);
  } finally {
    keepProofs(proofs, unlimited);
  }
}

function verifyWhole(
  request: CheckedRequestOf<'verifyDatabase'>,
  unlimited: OperationContext,
  proofs: ProofNotes
): Promise<VerifyReport> {
  const context = limitedContext(unlimited, request);
  return withDatabase(request, context, async (database, watch) => {
    const digests = digestsOf({ ...request, dataDirectory: database.dataDirectory }, unlimited);
    const report = await verify({
      database,
      quick: request.quick,
      control: context.control,
      threads: effectiveThreads(request.threads, database),
      startWorkers: startVerifyWorkersAt(context.rate),
      weightOf: weightsOfLastScavenge(database),
      digests,
      proofs
    });
    watch.requireStill();
    const without = (why: string) => ({
      ...report,
      notChecked: [...report.notChecked, `the scavenge state: ${why}`]
    });
    if (!report.ok) return without('the log or the index is damaged');
    // A scavenge may be writing to it, and data after its checkpoint is not a fault.
    if (database.inUse) return without('the database is in use');
    const problem = await findStateProblem(database, context, { digests });
    if (!problem) return report;
    if (problem.code === 'stateUnread') return without(problem.message);
    const finding = { offset: null, position: null, command: commandAgainst(problem), ...problem };
    const ok = problem.severity !== 'damage';
    return { ...report, findings: [...report.findings, finding], ok };
  });
}

/** At most one per core, and per chunk. */
function effectiveThreads(asked: number, { chunkSet }: Database): number {
  return Math.max(1, Math.min(asked, os.availableParallelism(), chunkSet.chunks.length));
}
