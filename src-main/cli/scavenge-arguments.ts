/**
 * The options of `plan` and `scavenge`, which are the same, and the request that they form together with a
 * server's configuration file. An option on the command line wins over the file.
 */
import { Option, type Command } from 'commander';
import type { CheckedRequestOf } from '../contract/operations/operation-contract.ts';
import { checkedRequest } from '../engine/engine-door.ts';
import { phaseName, type PhaseName } from '../contract/operations/reports.ts';
import { checkScavengeRequest, POINT_PLACEMENTS, type PointPlacement } from '../../src-core/index.ts';
import { parseByteSize } from './byte-size.ts';
import { knownMembership } from '../settings/cluster-membership.ts';
import { LONGEST_HISTORY_DAYS } from '../settings/setting-table.ts';
import { isoTime, namedForScavenge, optional, wholeNumber, type DatabaseOptions } from './global-options.ts';
import { winnowHome } from '../settings/winnow-home.ts';
import type { CommandLine } from './command-line.ts';

export interface ScavengeArguments extends DatabaseOptions {
  scavengePoint: PointPlacement;
  threshold: number;
  threads: number;
  throttlePercent: number;
  syncOnly?: boolean;
  merge: boolean;
  disableScavengeMerging?: boolean;
  unsafeIgnoreHardDeletes?: boolean;
  unsafeIgnoreHardDelete?: boolean;
  alwaysKeepScavenged?: boolean;
  pageSize?: number;
  scavengeBackendPageSize?: number;
  cacheSize?: number;
  scavengeBackendCacheSize?: number;
  hashUsersCacheCapacity?: number;
  scavengeHashUsersCacheCapacity?: number;
  scavengeHistoryMaxAge?: number;
  now?: string;
  stopAfter?: PhaseName;
  assumeStopped?: boolean;
  startAfresh?: boolean;
  singleNode?: boolean;
  scratch?: string;
}

export type ScavengeRequest = CheckedRequestOf<'runScavenge'>;

/** Adds the options; the longer names of the server's settings are accepted too. */
export function withScavengeOptions(command: Command): Command {
  const alias = (flags: string): Option => new Option(flags).hideHelp();
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
    )
    .option('--threads <number>', 'threads that rewrite chunks', wholeNumber(1), 1)
    .option('--throttle-percent <percent>', 'share of the time to spend working', wholeNumber(1, 100), 100)
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
    .option('--cache-size <bytes>', 'cache of the scavenge state', parseByteSize)
    .addOption(alias('--scavenge-backend-cache-size <bytes>').argParser(parseByteSize))
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
    .option('--start-afresh', 'move an existing scavenge state aside')
    .option(
      '--single-node',
      'this directory is not a member of a cluster: a new point may be written to its log'
    );
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
  const home = winnowHome(environment, process.platform);
  const { location, configuration, warnings } = namedForScavenge(db, options, environment);
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
  const membership = knownMembership({
    dataDirectory: location.dataDirectory,
    saidSingleNode: options.singleNode === true,
    configuredSize: configuration.clusterSize,
    winnowHome: home
  });
  const request = checkedRequest('runScavenge', {
    ...location,
    scavengePoint: options.scavengePoint,
    threads: options.threads,
    throttlePercent: options.throttlePercent,
    syncOnly: options.syncOnly === true,
    threshold: options.threshold,
    merge: !noMerge,
    unsafeIgnoreHardDeletes:
      options.unsafeIgnoreHardDeletes ??
      options.unsafeIgnoreHardDelete ??
      configuration.unsafeIgnoreHardDelete ??
      false,
    alwaysKeepScavenged: options.alwaysKeepScavenged ?? configuration.alwaysKeepScavenged ?? false,
    assumeStopped: options.assumeStopped === true,
    startAfresh: options.startAfresh === true,
    ...membership,
    winnowHome: home,
    ...optional('pageSize', pageSize),
    ...optional('now', options.now),
    ...optional('cacheSizeBytes', cacheSizeBytes),
    ...optional('hashUsersCacheCapacity', hashUsersCacheCapacity),
    ...optional('scavengeHistoryMaxAgeDays', historyMaxAge),
    ...optional('stopAfter', options.stopAfter),
    ...optional('scratchDirectory', options.scratch)
  });
  checkScavengeRequest(request);
  return request;
}
