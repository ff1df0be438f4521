/**
 * The clusters of a page that a service shows: the window's verbs for them, over the clusters that concern the nodes of
 * the page. What came along from the machine of the browser stands where the window shows a dialog.
 */
import { invalidRequest } from '../../src-core/index.ts';
import type { AskOptions } from '../contract/verbs/verb-handler.ts';
import type { PageClusters, PageClustersParts } from '../http/ui/page-clusters.ts';
import type { RegisteredCluster } from '../settings/cluster-registry.ts';
import { ClusterSchedules } from './cluster-schedules.ts';
import { clusterVerbs } from './cluster-verbs.ts';
import { HostedNodes } from './hosted-nodes.ts';
import { LicenceChoice } from './licence-choice.ts';

/** Pages look at a few at a time; the one that was asked for longest ago is no longer followed. */
export const MOST_FOLLOWED = 8;

export function startPageClusters(parts: PageClustersParts): PageClusters {
  const { nodes, hosted, environment } = parts;
  const licence = new LicenceChoice(parts);
  const common = {
    ...parts,
    licence,
    cipher: undefined,
    isShown: (cluster: RegisteredCluster) => concerns(cluster, nodes)
  };
  const schedules = new ClusterSchedules({ ...common, host: 'service' });
  schedules.scavenges.keep(hosted.dataDirectory, hosted.scavenges);
  const verbs = clusterVerbs({
    schedules,
    licence,
    // Its verbs are not for browsers: a page is part of such a service.
    services: new HostedNodes({ ...common, environment, schedules }),
    chooseCertificate: chosenOnPage,
    chooseLicence: chosenOnPage,
    send: parts.send
  });
  let followed: string[] = [];
  schedules.start();
  return {
    verbs: {
      ...verbs,
      createCluster: (request, options) => {
        if (request.nodeIds?.includes(nodes.id)) refuseSingle(nodes);
        return verbs.createCluster(request, options);
      },
      addClusterNode: (request, options) => {
        if (request.nodeId === nodes.id) refuseSingle(nodes);
        return verbs.addClusterNode(request, options);
      },
      // Several pages look at several clusters, and one that turns away must not end it for the others.
      followCluster: ({ cluster }) => {
        if (cluster === null) return null;
        schedules.list.find(cluster);
        followed = [cluster, ...followed.filter((name) => name !== cluster)].slice(0, MOST_FOLLOWED);
        schedules.follow(followed);
        return null;
      }
    },
    setFollowed: (isFollowed) => {
      if (isFollowed) return;
      followed = [];
      schedules.follow([]);
    },
    close: () => schedules.close()
  };
}

/** Its log may get a point of its own: as a member it would differ from the others'. */
function refuseSingle({ isSaidSingle }: PageClustersParts['nodes']): void {
  if (!isSaidSingle) return;
  throw invalidRequest(
    'The service was started for a single node, which is no member of a cluster.',
    'nodeId',
    'Start it without --single-node.'
  );
}

function chosenOnPage({ chosenPath }: AskOptions): Promise<string | undefined> {
  return Promise.resolve(chosenPath);
}

/** Running nodes are reached by their addresses; directories only if the page shows them, or one beside the hosted node. */
function concerns(cluster: RegisteredCluster, nodes: PageClustersParts['nodes']): boolean {
  if (cluster.kind === 'remote') return true;
  const own = nodes.hosted().dataDirectory;
  return (
    cluster.members.some(({ dataDirectory }) => dataDirectory === own) ||
    cluster.members.every(
      ({ dataDirectory, indexDirectory }) =>
        nodes.isOpenable(dataDirectory) && (indexDirectory === undefined || nodes.isOpenable(indexDirectory))
    )
  );
}
