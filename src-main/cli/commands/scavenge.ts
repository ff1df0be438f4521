/** `winnow scavenge`: removes what readers can no longer see. */
import type { Command } from 'commander';
import { OperationStopped } from '../../../src-core/index.ts';
import type { InspectReport } from '../../contract/operations/reports.ts';
import { NodeRegistry } from '../../settings/node-registry.ts';
import { winnowHome } from '../../settings/winnow-home.ts';
import { formatBytes, formatNoun } from '../byte-size.ts';
import type { CommandLine } from '../command-line.ts';
import { formatDuration } from '../duration.ts';
import { confirmed } from '../confirmation.ts';
import { EXIT_STOPPED } from '../exit-codes.ts';
import { withDatabaseOptions, type GlobalOptions } from '../global-options.ts';
import {
  scavengeRequest,
  untilOf,
  windowOf,
  withScavengeOptions,
  withUntil,
  withWindow,
  type ScavengeArguments,
  type ScavengeRequest,
  type UntilArgument,
  type WindowArgument
} from '../scavenge-arguments.ts';
import { scavengeText } from '../scavenge-text.ts';
import { formatFacts } from '../tables.ts';
import { chosenPlan, withPlanOption, type PlannedOptions } from '../write-options.ts';
import { refuseUndoOptions, undoOrForget, type UndoArguments } from '../undo-scavenge.ts';
import { showPlan } from './plan.ts';

type ScavengeCommandOptions = ScavengeArguments &
  PlannedOptions &
  UntilArgument &
  WindowArgument &
  UndoArguments;

export function addScavenge(command: Command, line: CommandLine): void {
  withPlanOption(withWindow(withUntil(withScavengeOptions(withDatabaseOptions(command)))))
    .description(
      'Removes deleted and expired events from the chunks and the index of a stopped node. Removed events can only ' +
        'come back from a backup, or by --undo while what was replaced is kept (--keep-replaced). The next scavenge ' +
        'resumes a stopped one.'
    )
    .option(
      '--undo',
      'put back what the last scavenge with --keep-replaced replaced; an undo that was cut is finished'
    )
    .option('--to <id>', 'with --undo: back to before this scavenge, undoing those after it first')
    .option('--forget', 'with --undo: put nothing back, but remove what is kept and free its space now')
    .addHelpText(
      'after',
      '\nExamples:\n  $ winnow scavenge /var/lib/kurrentdb --dry-run\n' +
        '  $ winnow scavenge /var/lib/kurrentdb --scavenge-point detached --yes\n' +
        '  $ winnow scavenge /var/lib/kurrentdb --keep-replaced 7d\n' +
        '  $ winnow scavenge --undo /var/lib/kurrentdb --dry-run\n' +
        '  $ winnow scavenge /var/lib/kurrentdb --plan scavenge-20260101T0000000000000Z-… --yes'
    )
    .action(async (db: string | undefined, options: ScavengeCommandOptions) => {
      if (options.undo === true) return undoOrForget(line, db, options);
      refuseUndoOptions(options);
      const plan = chosenPlan(options);
      if (options.dryRun) {
        await showPlan(line, db, options);
        return;
      }
      const request = { ...scavengeRequest(line, db, options), ...untilOf(options), ...windowOf(options) };
      const agreed = await agreedRequest(line, request, options);
      const report = await line.call('runScavenge', { ...agreed, ...plan }, options);
      if (line.signal.aborted) line.exitCode = EXIT_STOPPED;
      if (options.json) await line.writeJson(report);
      else await line.write(scavengeText(report, line.colours));
    });
}

/**
 * Shows options, point and an upper bound, and asks: first, if it matters and is not known yet, whether this is
 * a single node (the answer is kept for the directory); then whether to run. `--yes` answers only the second question.
 */
async function agreedRequest(
  line: CommandLine,
  request: ScavengeRequest,
  options: ScavengeCommandOptions
): Promise<ScavengeRequest> {
  if (options.yes) return request;
  const { stdin, stderr } = line.parts;
  let agreed = request;
  if (stdin.isTTY === true && stderr.isTTY === true) {
    if (await needsMembership(line, request, options)) agreed = await askMembership(line, request, options);
    line.say(await previewText(line, agreed, options));
  }
  await confirmed(line, options, 'Scavenge this database?');
  return agreed;
}

/** A new point would be written if this is a single node, and it is not known whether it is. */
async function needsMembership(
  line: CommandLine,
  request: ScavengeRequest,
  options: GlobalOptions
): Promise<boolean> {
  const isKnown = request.singleNode !== undefined;
  if (isKnown || request.syncOnly || request.scavengePoint !== 'auto') return false;
  const { nextScavenge } = await inspected(line, { ...request, singleNode: true }, options);
  return nextScavenge.kind === 'new';
}

/** The choices if this is not known to be a single node. */
const MEMBER_CHOICES =
  'Nothing was written. Choose where the scavenge ends:\n' +
  '  --scavenge-point existing   the newest point in the log that no scavenge has reached; the cluster wrote it\n' +
  '  --scavenge-point detached   the end of the last completed chunk; nothing is written to the log\n' +
  '  --scavenge-point new        a new point anyway: this log then differs from those of other members\n';

async function askMembership(
  line: CommandLine,
  request: ScavengeRequest,
  options: ScavengeCommandOptions
): Promise<ScavengeRequest> {
  const { dataDirectory, indexDirectory } = request;
  line.say(
    'A new scavenge point is needed. On a member of a cluster it would make this log differ from those of the others.\n'
  );
  try {
    await confirmed(line, options, 'Is this a single node, not a member of a cluster?');
  } catch (error) {
    if (error instanceof OperationStopped && !line.signal.aborted) line.say(MEMBER_CHOICES);
    throw error;
  }
  const home = winnowHome(line.parts.environment, process.platform);
  const registry = new NodeRegistry(home, Date.now);
  const { id } = registry.open({
    dataDirectory,
    ...(indexDirectory === undefined ? {} : { indexDirectory })
  });
  registry.edit(id, { isSingleNode: true });
  line.say(
    `Saved for ${dataDirectory} in ${home}. To change it: "winnow cluster register" with its members, or Nodes in the ` +
      'window.\n'
  );
  return { ...request, singleNode: true };
}

/** What the directory holds and what this scavenge would do there. */
function inspected(
  line: CommandLine,
  request: ScavengeRequest,
  options: GlobalOptions
): Promise<InspectReport> {
  const { dataDirectory, indexDirectory, startAfresh, singleNode, clusterName } = request;
  const asked = {
    dataDirectory,
    startAfresh,
    ...(singleNode === undefined ? {} : { singleNode }),
    scavengePoint: request.syncOnly ? ('existing' as const) : request.scavengePoint,
    ...(indexDirectory === undefined ? {} : { indexDirectory }),
    ...(clusterName === undefined ? {} : { clusterName })
  };
  return line.call('inspectDatabase', asked, { ...options, quiet: true });
}

async function previewText(
  line: CommandLine,
  request: ScavengeRequest,
  options: GlobalOptions
): Promise<string> {
  const inspection = await inspected(line, request, options);
  const location = {
    dataDirectory: request.dataDirectory,
    ...(request.indexDirectory === undefined ? {} : { indexDirectory: request.indexDirectory })
  };
  const { chunks } = await line.call('listChunks', location, { ...options, quiet: true });
  const completed = chunks.filter((chunk) => chunk.isCompleted);
  const { kind, because } = inspection.nextScavenge;
  const point = `${kind}: ${because}`;
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
      `${formatBytes(completed.reduce((sum, chunk) => sum + chunk.fileSize, 0))} in ${formatNoun(completed.length, 'chunk')}`
    ],
    [
      'temporary space',
      `${formatBytes(largest * request.threads)}, free ${formatBytes(inspection.freeBytes)}`
    ]
  ];
  const { keepReplacedMs } = request;
  if (keepReplacedMs !== undefined)
    facts.push([
      'replaced files',
      `kept for ${formatDuration(keepReplacedMs)}; their space is freed only then`
    ]);
  return (
    formatFacts(facts, line.colours) +
    `${keepReplacedMs === undefined ? 'Removed events can only be restored from a backup.' : 'Until then it can be undone with "winnow scavenge --undo".'} ` +
    'For the exact plan: winnow scavenge --dry-run.\n'
  );
}
