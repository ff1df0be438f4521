/** `winnow projections`: what the links of projections cost, by projection and by category. */
import type { Command } from 'commander';
import { MOST_LISTED } from '../../contract/operations/usage-requests.ts';
import type { ProjectionsReport } from '../../contract/operations/usage-reports.ts';
import { formatBytes, formatCount } from '../byte-size.ts';
import type { CommandLine } from '../command-line.ts';
import { countingRequest, withCountingOptions, type CountingOptions } from '../options/counting-options.ts';
import { namedDatabase, optional, wholeNumber, withDatabaseOptions } from '../global-options.ts';
import { formatTable } from '../tables.ts';
import { visibleText } from '../visible-text.ts';

interface ProjectionsOptions extends CountingOptions {
  top?: number;
}

const SHOWN = 20;

export function addProjections(command: Command, line: CommandLine): void {
  withDatabaseOptions(command)
    .description(
      'Shows what projections cost: links, bytes, index entries, dead links, and what switching a projection off would save. Writes nothing.'
    )
    .option(
      '--top <number>',
      `at most this many categories (default: ${SHOWN} in tables, 10,000 in JSON)`,
      wholeNumber(1, MOST_LISTED)
    );
  withCountingOptions(command)
    .addHelpText('after', '\nExample:\n  $ winnow projections /var/lib/kurrentdb')
    .action(async (db: string | undefined, options: ProjectionsOptions) => {
      const { location } = namedDatabase(db, options);
      const report = await line.call(
        'priceProjections',
        {
          ...location,
          ...countingRequest(options, line.parts.environment),
          ...optional('top', options.top ?? (options.json ? undefined : SHOWN))
        },
        options
      );
      if (options.json) await line.writeJson(report);
      else await line.write(projectionsText(report, line));
    });
}

function projectionsText(report: ProjectionsReport, line: CommandLine): string {
  const { own, sources, amplification, categories, categoryCount, savings, days, warnings } = report;
  const { colours } = line;
  const right = (title: string) => ({ title, align: 'right' as const });
  const perDay = (bytes: number | null) => (bytes === null ? '?' : formatBytes(Math.round(bytes)));
  let text = formatTable(
    [
      { title: 'written by' },
      right('records'),
      right('bytes'),
      right('index'),
      right('dead links'),
      right('a day'),
      right('streams')
    ],
    [
      [
        '(users)',
        formatCount(own.records),
        formatBytes(own.bytes),
        formatBytes(own.indexBytes),
        '',
        perDay(own.bytesPerDay),
        ''
      ],
      ...sources.map((price) => [
        price.projection === null ? price.source : `${price.projection} (${price.source})`,
        formatCount(price.records),
        formatBytes(price.bytes),
        formatBytes(price.indexBytes),
        price.source === '(checkpoints and state)' ? '' : formatCount(price.deadRecords),
        perDay(price.bytesPerDay),
        price.streams === null ? '' : formatCount(price.streams)
      ])
    ],
    colours
  );
  text += '\n';
  if (sources.length === 0) text += 'No projection has written anything into this log.\n';
  else if (amplification) {
    text += `For each byte that users wrote the log has ${amplification.bytes.toFixed(2)}, for each of their index entries the index has ${amplification.entries.toFixed(2)}.\n`;
  }
  if (days !== null && sources.length > 0) {
    text += `A day: log and index, the mean of ${formatCount(Math.round(days))} days up to the newest record, of what is still there.\n`;
  } else if (sources.length > 0) text += 'The log covers less than a day: what a day adds is not known.\n';
  const linked = categories.filter(({ linkRecords }) => linkRecords > 0);
  if (linked.length > 0) {
    text += `\n${formatTable(
      [
        { title: 'category' },
        right('records'),
        right('bytes'),
        right('links'),
        right('bytes of links'),
        right('dead links'),
        right('written for each byte')
      ],
      linked.map((category) => [
        visibleText(category.category),
        formatCount(category.records),
        formatBytes(category.bytes),
        formatCount(category.linkRecords),
        formatBytes(category.linkBytes + category.linkIndexBytes),
        formatCount(category.links.reduce((sum, { deadRecords }) => sum + deadRecords, 0)),
        category.amplification === null ? '' : category.amplification.toFixed(2)
      ]),
      colours
    )}`;
    if (categories.length < categoryCount && categories.at(-1)!.linkRecords > 0)
      text += `${formatCount(categoryCount - categories.length)} more categories; --top shows more.\n`;
  }
  if (savings.length > 0) {
    text += `\n${formatTable(
      [{ title: 'would save' }, right('a day'), right('once their streams are gone')],
      savings.map(({ measure, source, bytesPerDay, bytes }) => [
        measure === 'secondaryIndexes' ? 'secondary indexes instead of $ce- and $et-' : `without ${source}`,
        perDay(bytesPerDay),
        formatBytes(bytes)
      ]),
      colours
    )}`;
    text +=
      'Switch a projection off only when nobody reads its streams. Its links stay until the streams are deleted and scavenged.\n';
    if (savings.some(({ measure }) => measure === 'secondaryIndexes'))
      text += 'What a secondary index takes itself is not known.\n';
  }
  for (const { message, remedy } of warnings) text += `${colours.yellow(message)} ${remedy}\n`;
  return text;
}
