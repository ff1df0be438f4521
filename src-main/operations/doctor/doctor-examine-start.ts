/** Predicts whether a server will start here and what it would do; also what the next scavenge would do. */
import { checkOfStart, examineStart as examine, storedStatePath } from '../../../src-core/index.ts';
import { openRequested, withDatabase } from '../database/database-access.ts';
import type { DoctorReport, StartFindingRow } from '../../contract/operations/doctor-reports.ts';
import { digestsOf } from '../database/digests-of.ts';
import { directoryIdentity, keepCheck } from './kept-health.ts';
import { timeOf, type OperationContext } from '../operation.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import { WRITES_STATISTICS } from '../database/statistics-warning.ts';
import { commandAgainst, findStateProblem } from '../scavenge/stored-state.ts';

export async function examineStart(
  request: CheckedRequestOf<'examineStart'>,
  context: OperationContext
): Promise<DoctorReport> {
  const { fileSystem, control } = context;
  const directory = directoryIdentity(fileSystem, request);
  // Warns if a server has the directory open, and reads again what is replaced meanwhile.
  const {
    writesStatistics,
    facts: _facts,
    ...report
  } = await withDatabase(request, context, ({ dataDirectory, indexDirectory }) =>
    examine({
      place: { fileSystem, dataDirectory, indexDirectory },
      serverVersion: request.serverVersion,
      serverArguments: request.serverArguments,
      isThorough: request.thorough,
      control
    })
  );
  const findings = writesStatistics ? [...report.findings, STATISTICS_HINT] : report.findings;
  const answer = await withState({ ...report, findings, directory }, request, context);
  // How another version would start, or this one with other options, is not a fact about the node.
  const isOfThisNode = request.serverVersion === undefined && request.serverArguments.length === 0;
  if (isOfThisNode) keepCheck(checkOfStart(answer, timeOf(context)), { place: request, directory }, context);
  return answer;
}

const STATISTICS_HINT: StartFindingRow = {
  severity: 'hint',
  file: null,
  offset: null,
  position: null,
  command: null,
  effect: 'none',
  wouldDo: 'It starts, and writes statistics events into the log twice a minute.',
  serverSays: null,
  ...WRITES_STATISTICS
};

/** A start does not touch the scavenge state; a later scavenge does, and with the state of another log it deletes live events. */
async function withState(
  report: DoctorReport,
  request: CheckedRequestOf<'examineStart'>,
  context: OperationContext
): Promise<DoctorReport> {
  const without = (why: string): DoctorReport => ({
    ...report,
    notChecked: [...report.notChecked, `the scavenge state: ${why}`]
  });
  const database = openRequested(request, context);
  try {
    if (!database.fileSystem.describe(storedStatePath(database))?.size) return report;
    if (database.inUse) return without('the database is in use');
    if (!report.ok || report.prediction.then !== 'runs')
      return without('the start changes or ends the database first');
    if (report.notChecked.some((what) => what.startsWith('records')))
      return without('it needs all records; see --thorough');
    const digests = digestsOf({ ...request, dataDirectory: database.dataDirectory }, context);
    const problem = await findStateProblem(database, context, { digests });
    if (!problem) return report;
    if (problem.code === 'stateUnread') return without(problem.message);
    const isDamage = problem.severity === 'damage';
    const finding: StartFindingRow = {
      offset: null,
      position: null,
      command: commandAgainst(problem),
      effect: 'none',
      wouldDo: isDamage
        ? 'It starts; the next scavenge fails, or deletes events because of this state.'
        : 'It starts; the next scavenge begins from its start.',
      serverSays: null,
      ...problem
    };
    return { ...report, findings: [...report.findings, finding], ok: report.ok && !isDamage };
  } finally {
    database.close();
  }
}
