/** The undo of a scavenge, planned or done, and what is kept of scavenges, for people. */
import type { KeptReplaced, UndoReport } from '../contract/operations/undo/undo-reports.ts';
import { formatBytes, formatCount, formatNoun } from './byte-size.ts';
import type { Colours } from './command-line.ts';
import { formatFacts } from './tables.ts';
import { visibleText } from './visible-text.ts';

export function undoText(report: UndoReport, colours: Colours, isPlan: boolean): string {
  const { id, steps, keptAt, scavengePoint, kind, end, files, later, notPutBack, indexFrom } = report;
  if (report.resumed) {
    const text = isPlan
      ? `The undo of ${id} was begun and has not ended. It will be finished.\n`
      : `The undo of ${id} is finished: the log ends at position ${formatCount(end)}.\n`;
    return report.planId === undefined ? text : `${text}plan  ${report.planId}\n`;
  }
  const facts: [string, string][] = [
    ['undo', steps.length === 1 ? id : `${id}, then ${steps.slice(1).join(', ')}`],
    ['kept', keptAt ?? ''],
    ['scavenge point', scavengePoint === null ? 'none chosen' : formatCount(scavengePoint)],
    [
      'directory',
      kind === 'exact'
        ? `${isPlan ? 'becomes' : 'is'} what it was before the scavenge, to the byte`
        : `the old files${isPlan ? ' will be' : ''} joined with what was appended since`
    ],
    ['log ends at', formatCount(end)]
  ];
  if (files) {
    facts.push(
      ['put back', `${formatNoun(files.putBack, 'file')}, ${formatBytes(files.bytesPutBack)}`],
      ['removed', `${formatNoun(files.removed, 'file')}, ${formatBytes(files.bytesRemoved)}`]
    );
  }
  if (later && later.records > 0) {
    facts.push([
      'stays',
      `${formatNoun(later.records, 'record')} from position ${formatCount(later.from ?? 0)}, ${formatBytes(later.bytes)}`
    ]);
  }
  for (const { from, to } of notPutBack)
    facts.push(['not put back', from === to ? `chunk ${from}` : `chunks ${from} to ${to}`]);
  if (indexFrom !== null)
    facts.push(['index', `the next start reads the log from ${formatCount(indexFrom)}`]);
  if (report.planId !== undefined) facts.push(['plan', report.planId]);
  const warnings = report.warnings
    .map(
      ({ message, remedy }) =>
        `\n${colours.yellow('Warning:')} ${visibleText(message)}\n${visibleText(remedy)}\n`
    )
    .join('');
  return formatFacts(facts, colours) + warnings;
}

/** One line for each: `20260101T050000Z: 1.2 GiB until 2026-01-08T05:00:00.0000000Z`. */
export function keptText({ id, bytes, expiresAt, finishedAt, problem }: KeptReplaced): string {
  if (problem !== null) return `${id}: ${formatBytes(bytes)}, cannot be put back: ${visibleText(problem)}`;
  const unfinished = finishedAt === null ? ', scavenge unfinished' : '';
  return `${id}: ${formatBytes(bytes)} until ${expiresAt ?? ''}${unfinished}`;
}
