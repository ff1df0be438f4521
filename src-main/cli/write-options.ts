/** Options of every command that writes, and of those that can run a plan. */
import type { Command } from 'commander';
import { invalidRequest } from '../../src-core/index.ts';
import type { WriteOptions } from './confirmation.ts';
import { optional } from './global-options.ts';

export function withWriteOptions(command: Command): Command {
  return command
    .option('-y, --yes', 'do it without asking; required without a terminal')
    .option('--dry-run', 'show what the command would do, and stop');
}

export interface PlannedOptions extends WriteOptions {
  plan?: string;
}

/** For a command whose dry run gives its plan an identity. */
export function withPlanOption(command: Command): Command {
  return withWriteOptions(command).option(
    '--plan <id>',
    'run exactly the plan that --dry-run showed (planId), or nothing'
  );
}

/**
 * The plan to run: the one that was named, else the one that was shown before the question. A user agrees only
 * to what was shown.
 */
export function chosenPlan(
  { plan, dryRun }: PlannedOptions,
  shown?: { planId?: string | undefined }
): { plan?: string } {
  if (plan !== undefined && dryRun) {
    throw invalidRequest(
      'A dry run makes a plan and runs none.',
      '--plan',
      'Leave out --dry-run to run the plan, or --plan to make a new one.'
    );
  }
  return optional('plan', plan ?? shown?.planId);
}
