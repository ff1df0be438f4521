/** `winnow usage`: what uses the space of a database, what can be freed, what cannot, and what expires when. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { invalidRequest } from '../../../src-core/index.ts';
import type { RequestOf } from '../../contract/operations/operation-contract.ts';
import type { UsageReport } from '../../contract/operations/usage-reports.ts';
import { usageAsCsv, usageAsNcdu } from '../../operations/usage/usage-export.ts';
import { formatBytes, formatCount, formatNoun } from '../byte-size.ts';
import type { CommandLine } from '../command-line.ts';
import { countingRequest, withCountingOptions, type CountingOptions } from '../options/counting-options.ts';
import { namedDatabase, optional, wholeNumber, withDatabaseOptions } from '../global-options.ts';
import { spaceSavedText } from '../scavenge-text.ts';
import { formatFacts, formatTable } from '../tables.ts';

type By = UsageReport['by'];
type WhatIfRule = NonNullable<RequestOf<'readUsage'>['whatIf']>[number];

/** In a table for people; JSON, CSV and ncdu get all. */
const ROWS_FOR_PEOPLE = 40;
const USUAL_DAYS = 30;

interface UsageOptions extends CountingOptions {
  by: By;
  top?: number;
  csv?: boolean;
  ncdu?: boolean;
  raw?: boolean;
  calendar?: number | true;
  whatIf?: WhatIfRule[];
}

export const CAUSES: Record<UsageReport['unfreeable'][number]['cause'], string> = {
  lastEvents: 'newest events that their rules would discard',
  tombstones: 'tombstones of deleted streams',
  deadLinks: 'links to events that no longer exist',
  metadata: 'newest metadata of streams',
  commits: 'commits of transactions',
  system: 'system records',
  positionMaps: 'position maps of scavenged chunks',
  headersAndFooters: 'headers and footers of chunks',
  padding: 'padding of chunk files',
  longNames: 'the part of names beyond 64 bytes, in all records'
};

export function addUsage(command: Command, line: CommandLine): void {
  withDatabaseOptions(command)
    .description(
      'Counts records and bytes by stream, category, event type or kind of link, with what a scavenge of all completed chunks could free. Keeps the counts: a second run reads only what has changed.'
    )
    .addOption(
      new Option('--by <what>', 'group the counts by')
        .choices(['stream', 'category', 'type', 'link'])
        .default('stream')
    )
    .option(
      '--top <number>',
      `show at most N items; the rest is one more (default: ${ROWS_FOR_PEOPLE} in a table)`,
      wholeNumber(1, 1_000_000)
    )
    .addOption(new Option('--csv', 'print the items as CSV').conflicts(['json', 'ncdu']))
    .addOption(new Option('--ncdu', 'print streams by category for ncdu -f').conflicts(['json', 'csv']))
    .option(
      '--raw',
      'with --csv or --ncdu: names unescaped, including hidden characters and what a spreadsheet would run as a formula'
    )
    .option(
      '--calendar [days]',
      `what expires on which day, up to 90 days (default: ${USUAL_DAYS})`,
      wholeNumber(1, 90)
    )
    .option(
      '--what-if <rule>',
      'what CATEGORY:maxAge=30d or CATEGORY:maxCount=100 would free; repeatable',
      (text: string, before: WhatIfRule[] = []) => [...before, readRule(text)]
    );
  withCountingOptions(command)
    .addHelpText(
      'after',
      '\nExamples:\n  $ winnow usage /var/lib/kurrentdb --by category\n  $ winnow usage /var/lib/kurrentdb --what-if session:maxAge=7d\n  $ winnow usage /var/lib/kurrentdb --ncdu | ncdu -f -'
    )
    .action(async (db: string | undefined, options: UsageOptions) => {
      const { location } = namedDatabase(db, options);
      const isRaw = options.raw === true;
      if (isRaw && !options.csv && !options.ncdu) {
        throw invalidRequest('Only CSV and ncdu have a raw form.', '--raw', 'Give it with --csv or --ncdu.');
      }
      const isForPeople = !options.json && !options.csv && !options.ncdu;
      const report = await line.call(
        'readUsage',
        {
          ...location,
          by: options.ncdu ? 'stream' : options.by,
          ...countingRequest(options, line.parts.environment),
          calendarDays:
            options.calendar === undefined ? 0 : options.calendar === true ? USUAL_DAYS : options.calendar,
          whatIf: options.whatIf ?? [],
          ...optional('top', options.top ?? (isForPeople ? ROWS_FOR_PEOPLE : undefined))
        },
        options
      );
      if (options.json) await line.writeJson(report);
      else if (options.csv) await line.writeExactly(usageAsCsv(report, { isRaw }));
      else if (options.ncdu) await line.writeExactly(usageAsNcdu(report, location.dataDirectory, { isRaw }));
      else await line.write(usageText(report, line));
    });
}

const RULE = /^(.+):(maxAge|maxCount)=(\d+)([smhdw]?)$/i;
const SECONDS: Record<string, number> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

function readRule(text: string): WhatIfRule {
  const match = RULE.exec(text);
  const [, category = '', name = '', digits = '', unit = ''] = match ?? [];
  const value = Number(digits);
  const isAge = name.toLowerCase() === 'maxage';
  if (!match || !Number.isSafeInteger(value) || (!isAge && (unit !== '' || value === 0))) {
    throw new InvalidArgumentError('A rule is CATEGORY:maxAge=30d (s, m, h, d, w) or CATEGORY:maxCount=100.');
  }
  return isAge
    ? { category, maxAgeSeconds: value * SECONDS[unit.toLowerCase()]!, maxCount: null }
    : { category, maxAgeSeconds: null, maxCount: value };
}

function usageText(report: UsageReport, line: CommandLine): string {
  const { colours } = line;
  const { total, files } = report;
  let text = itemsTable(report, line);
  const freed =
    report.point === null
      ? 'nothing'
      : `${formatBytes(total.discardableBytes)}, ${formatNoun(total.discardableRecords, 'record')}`;
  text += `\n${formatFacts(
    [
      ['records', `${formatCount(total.records)}, ${formatBytes(total.bytes)}`],
      ['removable', freed],
      ['would free', report.point === null ? 'nothing' : spaceSavedText(report.spaceSaved)],
      ['chunk files', formatBytes(files.logBytes)],
      ['index tables', formatBytes(files.indexBytes)]
    ],
    colours
  )}`;
  text += `\n${formatTable(
    [
      { title: 'never freed by a scavenge' },
      { title: 'records', align: 'right' },
      { title: 'bytes', align: 'right' }
    ],
    report.unfreeable.map(({ cause, records, bytes }) => [
      CAUSES[cause],
      records === null ? '' : formatCount(records),
      formatBytes(bytes)
    ]),
    colours
  )}`;
  if (report.savings.length > 0) text += `\n${savingsTable(report, line)}`;
  if (report.whatIf.length > 0) text += `\n${whatIfTable(report, line)}`;
  const days = report.calendar.filter(({ records }) => records > 0);
  if (report.calendar.length > 0) {
    text +=
      days.length === 0
        ? `\nNothing expires by age within ${formatNoun(report.calendar.length, 'day')}.\n`
        : `\n${calendarTable(days, line)}`;
  }
  for (const { message, remedy } of report.warnings) text += `${colours.yellow(message)} ${remedy}\n`;
  return text;
}

const STEPS: Record<UsageReport['savings'][number]['cause'], string> = {
  records: 'removable records',
  keptLarger: 'of them, in chunks that would not become smaller',
  positionMaps: 'position maps of the rewritten chunks',
  padding: 'padding and reserved space of chunk files',
  merging: 'neighbours that become one file',
  index: 'index entries of the records'
};

/** Why the files give back more or less than the records are. */
function savingsTable({ savings, spaceSaved }: UsageReport, line: CommandLine): string {
  const rows = savings.map(({ cause, bytes }) => [STEPS[cause], formatBytes(bytes)]);
  return formatTable(
    [{ title: 'a scavenge would free' }, { title: 'bytes', align: 'right' }],
    [...rows, ['in all', formatBytes(spaceSaved.total)]],
    line.colours
  );
}

function itemsTable({ by, items }: UsageReport, line: CommandLine): string {
  return formatTable(
    [
      { title: by },
      { title: 'records', align: 'right' },
      { title: 'bytes', align: 'right' },
      { title: 'removable', align: 'right' },
      { title: 'share', align: 'right' },
      { title: 'index', align: 'right' },
      { title: 'chunks', align: 'right' }
    ],
    items.map((item) => [
      item.name,
      formatCount(item.records),
      formatBytes(item.bytes),
      formatBytes(item.discardableBytes),
      item.bytes === 0 ? '' : `${Math.round((item.discardableBytes / item.bytes) * 100)} %`,
      formatBytes(item.indexBytes),
      item.firstChunk === item.lastChunk ? String(item.firstChunk) : `${item.firstChunk}-${item.lastChunk}`
    ]),
    line.colours
  );
}

function calendarTable(days: UsageReport['calendar'], line: CommandLine): string {
  return formatTable(
    [
      { title: 'day' },
      { title: 'records', align: 'right' },
      { title: 'bytes', align: 'right' },
      { title: 'up to then', align: 'right' }
    ],
    days.map(({ day, records, bytes, sumBytes }) => [
      day,
      formatCount(records),
      formatBytes(bytes),
      formatBytes(sumBytes)
    ]),
    line.colours
  );
}

function whatIfTable({ whatIf }: UsageReport, line: CommandLine): string {
  return formatTable(
    [
      { title: 'what if' },
      { title: 'streams', align: 'right' },
      { title: 'bytes', align: 'right' },
      { title: 'removable now', align: 'right' },
      { title: 'could go', align: 'right' },
      { title: 'at least', align: 'right' },
      { title: 'at most', align: 'right' }
    ],
    whatIf.map((answer) => [
      answer.maxAgeSeconds === null
        ? `${answer.category}: maxCount ${answer.maxCount ?? ''}`
        : `${answer.category}: maxAge ${formatCount(answer.maxAgeSeconds)} s`,
      formatCount(answer.streams),
      formatBytes(answer.bytes),
      formatBytes(answer.discardableBytes),
      formatBytes(answer.likelyBytes),
      formatBytes(answer.leastBytes),
      formatBytes(answer.mostBytes)
    ]),
    line.colours
  );
}
