/**
 * Who may use which part of the served page: for each verb, question and work of the contract. Reading needs a log-in; what
 * writes, stops another user's writing or changes how others see a node needs a role, and so does a look at folders;
 * users, object stores, the addresses and passwords of clusters and the licence need an administrator. What a browser does
 * itself, or what needs the machine that the window runs on, is not available, each with its reason.
 *
 * Every name of the contract is in these tables: the compiler asks for a decision about a new one.
 */
import type { CallName, VerbName, WorkName } from '../../contract/verbs/workbench-contract.ts';

export type VerbAccess = 'user' | 'operator' | 'administrator' | 'absent';
/** Not available in a browser: why. */
export interface Absent {
  absent: string;
}

const OWN_APPEARANCE: Absent = { absent: 'A browser keeps its own appearance.' };
const OWN_FILES: Absent = { absent: 'A browser saves files itself.' };
const THE_SERVICE: Absent = {
  absent: 'The page is part of such a service: "winnow serve" starts another one.'
};

/** `byName`: see the tables below. `byWork`: the same as for starting that work. */
export const VERB_ACCESS: Record<VerbName, Exclude<VerbAccess, 'absent'> | 'byName' | 'byWork' | Absent> = {
  listClusters: 'user',
  clusterOfNode: 'user',
  createCluster: 'administrator',
  renameCluster: 'administrator',
  forgetCluster: 'administrator',
  addClusterNode: 'administrator',
  addClusterAddress: 'administrator',
  removeClusterMember: 'administrator',
  setClusterAccess: 'administrator',
  chooseClusterAuthority: 'administrator',
  forgetClusterAuthority: 'administrator',
  remoteMember: 'user',
  startRemoteScavenge: 'operator',
  stopRemoteScavenge: 'operator',
  autoScavengeStatus: 'user',
  followCluster: 'user',
  configureAutoScavenge: 'operator',
  pauseAutoScavenge: 'operator',
  resumeAutoScavenge: 'operator',
  runAutoScavengeNow: 'operator',
  skipAutoScavenge: 'operator',
  setQuietHours: 'operator',
  licenceState: 'user',
  chooseLicence: 'administrator',
  nodeServiceState: THE_SERVICE,
  startNodeService: THE_SERVICE,
  stopNodeService: THE_SERVICE,
  preferences: OWN_APPEARANCE,
  changePreferences: OWN_APPEARANCE,
  zoom: OWN_APPEARANCE,
  listSettings: 'operator',
  listUsers: 'administrator',
  addUser: 'administrator',
  changeUserPassword: 'administrator',
  removeUser: 'administrator',
  listActivity: 'user',
  describeActivity: 'user',
  about: 'user',
  readLicence: 'user',
  saveBillOfMaterials: 'user',
  tellObstacles: { absent: 'There is no application menu in a browser.' },
  choosePath: 'operator',
  nameStore: 'administrator',
  openChosen: 'operator',
  keepPassword: 'operator',
  setBackupKey: 'operator',
  setBackupSchedule: 'operator',
  start: 'user',
  call: 'byName',
  lookUpIndex: 'user',
  nodeStanding: 'user',
  startWork: 'byName',
  createSample: 'operator',
  stopWork: 'byWork',
  forgetWork: 'byWork',
  workResult: 'user',
  openDirectory: 'operator',
  openConfiguration: {
    absent: 'A configuration file can name any directory of the machine: open the directory.'
  },
  openDropped: { absent: "A file that is dropped on a browser has no path on the service's machine." },
  listFolder: 'operator',
  chooseBackupTarget: 'operator',
  forgetBackupTarget: 'operator',
  recallBackupTarget: 'operator',
  nameBackupStore: 'administrator',
  saveErasure: 'user',
  openSavedFile: OWN_FILES,
  writeSavedFile: OWN_FILES,
  endSavedFile: OWN_FILES,
  changeNode: 'operator',
  forgetNode: 'operator',
  recallNode: 'operator',
  showInFolder: { absent: "The file manager of the service's machine is not in front of you." },
  watchNode: 'user',
  setTheme: OWN_APPEARANCE,
  restartEngine: 'operator',
  copyText: { absent: 'A browser copies itself.' }
};

export const CALL_ACCESS: Record<CallName, VerbAccess> = {
  inspectDatabase: 'user',
  listChunks: 'user',
  inspectIndex: 'user',
  listHistory: 'user',
  describeSchedule: 'user',
  readChunkPage: 'user',
  describeChunk: 'user',
  describeRecord: 'user',
  readStreamsPage: 'user',
  readStreamCategories: 'user',
  usageOfStreams: 'user',
  readEventsPage: 'user',
  listBackups: 'user',
  searchRecords: 'user',
  locateRecord: 'user',
  explainRecords: 'user',
  readTimeline: 'user',
  describeStream: 'user',
  lookUpStream: 'user',
  describeIndexTable: 'user',
  exportUsage: 'user',
  compareThresholds: 'user',
  priceProjections: 'user',
  forecastGrowth: 'user',
  usageWithin: 'user',
  readUsage: 'user',
  readIndexMap: 'user'
};

/** A rehearsal reads the database but fills a disk. */
export const WORK_ACCESS: Record<WorkName, VerbAccess> = {
  verifyDatabase: 'user',
  examineStart: 'user',
  reportErasure: 'user',
  surveyUsage: 'user',
  planScavenge: 'user',
  planCluster: 'user',
  planRescue: 'user',
  explain: 'user',
  compareChunk: 'user',
  compareDatabases: 'user',
  runScavenge: 'operator',
  runRescue: 'operator',
  planRedaction: 'user',
  redactEvents: 'operator',
  extractEvents: 'operator',
  exportDatabase: 'operator',
  runBundle: 'operator',
  planUndoScavenge: 'user',
  undoScavenge: 'operator',
  forgetReplaced: 'operator',
  // Has its own verb, which no page names a directory for.
  writeSample: 'operator',
  planBackup: 'user',
  createBackup: 'operator',
  verifyBackup: 'user',
  rehearseBackup: 'operator',
  pruneBackups: 'operator',
  planBackupErasure: 'user',
  eraseInBackup: 'operator',
  rekeyBackups: 'operator',
  planRestore: 'user',
  runRestore: 'operator',
  continueRestore: 'operator',
  undoRestore: 'operator',
  cutLog: 'operator',
  repairDatabase: 'operator',
  planIndexRebuild: 'user',
  rebuildIndex: 'operator',
  forecastStartup: 'user',
  prepareStartup: 'operator'
};

/** What a request needs. `request` is not checked yet; `workNamed` finds running and ended work by its id. */
export function accessOf(
  verb: string,
  request: unknown,
  workNamed: (id: string) => WorkName | undefined
): VerbAccess {
  if (!Object.hasOwn(VERB_ACCESS, verb)) return 'absent';
  const access = VERB_ACCESS[verb as VerbName];
  if (typeof access !== 'string') return 'absent';
  const member = (name: string): unknown =>
    typeof request === 'object' && request !== null ? (request as Record<string, unknown>)[name] : undefined;
  switch (access) {
    case 'byName':
      return inTable(verb === 'call' ? CALL_ACCESS : WORK_ACCESS, member('name'));
    case 'byWork': {
      const name = workNamed(String(member('id')));
      // Work that no longer exists: stopping or forgetting it does nothing.
      return name === undefined ? 'user' : WORK_ACCESS[name];
    }
    default:
      return access;
  }
}

function inTable(table: Partial<Record<string, VerbAccess>>, name: unknown): VerbAccess {
  return typeof name === 'string' && Object.hasOwn(table, name) ? (table[name] ?? 'absent') : 'absent';
}

/** Why a browser does not have this verb; undefined: it is known of no reason. */
export function whyAbsent(verb: VerbName): string | undefined {
  const access = VERB_ACCESS[verb];
  return typeof access === 'string' ? undefined : access.absent;
}
