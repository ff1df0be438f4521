/** `winnow bundle`: a database of the same shape for those who are to help, without what is in it. */
import type { Command } from 'commander';
import { invalidRequest } from '../../../src-core/index.ts';
import { bundlePlanText, bundleText, unpackedText } from '../bundle-text.ts';
import type { CommandLine } from '../command-line.ts';
import { confirmed, type WriteOptions } from '../confirmation.ts';
import { namedDatabase, optional, withDatabaseOptions, type DatabaseOptions } from '../global-options.ts';
import { withWriteOptions } from '../write-options.ts';

interface BundleOptions extends DatabaseOptions, WriteOptions {
  to?: string;
  headersOnly?: boolean;
  key?: string;
  names?: string;
  pack?: string;
  unpack?: string;
}

export function addBundle(command: Command, line: CommandLine): void {
  withWriteOptions(withDatabaseOptions(command))
    .description(
      'Writes a database of the same shape that can be given away: sizes, positions, rules and times are the same, names ' +
        'are replaced by others that a key decides, payloads are not there. The next run continues a killed one. With ' +
        '--config a copy of the configuration goes with it, without what could be secret.'
    )
    .option('--to <dir>', 'directory to create; must be missing or empty')
    .option('--headers-only', 'payloads are holes in the files, and ids follow from positions')
    .option(
      '--key <file>',
      'key of the names, made if there is none (default: the directory with .key behind it)'
    )
    .option('--names <file>', 'write what each name became, for yourself')
    .option(
      '--pack <file>',
      'also make one compressed file of the bundle (tar, Zstandard); without --to only this'
    )
    .option('--unpack <file>', 'make the directory of a packed bundle instead; no database is named')
    .addHelpText(
      'after',
      '\nExamples:\n  $ winnow bundle /var/lib/kurrentdb --to ./problem --yes\n' +
        '  $ winnow bundle /var/lib/kurrentdb --headers-only --pack ./problem.tar.zst --yes\n' +
        '  $ winnow bundle --unpack ./problem.tar.zst --to ./problem --yes'
    )
    .action(async (db: string | undefined, options: BundleOptions) => {
      if (options.unpack !== undefined) {
        await unpack(line, options.unpack, db, options);
        return;
      }
      const request = {
        ...namedDatabase(db, options).location,
        headersOnly: options.headersOnly === true,
        ...optional('to', options.to),
        ...optional('keyFile', options.key),
        ...optional('namesFile', options.names),
        ...optional('packFile', options.pack),
        ...optional('configuration', options.config)
      };
      if (options.dryRun || !options.yes) {
        const plan = await line.call('planBundle', request, { ...options, quiet: true });
        if (options.dryRun && options.json) await line.writeJson({ dryRun: true, ...plan });
        else if (options.dryRun) await line.write(bundlePlanText(plan, line.colours));
        else line.say(bundlePlanText(plan, line.colours));
      }
      if (options.dryRun) return;
      await confirmed(line, options, 'Make this bundle?');
      const report = await line.call('runBundle', request, options);
      if (options.json) await line.writeJson(report);
      else await line.write(bundleText(report, line.colours));
    });
}

async function unpack(
  line: CommandLine,
  packFile: string,
  db: string | undefined,
  options: BundleOptions
): Promise<void> {
  const { index, config, headersOnly, key, names, pack } = options;
  if ([db, index, config, headersOnly, key, names, pack].some((given) => given !== undefined)) {
    throw invalidRequest(
      'With --unpack a bundle is unpacked and none is made.',
      '--unpack',
      'Give the packed bundle and --to DIR alone.'
    );
  }
  if (options.to === undefined) {
    throw invalidRequest('No directory is named.', '--to', 'Give the directory to make with --to DIR.');
  }
  const request = { packFile, to: options.to };
  if (options.dryRun || !options.yes) {
    // Reads all of it: that it is whole is seen at its end.
    const plan = await line.call('planUnpackBundle', request, options);
    if (options.dryRun && options.json) await line.writeJson({ dryRun: true, ...plan });
    else if (options.dryRun) await line.write(unpackedText(plan, { isDone: false }));
    else line.say(unpackedText(plan, { isDone: false }));
  }
  if (options.dryRun) return;
  await confirmed(line, options, 'Unpack this bundle?');
  const report = await line.call('unpackBundle', request, options);
  if (options.json) await line.writeJson(report);
  else await line.write(unpackedText(report, { isDone: true }));
}
