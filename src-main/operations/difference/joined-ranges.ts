/** The ranges of all comparisons of one question as one list: what holds of each part of the log, and of which sides. */
import { JOINED_STATES, type JoinedState } from '../../../src-core/index.ts';
import type { ComparisonReport, DifferenceReport } from '../../contract/operations/difference-reports.ts';

type JoinedRange = DifferenceReport['ranges'][number];
type Range = ComparisonReport['ranges'][number];

interface Finding {
  state: JoinedState;
  /** Indexes of the sides of which it holds. */
  sides: readonly number[];
}

/** Ends are those of any comparison; neighbours of one state and the same sides are one range. */
export function joinedRanges(
  comparisons: readonly ComparisonReport[],
  names: readonly string[]
): JoinedRange[] {
  const ends = [...new Set(comparisons.flatMap(({ ranges }) => ranges.map(({ to }) => to)))];
  const cursors = comparisons.map(() => 0);
  const joined: JoinedRange[] = [];
  let from = 0;
  for (const to of ends.sort((a, b) => a - b)) {
    const findings: Finding[] = [];
    for (const [i, comparison] of comparisons.entries()) {
      while ((comparison.ranges[cursors[i]!]?.to ?? Infinity) <= from) cursors[i]!++;
      const range = comparison.ranges[cursors[i]!];
      if (range && range.from < to) findings.push(findingOf(range, comparison));
    }
    const { state, sides } = worstOf(findings);
    const named = sides.map((side) => names[side]!);
    const last = joined.at(-1);
    if (last && last.state === state && sameNames(last.sides, named)) last.to = to;
    else joined.push({ from, to, state, sides: named });
    from = to;
  }
  return joined;
}

function worstOf(findings: readonly Finding[]): Finding {
  const state = JOINED_STATES[Math.max(0, ...findings.map((one) => JOINED_STATES.indexOf(one.state)))]!;
  const sides = new Set(findings.filter((one) => one.state === state).flatMap((one) => one.sides));
  return { state, sides: [...sides].sort((a, b) => a - b) };
}

function findingOf(range: Range, { one, other, behind }: ComparisonReport): Finding {
  const both = [one, other];
  const lacking = (kind: 'explained' | 'notKnown' | 'unexplained' | 'unreadable'): number[] => [
    ...(range.onlyOther[kind].records > 0 ? [one] : []),
    ...(range.onlyOne[kind].records > 0 ? [other] : [])
  ];
  switch (range.verdict) {
    case 'equal':
      return { state: 'equal', sides: both };
    case 'explained':
      return { state: 'onlyScavengedIn', sides: lacking('explained') };
    case 'behind':
      return { state: 'missingIn', sides: behind ? [behind.side] : both };
    default: {
      // Where nothing of a side can be read it has nothing; a place inside that cannot be read is a difference.
      const hasHoles = range.unreadable > 0 && range.equal.records > 0;
      if (range.differing > 0 || hasHoles) return { state: 'differs', sides: both };
      const missing = [...lacking('unexplained'), ...lacking('notKnown'), ...lacking('unreadable')];
      return { state: 'missingIn', sides: missing.length > 0 ? missing : both };
    }
  }
}

function sameNames(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, i) => name === other[i]);
}
