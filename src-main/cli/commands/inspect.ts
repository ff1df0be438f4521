/** `winnow inspect`: what this directory holds. */
import type { Command } from 'commander';
import type { HealthReport } from '../../contract/operations/health-reports.ts';
import type { InspectReport } from '../../contract/operations/reports.ts';
import { knownMembership } from '../../settings/cluster-membership.ts';
import { winnowHome } from '../../settings/winnow-home.ts';
import { formatBytes, formatCount, formatNoun } from '../byte-size.ts';
import type { CommandLine } from '../command-line.ts';
import { coverageFact } from '../coverage-text.ts';
import { namedDatabase, withDatabaseOptions, type DatabaseOptions } from '../global-options.ts';
import { formatFacts, formatTable } from '../tables.ts';
import { keptText } from '../undo-text.ts';
import { visibleText } from '../visible-text.ts';

export function addInspect(command: Command, line: CommandLine): void {
  withDatabaseOptions(command)
    .description('Shows what a data directory holds: chunks, checkpoints, epochs, index, scavenge state.')
    .addHelpText('after', '\nExample:\n  $ winnow inspect /var/lib/kurrentdb')
    .action(async (db: string | undefined, options: DatabaseOptions) => {
      const { location, configuration } = namedDatabase(db, options);
      const home = winnowHome(line.parts.environment, process.platform);
      const writesStatistics = configuration.writeStatsToDb === true;
      const membership = knownMembership({
        dataDirectory: location.dataDirectory,
        saidSingleNode: false,
        configuredSize: configuration.clusterSize,
        winnowHome: home
      });
      const request = { ...location, ...membership, winnowHome: home, writesStatistics };
      line.needsNoThread = true;
      const report = await line.call('inspectDatabase', request, options);
      if (options.json) await line.writeJson(report);
      else await line.write(inspectText(report, line));
    });
}

function inspectText(report: InspectReport, line: CommandLine): string {
  const position = (value: number | null): string => (value === null ? 'missing' : formatCount(value));
  const { checkpoints, chunkCount, bytes } = report;
  const facts: [string, string][] = [
    ['data directory', report.dataDirectory],
    ['index directory', report.indexDirectory],
    ['health', healthText(report.health, line)],
    ['verified', coverageFact(report.coverage, line)],
    ['in use', report.inUse ? `by ${report.inUse.by}${pidText(report.inUse.pid)}: read only` : 'no'],
    ['chunk size', formatBytes(report.chunkSize)],
    [
      'chunks',
      `${formatCount(chunkCount.logical)} in ${formatNoun(chunkCount.physical, 'file')}, ` +
        `${formatCount(chunkCount.scavenged)} scavenged, ${formatCount(chunkCount.merged)} merged`
    ],
    [
      'size',
      `data ${formatBytes(bytes.data)}, index ${formatBytes(bytes.index)}, scavenge state ${formatBytes(bytes.state)}`
    ],
    ['free on the volume', formatBytes(report.freeBytes)],
    ['writer checkpoint', position(checkpoints.writer)],
    ['chaser checkpoint', position(checkpoints.chaser)],
    ['epoch checkpoint', position(checkpoints.epoch)],
    ['truncate checkpoint', position(checkpoints.truncate)],
    ['epochs', formatCount(report.epochs.length)],
    [
      'index',
      report.index
        ? `${formatNoun(report.index.entries, 'entry', 'entries')} in ${formatNoun(report.index.tables, 'table')}, ` +
          `up to ${formatCount(report.index.prepareCheckpoint)}`
        : 'none'
    ],
    ['last scavenged', lastScavengedText(report)],
    [
      'scavenge state',
      report.scavengeState
        ? `${report.scavengeState.stage}${pointText(report.scavengeState.scavengePoint)}`
        : 'none'
    ],
    ['next scavenge', `${report.nextScavenge.kind}: ${visibleText(report.nextScavenge.because)}`]
  ];
  const { replaced } = report;
  if (replaced.kept.length > 0) {
    facts.push(['replaced files', `${formatBytes(replaced.bytes)} kept, so that scavenges can be undone`]);
    for (const kept of replaced.kept) facts.push(['', keptText(kept)]);
  }
  if (report.restoreState !== null) facts.push(['restore', report.restoreState]);
  let text = formatFacts(facts, line.colours);
  if (report.scavengePoints.length > 0) {
    text += `\n${formatTable(
      [
        { title: 'scavenge point', align: 'right' },
        { title: 'position', align: 'right' },
        { title: 'effective now' },
        { title: 'threshold', align: 'right' }
      ],
      report.scavengePoints.map((point) => [
        formatCount(point.number),
        formatCount(point.position),
        point.effectiveNow,
        String(point.threshold)
      ]),
      line.colours
    )}`;
  }
  for (const warning of report.warnings) {
    text += `\n${line.colours.yellow('Note:')} ${visibleText(warning.message)}\n${visibleText(warning.remedy)}\n`;
  }
  return text;
}

/** `sound as of 2026-01-31T06:10:00.0000000Z (doctor)`; green only if a complete check has proved it. */
function healthText(health: HealthReport, { colours }: CommandLine): string {
  const { state, before, isPartial } = health;
  type Told = Pick<HealthReport, 'state' | 'checkedAt' | 'by'>;
  const since = ({ state: told, checkedAt, by }: Told, word: string = STATE_WORDS[told]): string =>
    checkedAt === null ? word : `${word} as of ${checkedAt} (${by})`;
  if (state === 'notChecked') {
    return before === null
      ? `${STATE_WORDS.notChecked}; see winnow doctor`
      : `${STATE_WORDS.notChecked} since the directory changed; before: ${since(before)}`;
  }
  const isCut = state === 'unclean' && health.code === 'truncatePending';
  const word = isCut ? 'the next start cuts the log' : STATE_WORDS[state];
  const text = `${since(health, word)}${isPartial && state === 'sound' ? ', as far as checked' : ''}`;
  if (state === 'sound') return isPartial ? text : colours.green(text);
  const because = `${text}: ${visibleText(health.words)}`;
  return state === 'unclean' ? colours.yellow(because) : colours.red(because);
}

const STATE_WORDS = {
  notChecked: 'not checked',
  sound: 'sound',
  findings: 'findings',
  willNotStart: 'will not start',
  unclean: 'stopped badly'
} as const;

function pidText(pid: number | null): string {
  return pid === null ? '' : ` (pid ${pid})`;
}

function pointText(point: number | null): string {
  return point === null ? '' : `, scavenge point ${point}`;
}

function lastScavengedText({ lastScavenged, lastScavengedFrom }: InspectReport): string {
  switch (lastScavengedFrom) {
    case 'history':
      return String(lastScavenged);
    case 'files':
      return `at the latest ${lastScavenged}, when its newest scavenged chunk file was written`;
    case 'unknown':
      return 'not known';
    case 'never':
      return 'never';
  }
}
