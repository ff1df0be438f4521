/** `winnow schedule`: a CRON expression in words, with its next times. */
import type { Command } from 'commander';
import type { CommandLine } from '../command-line.ts';
import { isoTime, optional, wholeNumber, withGlobalOptions, type GlobalOptions } from '../global-options.ts';
import { visibleText } from '../visible-text.ts';

interface ScheduleOptions extends GlobalOptions {
  timeZone?: string;
  from?: string;
  count: number;
}

export function addSchedule(command: Command, line: CommandLine): void {
  withGlobalOptions(command)
    .argument('<expression>', 'five fields: minute, hour, day of month, month, day of week')
    .description('Describes a CRON expression in words and lists the next times it matches.')
    .option('--time-zone <name>', "IANA name of the time zone (default: the system's)")
    .option('--from <time>', 'list times after this one (default: now)', isoTime)
    .option('--count <number>', 'number of times to list', wholeNumber(1, 1000), 5)
    .addHelpText('after', "\nExample:\n  $ winnow schedule '0 3 * * SUN' --time-zone Europe/Berlin")
    .action(async (expression: string, options: ScheduleOptions) => {
      const report = await line.call(
        'describeSchedule',
        {
          expression,
          count: options.count,
          ...optional('timeZone', options.timeZone),
          ...optional('from', options.from)
        },
        options
      );
      for (const warning of report.warnings) line.warn(warning, options);
      if (options.json) {
        await line.writeJson(report);
        return;
      }
      const times = report.next.map((time) => `  ${time}\n`).join('');
      await line.write(`${visibleText(report.words)} (${visibleText(report.timeZone)})\n${times}`);
    });
}
