/** The clusters, schedules and licence of a served page: what it needs for them, and what it gets. Types only. */
import type { NodeScavenges } from '../../cluster/node-scavenges.ts';
import type { Log } from '../../contract/log-line.ts';
import type { WindowEvent } from '../../contract/verbs/workbench-contract.ts';
import type { EngineHost } from '../../engine/engine-host.ts';
import type { Settings } from '../../settings/settings.ts';
import type { ClusterVerbHandlers } from '../../verbs/absent-cluster-verbs.ts';
import type { RunHosted } from '../../verbs/hosted-work.ts';
import type { ServedNodes } from './served-nodes.ts';

export interface PageClustersParts {
  home: string;
  /** Runs the scavenges of schedules. */
  engine: EngineHost;
  /** Shows them as work of the page. */
  runWork: RunHosted;
  nodes: ServedNodes;
  /** The keeper of the hosted node's scavenges: a schedule and a caller over HTTP know what the other one runs. */
  hosted: { dataDirectory: string; scavenges: NodeScavenges };
  /** Of the service: they hold for every schedule of its page. */
  settings: Settings;
  environment: Readonly<Record<string, string | undefined>>;
  trustedKeyFile: string | undefined;
  clock: () => number;
  log: Log;
  send: (event: WindowEvent) => void;
}

export interface PageClusters {
  verbs: ClusterVerbHandlers;
  /** Whether any page is there to see what is followed. */
  setFollowed(isFollowed: boolean): void;
  /** Stops what schedules run where it can be resumed, and leaves coordination to others. */
  close(): Promise<void>;
}

export type StartPageClusters = (parts: PageClustersParts) => PageClusters;
