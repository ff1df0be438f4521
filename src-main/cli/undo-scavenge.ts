/** `winnow scavenge --undo`: puts back what a scavenge replaced and kept, or removes what is kept. */
import { invalidRequest } from '../../src-core/index.ts';
import { winnowHome } from '../settings/winnow-home.ts';
import { formatBytes, formatNoun } from './byte-size.ts';
import type { CommandLine } from './command-line.ts';
import { confirmed } from './confirmation.ts';
import { namedDatabase, optional, type DatabaseOptions } from './global-options.ts';
import { undoText } from './undo-text.ts';
import { chosenPlan, type PlannedOptions } from './write-options.ts';

export interface UndoArguments extends DatabaseOptions, PlannedOptions {
  undo?: boolean;
  to?: string;
  forget?: boolean;
  keepReplaced?: number;
  assumeStopped?: boolean;
}

/** Refuses options that mean nothing without `--undo`. */
export function refuseUndoOptions({ to, forget }: UndoArguments): void {
  const option = to !== undefined ? '--to' : forget === true ? '--forget' : undefined;
  if (option === undefined) return;
  throw invalidRequest(`${option} belongs to the undo of a scavenge.`, option, 'Give --undo as well.');
}

export async function undoOrForget(
  line: CommandLine,
  db: string | undefined,
  options: UndoArguments
): Promise<void> {
  if (options.keepReplaced !== undefined) {
    throw invalidRequest(
      'An undo replaces nothing that --keep-replaced could keep.',
      '--keep-replaced',
      'Leave it out.'
    );
  }
  const { location } = namedDatabase(db, options);
  const asked = { ...location, ...optional('to', options.to) };
  const assumeStopped = options.assumeStopped === true;
  if (options.forget === true) return forget(line, { ...asked, assumeStopped }, options);
  let planned = chosenPlan(options);
  if (options.dryRun) {
    const plan = await line.call('planUndoScavenge', asked, options);
    if (options.json) await line.writeJson(plan);
    else await line.write(undoText(plan, line.colours, true));
    return;
  }
  if (!options.yes) {
    const plan = await line.call('planUndoScavenge', asked, { ...options, quiet: true });
    line.say(undoText(plan, line.colours, true));
    planned = chosenPlan(options, plan);
  }
  await confirmed(line, options, 'Undo this scavenge?');
  const report = await line.call(
    'undoScavenge',
    { ...asked, winnowHome: winnowHome(line.parts.environment, process.platform), assumeStopped, ...planned },
    options
  );
  if (options.json) await line.writeJson(report);
  else await line.write(undoText(report, line.colours, false));
}

async function forget(
  line: CommandLine,
  asked: { dataDirectory: string; indexDirectory?: string | undefined; to?: string; assumeStopped: boolean },
  options: UndoArguments
): Promise<void> {
  if (options.plan !== undefined)
    throw invalidRequest('Removing what is kept has no plan.', '--plan', 'Leave it out.');
  const would = await line.call('forgetReplaced', { ...asked, dryRun: true }, { ...options, quiet: true });
  const what = `what is kept of ${formatNoun(would.forgotten.length, 'scavenge')} (${would.forgotten.join(', ')}): ${formatBytes(would.freedBytes)}`;
  if (options.dryRun) {
    if (options.json) await line.writeJson(would);
    else await line.write(`Would remove ${what}. It can then no longer be undone.\n`);
    return;
  }
  if (!options.yes) line.say(`Removes ${what}. It can then no longer be undone.\n`);
  await confirmed(line, options, 'Remove it?');
  const report = await line.call('forgetReplaced', asked, options);
  if (options.json) await line.writeJson(report);
  else await line.write(`Removed ${what}.\n`);
}
