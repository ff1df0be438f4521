/** `winnow rescue`: frees a full disk, starting with the chunks that free the most for the space they need. */
import { Option, type Command } from 'commander';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import { checkedRequest } from '../../engine/engine-door.ts';
import { invalidRequest, PLACEMENTS_WITHOUT_WRITE } from '../../../src-core/index.ts';
import { winnowHome } from '../../settings/winnow-home.ts';
import { formatBytes, parseByteSize } from '../byte-size.ts';
import type { CommandLine } from '../command-line.ts';
import { confirmed } from '../confirmation.ts';
import { EXIT_STOPPED } from '../exit-codes.ts';
import {
  isoTime,
  namedForScavenge,
  optional,
  wholeNumber,
  withDatabaseOptions,
  type DatabaseOptions
} from '../global-options.ts';
import { untilOf, withUntil, type UntilArgument } from '../scavenge-arguments.ts';
import { scavengeText } from '../scavenge-text.ts';
import { formatFacts } from '../tables.ts';
import { chosenPlan, withPlanOption, type PlannedOptions } from '../write-options.ts';

type RescueRequest = CheckedRequestOf<'runRescue'>;

interface RescueArguments extends DatabaseOptions, PlannedOptions, UntilArgument {
  throttle?: number;
  scavengePoint: string;
  threshold: number;
  scratch?: number | string;
  scratchDirectory?: string;
  reserve?: number;
  now?: string;
  assumeStopped?: boolean;
  startAfresh?: boolean;
}

export function addRescue(command: Command, line: CommandLine): void {
  withPlanOption(withUntil(withDatabaseOptions(command)))
    .description(
      'Scavenges a stopped node whose disk is full: takes the chunks in the order of what they free for each byte of ' +
        'the new file, and never uses more space than there is. Removed events can only be restored from a backup. Run ' +
        'it again to continue with the remaining chunks.'
    )
    .option(
      '--scratch <bytes|dir>',
      'additional bytes that may be used (default: free space less the reserve); or a directory, like --scratch-directory',
      parseScratch
    )
    .option('--scratch-directory <dir>', 'directory on another volume for the state of the run')
    .option('--reserve <bytes>', 'bytes that always stay free (default: 16MiB)', parseByteSize)
    .addOption(
      new Option(
        '--scavenge-point <placement>',
        'scavenge point to work to; auto: finish an unfinished scavenge, else detached'
      )
        .choices(['auto', ...PLACEMENTS_WITHOUT_WRITE])
        .default('auto')
    )
    .option('--threshold <weight>', 'minimum weight of a chunk to rewrite (detached)', wholeNumber(-1), 0)
    .option(
      '--throttle <size>',
      'read and write at most this many bytes per second, such as 50MiB',
      parseByteSize
    )
    .option('--now <time>', 'effective time of a detached scavenge point', isoTime)
    .option('--assume-stopped', 'the server is stopped (for network shares, where locks are not visible)')
    .option('--start-afresh', 'move an existing scavenge state aside')
    .addHelpText(
      'after',
      '\nExamples:\n  $ winnow rescue /var/lib/kurrentdb --dry-run\n' +
        '  $ winnow rescue /var/lib/kurrentdb --scratch-directory /mnt/usb --yes'
    )
    .action(async (db: string | undefined, options: RescueArguments) => {
      const request = { ...rescueRequest(line, db, options), ...chosenPlan(options) };
      if (!options.dryRun) await agree(line, request, options);
      const report = await line.call(options.dryRun ? 'planRescue' : 'runRescue', request, options);
      if (line.signal.aborted) line.exitCode = EXIT_STOPPED;
      if (options.json) await line.writeJson(report);
      else await line.write(scavengeText(report, line.colours));
    });
}

/** A size, or else a directory. */
function parseScratch(text: string): number | string {
  try {
    return parseByteSize(text);
  } catch (error) {
    // "64QB" is a mistyped size rather than a directory of that name.
    if (/^\d/.test(text)) throw error;
    return text;
  }
}

function rescueRequest(line: CommandLine, db: string | undefined, options: RescueArguments): RescueRequest {
  const { environment } = line.parts;
  const { location, configuration, warnings } = namedForScavenge(db, options, environment);
  for (const warning of warnings) line.warn(warning, options);
  const { scratch, scratchDirectory } = options;
  if (typeof scratch === 'string' && scratchDirectory !== undefined) {
    throw invalidRequest(
      'Two scratch directories are given.',
      '--scratch',
      'Give only one; "--scratch" also takes a number of bytes.'
    );
  }
  return checkedRequest('runRescue', {
    ...location,
    scavengePoint: options.scavengePoint,
    threshold: options.threshold,
    assumeStopped: options.assumeStopped === true,
    startAfresh: options.startAfresh === true,
    winnowHome: winnowHome(environment, process.platform),
    ...optional('scratchBytes', typeof scratch === 'number' ? scratch : undefined),
    ...optional('scratchDirectory', typeof scratch === 'string' ? scratch : scratchDirectory),
    ...optional('reserveBytes', options.reserve),
    ...optional('now', options.now),
    ...optional('bytesPerSecond', options.throttle),
    ...untilOf(options),
    ...optional('cacheSizeBytes', configuration.scavengeBackendCacheSizeBytes),
    ...optional('hashUsersCacheCapacity', configuration.scavengeHashUsersCacheCapacity)
  });
}

/** Shows what the run would do and its limits, and asks. */
async function agree(line: CommandLine, request: RescueRequest, options: RescueArguments): Promise<void> {
  const { stdin, stderr } = line.parts;
  if (!options.yes && stdin.isTTY === true && stderr.isTTY === true) {
    line.say(await previewText(line, request, options));
  }
  await confirmed(line, options, 'Rescue this database?');
}

async function previewText(
  line: CommandLine,
  {
    dataDirectory,
    indexDirectory,
    scratchBytes,
    reserveBytes,
    scratchDirectory,
    scavengePoint,
    startAfresh
  }: RescueRequest,
  options: RescueArguments
): Promise<string> {
  const inspection = await line.call(
    'inspectDatabase',
    { dataDirectory, startAfresh, ...optional('indexDirectory', indexDirectory) },
    { ...options, quiet: true }
  );
  const free = Math.max(0, inspection.freeBytes - reserveBytes);
  const isResumed = scavengePoint === 'auto' && inspection.nextScavenge.kind === 'resume';
  const facts: [string, string][] = [
    ['database', dataDirectory],
    [
      'scavenge point',
      isResumed
        ? 'an unfinished scavenge is resumed'
        : scavengePoint === 'existing'
          ? 'an existing one that no scavenge has reached'
          : 'detached, at the end of the last completed chunk; nothing is written to the log'
    ],
    ['free', `${formatBytes(inspection.freeBytes)}, of which ${formatBytes(reserveBytes)} stay free`],
    ['may be used', formatBytes(Math.min(free, scratchBytes ?? free))],
    ['state of the run', scratchDirectory ?? "in Winnow's own data"]
  ];
  return (
    formatFacts(facts, line.colours) +
    'Removed events can only be restored from a backup. For the exact plan: winnow rescue --dry-run.\n'
  );
}
