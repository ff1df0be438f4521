/**
 * Which function carries out which operation. The only place that knows them all: the engine's server runs
 * operations through it, and tests may do so without any thread.
 */
import { forgetKept } from './database-access.ts';
import { cutLog } from './cut-log.ts';
import { adoptBackup } from './backup-adopt.ts';
import { createBackup, planBackup } from './backup-create.ts';
import { listBackups } from './backup-list.ts';
import { pruneBackups } from './backup-prune.ts';
import { verifyAllBackups, verifyBackup } from './backup-verify.ts';
import { compareChunk } from './compare-chunk.ts';
import { describeChunk } from './describe-chunk.ts';
import { describeIndexTable, readIndexMap } from './describe-index-table.ts';
import { describeRecord } from './describe-record.ts';
import { examineStart } from './doctor-examine-start.ts';
import { describeSchedule } from './describe-schedule.ts';
import { explainDatabase } from './explain-database.ts';
import { reportErasure } from './report-erasure.ts';
import { describeStream } from './describe-stream.ts';
import { inspectDatabase } from './inspect-database.ts';
import { inspectIndex } from './inspect-index.ts';
import { listChunks } from './list-chunks.ts';
import { listHistory } from './list-history.ts';
import { listIndexEntries } from './list-index-entries.ts';
import { listRecords } from './list-records.ts';
import { locateRecord } from './locate-record.ts';
import { lookUpStream } from './look-up-stream.ts';
import { planScavenge } from './plan-scavenge.ts';
import { readChunkPage } from './read-chunk-page.ts';
import { listStreams } from './list-streams.ts';
import { readEventsPage } from './read-events-page.ts';
import { readStreamsPage } from './read-streams-page.ts';
import { readStream } from './read-stream.ts';
import { readTimeline } from './read-timeline.ts';
import { searchRecords } from './search-records.ts';
import { rehearseBackup } from './rehearse-backup.ts';
import { compareThresholds } from './thresholds-compare.ts';
import { readUsage } from './usage-read.ts';
import { exportUsage, surveyUsage } from './usage-survey.ts';
import { continueRestore, planRestore, runRestore, undoRestore } from './run-restore.ts';
import { planIndexRebuild, rebuildIndex } from './rebuild-index.ts';
import { repairDatabase } from './repair-database.ts';
import { planRescue, runRescue } from './rescue-database.ts';
import { runScavenge } from './run-scavenge.ts';
import { verifyDatabase } from './verify-database.ts';
import { writeClusterPoint } from './write-cluster-point.ts';
import { writeSample } from './write-sample.ts';
import type { OperationContext, ReportFunction, StreamFunction } from './operation.ts';
import type {
  CheckedRequestOf,
  OperationName,
  Replies,
  ReportOperation,
  StreamOperation,
  StreamRows
} from './operation-contract.ts';

const reportOperations: { [N in ReportOperation]: ReportFunction<N> } = {
  planRestore,
  runRestore,
  continueRestore,
  undoRestore,
  cutLog,
  rehearseBackup,
  inspectDatabase,
  listChunks,
  inspectIndex,
  planIndexRebuild,
  rebuildIndex,
  repairDatabase,
  verifyDatabase,
  examineStart,
  planScavenge,
  explain: explainDatabase,
  reportErasure,
  runScavenge,
  planRescue,
  runRescue,
  writeClusterPoint,
  listHistory,
  writeSample,
  createBackup,
  planBackup,
  adoptBackup,
  listBackups,
  verifyBackup,
  verifyAllBackups,
  pruneBackups,
  describeSchedule: async (request, context) => describeSchedule(request, context.clock),
  readChunkPage,
  readStreamsPage,
  readEventsPage,
  describeChunk,
  describeRecord,
  readUsage,
  surveyUsage,
  exportUsage,
  compareThresholds,
  searchRecords,
  locateRecord,
  readTimeline,
  describeStream,
  lookUpStream,
  describeIndexTable,
  readIndexMap,
  compareChunk
};

/** These change the files of a directory that was looked at. */
const WRITING: ReadonlySet<ReportOperation> = new Set<ReportOperation>([
  'runRestore',
  'continueRestore',
  'undoRestore',
  'cutLog',
  'rebuildIndex',
  'repairDatabase',
  'runScavenge',
  'runRescue',
  'writeClusterPoint',
  'writeSample'
]);

const streamOperations: { [N in StreamOperation]: StreamFunction<N> } = {
  listRecords,
  listStreams,
  readStream,
  listIndexEntries
};

export function isStreamOperation(name: OperationName): name is StreamOperation {
  return Object.hasOwn(streamOperations, name);
}

/** Runs an operation that answers with one report. `request` has been validated against the table of requests. */
export async function runReportOperation<N extends ReportOperation>(
  name: N,
  request: unknown,
  context: OperationContext
): Promise<Replies[N]> {
  try {
    return await reportOperations[name](request as CheckedRequestOf<N>, context);
  } finally {
    if (WRITING.has(name)) forgetKept(context);
  }
}

/** Runs an operation that answers with rows. `request` has been validated against the table of requests. */
export function runStreamOperation<N extends StreamOperation>(
  name: N,
  request: unknown,
  context: OperationContext
): AsyncIterable<StreamRows[N][]> {
  return streamOperations[name](request as CheckedRequestOf<N>, context);
}
