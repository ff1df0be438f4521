/** Names of the verbs about paths and passwords. */
import type { PathVerbName } from './path-contract.ts';

/** Keys instead of a list, so that the compiler reports a missing verb. */
export const PATH_VERBS: Record<PathVerbName, true> = {
  choosePath: true,
  nameStore: true,
  openChosen: true,
  keepPassword: true,
  setBackupKey: true,
  setBackupSchedule: true
};
