/** The operations that the window asks for, by name. */
import type { ReportOperation } from '../operations/operation-contract.ts';

/** Operations that answer at once. */
export const CALL_NAMES = [
  'inspectDatabase',
  'listChunks',
  'inspectIndex',
  'listHistory',
  'describeSchedule',
  'readChunkPage',
  'describeChunk',
  'describeRecord',
  'readStreamsPage',
  'readStreamCategories',
  'usageOfStreams',
  'readEventsPage',
  'searchRecords',
  'locateRecord',
  'explainRecords',
  'readTimeline',
  'describeStream',
  'lookUpStream',
  'describeIndexTable',
  'readIndexMap',
  'exportUsage',
  'usageWithin',
  'readUsage',
  'compareThresholds',
  'priceProjections',
  'forecastGrowth',
  'listBackups'
] as const satisfies readonly ReportOperation[];
export type CallName = (typeof CALL_NAMES)[number];

/** Work that the window starts by name; the sample has its own verb. */
export const WORK_NAMES = [
  'verifyDatabase',
  'explain',
  'reportErasure',
  'examineStart',
  'surveyUsage',
  'compareChunk',
  'compareDatabases',
  'planScavenge',
  'planCluster',
  'runScavenge',
  'planUndoScavenge',
  'undoScavenge',
  'forgetReplaced',
  'planRedaction',
  'redactEvents',
  'extractEvents',
  'exportDatabase',
  'runBundle',
  'planRescue',
  'runRescue',
  'planBackup',
  'createBackup',
  'verifyBackup',
  'rehearseBackup',
  'pruneBackups',
  'planBackupErasure',
  'eraseInBackup',
  'rekeyBackups',
  'planRestore',
  'runRestore',
  'continueRestore',
  'undoRestore',
  'cutLog',
  'repairDatabase',
  'planIndexRebuild',
  'rebuildIndex',
  'forecastStartup',
  'prepareStartup'
] as const satisfies readonly ReportOperation[];
/** Long operations: started, followed, stopped; they survive a reload of the window. */
export type WorkName = (typeof WORK_NAMES)[number] | 'writeSample';
