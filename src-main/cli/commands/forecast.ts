/** `winnow forecast`: how fast the log grows, by category, and when its disk is full. */
import type { Command } from 'commander';
import { forecastDocument } from '../../contract/answers/forecast-document.ts';
import { MOST_CURVE_DAYS, MOST_LISTED } from '../../contract/operations/usage-requests.ts';
import type { GrowthReport } from '../../contract/operations/usage-reports.ts';
import { formatBytes, formatCount } from '../byte-size.ts';
import type { CommandLine } from '../command-line.ts';
import { countingRequest, withCountingOptions, type CountingOptions } from '../options/counting-options.ts';
import { namedDatabase, optional, wholeNumber, withDatabaseOptions } from '../global-options.ts';
import { formatTable } from '../tables.ts';
import { visibleText } from '../visible-text.ts';

interface ForecastOptions extends CountingOptions {
  top?: number;
  days?: number;
}

const SHOWN = 20;

export function addForecast(command: Command, line: CommandLine): void {
  withDatabaseOptions(command)
    .description(
      'Says how fast the log grows, by category, and when its disk is full: without scavenges, and with regular ones. Writes nothing.'
    )
    .option(
      '--top <number>',
      `at most this many categories (default: ${SHOWN} in tables, 1,000 in JSON)`,
      wholeNumber(1, MOST_LISTED)
    )
    .option(
      '--days <number>',
      `days of the curve in JSON, at most ${MOST_CURVE_DAYS} (default: 90)`,
      wholeNumber(1, MOST_CURVE_DAYS)
    );
  withCountingOptions(command)
    .addHelpText('after', '\nExample:\n  $ winnow forecast /var/lib/kurrentdb')
    .action(async (db: string | undefined, options: ForecastOptions) => {
      const { location } = namedDatabase(db, options);
      const report = await line.call(
        'forecastGrowth',
        {
          ...location,
          ...countingRequest(options, line.parts.environment),
          ...optional('top', options.top ?? (options.json ? undefined : SHOWN)),
          ...optional('days', options.days)
        },
        options
      );
      if (options.json) await line.writeJson(forecastDocument(report));
      else await line.write(growthText(report, line));
    });
}

function growthText(report: GrowthReport, line: CommandLine): string {
  const { growth, full, freeBytes, indexFreeBytes, freedNowBytes, warnings } = report;
  const { colours } = line;
  const perDay = (bytes: number) => formatBytes(Math.round(bytes));
  let text = '';
  if (!growth) {
    text += 'The log covers less than a day: how fast it grows is not known.\n';
  } else {
    const facts: [string, string][] = [
      ['grows by', `${perDay(growth.writtenPerDay)} a day`],
      ['  that stays', perDay(growth.lastingPerDay)],
      [
        '  that expires',
        `${perDay(growth.expiringPerDay)}${growth.expiringPerDay > 0 ? `, after ${dayCount(growth.expiringDays)} on average` : ''}`
      ],
      ['  removable', perDay(growth.removablePerDay)],
      ['free', formatBytes(freeBytes)],
      ['full without scavenges', dateOf(full.withoutScavenges)],
      ['full with regular scavenges', dateOf(full.withScavenges)]
    ];
    const wide = Math.max(...facts.map(([name]) => name.length)) + 2;
    for (const [name, value] of facts) text += `${name.padEnd(wide)}${value}\n`;
    text += `\n${formatTable(
      [
        { title: 'category' },
        { title: 'a day', align: 'right' },
        { title: 'stays', align: 'right' },
        { title: 'expires', align: 'right' },
        { title: 'removable', align: 'right' }
      ],
      growth.categories.map(({ category, ...rates }) => [
        visibleText(category),
        perDay(rates.bytesPerDay),
        perDay(rates.lastingPerDay),
        perDay(rates.expiringPerDay),
        perDay(rates.removablePerDay)
      ]),
      colours
    )}`;
    text += `Log${indexFreeBytes === null ? ' and index' : ''}, from ${growth.from.slice(0, 10)} to ${growth.to.slice(0, 10)} (${dayCount(growth.days)}). `;
    text += `What a category lost to scavenges meanwhile is only in the first line. A scavenge now would free ${formatBytes(freedNowBytes ?? 0)}.\n`;
  }
  if (indexFreeBytes !== null) {
    text += `The index is on a volume of its own with ${formatBytes(indexFreeBytes)} free: it is not counted here.\n`;
  }
  for (const { message, remedy } of warnings) text += `${colours.yellow(message)} ${remedy}\n`;
  return text;
}

function dayCount(days: number): string {
  if (days < 10) return `${days.toFixed(1)} days`;
  return `${formatCount(Math.round(days))} days`;
}

function dateOf(full: GrowthReport['full']['withScavenges']): string {
  if (full === null) return 'not within a hundred years';
  return `${full.at.slice(0, 10)}, in ${dayCount(full.days)}`;
}
