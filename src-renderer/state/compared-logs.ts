/** What is shown of a comparison of logs: counts and sentences out of the report. */
import type { ComparisonReport } from '../../src-main/contract/verbs/workbench-contract.ts';
import { formatBytes } from '../format/bytes.ts';
import { formatCount } from '../format/count.ts';
import { formatNoun } from '../format/noun.ts';
import { texts } from '../texts.ts';

type Range = ComparisonReport['ranges'][number];
type OnlyHere = Range['onlyOne'];

/** Places that no rule explains, for whatever reason. */
export function recordsNotAllRight({ total }: Pick<ComparisonReport, 'total'>): number {
  const open = ({ notKnown, unexplained }: OnlyHere) => notKnown.records + unexplained.records;
  return total.differing + total.unreadable + open(total.onlyOne) + open(total.onlyOther);
}

/** What differs in a range, in the order of its weight; empty where nothing does. */
export function whatDiffers(range: Range, sides: readonly string[]): string {
  const words = texts.compare.parts;
  if (range.verdict === 'behind') return words.lag(formatBytes(range.to - range.from));
  const parts: string[] = [];
  if (range.differing > 0) parts.push(words.differing(formatNoun(range.differing, 'record')));
  if (range.unreadable > 0) parts.push(words.unreadable(formatNoun(range.unreadable, 'place')));
  for (const [i, here] of [range.onlyOne, range.onlyOther].entries()) {
    const why = [
      [here.unexplained, words.byNoRule],
      [here.notKnown, words.notKnown],
      [here.explained, words.byRule]
    ] as const;
    for (const [amount, reason] of why) {
      if (amount.records > 0) parts.push(words.only(formatCount(amount.records), sides[i] ?? '', reason));
    }
  }
  return parts.join('; ');
}

/** What rules removed on the other side, by the side that still has it. */
export function ruleSums({ one, other, total }: ComparisonReport): { side: number; sums: string }[] {
  return [
    { side: one, rules: total.onlyOne.byRule },
    { side: other, rules: total.onlyOther.byRule }
  ]
    .filter(({ rules }) => rules.length > 0)
    .map(({ side, rules }) => ({
      side,
      sums: rules
        .map(
          ({ rule, records, bytes }) =>
            `${texts.explain.rule[rule]}: ${formatNoun(records, 'record')}, ${formatBytes(bytes)}`
        )
        .join('; ')
    }));
}
