/** Which view of a node shows what an operation found. Operations that only the command line has are absent. */
import type { View } from '../../state/places.svelte.ts';

const VIEW_OF: Readonly<Record<string, View>> = {
  verifyDatabase: 'verify',
  examineStart: 'verify',
  forecastStartup: 'verify',
  prepareStartup: 'verify',
  repairDatabase: 'verify',
  planIndexRebuild: 'verify',
  rebuildIndex: 'verify',
  surveyUsage: 'usage',
  reportErasure: 'erasure',
  planRedaction: 'erasure',
  redactEvents: 'erasure',
  extractEvents: 'extract',
  exportDatabase: 'extract',
  runBundle: 'extract',
  compareChunk: 'chunks',
  compareDatabases: 'verify',
  planScavenge: 'scavenge',
  planCluster: 'schedule',
  runScavenge: 'scavenge',
  planUndoScavenge: 'scavenge',
  undoScavenge: 'scavenge',
  forgetReplaced: 'scavenge',
  planRescue: 'rescue',
  runRescue: 'rescue',
  compareThresholds: 'scavenge',
  planBackup: 'backups',
  createBackup: 'backups',
  verifyBackup: 'backups',
  rehearseBackup: 'backups',
  pruneBackups: 'backups',
  planBackupErasure: 'backups',
  eraseInBackup: 'backups',
  rekeyBackups: 'backups',
  planRestore: 'restore',
  runRestore: 'restore',
  continueRestore: 'restore',
  undoRestore: 'restore',
  cutLog: 'restore'
};

export function reportView(operation: string): View {
  return VIEW_OF[operation] ?? 'overview';
}
