/** A plan or a result of a scavenge, for people. */
import type { ScavengeReport } from '../operations/reports.ts';
import { formatBytes, formatCount } from './byte-size.ts';
import type { Colours } from './command-line.ts';
import { formatFacts, formatTable } from './tables.ts';
import { visibleText } from './visible-text.ts';

/** The whole report: chunks, tables, sums, warnings. */
export function scavengeText(report: ScavengeReport, colours: Colours): string {
  if (report.scavengePoint === null) {
    return `There is no scavenge point that was not reached yet: nothing to do.\n${warningsText(report, colours)}`;
  }
  const chunks = formatTable(
    [
      { title: 'chunk', align: 'right' },
      { title: 'weight', align: 'right' },
      { title: 'decision' },
      { title: 'before', align: 'right' },
      { title: 'after', align: 'right' },
      { title: 'records', align: 'right' },
      { title: 'new file' }
    ],
    report.chunks.map((chunk) => [
      chunk.chunkStart === chunk.chunkEnd
        ? String(chunk.chunkStart)
        : `${chunk.chunkStart}-${chunk.chunkEnd}`,
      formatCount(chunk.weight),
      chunk.decision,
      formatBytes(chunk.bytesBefore),
      formatBytes(chunk.bytesAfter),
      formatCount(chunk.recordsDiscarded),
      chunk.newFile ?? ''
    ]),
    colours
  );
  const point = report.scavengePoint;
  const facts: [string, string][] = [
    ['result', report.result + (report.resumed ? ' (resumed)' : '')],
    [
      'scavenge point',
      `${point.placement}, number ${point.number}, position ${formatCount(point.position)}, ` +
        `${point.effectiveNow}, threshold ${point.threshold}`
    ],
    ['records discarded', formatCount(report.recordsDiscarded)],
    ['index entries discarded', formatCount(report.indexEntriesDiscarded)],
    ['files', `${formatBytes(report.bytesBefore)} before, ${formatBytes(report.bytesAfter)} after`],
    ['space saved', formatBytes(report.spaceSavedBytes)],
    [
      'left in the active chunk',
      `${formatCount(report.leftInActiveChunk.records)} records, ${formatBytes(report.leftInActiveChunk.bytes)}`
    ],
    ['threads', String(report.threads)]
  ];
  const isPlan = report.scavengeId === undefined;
  if (isPlan && report.scratchBytes !== undefined) {
    facts.push(['needed meanwhile', `at most ${formatBytes(report.scratchBytes)}`]);
  }
  if (isPlan && report.planId !== undefined) facts.push(['plan', report.planId]);
  const { hits = 0, misses = 0 } = report.hashUsersCache ?? {};
  if (hits + misses > 0) {
    facts.push(['hash users cache', `${formatCount(misses)} misses of ${formatCount(hits + misses)}`]);
  }
  if (report.scavengeId !== undefined) facts.unshift(['scavenge', report.scavengeId]);
  const took = report.phases.filter((phase) => phase.elapsedMs !== undefined);
  if (took.length > 0) {
    facts.push([
      'phases',
      took.map((phase) => `${phase.phase} ${Math.round(phase.elapsedMs ?? 0)} ms`).join(', ')
    ]);
  }
  return `${chunks}${chunks === '' ? '' : '\n'}${formatFacts(facts, colours)}${warningsText(report, colours)}`;
}

function warningsText(report: ScavengeReport, colours: Colours): string {
  return report.warnings
    .map(
      (warning) =>
        `\n${colours.yellow('Warning:')} ${visibleText(warning.message)}\n${visibleText(warning.remedy)}\n`
    )
    .join('');
}
