/**
 * Metrics of the registered clusters: what the page of all nodes shows of them, of the same answer. Members may be machines that
 * do not answer for a while, so no scrape waits long for them: it has what was found before.
 */
import { Gauge, type Registry } from 'prom-client';
import type { FleetCluster, FleetNode, FleetReport } from '../contract/operations/fleet-reports.ts';
import { HEALTH_STATES } from '../contract/operations/health-reports.ts';

/** Asking reads the state of each member, over the network where they run. */
const CLUSTERS_KEPT_MS = 5 * 60_000;
const LONGEST_WAIT_MS = 3000;
/** Each member is some ten series; what is beyond is only counted. */
const MOST_CLUSTERS = 50;
const MOST_MEMBERS = 25;
const LONGEST_LABEL = 120;
/** As gossip says them, and as directories are told. Another word counts as `Other`, so that no member can make series at will. */
const MEMBER_STATES: ReadonlySet<string> = new Set([
  ...['Stopped', 'InUse', 'Unreadable'],
  ...[
    'Initializing',
    'DiscoverLeader',
    'Unknown',
    'PreReplica',
    'CatchingUp',
    'Clone',
    'Follower',
    'PreLeader',
    'Leader'
  ],
  ...['Manager', 'ShuttingDown', 'Shutdown', 'ReadOnlyLeaderless', 'PreReadOnlyReplica', 'ReadOnlyReplica'],
  'ResigningLeader'
]);
const OTHER_STATE = 'Other';

export interface MeasuredClusters {
  /** Their answers, and how the nodes stand that are members of them. */
  read: () => Promise<FleetReport>;
  /** The engine is occupied by a scavenge for which it would have to wait. */
  isOccupied: () => boolean;
}

interface Member {
  cluster: string;
  member: string;
  told: FleetCluster['members'][number];
  /** undefined: it is not a directory of this machine. */
  node: FleetNode | undefined;
  /** Bytes that the longest log of the cluster has more; null: not known. */
  behind: number | null;
}

const second = (time: string): number => Math.floor(Date.parse(time) / 1000);

/** Left out of scrapes while they are not known. */
export function addClusterMetrics(registry: Registry, clusters: MeasuredClusters, clock: () => number): void {
  const look = looker(clusters, clock);
  const gauge = (
    name: string,
    { help, labels }: { help: string; labels: readonly string[] },
    fill: (gauge: Gauge, report: FleetReport) => void
  ): void => {
    new Gauge({
      ...{ name, help, labelNames: labels, registers: [registry] },
      async collect() {
        // One without labels would be reset to 0.
        if (labels.length === 0) this.remove();
        else this.reset();
        const report = await look();
        if (report) fill(this, report);
      }
    });
  };
  const perCluster = (name: string, help: string, value: (cluster: FleetCluster) => number | null): void =>
    gauge(name, { help, labels: ['cluster'] }, (one, report) => {
      for (const cluster of report.clusters.slice(0, MOST_CLUSTERS)) {
        const known = value(cluster);
        if (known !== null) one.set({ cluster: label(cluster.name) }, known);
      }
    });
  const perMember = (name: string, help: string, value: (member: Member) => number | null): void =>
    gauge(name, { help, labels: ['cluster', 'member'] }, (one, report) => {
      for (const member of membersOf(report)) {
        const known = value(member);
        if (known !== null) one.set({ cluster: member.cluster, member: member.member }, known);
      }
    });

  gauge(
    'winnow_clusters',
    {
      help: 'Clusters that are registered; series are told of the first fifty, and of 25 members each.',
      labels: []
    },
    (one, report) => one.set(report.clusters.length)
  );
  perCluster('winnow_cluster_answers', '1 when the cluster could be asked, 0 when not.', ({ error }) =>
    error === null ? 1 : 0
  );
  perCluster(
    'winnow_cluster_next_scavenge_timestamp_seconds',
    'Second of the epoch of the next scavenge by schedule; absent without one, or while it is not known.',
    ({ nextScavenge }) => (nextScavenge === null ? null : second(nextScavenge))
  );
  perMember(
    'winnow_cluster_member_up',
    '1 when the member answers or can be read, 0 when not.',
    ({ told }) => (told.isAlive ? 1 : 0)
  );
  perMember(
    'winnow_cluster_member_behind_bytes',
    'Bytes of log that the longest log of the cluster has more than this member.',
    ({ behind }) => behind
  );
  perMember(
    'winnow_cluster_member_last_scavenge_timestamp_seconds',
    'Second of the epoch of the last scavenge of a member that is a directory here; absent where none is known.',
    ({ node }) => (node?.lastScavenged ? second(node.lastScavenged) : null)
  );
  gauge(
    'winnow_cluster_member_state',
    { help: '1 for the state that the member has.', labels: ['cluster', 'member', 'state'] },
    (one, report) => {
      for (const { cluster, member, told } of membersOf(report)) {
        const state = MEMBER_STATES.has(told.state) ? told.state : OTHER_STATE;
        one.set({ cluster, member, state }, 1);
      }
    }
  );
  gauge(
    'winnow_cluster_member_health',
    {
      help: '1 for the health that a member has which is a directory here, as it was checked last, 0 for the others.',
      labels: ['cluster', 'member', 'state']
    },
    (one, report) => {
      for (const { cluster, member, node } of membersOf(report)) {
        if (!node?.health) continue;
        for (const state of HEALTH_STATES)
          one.set({ cluster, member, state }, state === node.health.state ? 1 : 0);
      }
    }
  );
}

/** One question at a time; what it finds is kept. Gives what is known after a while, which may be nothing yet. */
function looker(
  { read, isOccupied }: MeasuredClusters,
  clock: () => number
): () => Promise<FleetReport | undefined> {
  let knownUntilMs = 0;
  let known: FleetReport | undefined;
  let asking: Promise<void> | undefined;
  return async () => {
    if (!asking && clock() >= knownUntilMs && !isOccupied()) {
      asking = read()
        .then((report) => (known = report))
        // A list that cannot be read, for instance: nothing is known then.
        .catch(() => (known = undefined))
        .then(() => {
          knownUntilMs = clock() + CLUSTERS_KEPT_MS;
          asking = undefined;
        });
    }
    if (asking) {
      let timer: NodeJS.Timeout | undefined;
      const patience = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, LONGEST_WAIT_MS);
        timer.unref();
      });
      await Promise.race([asking, patience]);
      clearTimeout(timer);
    }
    return known;
  };
}

function membersOf({ clusters, nodes }: FleetReport): Member[] {
  return clusters.slice(0, MOST_CLUSTERS).flatMap(({ name, members }) => {
    const ends = members.map(({ writerCheckpoint }) => writerCheckpoint ?? -1);
    const longest = Math.max(-1, ...ends);
    const names = new Set<string>();
    return members.slice(0, MOST_MEMBERS).map((told, at): Member => {
      const node = nodes.find(
        ({ cluster, dataDirectory }) => cluster === name && dataDirectory === told.node
      );
      return {
        cluster: label(name),
        member: unique(label(node?.name ?? told.node), names),
        told,
        node,
        behind: ends[at]! < 0 ? null : longest - ends[at]!
      };
    });
  });
}

/** Two directories may have one name. */
function unique(name: string, taken: Set<string>): string {
  let own = name;
  for (let n = 2; taken.has(own); n++) own = `${name} (${n})`;
  taken.add(own);
  return own;
}

/** prom-client escapes quotes, backslashes and line ends; other control characters are of no use to a reader. */
function label(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '?').slice(0, LONGEST_LABEL);
}
