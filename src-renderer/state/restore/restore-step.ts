/** The steps of a restore, and the next ones that help where it failed. */
import type { ErrorReport } from '../../../src-main/contract/verbs/workbench-contract.ts';

export const RESTORE_STEPS = ['backup', 'place', 'plan'] as const;
export type RestoreStep = (typeof RESTORE_STEPS)[number];

/** What a person can do about a failure, the most helpful first. */
export type RestoreRemedy = 'giveKey' | 'resume' | 'anotherBackup' | 'anotherPlace' | 'planAgain';

export function remediesOf({ code, details }: ErrorReport): RestoreRemedy[] {
  switch (details['reason']) {
    case 'keyMissing':
    case 'wrongPassword':
      return ['giveKey', 'anotherBackup'];
    case 'restoreUnfinished':
      return ['resume', 'anotherPlace'];
  }
  const { field } = details;
  if (field === '--key-file' || field === 'password') return ['giveKey', 'anotherBackup'];
  switch (code) {
    case 'LogCorrupt':
    case 'IndexCorrupt':
    case 'UnsupportedFormat':
      return ['anotherBackup'];
    case 'DatabaseNotFound':
      return ['anotherBackup', 'anotherPlace'];
    case 'DatabaseInUse':
      return ['planAgain', 'anotherPlace'];
    case 'PlanStale':
      return ['planAgain'];
    case 'StorageFailed':
      return ['planAgain', 'anotherPlace'];
    default:
      return ['anotherBackup', 'anotherPlace', 'planAgain'];
  }
}
