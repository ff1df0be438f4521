/** The verbs about clusters, schedules, the licence and the services of nodes, implemented with src-main/hosting. */
import { quietOutside } from '../../src-core/index.ts';
import type { ClusterSchedules } from './cluster-schedules.ts';
import type { LicenceChoice } from './licence-choice.ts';
import { remoteMemberState, startOnMember, stopOnMember } from './remote-member.ts';
import type { HostedNodes } from './hosted-nodes.ts';
import { readCertificateAuthority } from '../settings/certificate-file.ts';
import type { ClusterVerbHandlers } from '../verbs/absent-cluster-verbs.ts';
import type { AskOptions } from '../contract/verbs/verb-handler.ts';
import type { ClusterEntry } from '../contract/verbs/cluster-contract.ts';
import type { WindowEvent } from '../contract/verbs/workbench-contract.ts';

export interface ClusterVerbParts {
  schedules: ClusterSchedules;
  licence: LicenceChoice;
  services: HostedNodes;
  /** Ask with a system dialog, or take what came along from a page; undefined: nothing chosen. */
  chooseCertificate: (options: AskOptions) => Promise<string | undefined>;
  chooseLicence: (options: AskOptions) => Promise<string | undefined>;
  send: (event: WindowEvent) => void;
}

export function clusterVerbs(parts: ClusterVerbParts): ClusterVerbHandlers {
  const { schedules, licence, services } = parts;
  const { list } = schedules;

  /** Checks what was changed again before the answer. */
  const changed = async (entry: ClusterEntry): Promise<ClusterEntry> => {
    await schedules.changed(entry.name);
    return entry;
  };

  return {
    listClusters: () => list.list(),
    clusterOfNode: ({ nodeId }) => list.ofNode(nodeId),
    createCluster: async (request) => changed(list.create(request)),
    renameCluster: async ({ cluster, name }) => {
      list.requireRegistered(cluster);
      await schedules.releaseCluster(cluster);
      schedules.refuseHeldElsewhere(cluster);
      const entry = list.rename(cluster, name);
      await schedules.changed(cluster, name);
      return entry;
    },
    forgetCluster: async ({ cluster }) => {
      list.requireRegistered(cluster);
      await schedules.releaseCluster(cluster);
      list.forget(cluster);
      await schedules.changed(cluster);
      return null;
    },
    addClusterNode: async ({ cluster, nodeId }) => changed(list.addNode(cluster, nodeId)),
    addClusterAddress: async ({ cluster, url, clusterSize }) =>
      changed(list.addAddress(cluster, url, clusterSize)),
    removeClusterMember: async ({ cluster, memberId }) => changed(list.removeMember(cluster, memberId)),
    setClusterAccess: async ({ cluster, user, password }) => changed(list.setAccess(cluster, user, password)),
    chooseClusterAuthority: async ({ cluster }, options = {}) => {
      list.requireRemote(cluster);
      const file = await parts.chooseCertificate(options);
      if (file === undefined) return null;
      readCertificateAuthority(file, 'certificateAuthority');
      return changed(list.setAuthority(cluster, file));
    },
    forgetClusterAuthority: async ({ cluster }) => changed(list.setAuthority(cluster, undefined)),

    remoteMember: async (request) => remoteMemberState(await schedules.remoteMember(request)),
    startRemoteScavenge: async ({ threshold, ...request }) =>
      startOnMember(await schedules.remoteMember(request), threshold),
    stopRemoteScavenge: async (request) => stopOnMember(await schedules.remoteMember(request)),

    autoScavengeStatus: ({ cluster }) => schedules.snapshot(cluster),
    followCluster: ({ cluster }) => {
      schedules.follow(cluster === null ? [] : [cluster]);
      return null;
    },
    configureAutoScavenge: ({ cluster, schedule, timeZone }) =>
      schedules.call(cluster, { schedule, ...(timeZone !== undefined && { timeZone }) }),
    pauseAutoScavenge: ({ cluster }) => schedules.call(cluster, 'pause'),
    resumeAutoScavenge: ({ cluster }) => schedules.call(cluster, 'resume'),
    runAutoScavengeNow: ({ cluster }) => schedules.call(cluster, { scavenge: {} }),
    skipAutoScavenge: ({ cluster }) => schedules.call(cluster, 'skip'),
    setQuietHours: async ({ cluster, quietHours }) =>
      schedules.call(cluster, {
        quietHours:
          quietHours !== null && 'window' in quietHours ? quietOutside(quietHours.window) : quietHours
      }),

    licenceState: () => licence.state(),
    chooseLicence: async ({ choice }, options = {}) => {
      const file = choice === 'file' ? await parts.chooseLicence(options) : undefined;
      if (choice === 'file' && file === undefined) return null;
      licence.choose(file !== undefined ? { file } : choice === 'evaluation' ? choice : null);
      const state = await licence.state();
      parts.send({ kind: 'licence', licence: state });
      // What waited for a licence starts now.
      await schedules.updateCoordination();
      return state;
    },

    nodeServiceState: ({ nodeId }) => services.state(nodeId),
    startNodeService: (request) => services.start(request),
    stopNodeService: ({ nodeId }) => services.stop(nodeId)
  };
}
