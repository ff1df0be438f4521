/** Options of every command that writes. */
import type { Command } from 'commander';

export function withWriteOptions(command: Command): Command {
  return command
    .option('-y, --yes', 'do it without asking; needed where there is no terminal')
    .option('--dry-run', 'show what would be done, and stop');
}
