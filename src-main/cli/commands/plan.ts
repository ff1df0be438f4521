/** `winnow plan`: the exact dry run of `scavenge`. */
import type { Command } from 'commander';
import type { CommandLine } from '../command-line.ts';
import { wholeNumber, withDatabaseOptions } from '../global-options.ts';
import {
  scavengeRequest,
  windowOf,
  withScavengeOptions,
  withWindow,
  type ScavengeArguments,
  type WindowArgument
} from '../scavenge-arguments.ts';
import { scavengeText } from '../scavenge-text.ts';

interface PlanArguments extends ScavengeArguments, WindowArgument {
  breakdown?: boolean;
}

export function addPlan(command: Command, line: CommandLine): void {
  withWindow(withScavengeOptions(withDatabaseOptions(command)))
    .description(
      'Computes what a scavenge with the same options would remove, record by record. Writes nothing.'
    )
    .option('--breakdown', 'also says which records are removed: by rule, by category and by stream')
    .option('--no-breakdown', 'leave this out of --json, which has it otherwise: faster')
    .option(
      '--members <number>',
      'with --window: so many members of a cluster, one after the other, with logs like this one',
      wholeNumber(1, 100)
    )
    .option('--scratch <dir>', 'directory for the temporary state')
    .addHelpText('after', '\nExample:\n  $ winnow plan /var/lib/kurrentdb --scavenge-point detached')
    .action(async (db: string | undefined, options: PlanArguments) => {
      await showPlan(line, db, options);
    });
}

/** Runs the plan and writes it; also the `--dry-run` of `scavenge`. */
export async function showPlan(
  line: CommandLine,
  db: string | undefined,
  options: PlanArguments
): Promise<void> {
  const request = scavengeRequest(line, db, options);
  const breakdown = (options.breakdown ?? options.json === true) ? { breakdown: true } : {};
  const report = await line.call('planScavenge', { ...request, ...breakdown, ...windowOf(options) }, options);
  if (options.json) await line.writeJson(report);
  else await line.write(scavengeText(report, line.colours));
}
