/**
 * Who may use which part of the served page: for each verb, question and work of the contract. Reading needs a log-in; what
 * writes, stops another user's writing or changes how others see a node needs a role, and so does a look at folders;
 * users and object stores need an administrator; what needs the window (its list of nodes, its theme, its clipboard) is
 * not available at all.
 *
 * Every name of the contract is listed here (a test checks it). A missing one is denied to everyone.
 */
import { APPLICATION_VERBS } from '../../contract/verbs/application-channels.ts';
import { PATH_VERBS } from '../../contract/verbs/path-channels.ts';
import { CLUSTER_VERBS } from '../../contract/verbs/cluster-channels.ts';
import type { CallName, VerbName, WorkName } from '../../contract/verbs/workbench-contract.ts';

export type VerbAccess = 'user' | 'operator' | 'administrator' | 'absent';

/** `byName`: see the tables below. `byWork`: the same as for starting that work. */
export const VERB_ACCESS: Partial<Record<VerbName, VerbAccess | 'byName' | 'byWork'>> = {
  ...absentEach(Object.keys(CLUSTER_VERBS)),
  ...absentEach(Object.keys(APPLICATION_VERBS)),
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
  ...absentEach(Object.keys(PATH_VERBS)),
  choosePath: 'operator',
  nameStore: 'administrator',
  keepPassword: 'operator',
  setBackupKey: 'operator',
  setBackupSchedule: 'operator',
  start: 'user',
  call: 'byName',
  lookUpIndex: 'user',
  startWork: 'byName',
  createSample: 'absent',
  stopWork: 'byWork',
  forgetWork: 'byWork',
  workResult: 'user',
  openDirectory: 'absent',
  openConfiguration: 'absent',
  openDropped: 'absent',
  listFolder: 'operator',
  chooseBackupTarget: 'operator',
  forgetBackupTarget: 'operator',
  recallBackupTarget: 'operator',
  nameBackupStore: 'administrator',
  saveErasure: 'user',
  openSavedFile: 'absent',
  writeSavedFile: 'absent',
  endSavedFile: 'absent',
  changeNode: 'operator',
  forgetNode: 'absent',
  recallNode: 'absent',
  showInFolder: 'absent',
  watchNode: 'user',
  setTheme: 'absent',
  restartEngine: 'operator',
  copyText: 'absent'
};

export const CALL_ACCESS: Partial<Record<CallName, VerbAccess>> = {
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
  usageWithin: 'user',
  readUsage: 'user',
  readIndexMap: 'user'
};

/** A rehearsal reads the database but fills a disk. */
export const WORK_ACCESS: Partial<Record<WorkName, VerbAccess>> = {
  verifyDatabase: 'user',
  examineStart: 'user',
  reportErasure: 'user',
  surveyUsage: 'user',
  planScavenge: 'user',
  planRescue: 'user',
  explain: 'user',
  compareChunk: 'user',
  runScavenge: 'operator',
  runRescue: 'operator',
  writeSample: 'absent',
  planBackup: 'user',
  createBackup: 'operator',
  verifyBackup: 'user',
  rehearseBackup: 'operator',
  pruneBackups: 'operator',
  planRestore: 'user',
  runRestore: 'operator',
  continueRestore: 'operator',
  undoRestore: 'operator',
  cutLog: 'operator',
  repairDatabase: 'operator',
  planIndexRebuild: 'user',
  rebuildIndex: 'operator'
};

/** What a request needs. `request` is not checked yet; `workNamed` finds running and ended work by its id. */
export function accessOf(
  verb: string,
  request: unknown,
  workNamed: (id: string) => WorkName | undefined
): VerbAccess {
  if (!Object.hasOwn(VERB_ACCESS, verb)) return 'absent';
  const access = VERB_ACCESS[verb as VerbName] ?? 'absent';
  const member = (name: string): unknown =>
    typeof request === 'object' && request !== null ? (request as Record<string, unknown>)[name] : undefined;
  switch (access) {
    case 'byName':
      return inTable(verb === 'call' ? CALL_ACCESS : WORK_ACCESS, member('name'));
    case 'byWork': {
      const name = workNamed(String(member('id')));
      // Work that no longer exists: stopping or forgetting it does nothing.
      return name === undefined ? 'user' : (WORK_ACCESS[name] ?? 'operator');
    }
    default:
      return access;
  }
}

function inTable(table: Partial<Record<string, VerbAccess>>, name: unknown): VerbAccess {
  return typeof name === 'string' && Object.hasOwn(table, name) ? (table[name] ?? 'absent') : 'absent';
}

/** A service knows no list of clusters, and what a page looks like is its browser's own. */
function absentEach(names: readonly string[]): Record<string, 'absent'> {
  return Object.fromEntries(names.map((name) => [name, 'absent']));
}
