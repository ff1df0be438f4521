/**
 * Which function carries out which operation. The only place that knows them all: the engine's server runs
 * operations through it, and tests may do so without any thread.
 */
import { forgetKept } from './database/database-access.ts';
import { cutLog } from './restore/cut-log.ts';
import { adoptBackup } from './backup/backup-adopt.ts';
import { createBackup, planBackup } from './backup/backup-create.ts';
import { listBackups } from './backup/backup-list.ts';
import { eraseInBackup, planBackupErasure } from './backup/erase-in-backup.ts';
import { pruneBackups } from './backup/backup-prune.ts';
import { rekeyBackups } from './backup/rekey-backups.ts';
import { makeBackupKey, sealBackupKey } from './backup/make-backup-key.ts';
import { verifyAllBackups, verifyBackup } from './backup/backup-verify.ts';
import { planBundle, runBundle } from './bundle/make-bundle.ts';
import { planUnpackBundle, unpackBundle } from './bundle/unpack-bundle.ts';
import { compareChunk } from './chunks/compare-chunk.ts';
import { compareDatabases } from './difference/compare-databases.ts';
import { describeChunk } from './chunks/describe-chunk.ts';
import { describeIndexTable, readIndexMap } from './index/describe-index-table.ts';
import { describeRecord } from './records/describe-record.ts';
import { examineStart } from './doctor/doctor-examine-start.ts';
import { describeSchedule } from './scavenge/describe-schedule.ts';
import { explainDatabase } from './explain/explain-database.ts';
import { exportDatabase } from './extraction/export-database.ts';
import { extractEvents } from './extraction/extract-events.ts';
import { explainRecords } from './explain/explain-records.ts';
import { reportErasure } from './erasure/report-erasure.ts';
import { describeStream } from './streams/describe-stream.ts';
import { inspectDatabase } from './database/inspect-database.ts';
import { inspectIndex } from './index/inspect-index.ts';
import { listChunks } from './chunks/list-chunks.ts';
import { listHistory } from './scavenge/list-history.ts';
import { listIndexEntries } from './index/list-index-entries.ts';
import { listRecords } from './records/list-records.ts';
import { locateRecord } from './records/locate-record.ts';
import { lookUpStream } from './index/look-up-stream.ts';
import { planCluster } from './scavenge/plan-cluster.ts';
import { planScavenge } from './scavenge/plan-scavenge.ts';
import { readChunkPage } from './chunks/read-chunk-page.ts';
import { listStreams } from './streams/list-streams.ts';
import { readEventsPage } from './streams/read-events-page.ts';
import { readStreamCategories, readStreamsPage } from './streams/read-streams-page.ts';
import { readStream } from './streams/read-stream.ts';
import { readTimeline } from './records/read-timeline.ts';
import { searchRecords } from './records/search-records.ts';
import { rehearseBackup } from './backup/rehearse-backup.ts';
import { forecastGrowth } from './usage/growth-forecast.ts';
import { priceProjections } from './usage/projections-price.ts';
import { compareThresholds } from './scavenge/thresholds-compare.ts';
import { readUsage } from './usage/usage-read.ts';
import { usageOfStreams } from './usage/usage-of-streams.ts';
import { exportUsage, surveyUsage, usageWithin } from './usage/usage-survey.ts';
import { continueRestore, planRestore, runRestore, undoRestore } from './restore/run-restore.ts';
import { forecastStartup } from './startup/startup-forecast.ts';
import { prepareStartup } from './startup/startup-preparation.ts';
import { planIndexRebuild, rebuildIndex } from './index/rebuild-index.ts';
import { forgetReplaced, planUndoScavenge, undoScavenge } from './scavenge/undo-scavenge.ts';
import { repairDatabase } from './repair/repair-database.ts';
import { planRedaction, redactEvents } from './redaction/redact-events.ts';
import { planRescue, runRescue } from './scavenge/rescue-database.ts';
import { runScavenge } from './scavenge/run-scavenge.ts';
import { verifyDatabase } from './repair/verify-database.ts';
import { writeClusterPoint } from './scavenge/write-cluster-point.ts';
import { writeSample } from './database/write-sample.ts';
import type { OperationContext, ReportFunction, StreamFunction } from './operation.ts';
import type {
  CheckedRequestOf,
  OperationName,
  Replies,
  ReportOperation,
  StreamOperation,
  StreamRows
} from '../contract/operations/operation-contract.ts';

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
  forecastStartup,
  prepareStartup,
  planScavenge,
  planCluster,
  explain: explainDatabase,
  explainRecords,
  reportErasure,
  runScavenge,
  planUndoScavenge,
  undoScavenge,
  forgetReplaced,
  planRedaction,
  redactEvents,
  planRescue,
  runRescue,
  writeClusterPoint,
  listHistory,
  writeSample,
  planBundle,
  runBundle,
  planUnpackBundle,
  unpackBundle,
  createBackup,
  planBackup,
  adoptBackup,
  listBackups,
  verifyBackup,
  verifyAllBackups,
  pruneBackups,
  rekeyBackups,
  planBackupErasure,
  eraseInBackup,
  makeBackupKey,
  sealBackupKey,
  describeSchedule: async (request, context) => describeSchedule(request, context.clock),
  readChunkPage,
  readStreamsPage,
  readStreamCategories,
  usageOfStreams,
  readEventsPage,
  describeChunk,
  describeRecord,
  readUsage,
  surveyUsage,
  exportUsage,
  usageWithin,
  compareThresholds,
  priceProjections,
  forecastGrowth,
  searchRecords,
  locateRecord,
  readTimeline,
  describeStream,
  lookUpStream,
  describeIndexTable,
  readIndexMap,
  compareChunk,
  compareDatabases,
  extractEvents,
  exportDatabase
};

/** These change the files of a directory that was looked at. */
const WRITING: ReadonlySet<ReportOperation> = new Set<ReportOperation>([
  'runRestore',
  'continueRestore',
  'undoRestore',
  'cutLog',
  'rebuildIndex',
  'prepareStartup',
  'repairDatabase',
  'runScavenge',
  'undoScavenge',
  'redactEvents',
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
