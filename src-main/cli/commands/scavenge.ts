/** `winnow scavenge`: removes what no reader can see any more. */
import type { Command } from 'commander';
import { formatBytes, formatCount } from '../byte-size.ts';
import type { CommandLine } from '../command-line.ts';
import { confirmed } from '../confirmation.ts';
import { EXIT_STOPPED } from '../exit-codes.ts';
import { withDatabaseOptions, type GlobalOptions } from '../global-options.ts';
import {
  scavengeRequest,
  withScavengeOptions,
  type ScavengeArguments,
  type ScavengeRequest
} from '../scavenge-arguments.ts';
import { scavengeText } from '../scavenge-text.ts';
import { formatFacts } from '../tables.ts';
import { chosenPlan, withPlanOption, type PlannedOptions } from '../write-options.ts';
import { showPlan } from './plan.ts';

type ScavengeCommandOptions = ScavengeArguments & PlannedOptions;

export function addScavenge(program: Command, line: CommandLine): void {
  withPlanOption(
    withScavengeOptions(
      withDatabaseOptions(program.command('scavenge').summary('remove what was deleted or expired'))
    )
  )
    .description(
      'Removes events that were deleted or have expired from chunks and index of a stopped node. What is removed ' +
        'can only come back from a backup. A stopped run goes on with the next one.'
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ winnow scavenge /var/lib/kurrentdb --dry-run\n' +
        '  $ winnow scavenge /var/lib/kurrentdb --scavenge-point detached --yes\n' +
        '  $ winnow scavenge /var/lib/kurrentdb --plan scavenge-20260101T0000000000000Z-… --yes'
    )
    .action(async (db: string | undefined, options: ScavengeCommandOptions) => {
      const plan = chosenPlan(options);
      if (options.dryRun) {
        await showPlan(line, db, options);
        return;
      }
      const request = scavengeRequest(line, db, options);
      const agreed = await agreedRequest(line, request, options);
      const report = await line.call('runScavenge', { ...agreed, ...plan }, options);
      if (line.signal.aborted) line.exitCode = EXIT_STOPPED;
      if (options.json) await line.writeJson(report);
      else await line.write(scavengeText(report, line.colours));
    });
}

/**
 * Shows options, point and an upper bound, and asks. Who answers on the terminal has read that a new point goes
 * into this node's own log; `--yes` alone has not, and leaves the question of membership to the engine.
 */
async function agreedRequest(
  line: CommandLine,
  request: ScavengeRequest,
  options: ScavengeCommandOptions
): Promise<ScavengeRequest> {
  if (options.yes) return request;
  const { stdin, stderr } = line.parts;
  let writesNewPoint = false;
  if (stdin.isTTY === true && stderr.isTTY === true) {
    const preview = await previewText(line, request, options);
    line.say(preview.text);
    writesNewPoint = preview.writesNewPoint;
  }
  await confirmed(line, options, 'Scavenge this database?');
  const isKnownMember = (request.clusterSize ?? 1) > 1;
  return writesNewPoint && !isKnownMember ? { ...request, singleNode: true } : request;
}

async function previewText(
  line: CommandLine,
  request: ScavengeRequest,
  options: GlobalOptions
): Promise<{ text: string; writesNewPoint: boolean }> {
  const location = {
    dataDirectory: request.dataDirectory,
    ...(request.indexDirectory === undefined ? {} : { indexDirectory: request.indexDirectory })
  };
  const quiet = { ...options, quiet: true };
  const inspection = await line.call('inspectDatabase', location, quiet);
  const { chunks } = await line.call('listChunks', location, quiet);
  const completed = chunks.filter((chunk) => chunk.isCompleted);
  const placement = request.syncOnly ? 'existing' : request.scavengePoint;
  const unfinished = inspection.scavengeState !== null && inspection.scavengeState.stage !== 'done';
  const newest = inspection.scavengePoints.at(-1);
  const reached = inspection.scavengeState?.scavengePoint ?? -1;
  const hasUnreached = newest !== undefined && newest.number > reached;
  const writesNewPoint = placement === 'new' || (placement === 'auto' && !unfinished && !hasUnreached);
  const point = unfinished
    ? 'an unfinished run is resumed'
    : writesNewPoint
      ? "a new one, written to this node's log: right for a single node only"
      : placement === 'detached'
        ? 'detached, at the end of the last completed chunk; nothing is written to the log'
        : hasUnreached
          ? `number ${newest.number} at ${formatCount(newest.position)}`
          : 'none that was not reached yet';
  const largest = Math.max(0, ...completed.map((chunk) => chunk.fileSize));
  const facts: [string, string][] = [
    ['database', request.dataDirectory],
    ['scavenge point', point],
    ['threshold', String(request.threshold)],
    ['threads', `${request.threads}, ${request.throttlePercent} %`],
    ['merge small chunks', request.merge ? 'yes' : 'no'],
    [
      'hard deletes',
      request.unsafeIgnoreHardDeletes ? 'ignored: deleted streams can be written again' : 'kept'
    ],
    [
      'at most freed',
      `${formatBytes(completed.reduce((sum, chunk) => sum + chunk.fileSize, 0))} in ${completed.length} chunks`
    ],
    [
      'needed meanwhile',
      `${formatBytes(largest * request.threads)}, free ${formatBytes(inspection.freeBytes)}`
    ]
  ];
  const text =
    formatFacts(facts, line.colours) +
    'Removed events can only come back from a backup. The exact plan: winnow scavenge --dry-run.\n';
  return { text, writesNewPoint };
}
