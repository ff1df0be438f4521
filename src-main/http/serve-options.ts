/** The parts of a service: the options it is started with, and what this process provides. */
import type { FastifyBaseLogger } from 'fastify';
import type { Lease } from '../cluster/coordinator-lease.ts';
import type { EngineHost } from '../engine/engine-host.ts';
import type { LogCoverageReport } from '../contract/operations/coverage-reports.ts';
import type { FleetNode } from '../contract/operations/fleet-reports.ts';
import type { GrowthReport } from '../contract/operations/usage-reports.ts';
import type { DatabaseLocation, RequestOf } from '../contract/operations/operation-contract.ts';
import type { LastComparison } from '../settings/last-comparison.ts';
import type { Settings } from '../settings/settings.ts';
import type { AutoScavengeDoor } from '../cluster/auto-scavenge.ts';
import type { ScheduledNode } from './routes/backup-schedule-routes.ts';
import type { HoldPlace } from './routes/hold-routes.ts';
import type { ServerRouteParts } from './routes/server-routes.ts';
import type { HistoryParts } from './scavenge-streams.ts';
import type { NodeScavenges } from '../cluster/node-scavenges.ts';
import type { StartPageClusters } from './ui/page-clusters.ts';
import type { RunsByKind } from './node-runs.ts';
import type { SelfGrowth } from './self-growth.ts';
import type { RunHosted } from '../verbs/hosted-work.ts';
import type { ServedPage } from './ui/served-page.ts';

export interface ServeOptions {
  settings: Settings;
  host: string;
  port: number;
  publicNames: readonly string[];
  usersFile: string;
  certificateFile: string | undefined;
  keyFile: string | undefined;
  saidSingleNode: boolean;
  trustedKeyFile: string | undefined;
  /** A registered cluster to coordinate; undefined: the one the node is a member of. */
  clusterName: string | undefined;
  /** For the password of a remote cluster. */
  environment: Readonly<Record<string, string | undefined>>;
  winnowHome: string;
  /** Directory of the built window to serve to browsers; undefined: none. */
  pageDirectory: string | undefined;
  /** Absolute folders that a page may choose from, besides those that are known. */
  allowedPaths: readonly string[];
}

export interface ServeParts {
  engine: EngineHost;
  /** Runs the schedule's own scavenges, if the record of operations should tell them apart. */
  scheduleEngine?: EngineHost;
  logger: FastifyBaseLogger;
  clock: () => number;
  /** What the process already has because it does more than serve. */
  shared?: SharedParts;
  /** Gives a page its clusters, schedules and licence; not given: it has none. */
  startClusters?: StartPageClusters;
}

export interface SharedParts {
  autoScavenge: AutoScavengeDoor;
  /** Of the hosted directory; they continue after the service ends. */
  scavenges: NodeScavenges;
  onListening: Lease['publish'];
  /** Shows what callers start as work of this process. */
  runWork: RunHosted;
  /** After what is kept of a node has changed. */
  onNodesChange: () => void;
}

export interface HostedNode {
  location: DatabaseLocation;
  scavenges: NodeScavenges;
  /** Its rescues, verifications and rebuilds over HTTP. */
  runs: RunsByKind;
  haveStatisticsPiledUp: () => Promise<boolean>;
  replacedBytes: () => Promise<number>;
  /** How much of the log was verified; undefined: not known. */
  coverage: () => Promise<LogCoverageReport | undefined>;
  /** From what is known of the chunks; nothing is read for it. */
  growth: (asked: { days: number; top: number }) => Promise<GrowthReport>;
  /** How it stands among all nodes. */
  standing: () => Promise<FleetNode>;
  /** The last comparison with others; undefined: none is known. */
  lastComparison: () => LastComparison | undefined;
  history: HistoryParts;
  /** What clients of a server request from any node. */
  server: ServerRouteParts;
  /** Finds its running scavenge. */
  place: HoldPlace;
  /** The schedule of its backups. */
  backupSchedule: ScheduledNode;
  baseRequest: RequestOf<'runScavenge'>;
  page: ServedPage | undefined;
  /** undefined: it reads nothing that nobody asked for. */
  selfGrowth: SelfGrowth | undefined;
}
