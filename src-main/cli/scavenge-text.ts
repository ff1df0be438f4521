/** The plan or the result of a scavenge, for people. */
import type { ScavengeReport, SpaceSaved } from '../contract/operations/reports.ts';
import type { WindowPlan } from '../contract/operations/window-reports.ts';
import { breakdownText } from './breakdown-text.ts';
import { formatBytes, formatCount, formatNoun } from './byte-size.ts';
import type { Colours } from './command-line.ts';
import { localTime } from './local-time.ts';
import { formatFacts, formatTable } from './tables.ts';
import { visibleText } from './visible-text.ts';

/** The whole report: chunks, tables, sums, warnings. */
export function scavengeText(report: ScavengeReport, colours: Colours): string {
  if (report.scavengePoint === null && report.result === 'stopped') {
    return `Stopped before it had begun: nothing was removed.\n${warningsText(report, colours)}`;
  }
  if (report.scavengePoint === null) {
    return `Every scavenge point has been reached: nothing to do.\n${warningsText(report, colours)}`;
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
  const isPlan = report.scavengeId === undefined;
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
    ['chunks', chunkCountText(report)],
    [freedWord(report, isPlan), spaceSavedText(report.spaceSaved)],
    ...report.besides.map(({ cause, bytes }): [string, string] => ['besides', besidesText(cause, bytes)]),
    [
      'left in the active chunk',
      `${formatNoun(report.leftInActiveChunk.records, 'record')}, ${formatBytes(report.leftInActiveChunk.bytes)}`
    ],
    ['threads', String(report.threads)]
  ];
  if (report.pace !== undefined) facts.push(['pace', runPaceText(report.pace)]);
  if (report.stoppedAtTime !== undefined) facts.push(['stopped', `as asked, at ${report.stoppedAtTime}`]);
  if (report.chunksLeft !== undefined) {
    facts.push(['left', `${formatNoun(report.chunksLeft, 'chunk')} of this phase; run it again to resume`]);
  }
  if (isPlan && report.scratchBytes !== undefined) {
    facts.push(['temporary space', `at most ${formatBytes(report.scratchBytes)}`]);
  }
  if (report.keeps !== undefined) {
    const { replacedBytes, neededBytes } = report.keeps;
    facts.push([
      'kept',
      `${formatBytes(replacedBytes)} of replaced files, freed when they expire; up to ${formatBytes(neededBytes)} more needed until then`
    ]);
  }
  if (report.kept !== undefined) {
    facts.push([
      'can be undone',
      `until ${report.kept.expiresAt}; the space of what was replaced is freed then`
    ]);
  }
  if (report.estimatedMs !== undefined) {
    facts.push(['takes', `about ${formatCount(Math.max(1, Math.round(report.estimatedMs / 1000)))} s`]);
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
  const window = report.window === undefined ? '' : windowText(report.window, colours);
  const breakdown = report.removed === undefined ? '' : breakdownText(report.removed, colours);
  return `${chunks}${chunks === '' ? '' : '\n'}${formatFacts(facts, colours)}${window}${breakdown}${warningsText(report, colours)}`;
}

/** What is kept is freed only when it expires. */
function freedWord({ kept, keeps }: ScavengeReport, isPlan: boolean): string {
  if (kept !== undefined || keeps !== undefined) return isPlan ? 'would free later' : 'freed later';
  return isPlan ? 'would free' : 'freed';
}

/** The total and its parts. */
export function spaceSavedText({ log, index, total }: SpaceSaved): string {
  return `${formatBytes(total)}: ${formatBytes(log)} of chunk files, ${formatBytes(index)} of index tables`;
}

function chunkCountText({ chunkCount: { visited, rewritten, merges } }: ScavengeReport): string {
  const merged = merges === 0 ? '' : merges === 1 ? ', 1 merge' : `, ${formatCount(merges)} merges`;
  return `${formatCount(rewritten)} of ${formatCount(visited)} rewritten${merged}`;
}

const BESIDES: Record<ScavengeReport['besides'][number]['cause'], string> = {
  pointChunk: 'the scavenge point completes the active chunk and begins the next',
  leftovers: 'files left by interrupted operations are removed',
  filters: 'filters of copied index tables have a different size'
};

function besidesText(cause: ScavengeReport['besides'][number]['cause'], bytes: number): string {
  return `${formatBytes(Math.abs(bytes))} ${bytes < 0 ? 'used' : 'freed'}: ${BESIDES[cause]}`;
}

function warningsText(report: ScavengeReport, colours: Colours): string {
  return report.warnings
    .map(
      (warning) =>
        `\n${colours.yellow('Warning:')} ${visibleText(warning.message)}\n${visibleText(warning.remedy)}\n`
    )
    .join('');
}

/** The nights of a maintenance window. */
function windowText(plan: WindowPlan, colours: Colours): string {
  const { window, timeZone, nights, throughAt, why, members } = plan;
  const table = formatTable(
    [
      ...(members > 1 ? [{ title: 'member', align: 'right' as const }] : []),
      { title: 'night' },
      { title: 'until' },
      { title: 'chunks read', align: 'right' },
      { title: 'chunks done', align: 'right' },
      { title: 'frees', align: 'right' }
    ],
    nights.map(({ member, from, endsAt, chunksRead, chunks, bytesFreed }) => [
      ...(members > 1 ? [String(member)] : []),
      localTime(from),
      localTime(endsAt).slice(11),
      formatCount(chunksRead),
      formatCount(chunks),
      formatBytes(bytesFreed)
    ]),
    colours
  );
  const through =
    throughAt === null
      ? (why ?? 'It is not known when it is through.')
      : `Through ${localTime(throughAt)}, in ${formatNoun(nights.length, 'night')}.`;
  return `\nMaintenance window ${window} (${timeZone})\n${table}${through}\n${paceText(plan)}\n`;
}

/** What the runs work with, and why. */
function paceText(plan: WindowPlan): string {
  const { chosenBy, threads, throttlePercent, rate, bytesPerSecond } = plan;
  const pace = paceWords({ threads, throttlePercent });
  if (bytesPerSecond === null || rate === null) {
    const why = chosenBy === 'asked' ? 'as asked' : 'nothing is chosen by what was not measured';
    return `Pace: ${pace}; ${why}.`;
  }
  const reason =
    chosenBy === 'asked' ? 'as asked' : 'the gentlest that was measured and needs no more nights';
  const source =
    rate.source === 'history' ? 'in earlier scavenges of this database' : 'measured on this disk';
  return (
    `Pace: ${pace}; ${reason}. ${formatBytes(bytesPerSecond)} a second; one thread without a rest: ` +
    `${formatBytes(rate.bytesPerSecond)} (${source}). ${measuredText(plan)}`
  );
}

function measuredText({ measuredThreads, mostThreads }: WindowPlan): string {
  if (mostThreads === null || mostThreads === 1) return '';
  const known = measuredThreads.filter((threads) => threads <= mostThreads);
  if (known.length === mostThreads) return 'Every number of threads was measured.';
  return `Threads measured: ${known.join(', ')}; no others of up to ${mostThreads}.`;
}

/** "1 thread, 40 % of the time". */
function paceWords({ threads, throttlePercent }: { threads: number; throttlePercent: number }): string {
  return `${formatNoun(threads, 'thread')}, ${throttlePercent === 100 ? 'no throttle' : `${throttlePercent} % of the time`}`;
}

/** Of a run in a window. */
function runPaceText({ chosenBy, plannedAt, ...pace }: NonNullable<ScavengeReport['pace']>): string {
  const why = {
    asked: 'as asked',
    plan: `as planned for this window on ${(plannedAt ?? '').slice(0, 10)}`,
    none: 'no plan of this window is kept: make one with "winnow plan --window"'
  }[chosenBy];
  return `${paceWords(pace)}; ${why}`;
}
