/** What can be done about a warning with one click; undefined: only its own words help. Pure. */
import type { Warning } from '../../../src-main/contract/verbs/workbench-contract.ts';

export type RemedyKind = 'verify' | 'rebuild' | 'plan' | 'records';

const OF_CODE: Record<string, RemedyKind> = {
  truncatePending: 'records',
  statisticsPileUp: 'plan',
  tableMissing: 'rebuild',
  tableInvalid: 'rebuild',
  tableHashMismatch: 'rebuild',
  indexMapMissing: 'rebuild',
  indexMapInvalid: 'rebuild',
  indexAheadOfLog: 'rebuild',
  IndexCorrupt: 'rebuild',
  filterMissing: 'verify',
  filterInvalid: 'verify',
  filterNotAFile: 'verify',
  filterFalseNegative: 'rebuild',
  LogCorrupt: 'verify',
  surplusChunk: 'verify'
};

/** Whatever is wrong with chunks and checkpoints, verification says more of, and offers the repair. */
export function remedyOf({ code }: Warning): RemedyKind | undefined {
  return (
    OF_CODE[code] ?? (/^(chunk|checkpoint|writer|chaser|epoch|log|state)/i.test(code) ? 'verify' : undefined)
  );
}
