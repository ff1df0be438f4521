/**
 * Every setting of the node service, in one place: the source for the readers of files, environment and
 * command line, `winnow config`, the page docs/operations/settings.md and the Settings view.
 */
import { POINT_PLACEMENTS } from '../../src-core/index.ts';

export type SettingValue = boolean | number | string;

export interface SettingDefinition {
  /** Words in PascalCase; a section and its member are joined by a colon. */
  name: string;
  kind: 'flag' | 'number' | 'text' | 'choice';
  /** undefined: not set; `help` says what that means. */
  default: SettingValue | undefined;
  /** The unit of the number, for people. */
  unit?: string;
  min?: number;
  max?: number;
  choices?: readonly string[];
  /** A relative path starts at the folder of the file that names it. */
  isPath?: true;
  /** Never printed, never logged. */
  isSecret?: true;
  /** Its option, where that is not the name of the setting: `port` for `Winnow:Port`. */
  option?: string;
  /** What stands for the value in the help of that option. */
  valueName?: string;
  /** The option may be given several times; the values are joined by commas. */
  isRepeatable?: true;
  /** Why it should no longer be used. */
  deprecated?: string;
  /** Its other names, older and newer ones. */
  aliases?: readonly string[];
  /** One sentence for people. */
  help: string;
  /** A user who sets it is shown `help`, because it requires an action. */
  isNoteworthyWhenOn?: true;
}

/** What `WriteStatsToDb` costs, and the action that it requires. */
export const STATISTICS_NOTE =
  'The server writes statistics events, which expire after 24 hours: scavenge at least once a week.';

/** A maximum age beyond the range of dates would make every later scavenge of a server fail. */
export const LONGEST_HISTORY_DAYS = 36_500;

export const SETTINGS = [
  {
    name: 'Db',
    kind: 'text',
    default: undefined,
    isPath: true,
    help: 'Data directory of the node.'
  },
  {
    name: 'Index',
    kind: 'text',
    default: undefined,
    isPath: true,
    help: 'Index directory of the node; not set: "index" inside the data directory.'
  },
  {
    name: 'AllowedPaths',
    kind: 'text',
    default: undefined,
    help: 'Folders that a page in a browser may choose from, as --allow-path; several are separated by ":", on Windows by ";". Not set: only the directories of known nodes and their backup targets.'
  },
  {
    name: 'LearnGrowth',
    kind: 'flag',
    default: true,
    help: 'A service reads by itself, slowly and while nothing else runs on the node, what it needs to tell when the disk is full.'
  },
  {
    name: 'ClusterSize',
    kind: 'number',
    default: undefined,
    min: 1,
    help: 'Number of full members of the cluster. Above 1, a new scavenge point is never written to the log of a single stopped member.'
  },
  {
    name: 'Dev',
    kind: 'flag',
    default: false,
    help: 'Dev mode of the server; turns auto-scavenge off.'
  },
  {
    name: 'MemDb',
    kind: 'flag',
    default: false,
    help: 'The server keeps its database in memory only: Winnow has no files to work on.'
  },
  {
    name: 'WriteStatsToDb',
    kind: 'flag',
    default: false,
    help: STATISTICS_NOTE,
    isNoteworthyWhenOn: true
  },
  {
    name: 'MaxTruncation',
    kind: 'number',
    default: 268_435_456,
    unit: 'bytes',
    min: -1,
    help: 'The most that a server cuts off its log at a start; -1: no limit.'
  },
  {
    name: 'DisableScavengeMerging',
    kind: 'flag',
    default: false,
    help: 'Does not merge small scavenged chunks up to the chunk size.'
  },
  {
    name: 'ScavengeHistoryMaxAge',
    kind: 'number',
    default: 30,
    unit: 'days',
    min: 1,
    max: LONGEST_HISTORY_DAYS,
    help: 'How long the history of scavenges is kept.'
  },
  {
    name: 'AlwaysKeepScavenged',
    kind: 'flag',
    default: false,
    deprecated: 'newer servers refuse to start with it',
    help: 'Replaces a chunk with its scavenged copy even if that is not smaller.'
  },
  {
    name: 'ScavengeBackendPageSize',
    kind: 'number',
    default: 16,
    unit: 'KiB (1 to 64) or bytes (512 to 65536)',
    min: 1,
    max: 65_536,
    help: 'Page size of the scavenge database; an existing one keeps its own.'
  },
  {
    name: 'ScavengeBackendCacheSize',
    kind: 'number',
    default: 67_108_864,
    unit: 'bytes',
    min: 1,
    help: 'Memory for the cache of the scavenge database.'
  },
  {
    name: 'ScavengeHashUsersCacheCapacity',
    kind: 'number',
    default: 100_000,
    unit: 'stream hashes',
    min: 1,
    help: 'Stream hashes remembered for collision checks; raise it if accumulation reports many cache misses.'
  },
  {
    name: 'UnsafeIgnoreHardDelete',
    kind: 'flag',
    default: false,
    aliases: ['UnsafeIgnoreHardDeletes'],
    deprecated: 'streams that were deleted for good can be written again afterwards',
    help: 'Lets a scavenge remove the traces of hard-deleted streams.'
  },
  {
    name: 'ScavengePointPlacement',
    kind: 'choice',
    default: 'auto',
    choices: POINT_PLACEMENTS,
    help: 'Placement of the scavenge point for runs that are started over HTTP or by the schedule.'
  },
  {
    name: 'AutoScavenge:Enabled',
    kind: 'flag',
    default: undefined,
    help: 'Scheduled scavenges; not set: on if there is a valid licence.'
  },
  {
    name: 'AutoScavenge:TimeZone',
    kind: 'text',
    default: undefined,
    help: "Time zone of the schedule (IANA name); not set: the system's. A time zone chosen for the cluster takes precedence."
  },
  {
    name: 'AutoScavenge:QuietHours',
    kind: 'text',
    default: undefined,
    help: 'Hours in which no scheduled scavenge runs, such as "08:00-20:00 mon-fri". Hours set for the cluster take precedence.'
  },
  {
    name: 'AutoScavenge:MaintenanceWindow',
    kind: 'text',
    default: undefined,
    help: 'Scheduled scavenges only work in this window, such as "02:00-04:00": quiet hours are all others. Not together with QuietHours.'
  },
  {
    name: 'Licensing:LicenseKey',
    kind: 'text',
    default: undefined,
    isSecret: true,
    help: 'The licence itself, a signed token.'
  },
  {
    name: 'Licensing:LicenseFile',
    kind: 'text',
    default: undefined,
    help: 'A file with the licence, or "evaluation" for the one that comes with Winnow.'
  },
  {
    name: 'Insecure',
    kind: 'flag',
    default: false,
    help: 'Lets the service listen on an address other than loopback without TLS. Passwords can then be read in transit.'
  },
  {
    name: 'Winnow:Host',
    kind: 'text',
    default: '127.0.0.1',
    option: 'host',
    valueName: 'address',
    help: 'Address that the service listens on.'
  },
  {
    name: 'Winnow:Port',
    kind: 'number',
    default: 2113,
    min: 0,
    max: 65_535,
    option: 'port',
    valueName: 'number',
    help: 'Port that the service listens on; 0: any free port.'
  },
  {
    name: 'Winnow:PublicName',
    kind: 'text',
    default: undefined,
    option: 'public-name',
    valueName: 'name',
    isRepeatable: true,
    help: 'Host name by which callers know the service; several are separated by commas.'
  },
  {
    name: 'Winnow:UsersFile',
    kind: 'text',
    default: undefined,
    isPath: true,
    option: 'users',
    valueName: 'file',
    help: 'Users file; not set: users.json in WINNOW_HOME.'
  },
  {
    name: 'Winnow:CertificateFile',
    kind: 'text',
    default: undefined,
    isPath: true,
    option: 'cert',
    valueName: 'file',
    help: 'Certificate of the service (PEM).'
  },
  {
    name: 'Winnow:CertificateKeyFile',
    kind: 'text',
    default: undefined,
    isPath: true,
    option: 'key',
    valueName: 'file',
    help: 'Key of the certificate (PEM).'
  },
  {
    name: 'Winnow:LogLevel',
    kind: 'choice',
    default: 'info',
    choices: ['error', 'warn', 'info'],
    option: 'log-level',
    valueName: 'level',
    help: 'Least level of the lines in the log of the service; --quiet is warn.'
  },
  {
    name: 'Winnow:SingleNode',
    kind: 'flag',
    default: false,
    option: 'single-node',
    help: 'This directory is not a member of a cluster: a new scavenge point may be written to its log.'
  },
  {
    name: 'Winnow:Page',
    kind: 'flag',
    default: false,
    option: 'ui',
    help: 'Also serves the window to browsers, with the same log-in.'
  },
  {
    name: 'Winnow:Cluster',
    kind: 'text',
    default: undefined,
    option: 'cluster',
    valueName: 'name',
    help: 'Registered cluster whose schedule the service runs; not set: the one that the node is a member of.'
  },
  {
    name: 'AllowUnknownOptions',
    kind: 'flag',
    default: false,
    help: 'Warns of unknown settings instead of refusing them.'
  }
] as const satisfies readonly SettingDefinition[];

export type SettingName = (typeof SETTINGS)[number]['name'];

/** Settings of a server that mean nothing to Winnow: known, so that its configuration file can be used unchanged. */
export const SERVER_ONLY_SETTINGS: readonly string[] = [
  ...['AdvertiseHostToClientAs', 'AdvertiseNodePortToClientAs', 'AllowAnonymousEndpointAccess'],
  ...['AllowAnonymousStreamAccess', 'Archive', 'Auth', 'AuthenticationConfig', 'AuthenticationType'],
  ...['Authorization', 'AuthorizationConfig', 'AuthorizationType', 'CachedChunks', 'CertificateFile'],
  ...['CertificatePassword', 'CertificatePrivateKeyFile', 'CertificatePrivateKeyPassword'],
  ...['CertificateReservedNodeCommonName', 'CertificateStoreLocation', 'CertificateStoreName'],
  ...['CertificateSubjectName', 'CertificateThumbprint', 'ChunkInitialReaderCount', 'ChunksCacheSize'],
  ...[
    'ChunkSize',
    'ClusterDns',
    'ClusterGossipPort',
    'CommitTimeoutMs',
    'Config',
    'ConnectionPendingSendBytesThreshold'
  ],
  ...['ConnectionQueueSizeThreshold', 'Connectors', 'DeadMemberRemovalPeriodSec', 'DefaultAdminPassword'],
  ...['DefaultOpsPassword', 'DisableAdminUi', 'DisableFirstLevelHttpAuthorization', 'DisableGossipOnHttp'],
  ...['DisableHttpCaching', 'DisableInternalTcpTls', 'DisableLogFile', 'DisableStatsOnHttp', 'DisableTls'],
  ...[
    'DiscoverViaDns',
    'EnableAtomPubOverHttp',
    'EnableExternalTcp',
    'EnableHistograms',
    'EnableTrustedAuth'
  ],
  ...['EnableUnixSocket', 'ExtIp', 'FaultOutOfOrderProjections', 'FileLogging', 'GossipAllowedDifferenceMs'],
  ...[
    'GossipIntervalMs',
    'GossipSeed',
    'GossipTimeoutMs',
    'HashCollisionReadLimit',
    'HttpPort',
    'IndexCacheDepth'
  ],
  ...['IndexCacheSize', 'InitializationThreads', 'IntIp', 'KeepAliveInterval', 'KeepAliveTimeout'],
  ...[
    'LeaderElectionTimeoutMs',
    'LicenseKey',
    'Log',
    'LogConfig',
    'LogConsoleFormat',
    'LogFailedAuthenticationAttempts'
  ],
  ...[
    'LogFileInterval',
    'LogFileRetentionCount',
    'LogFileSize',
    'LogHttpRequests',
    'LogLevel',
    'MaxAppendEventSize'
  ],
  ...[
    'MaxAppendSize',
    'MaxAutoMergeIndexLevel',
    'MaxMemTableSize',
    'MemTableSize',
    'Metrics',
    'MinFlushDelayMs'
  ],
  ...[
    'NodeHeartbeatInterval',
    'NodeHeartbeatTimeout',
    'NodeHostAdvertiseAs',
    'NodeIp',
    'NodePort',
    'NodePortAdvertiseAs'
  ],
  ...['NodePriority', 'NodeTcpPort', 'NodeTcpPortAdvertiseAs', 'OpenTelemetry', 'OptimizeIndexMerge'],
  // Names of older servers, whose files still exist.
  ...['AdminOnExt', 'BetterOrdering', 'ExtHostAdvertiseAs', 'ExtHttpPort', 'ExtHttpPortAdvertiseAs'],
  ...['ExtSecureTcpPort', 'ExtTcpPort', 'ExtTcpPortAdvertiseAs', 'GossipOnExt', 'HttpPortAdvertiseAs'],
  ...['IntHostAdvertiseAs', 'IntHttpPort', 'IntHttpPortAdvertiseAs', 'IntSecureTcpPort', 'IntTcpPort'],
  ...['IntTcpPortAdvertiseAs', 'IntTcpHeartbeatInterval', 'IntTcpHeartbeatTimeout', 'StatsOnExt'],
  ...['ExtTcpHeartbeatInterval', 'ExtTcpHeartbeatTimeout'],
  ...[
    'OverrideAnonymousEndpointAccessForGossip',
    'Plugins',
    'PrepareTimeoutMs',
    'ProjectionCompilationTimeout'
  ],
  ...[
    'ProjectionExecutionTimeout',
    'ProjectionThreads',
    'QuorumSize',
    'ReadOnlyReplica',
    'ReaderThreadsCount'
  ],
  ...[
    'RemoveDir',
    'ReplicationHeartbeatInterval',
    'ReplicationHeartbeatTimeout',
    'ReplicationHostAdvertiseAs'
  ],
  ...['ReplicationIp', 'ReplicationPort', 'ReplicationTcpPortAdvertiseAs', 'RunProjections', 'SkipDbVerify'],
  ...[
    'SecondaryIndexing',
    'SkipIndexScanOnReads',
    'SkipIndexVerify',
    'StartStandardProjections',
    'StatsPeriodSec'
  ],
  ...['StatsStorage', 'StreamExistenceFilterSize', 'StreamInfoCacheCapacity', 'Telemetry', 'TcpReadTimeout'],
  ...[
    'TrustedRootCertificateStoreLocation',
    'TrustedRootCertificateStoreName',
    'TrustedRootCertificateSubjectName'
  ],
  ...['TrustedRootCertificateThumbprint', 'TrustedRootCertificatesPath', 'UnsafeAllowSurplusNodes'],
  ...[
    'UnsafeDisableFlushToDisk',
    'UseIndexBloomFilters',
    'UserCertificates',
    'WhatIf',
    'WorkerThreads',
    'WriteTimeoutMs'
  ],
  ...[
    'WriteThrough',
    'WriterIdleTimeout',
    'Kestrel',
    'Logging',
    'Serilog',
    'TcpPlugin',
    'Encryption',
    'Transform'
  ]
];
