/** Names of the channels between window and main process: one for each verb of the contract, one to stop a question, one for events. */
import { APPLICATION_VERBS } from './application-channels.ts';
import { PATH_VERBS } from './path-channels.ts';
import { CLUSTER_VERBS } from './cluster-channels.ts';
import type { VerbName } from './workbench-contract.ts';

/** Keys instead of a list, so that the compiler reports a missing verb. */
const VERBS: Record<VerbName, true> = {
  ...CLUSTER_VERBS,
  ...APPLICATION_VERBS,
  ...PATH_VERBS,
  start: true,
  listFolder: true,
  call: true,
  lookUpIndex: true,
  nodeStanding: true,
  startWork: true,
  createSample: true,
  stopWork: true,
  forgetWork: true,
  workResult: true,
  openDirectory: true,
  openConfiguration: true,
  openDropped: true,
  chooseBackupTarget: true,
  forgetBackupTarget: true,
  recallBackupTarget: true,
  nameBackupStore: true,
  changeNode: true,
  forgetNode: true,
  recallNode: true,
  showInFolder: true,
  watchNode: true,
  setTheme: true,
  restartEngine: true,
  saveErasure: true,
  openSavedFile: true,
  writeSavedFile: true,
  endSavedFile: true,
  copyText: true
};

export const VERB_NAMES = Object.keys(VERBS) as VerbName[];

export function channelOf(verb: VerbName): string {
  return `winnow:${verb}`;
}

export const STOP_CALL_CHANNEL = 'winnow:stopCall';
export const EVENT_CHANNEL = 'winnow:event';
