/**
 * The options of `plan` and `scavenge`, which are the same, and those of them that `explain` has too; and the
 * request that they form together with a server's configuration file. An option on the command line wins over the file.
 */
import { Option, type Command } from 'commander';
import type { CheckedRequestOf } from '../contract/operations/operation-contract.ts';
import { checkedRequest } from '../engine/engine-door.ts';
import { phaseName, type PhaseName } from '../contract/operations/reports.ts';
import { checkScavengeRequest, POINT_PLACEMENTS, type PointPlacement } from '../../src-core/index.ts';
import { byteSize, parseByteSize } from './byte-size.ts';
import { parsePositiveDuration } from './duration.ts';
import { knownMembership } from '../settings/cluster-membership.ts';
import { LONGEST_HISTORY_DAYS } from '../settings/setting-table.ts';
import {
  isoTime,
  namedForScavenge,
  optional,
  wholeNumber,
  type DatabaseOptions,
  type NamedDatabase
} from './global-options.ts';
import type { Environment } from '../settings/node-configuration.ts';
import { untilTime } from '../settings/until-time.ts';
import { winnowHome } from '../settings/winnow-home.ts';
import type { CommandLine } from './command-line.ts';

/** What decides which records a scavenge removes: a question about it needs these too. */
export interface DecidingArguments extends DatabaseOptions {
  scavengePoint: PointPlacement;
  threshold: number;
  syncOnly?: boolean;
  unsafeIgnoreHardDeletes?: boolean;
  unsafeIgnoreHardDelete?: boolean;
  alwaysKeepScavenged?: boolean;
  startAfresh?: boolean;
  singleNode?: boolean;
  now?: string;
  scratch?: string;
}

export interface ScavengeArguments extends DecidingArguments {
  /** As most others, undefined where it was not given. */
  threads?: number;
  throttlePercent?: number;
  throttle?: number;
  merge: boolean;
  disableScavengeMerging?: boolean;
  pageSize?: number;
  scavengeBackendPageSize?: number;
  cacheSize?: number;
  scavengeBackendCacheSize?: number;
  hashUsersCacheCapacity?: number;
  scavengeHashUsersCacheCapacity?: number;
  scavengeHistoryMaxAge?: number;
  stopAfter?: PhaseName;
  assumeStopped?: boolean;
  keepReplaced?: number;
}

export type ScavengeRequest = CheckedRequestOf<'runScavenge'>;

/** Adds which scavenge point to work to, and which chunks to rewrite. */
export function withPointOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--scavenge-point <placement>', 'scavenge point to work to')
        .choices(POINT_PLACEMENTS)
        .default('auto')
    )
    .option(
      '--threshold <weight>',
      'minimum weight of a chunk to rewrite; 0: any weight, -1: every chunk',
      wholeNumber(-1),
      0
    );
}

/** The time at which a run stops; not part of what it would do. */
export interface UntilArgument {
  until?: string;
}

/** Adds it. */
export function withUntil(command: Command): Command {
  return command.option(
    '--until <time>',
    'stop at the next checkpoint once it is this time: 05:00 (the next one, local time), or ISO 8601',
    parseUntil
  );
}

export interface WindowArgument {
  window?: string;
  members?: number;
}

/** Adds it. */
export function withWindow(command: Command): Command {
  return command.option(
    '--window <times>',
    'a maintenance window, such as 02:00-04:00 (local time): a plan chooses threads and throttle and says what is done in which night; a run begins only inside, works as the plan named, stops at its end, and resumes the next night'
  );
}

/** As a request has it. Threads and throttle that were given stay, even if they are the defaults. */
export function windowOf({
  window,
  members,
  threads,
  throttlePercent
}: WindowArgument & Pick<ScavengeArguments, 'threads' | 'throttlePercent'>): {
  window?: string;
  members?: number;
  pace?: 'asked';
} {
  const isAsked = threads !== undefined || throttlePercent !== undefined;
  return {
    ...optional('window', window),
    ...optional('members', members),
    ...(window !== undefined && isAsked && { pace: 'asked' })
  };
}

/** As a request has it. */
export function untilOf({ until }: UntilArgument): { until?: string } {
  return until === undefined ? {} : { until };
}

function parseUntil(text: string): string {
  return untilTime(text, new Date()) ?? isoTime(text);
}

/** Adds the options; the longer names of the server's settings are accepted too. */
export function withScavengeOptions(command: Command): Command {
  const alias = (flags: string): Option => new Option(flags).hideHelp();
  return withPointOptions(command)
    .option('--threads <number>', 'threads that rewrite chunks (default: 1)', wholeNumber(1))
    .option(
      '--throttle-percent <percent>',
      'share of the time to spend working (default: 100)',
      wholeNumber(1, 100)
    )
    .option(
      '--throttle <size>',
      'read and write at most this many bytes per second, such as 50MiB',
      parseByteSize
    )
    .option('--sync-only', 'only to an existing scavenge point that no scavenge has reached')
    .option('--no-merge', 'do not merge small scavenged chunks')
    .addOption(alias('--disable-scavenge-merging'))
    .option('--unsafe-ignore-hard-deletes', 'remove tombstones too: deleted streams can be written again')
    .addOption(alias('--unsafe-ignore-hard-delete'))
    .option('--always-keep-scavenged', 'replace a chunk even if the new file is not smaller')
    .option(
      '--page-size <size>',
      'page size of the scavenge state: 1 to 64 KiB, or 512 to 65536 bytes',
      wholeNumber(1)
    )
    .addOption(alias('--scavenge-backend-page-size <size>').argParser(wholeNumber(1)))
    .option('--cache-size <bytes>', 'cache of the scavenge state', byteSize(1))
    .addOption(alias('--scavenge-backend-cache-size <bytes>').argParser(byteSize(1)))
    .option(
      '--hash-users-cache-capacity <number>',
      'stream hashes remembered for collision checks',
      wholeNumber(1)
    )
    .addOption(alias('--scavenge-hash-users-cache-capacity <number>').argParser(wholeNumber(1)))
    .option(
      '--scavenge-history-max-age <days>',
      'how long the history of a single node is kept in its log (default: 30)',
      wholeNumber(1, LONGEST_HISTORY_DAYS)
    )
    .option('--now <time>', 'effective time of a detached or new scavenge point', isoTime)
    .addOption(new Option('--stop-after <phase>', 'stop after this phase').choices(phaseName.options))
    .option('--assume-stopped', 'the server is stopped (for network shares, where locks are not visible)')
    .option(
      '--keep-replaced <time>',
      'keep what is replaced for so long, such as 7d, so that the scavenge can be undone; its space is freed only then',
      parsePositiveDuration
    )
    .option('--start-afresh', 'move an existing scavenge state aside')
    .option(
      '--single-node',
      'this directory is not a member of a cluster: a new point may be written to its log'
    );
}

/** The members of a request that the deciding arguments are, with the node's configuration and membership. */
export function decidingRequest(
  options: DecidingArguments,
  { location, configuration }: NamedDatabase,
  environment: Environment
) {
  const home = winnowHome(environment, process.platform);
  return {
    ...location,
    scavengePoint: options.scavengePoint,
    threshold: options.threshold,
    syncOnly: options.syncOnly === true,
    unsafeIgnoreHardDeletes:
      options.unsafeIgnoreHardDeletes ??
      options.unsafeIgnoreHardDelete ??
      configuration.unsafeIgnoreHardDelete ??
      false,
    alwaysKeepScavenged: options.alwaysKeepScavenged ?? configuration.alwaysKeepScavenged ?? false,
    startAfresh: options.startAfresh === true,
    ...knownMembership({
      dataDirectory: location.dataDirectory,
      saidSingleNode: options.singleNode === true,
      configuredSize: configuration.clusterSize,
      winnowHome: home
    }),
    winnowHome: home,
    ...optional('now', options.now),
    ...optional('scratchDirectory', options.scratch)
  };
}

/**
 * The checked request; throws InvalidRequest if options contradict each other. Remarks about settings
 * in the file and the environment go to stderr.
 */
export function scavengeRequest(
  line: CommandLine,
  db: string | undefined,
  options: ScavengeArguments
): ScavengeRequest {
  const { environment } = line.parts;
  const named = namedForScavenge(db, options, environment);
  const { configuration, warnings } = named;
  for (const warning of warnings) line.warn(warning, options);
  const pageSize =
    options.pageSize ?? options.scavengeBackendPageSize ?? configuration.scavengeBackendPageSize;
  const cacheSizeBytes =
    options.cacheSize ?? options.scavengeBackendCacheSize ?? configuration.scavengeBackendCacheSizeBytes;
  const hashUsersCacheCapacity =
    options.hashUsersCacheCapacity ??
    options.scavengeHashUsersCacheCapacity ??
    configuration.scavengeHashUsersCacheCapacity;
  const historyMaxAge = options.scavengeHistoryMaxAge ?? configuration.scavengeHistoryMaxAgeDays;
  const noMerge =
    !options.merge || (options.disableScavengeMerging ?? configuration.disableScavengeMerging ?? false);
  const request = checkedRequest('runScavenge', {
    ...decidingRequest(options, named, environment),
    threads: options.threads ?? 1,
    throttlePercent: options.throttlePercent ?? 100,
    ...optional('bytesPerSecond', options.throttle),
    merge: !noMerge,
    assumeStopped: options.assumeStopped === true,
    ...optional('pageSize', pageSize),
    ...optional('cacheSizeBytes', cacheSizeBytes),
    ...optional('hashUsersCacheCapacity', hashUsersCacheCapacity),
    ...optional('scavengeHistoryMaxAgeDays', historyMaxAge),
    ...optional('stopAfter', options.stopAfter),
    ...optional('keepReplacedMs', options.keepReplaced)
  });
  checkScavengeRequest(request);
  return request;
}
