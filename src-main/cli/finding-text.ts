/** Findings for people, as verification and doctor print them, and files that a truncation deletes. */
import type { FindingRow } from '../contract/operations/finding-report.ts';
import type { CommandLine } from './command-line.ts';
import { formatCount, formatNoun } from './byte-size.ts';
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

/** The chunk files that a truncation deletes, one per line with its bytes. */
export function removedText(title: string, files: readonly { file: string; bytes: number }[]): string {
  if (files.length === 0) return '';
  const lines = files.map(({ file, bytes }) => `  ${visibleText(file)}  ${formatNoun(bytes, 'byte')}\n`);
  const sum = files.reduce((total, { bytes }) => total + bytes, 0);
  const count =
    files.length === 1 ? '' : `  ${formatNoun(files.length, 'file')}, ${formatNoun(sum, 'byte')} in total\n`;
  return `${title}\n${lines.join('')}${count}`;
}
