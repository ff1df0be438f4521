/** What a restore removes, in words. */
import type { RestorePlanReport } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { formatBytes } from '../../format/bytes.ts';
import { texts } from '../../texts.ts';

type Replaced = NonNullable<RestorePlanReport['replaces']>;

export function lostByRestore({ lostBytes, isSameHistory }: Replaced): string {
  const words = texts.restore.planned;
  if (isSameHistory === false) return words.lostOther;
  if (lostBytes === null) return words.lostUnknown;
  return lostBytes > 0 ? words.lostBytes(formatBytes(lostBytes)) : words.lostNothing;
}

/** Also where nobody can tell: then it has to be said. */
export function restoreLosesSomething({ lostBytes, isSameHistory }: Replaced): boolean {
  return isSameHistory === false || lostBytes !== 0;
}
