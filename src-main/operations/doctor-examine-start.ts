/** Will a server start here, and what would it do? Beside the start itself, what the next scavenge would do. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { examineStart as examine, verifyScavengeState, type StartExamination } from '../../src-core/index.ts';
import { openRequested, withDatabase } from './database-access.ts';
import type { DoctorReport, StartFindingRow } from './doctor-reports.ts';
import type { OperationContext } from './operation.ts';
import type { CheckedRequestOf } from './operation-contract.ts';

export async function examineStart(
  request: CheckedRequestOf<'examineStart'>,
  context: OperationContext
): Promise<DoctorReport> {
  const { fileSystem, control } = context;
  // Says that a server has the directory open, and reads again what is replaced meanwhile.
  const report = await withDatabase(request, context, ({ dataDirectory, indexDirectory }) =>
    examine({
      place: { fileSystem, dataDirectory, indexDirectory },
      serverVersion: request.serverVersion,
      serverArguments: request.serverArguments,
      isThorough: request.thorough,
      control
    })
  );
  return withState(report, request, context);
}

/** A start does not touch the scavenge state; a scavenge after it does, and one of another log deletes live events. */
async function withState(
  report: StartExamination,
  request: CheckedRequestOf<'examineStart'>,
  context: OperationContext
): Promise<DoctorReport> {
  const without = (why: string): DoctorReport => ({
    ...report,
    notChecked: [...report.notChecked, `the scavenge state: ${why}`]
  });
  const database = openRequested(request, context);
  try {
    const { fileSystem, indexDirectory } = database;
    const state = fileSystem.join(indexDirectory, 'scavenging', 'scavenging.db');
    if (!fileSystem.describe(state)?.size) return report;
    if (database.inUse) return without('the database is in use');
    if (!report.ok || report.prediction.then !== 'runs')
      return without('the start changes or ends the database first');
    if (report.notChecked.some((what) => what.startsWith('records')))
      return without('it takes all records; see --thorough');
    const index = await database.openIndex(context.control);
    const scratchDirectory = await mkdtemp(path.join(os.tmpdir(), 'winnow-doctor-'));
    try {
      const problem = verifyScavengeState({ database, index, scratchDirectory });
      if (!problem) return report;
      const finding: StartFindingRow = {
        severity: 'damage',
        offset: null,
        position: null,
        command: problem.code === 'stateAheadOfLog' ? 'winnow scavenge --start-afresh' : 'winnow repair',
        effect: 'none',
        wouldDo: 'It starts; the next scavenge fails, or deletes events by what this state says.',
        serverSays: null,
        ...problem
      };
      return { ...report, findings: [...report.findings, finding], ok: false };
    } finally {
      await rm(scratchDirectory, { recursive: true, force: true });
    }
  } finally {
    database.close();
  }
}
