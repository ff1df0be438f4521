/** The report of `winnow diff` for people: the answer first, then the ranges, then what is not all right. */
import type {
  ComparisonReport,
  DifferenceReport,
  DifferenceRow
} from '../contract/operations/difference-reports.ts';
import type { RecordRow } from '../contract/operations/reports.ts';
import { formatBytes, formatCount, formatNoun } from './byte-size.ts';
import type { CommandLine } from './command-line.ts';
import { formatTable } from './tables.ts';
import { visibleText } from './visible-text.ts';

type Range = ComparisonReport['ranges'][number];
type OnlyHere = Range['onlyOne'];

/** More than these are in `--json`. */
const MOST_RANGES = 60;
const MOST_DIFFERENCES = 10;

const VERDICTS: Record<Range['verdict'], string> = {
  equal: 'equal',
  explained: 'explained',
  behind: 'behind',
  notKnown: 'not known',
  differs: 'differs'
};
const HOW: Record<Range['how'], string> = {
  hash: 'same stored hash, not read',
  bytes: 'byte by byte',
  records: 'record by record',
  none: ''
};

export function differenceText(report: DifferenceReport, line: CommandLine): string {
  return report.comparisons.map((comparison) => comparisonText(comparison, report, line)).join('\n');
}

function comparisonText(comparison: ComparisonReport, report: DifferenceReport, line: CommandLine): string {
  const { red, yellow, green, bold, dim } = line.colours;
  const { verdict, summary, ranges, differences, differenceCount } = comparison;
  const colour = verdict === 'differs' ? red : verdict === 'notKnown' ? yellow : green;
  const nameOf = (side: number): string => report.sides[side]?.name ?? '';
  const [one, other] = [nameOf(comparison.one), nameOf(comparison.other)];
  let text = `${bold(colour(visibleText(summary)))}\n`;
  if (comparison.epochs) {
    text += `${red('Two histories')}: epoch ${comparison.epochs.number} is not the same on both.\n`;
  }
  text += formatTable(
    [
      { title: 'from', align: 'right' },
      { title: 'to', align: 'right' },
      { title: 'verdict' },
      { title: 'how' },
      { title: 'equal', align: 'right' },
      { title: 'what differs' }
    ],
    ranges
      .slice(0, MOST_RANGES)
      .map((range) => [
        formatCount(range.from),
        formatCount(range.to),
        VERDICTS[range.verdict],
        HOW[range.how],
        range.how === 'hash' || range.how === 'none' ? '' : formatNoun(range.equal.records, 'record'),
        rangeText(range, [one, other])
      ]),
    line.colours
  );
  if (ranges.length > MOST_RANGES) text += dim(`${ranges.length - MOST_RANGES} more ranges in --json.\n`);
  for (const [name, here] of [
    [one, comparison.total.onlyOne],
    [other, comparison.total.onlyOther]
  ] as const) {
    text += rulesText(name, here);
  }
  for (const difference of differences.slice(0, MOST_DIFFERENCES)) {
    text += differenceLines(difference, [one, other], nameOf, line);
  }
  const more = differenceCount - Math.min(differences.length, MOST_DIFFERENCES);
  if (more > 0) text += dim(`${formatNoun(more, 'more difference')}; the first 100 are in --json.\n`);
  for (const { side, file, holds } of comparison.hashes) {
    const says = holds
      ? 'still has the hash that it ends with'
      : red('no longer has the hash that it ends with');
    text += `${visibleText(file)} of ${visibleText(nameOf(side))} ${says}.\n`;
  }
  return text + readText(comparison);
}

function rangeText(
  { verdict, from, to, differing, onlyOne, onlyOther, unreadable }: Range,
  names: string[]
): string {
  if (verdict === 'behind') return `${formatBytes(to - from)} only on one side`;
  const parts: string[] = [];
  if (differing > 0) parts.push(`${formatNoun(differing, 'record')} with other bytes`);
  if (unreadable > 0) parts.push(formatNoun(unreadable, 'unreadable place'));
  for (const [i, here] of [onlyOne, onlyOther].entries()) {
    const { explained, notKnown, unexplained } = here;
    const only = `only in ${names[i] ?? ''}`;
    if (unexplained.records > 0) parts.push(`${formatCount(unexplained.records)} ${only}, by no rule`);
    if (notKnown.records > 0) parts.push(`${formatCount(notKnown.records)} ${only}, not known why`);
    if (explained.records > 0) parts.push(`${formatCount(explained.records)} ${only}, by rule`);
  }
  return parts.join('; ');
}

function rulesText(name: string, { byRule }: OnlyHere): string {
  if (byRule.length === 0) return '';
  const rules = byRule.map(
    ({ rule, records, bytes }) => `${rule} ${formatNoun(records, 'record')} (${formatBytes(bytes)})`
  );
  return visibleText(`Only in ${name}, removed by rule on the other side: ${rules.join(', ')}.`) + '\n';
}

function differenceLines(
  { kind, position, lackedBy, verdict, because, one, other, bytes }: DifferenceRow,
  names: readonly [string, string],
  nameOf: (side: number) => string,
  line: CommandLine
): string {
  const { red, yellow } = line.colours;
  const mark = verdict === 'notKnown' ? yellow('not known') : red('differs  ');
  const where = lackedBy === null ? '' : `, ${kind === 'missing' ? 'missing in' : 'in'} ${nameOf(lackedBy)}`;
  let text = `${mark} position ${formatCount(position)}${visibleText(where)}: ${visibleText(because)}\n`;
  for (const [name, found] of [
    [names[0], one],
    [names[1], other]
  ] as const) {
    if (!found) continue;
    const place = `${found.file}, offset ${formatCount(found.record.fileOffset)}`;
    text += `          ${visibleText(`${name}: ${recordText(found.record)} (${place})`)}\n`;
  }
  if (bytes)
    text += `          ${formatNoun(bytes.count, 'byte')} differ, from ${bytes.first} to ${bytes.last}.\n`;
  return text;
}

function recordText(record: RecordRow): string {
  const length = formatBytes(record.length);
  switch (record.kind) {
    case 'prepare':
      return `event ${record.eventNumber} of ${record.stream}, ${record.eventType}, ${length}, ${record.time}`;
    case 'commit':
      return `commit of the transaction at ${record.transactionPosition}, ${length}, ${record.time}`;
    case 'system':
      return `${record.systemType}, ${length}, ${record.time}`;
  }
}

function readText({ readBytes, trustedBytes, trustedFiles, provedFiles }: ComparisonReport): string {
  const read = `Read ${formatBytes(readBytes)}.`;
  if (trustedFiles === 0) return `${read}\n`;
  const proved = provedFiles > 0 ? `, ${provedFiles} of them verified on both sides` : '';
  return `${read} Not read, because the stored hashes are equal: ${formatNoun(trustedFiles, 'file')} on both sides (${formatBytes(trustedBytes)})${proved}.\n`;
}
