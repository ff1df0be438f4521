/** The steps of a restore, and the next ones that help where it failed. */
import type { ErrorReport } from '../../../src-main/contract/verbs/workbench-contract.ts';

export const RESTORE_STEPS = ['backup', 'place', 'plan'] as const;
export type RestoreStep = (typeof RESTORE_STEPS)[number];

/** What a server cuts off its log at most, unless its setting MaxTruncation says otherwise. */
export const SERVER_MOST_CUT_BYTES = 256 * 1024 * 1024;

/** What a person can do about a failure, the most helpful first. */
export type RestoreRemedy =
  'giveKey' | 'raiseLimit' | 'resume' | 'anotherBackup' | 'anotherPlace' | 'planAgain';

export function remediesOf({ code, details }: ErrorReport): RestoreRemedy[] {
  switch (details['reason']) {
    case 'keyMissing':
    case 'wrongPassword':
      return ['giveKey', 'anotherBackup'];
    case 'restoreUnfinished':
      return ['resume', 'anotherPlace'];
    case 'exceedsMaxTruncation':
      return ['raiseLimit', 'anotherPlace'];
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
