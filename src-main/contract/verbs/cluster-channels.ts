/** Names of the verbs about clusters, schedules, the licence and the services of nodes. */
import type { ClusterVerbName } from './cluster-contract.ts';

/** Keys instead of a list, so that the compiler reports a missing verb. */
export const CLUSTER_VERBS: Record<ClusterVerbName, true> = {
  listClusters: true,
  clusterOfNode: true,
  createCluster: true,
  renameCluster: true,
  forgetCluster: true,
  addClusterNode: true,
  addClusterAddress: true,
  removeClusterMember: true,
  setClusterAccess: true,
  chooseClusterAuthority: true,
  forgetClusterAuthority: true,
  remoteMember: true,
  startRemoteScavenge: true,
  stopRemoteScavenge: true,
  autoScavengeStatus: true,
  followCluster: true,
  configureAutoScavenge: true,
  pauseAutoScavenge: true,
  resumeAutoScavenge: true,
  runAutoScavengeNow: true,
  skipAutoScavenge: true,
  setQuietHours: true,
  licenceState: true,
  chooseLicence: true,
  nodeServiceState: true,
  startNodeService: true,
  stopNodeService: true
};
