/** Log, index, filters and checkpoints, one against the other; the scavenge state against the log. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { verifyDatabase as verify, verifyScavengeState, type Database } from '../../src-core/index.ts';
import { withDatabase } from './database-access.ts';
import type { OperationContext } from './operation.ts';
import type { CheckedRequestOf } from './operation-contract.ts';
import type { VerifyReport } from './reports.ts';

export async function verifyDatabase(
  request: CheckedRequestOf<'verifyDatabase'>,
  context: OperationContext
): Promise<VerifyReport> {
  return withDatabase(request, context, async (database) => {
    const report = await verify({ database, quick: request.quick, control: context.control });
    if (!report.ok) return { ...report, notChecked: [...report.notChecked, 'the scavenge state'] };
    const problem = await stateProblem(database, context);
    if (!problem) return report;
    const finding = { severity: 'damage' as const, offset: null, position: null, command: null, ...problem };
    return { ...report, findings: [...report.findings, finding], ok: false };
  });
}

async function stateProblem(database: Database, context: OperationContext) {
  const index = await database.openIndex(context.control);
  const scratchDirectory = await mkdtemp(path.join(tmpdir(), 'winnow-verify-'));
  try {
    return verifyScavengeState({ database, index, scratchDirectory });
  } finally {
    await rm(scratchDirectory, { recursive: true, force: true });
  }
}
