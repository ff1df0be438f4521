/** `winnow thresholds`: what a scavenge would free at different thresholds, and what it would cost. */
import type { Command } from 'commander';
import type { ThresholdsReport } from '../../contract/operations/usage-reports.ts';
import { formatBytes, formatCount } from '../byte-size.ts';
import type { CommandLine } from '../command-line.ts';
import { countingRequest, withCountingOptions, type CountingOptions } from '../options/counting-options.ts';
import { namedDatabase, wholeNumber, withDatabaseOptions } from '../global-options.ts';
import { formatTable } from '../tables.ts';

interface ThresholdsOptions extends CountingOptions {
  threshold?: number[];
}

export function addThresholds(command: Command, line: CommandLine): void {
  withDatabaseOptions(command)
    .description(
      'Compares thresholds for a scavenge of all completed chunks: what it would free, chunks rewritten, temporary space, time. Writes nothing.'
    )
    .option(
      '--threshold <number>',
      'a threshold to compare; repeatable (default: -1, 0 and those at which the result changes)',
      (text: string, before: number[] = []) => [...before, wholeNumber(-1)(text)]
    );
  withCountingOptions(command)
    .addHelpText('after', '\nExample:\n  $ winnow thresholds /var/lib/kurrentdb')
    .action(async (db: string | undefined, options: ThresholdsOptions) => {
      const { location } = namedDatabase(db, options);
      const report = await line.call(
        'compareThresholds',
        {
          ...location,
          ...countingRequest(options, line.parts.environment),
          thresholds: options.threshold ?? []
        },
        options
      );
      if (options.json) await line.writeJson(report);
      else await line.write(thresholdsText(report, line));
    });
}

function thresholdsText({ rows, rate, point, warnings }: ThresholdsReport, line: CommandLine): string {
  const { colours } = line;
  let text = formatTable(
    [
      { title: 'threshold', align: 'right' },
      { title: 'would free', align: 'right' },
      { title: 'chunk files', align: 'right' },
      { title: 'index', align: 'right' },
      { title: 'records', align: 'right' },
      { title: 'chunks', align: 'right' },
      { title: 'space needed', align: 'right' },
      { title: 'time', align: 'right' }
    ],
    rows.map((row) => [
      String(row.threshold),
      formatBytes(row.spaceSaved.total),
      formatBytes(row.spaceSaved.log),
      formatBytes(row.spaceSaved.index),
      formatCount(row.recordsDiscarded),
      formatCount(row.chunks),
      formatBytes(row.scratchBytes),
      row.estimatedMs === null ? '' : roughTime(row.estimatedMs)
    ]),
    colours
  );
  if (point === null) text += 'No chunk is complete yet: there is nothing to scavenge.\n';
  if (rate) {
    const from =
      rate.source === 'history' ? 'at the rate of the last scavenges' : 'by a short measurement of this disk';
    text += `Time: ${from}, ${formatBytes(rate.bytesPerSecond)} per second.\n`;
  }
  for (const { message, remedy } of warnings) text += `${colours.yellow(message)} ${remedy}\n`;
  return text;
}

/** An estimate: seconds up to two minutes, then minutes. */
function roughTime(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds <= 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
