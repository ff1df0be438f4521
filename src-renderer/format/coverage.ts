/** How much of a log was verified, as a sentence. The only place that says when it may be shown as good. */
import type { InspectReport } from '../../src-main/contract/verbs/workbench-contract.ts';
import { texts } from '../texts.ts';
import { formatNoun } from './noun.ts';
import { formatAge } from './time.ts';

export interface CoverageSight {
  words: string;
  /** Of the number. */
  hint: string;
  /** All of it was proved within the time: nothing less is good. */
  isProved: boolean;
  isDamaged: boolean;
}

const DAY_MS = 24 * 60 * 60 * 1000;

export function coverageSight(coverage: InspectReport['coverage'], nowMs: number): CoverageSight {
  const { coverage: names } = texts.health;
  const plain = (words: string): CoverageSight => ({
    words,
    hint: names.hint,
    isProved: false,
    isDamaged: false
  });
  if (coverage === undefined) return plain(names.notKnown);
  const { files, bytes, verifiedBytes, isWhole, oldest, damagedFiles, withinMs } = coverage;
  if (files === 0) return plain(names.nothing);
  // Rounded down: nearly all is not all.
  const percent = isWhole
    ? 100
    : Math.min(99.9, Math.floor((verifiedBytes / Math.max(1, bytes)) * 1000) / 10);
  const parts = [
    names.share(String(percent), formatNoun(Math.round(withinMs / DAY_MS), 'day')),
    ...(damagedFiles > 0 ? [names.damaged(formatNoun(damagedFiles, 'chunk'))] : []),
    ...(oldest === null ? [] : [names.oldest(formatAge(oldest, nowMs))])
  ];
  return { words: parts.join(', '), hint: names.hint, isProved: isWhole, isDamaged: damagedFiles > 0 };
}
