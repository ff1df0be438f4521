/** Options of the commands that count what a scavenge would free (`usage`, `thresholds`), and what they request. */
import type { Command } from 'commander';
import type { Environment } from '../../settings/node-configuration.ts';
import { winnowHome } from '../../settings/winnow-home.ts';
import { isoTime, optional, wholeNumber, type DatabaseOptions } from '../global-options.ts';

export interface CountingOptions extends DatabaseOptions {
  threads?: number;
  now?: string;
  scratch?: string;
}

export function withCountingOptions(command: Command): Command {
  return command
    .option(
      '--threads <number>',
      'chunks to count at once, at most one per core (default: up to 4)',
      wholeNumber(1)
    )
    .option('--now <time>', 'judge ages as of this time (default: now)', isoTime)
    .option('--scratch <dir>', 'directory for temporary files');
}

/** The members of a request that these options are; what was counted is kept in `winnowHome`. */
export function countingRequest({ threads, now, scratch }: CountingOptions, environment: Environment) {
  return {
    winnowHome: winnowHome(environment, process.platform),
    ...optional('threads', threads),
    ...optional('now', now),
    ...optional('scratchDirectory', scratch)
  };
}
