/** A finding for people, as verification and doctor print it. */
import type { FindingRow } from '../contract/operations/finding-report.ts';
import type { CommandLine } from './command-line.ts';
import { formatCount } from './byte-size.ts';
import { visibleText } from './visible-text.ts';

/** `more`: sentences between its message and its remedy. */
export function findingText(finding: FindingRow, line: CommandLine, more: readonly string[] = []): string {
  const { red, yellow, dim } = line.colours;
  const place = [
    finding.file,
    finding.offset === null ? null : `offset ${formatCount(finding.offset)}`,
    finding.position === null ? null : `position ${formatCount(finding.position)}`
  ].filter((part) => part !== null);
  const mark = finding.severity === 'damage' ? red('damage') : yellow('hint  ');
  let text = `${mark} ${finding.code} ${visibleText(place.join(', '))}\n`;
  for (const words of [finding.message, ...more, finding.remedy]) text += `       ${visibleText(words)}\n`;
  if (finding.command !== null) text += `       ${dim(visibleText(finding.command))}\n`;
  return text;
}
