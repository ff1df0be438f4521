/**
 * Which function carries out which operation. The only place that knows them all: the engine's server runs
 * operations through it, and tests may do so without any thread. Each is loaded when it is asked for: a command needs one of
 * them, and loading all takes longer than most questions about a small database.
 */
import { EngineError } from '../../src-core/index.ts';
import { forgetKept } from './database/database-access.ts';
import type { OperationContext, ReportFunction, StreamFunction } from './operation.ts';
import type {
  CheckedRequestOf,
  OperationName,
  Replies,
  ReportOperation,
  StreamOperation,
  StreamRows
} from '../contract/operations/operation-contract.ts';

type Loaded<F> = () => Promise<F>;

const reportOperations: { [N in ReportOperation]: Loaded<ReportFunction<N>> } = {
  planRestore: async () => (await import('./restore/run-restore.ts')).planRestore,
  runRestore: async () => (await import('./restore/run-restore.ts')).runRestore,
  continueRestore: async () => (await import('./restore/run-restore.ts')).continueRestore,
  undoRestore: async () => (await import('./restore/run-restore.ts')).undoRestore,
  cutLog: async () => (await import('./restore/cut-log.ts')).cutLog,
  rehearseBackup: async () => (await import('./backup/rehearse-backup.ts')).rehearseBackup,
  inspectDatabase: async () => (await import('./database/inspect-database.ts')).inspectDatabase,
  listChunks: async () => (await import('./chunks/list-chunks.ts')).listChunks,
  inspectIndex: async () => (await import('./index/inspect-index.ts')).inspectIndex,
  planIndexRebuild: async () => (await import('./index/rebuild-index.ts')).planIndexRebuild,
  rebuildIndex: async () => (await import('./index/rebuild-index.ts')).rebuildIndex,
  repairDatabase: async () => (await import('./repair/repair-database.ts')).repairDatabase,
  verifyDatabase: async () => (await import('./repair/verify-database.ts')).verifyDatabase,
  examineStart: async () => (await import('./doctor/doctor-examine-start.ts')).examineStart,
  forecastStartup: async () => (await import('./startup/startup-forecast.ts')).forecastStartup,
  prepareStartup: async () => (await import('./startup/startup-preparation.ts')).prepareStartup,
  planScavenge: async () => (await import('./scavenge/plan-scavenge.ts')).planScavenge,
  planCluster: async () => (await import('./scavenge/plan-cluster.ts')).planCluster,
  explain: async () => (await import('./explain/explain-database.ts')).explainDatabase,
  explainRecords: async () => (await import('./explain/explain-records.ts')).explainRecords,
  reportErasure: async () => (await import('./erasure/report-erasure.ts')).reportErasure,
  runScavenge: async () => (await import('./scavenge/run-scavenge.ts')).runScavenge,
  planUndoScavenge: async () => (await import('./scavenge/undo-scavenge.ts')).planUndoScavenge,
  undoScavenge: async () => (await import('./scavenge/undo-scavenge.ts')).undoScavenge,
  forgetReplaced: async () => (await import('./scavenge/undo-scavenge.ts')).forgetReplaced,
  planRedaction: async () => (await import('./redaction/redact-events.ts')).planRedaction,
  redactEvents: async () => (await import('./redaction/redact-events.ts')).redactEvents,
  planRescue: async () => (await import('./scavenge/rescue-database.ts')).planRescue,
  runRescue: async () => (await import('./scavenge/rescue-database.ts')).runRescue,
  writeClusterPoint: async () => (await import('./scavenge/write-cluster-point.ts')).writeClusterPoint,
  listHistory: async () => (await import('./scavenge/list-history.ts')).listHistory,
  writeSample: async () => (await import('./database/write-sample.ts')).writeSample,
  planBundle: async () => (await import('./bundle/make-bundle.ts')).planBundle,
  runBundle: async () => (await import('./bundle/make-bundle.ts')).runBundle,
  planUnpackBundle: async () => (await import('./bundle/unpack-bundle.ts')).planUnpackBundle,
  unpackBundle: async () => (await import('./bundle/unpack-bundle.ts')).unpackBundle,
  createBackup: async () => (await import('./backup/backup-create.ts')).createBackup,
  planBackup: async () => (await import('./backup/backup-create.ts')).planBackup,
  adoptBackup: async () => (await import('./backup/backup-adopt.ts')).adoptBackup,
  listBackups: async () => (await import('./backup/backup-list.ts')).listBackups,
  verifyBackup: async () => (await import('./backup/backup-verify.ts')).verifyBackup,
  verifyAllBackups: async () => (await import('./backup/backup-verify.ts')).verifyAllBackups,
  pruneBackups: async () => (await import('./backup/backup-prune.ts')).pruneBackups,
  rekeyBackups: async () => (await import('./backup/rekey-backups.ts')).rekeyBackups,
  planBackupErasure: async () => (await import('./backup/erase-in-backup.ts')).planBackupErasure,
  eraseInBackup: async () => (await import('./backup/erase-in-backup.ts')).eraseInBackup,
  makeBackupKey: async () => (await import('./backup/make-backup-key.ts')).makeBackupKey,
  sealBackupKey: async () => (await import('./backup/make-backup-key.ts')).sealBackupKey,
  describeSchedule: async () => {
    const { describeSchedule } = await import('./scavenge/describe-schedule.ts');
    return (request, context) => Promise.resolve(describeSchedule(request, context.clock));
  },
  readChunkPage: async () => (await import('./chunks/read-chunk-page.ts')).readChunkPage,
  readStreamsPage: async () => (await import('./streams/read-streams-page.ts')).readStreamsPage,
  readStreamCategories: async () => (await import('./streams/read-streams-page.ts')).readStreamCategories,
  usageOfStreams: async () => (await import('./usage/usage-of-streams.ts')).usageOfStreams,
  readEventsPage: async () => (await import('./streams/read-events-page.ts')).readEventsPage,
  describeChunk: async () => (await import('./chunks/describe-chunk.ts')).describeChunk,
  describeRecord: async () => (await import('./records/describe-record.ts')).describeRecord,
  readUsage: async () => (await import('./usage/usage-read.ts')).readUsage,
  surveyUsage: async () => (await import('./usage/usage-survey.ts')).surveyUsage,
  exportUsage: async () => (await import('./usage/usage-survey.ts')).exportUsage,
  usageWithin: async () => (await import('./usage/usage-survey.ts')).usageWithin,
  compareThresholds: async () => (await import('./scavenge/thresholds-compare.ts')).compareThresholds,
  priceProjections: async () => (await import('./usage/projections-price.ts')).priceProjections,
  forecastGrowth: async () => (await import('./usage/growth-forecast.ts')).forecastGrowth,
  searchRecords: async () => (await import('./records/search-records.ts')).searchRecords,
  locateRecord: async () => (await import('./records/locate-record.ts')).locateRecord,
  readTimeline: async () => (await import('./records/read-timeline.ts')).readTimeline,
  describeStream: async () => (await import('./streams/describe-stream.ts')).describeStream,
  lookUpStream: async () => (await import('./index/look-up-stream.ts')).lookUpStream,
  describeIndexTable: async () => (await import('./index/describe-index-table.ts')).describeIndexTable,
  readIndexMap: async () => (await import('./index/describe-index-table.ts')).readIndexMap,
  compareChunk: async () => (await import('./chunks/compare-chunk.ts')).compareChunk,
  compareDatabases: async () => (await import('./difference/compare-databases.ts')).compareDatabases,
  extractEvents: async () => (await import('./extraction/extract-events.ts')).extractEvents,
  exportDatabase: async () => (await import('./extraction/export-database.ts')).exportDatabase
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

const streamOperations: { [N in StreamOperation]: Loaded<StreamFunction<N>> } = {
  listRecords: async () => (await import('./records/list-records.ts')).listRecords,
  listStreams: async () => (await import('./streams/list-streams.ts')).listStreams,
  readStream: async () => (await import('./streams/read-stream.ts')).readStream,
  listIndexEntries: async () => (await import('./index/list-index-entries.ts')).listIndexEntries
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
  const run = await loaded(reportOperations[name]);
  try {
    return await run(request as CheckedRequestOf<N>, context);
  } finally {
    if (WRITING.has(name)) forgetKept(context);
  }
}

/** Runs an operation that answers with rows. `request` has been validated against the table of requests. */
export async function* runStreamOperation<N extends StreamOperation>(
  name: N,
  request: unknown,
  context: OperationContext
): AsyncGenerator<StreamRows[N][]> {
  const run = await loaded(streamOperations[name]);
  yield* run(request as CheckedRequestOf<N>, context);
}

/** A long-running Winnow whose files were exchanged meanwhile cannot load what it has not loaded yet. */
async function loaded<F>(load: Loaded<F>): Promise<F> {
  try {
    return await load();
  } catch (cause) {
    throw new EngineError({
      code: 'StorageFailed',
      message: 'A part of Winnow cannot be loaded: its files were changed or removed since it was started.',
      remedy: 'Start Winnow again. If it says the same then, install it again.',
      details: { reason: cause instanceof Error ? cause.message : String(cause) },
      cause
    });
  }
}
