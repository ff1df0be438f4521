/** The reports of an extraction and of an export for people. */
import type { ExportReport, ExtractReport } from '../contract/operations/extraction-reports.ts';
import { formatBytes, formatCount, formatNoun } from './byte-size.ts';
import type { CommandLine } from './command-line.ts';
import { formatFacts } from './tables.ts';
import { visibleText } from './visible-text.ts';

/** Of streams and types. */
const MOST_NAMES = 10;
const MOST_RANGES = 20;

export function extractionText(report: ExtractReport, line: CommandLine): string {
  const { colours } = line;
  const { source, dryRun, check } = report;
  const facts: [string, string][] = [
    ['from', sourceText(source)],
    [
      'log',
      `positions ${formatCount(report.from)} to ${formatCount(report.end)}, in ${formatBytes(report.sourceBytes)} of files`
    ],
    ['to', `${visibleText(report.to)} (${report.format})`]
  ];
  if (report.resumedAt !== null) facts.push(['continued', `at position ${formatCount(report.resumedAt)}`]);
  if (dryRun) return `${visibleText(report.summary)}\n${formatFacts(facts, colours)}`;
  facts.push(
    ['events', `${formatCount(report.events)}, ${formatBytes(report.bytes)} of records`],
    ['written', `${formatNoun(report.files.length, 'file')}, ${formatBytes(report.outputBytes)}`]
  );
  if (report.notCommitted > 0) {
    facts.push([
      'left out',
      `${formatNoun(report.notCommitted, 'event')} of transactions that were never committed`
    ]);
  }
  facts.push(...namesText('streams', report.streams), ...namesText('types', report.types));
  const mark = check.agrees === null ? 'not checked' : check.agrees ? 'agrees' : 'differs';
  facts.push(['count', `${mark}: ${check.because}`]);
  const paint = report.ok ? colours.green : colours.red;
  return `${paint(visibleText(report.summary))}\n${formatFacts(facts, colours)}${unreadableText(report, line)}`;
}

export function exportText(report: ExportReport, line: CommandLine): string {
  const { colours } = line;
  const { source, dryRun, check, written, links } = report;
  const facts: [string, string][] = [
    ['from', sourceText(source)],
    ['log', `positions 0 to ${formatCount(report.end)}, in ${formatBytes(report.sourceBytes)} of files`],
    ['to', visibleText(report.dataDirectory)]
  ];
  if (report.resumedAt !== null) facts.push(['continued', `at position ${formatCount(report.resumedAt)}`]);
  if (dryRun || !written) return `${visibleText(report.summary)}\n${formatFacts(facts, colours)}`;
  facts.push(
    ['events', `${formatCount(report.events)}, ${formatBytes(report.bytes)} of records`],
    [
      'written',
      `${formatNoun(written.chunks, 'chunk')} of ${formatBytes(written.chunkSize)}, log to ${formatCount(written.end)}, ` +
        `${formatNoun(written.indexEntries, 'index entry', 'index entries')}`
    ]
  );
  if (links.total > 0) {
    facts.push([
      'links',
      `${formatCount(links.total)}, of which ${formatCount(links.dangling)} lead to streams that were not chosen`
    ]);
  }
  facts.push(...namesText('streams', report.streams), ...namesText('types', report.types));
  const mark = check.agrees === null ? 'not checked' : check.agrees ? 'agrees' : 'differs';
  facts.push(['count', `${mark}: ${check.because}`]);
  const paint = report.ok ? colours.green : colours.red;
  return `${paint(visibleText(report.summary))}\n${formatFacts(facts, colours)}${unreadableText(report, line)}`;
}

function sourceText({ name, kind, backup, inUse }: ExtractReport['source']): string {
  const what = kind === 'backup' ? `the backup ${backup ?? ''} in ${name}` : name;
  return visibleText(inUse ? `${what} (a server has it open: its log up to the writer checkpoint)` : what);
}

function namesText(
  title: string,
  { count, isComplete, largest }: ExtractReport['streams']
): [string, string][] {
  const shown = largest.slice(0, MOST_NAMES);
  const rows = shown.map(({ name, events }, i): [string, string] => [
    i === 0 ? title : '',
    `${formatCount(events)} ${visibleText(name)}`
  ]);
  const more = count - shown.length;
  if (more > 0) rows.push(['', `and ${formatCount(more)} ${isComplete ? '' : 'and more '}others`]);
  return rows;
}

function unreadableText(
  { unreadable, unreadableCount }: Pick<ExtractReport, 'unreadable' | 'unreadableCount'>,
  { colours }: CommandLine
): string {
  let text = '';
  for (const { file, from, to, why } of unreadable.slice(0, MOST_RANGES)) {
    text += `${colours.red('not read')} ${visibleText(file)}, positions ${formatCount(from)} to ${formatCount(to)}\n      ${visibleText(why)}\n`;
  }
  const more = unreadableCount - Math.min(unreadable.length, MOST_RANGES);
  return more > 0 ? `${text}and ${formatNoun(more, 'place')} more\n` : text;
}
