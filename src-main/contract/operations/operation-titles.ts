/**
 * What people call an operation: in the strip and the activity of the window, in notices and dialogs, and in `winnow
 * activity`. The only such list.
 */
import type { ReportOperation } from './operation-contract.ts';

/** Operations of the coordinator, which are recorded but are not in the engine's contract. */
type ClusterOperation =
  | 'scavengeCluster'
  | 'resignLeader'
  | 'requestPause'
  | 'pauseSchedule'
  | 'resumeSchedule'
  | 'skipCycle'
  | 'configureSchedule';

interface Title {
  title: string;
  /** The word between the title and the name of a node; null: the name follows at once. */
  before: string | null;
}

const title = (text: string, before: string | null = null): Title => ({ title: text, before });

export const OPERATION_TITLES = {
  verifyDatabase: title('Verify'),
  examineStart: title('Predict the next start', 'of'),
  forecastStartup: title('Forecast the next start', 'of'),
  prepareStartup: title('Prepare the next start', 'of'),
  surveyUsage: title('Count usage', 'of'),
  reportErasure: title('Check erasure', 'in'),
  compareChunk: title('Compare a chunk', 'of'),
  compareDatabases: title('Compare'),
  exportDatabase: title('Export streams', 'from'),
  extractEvents: title('Extract events', 'from'),
  compareThresholds: title('Compare thresholds', 'of'),
  explain: title('Explain'),
  planScavenge: title('Plan a scavenge', 'of'),
  planCluster: title('Plan the nights of a cluster', 'from'),
  runScavenge: title('Scavenge'),
  planUndoScavenge: title('Plan to undo a scavenge', 'of'),
  undoScavenge: title('Undo a scavenge', 'of'),
  forgetReplaced: title('Remove what a scavenge replaced', 'in'),
  planRedaction: title('Plan a redaction', 'in'),
  redactEvents: title('Redact events', 'in'),
  planRescue: title('Plan a rescue', 'of'),
  runRescue: title('Rescue'),
  writeClusterPoint: title('Write a scavenge point', 'to'),
  writeSample: title('Create the sample database'),
  planBundle: title('Plan a support bundle', 'of'),
  runBundle: title('Make a support bundle', 'of'),
  planUnpackBundle: title('Look into a packed bundle'),
  unpackBundle: title('Unpack a bundle'),
  planBackup: title('Plan a backup', 'of'),
  createBackup: title('Back up'),
  makeBackupKey: title('Make a key file'),
  sealBackupKey: title('Make a key for backups'),
  adoptBackup: title('Adopt a backup', 'of'),
  verifyBackup: title('Verify a backup', 'of'),
  verifyAllBackups: title('Verify all backups', 'of'),
  rehearseBackup: title('Rehearse a backup', 'of'),
  pruneBackups: title('Prune the backups', 'of'),
  rekeyBackups: title('Change the keys of the backups', 'of'),
  planBackupErasure: title('Plan to erase in a backup', 'of'),
  eraseInBackup: title('Erase in a backup', 'of'),
  planRestore: title('Plan a restore', 'of'),
  runRestore: title('Restore'),
  continueRestore: title('Finish the restore', 'of'),
  undoRestore: title('Undo the restore', 'of'),
  cutLog: title('Truncate the log', 'of'),
  planIndexRebuild: title('Plan an index rebuild', 'of'),
  rebuildIndex: title('Rebuild the index', 'of'),
  repairDatabase: title('Repair'),
  scavengeCluster: title('Scavenge a cluster'),
  resignLeader: title('Ask the leader to resign'),
  requestPause: title('Request a pause'),
  pauseSchedule: title('Pause the schedule', 'of'),
  resumeSchedule: title('Resume the schedule', 'of'),
  skipCycle: title('Skip the next scheduled cycle', 'of'),
  configureSchedule: title('Set the schedule', 'of')
} as const satisfies Partial<Record<ReportOperation | ClusterOperation, Title>>;

export type TitledOperation = keyof typeof OPERATION_TITLES;

/** `isPlan`: the same operation, requested to change nothing. */
interface TitleParts {
  node?: string | undefined;
  isPlan: boolean;
}

/** "Verify", "Plan: Restore orders", "Compare a chunk of orders". */
export function operationTitle(name: TitledOperation, { node, isPlan }: TitleParts): string {
  const { title: own, before } = OPERATION_TITLES[name];
  const words = [own, ...(node === undefined ? [] : [...(before === null ? [] : [before]), node])];
  return `${isPlan ? 'Plan: ' : ''}${words.join(' ')}`;
}

/** Of a record, which another version may have written: an operation without a title keeps its own name. */
export function titleOfRecord({
  operation,
  options
}: {
  operation: string;
  options: Readonly<Record<string, unknown>>;
}): string {
  const isPlan = options['dryRun'] === true;
  if (operation in OPERATION_TITLES) return operationTitle(operation as TitledOperation, { isPlan });
  return `${isPlan ? 'Plan: ' : ''}${operation}`;
}
