/** Clusters as the page hears of them: two stopped members, one that runs elsewhere, an auto-scavenge that waits. */
import type {
  AutoScavengeSnapshot,
  ChecklistItem,
  ClusterEntry,
  LicenceState,
  MemberSnapshot,
  NodeEntry,
  NodeServiceState,
  RemoteMemberState
} from '../../src-main/contract/verbs/workbench-contract.ts';

export function localCluster(name: string, nodes: NodeEntry[]): ClusterEntry {
  return {
    name,
    title: name,
    kind: 'local',
    isImplied: false,
    clusterSize: nodes.length,
    members: nodes.map((node) => ({
      id: `member-${node.id}`,
      kind: 'local',
      place: node.dataDirectory,
      name: node.name,
      nodeId: node.id
    })),
    user: null,
    password: 'none',
    certificateAuthority: null
  };
}

export function implied(node: NodeEntry): ClusterEntry {
  return { ...localCluster(`alone-${node.id}`, [node]), title: node.name, isImplied: true };
}

export const remoteCluster: ClusterEntry = {
  name: 'live',
  title: 'live',
  kind: 'remote',
  isImplied: false,
  clusterSize: 3,
  members: [
    { id: 'r1', kind: 'remote', place: 'http://n1.example:2113', name: 'n1.example:2113', nodeId: null }
  ],
  user: 'ops',
  password: 'keyChain',
  certificateAuthority: null
};

export function memberSnapshot(
  id: string,
  name: string,
  change: Partial<MemberSnapshot> = {}
): MemberSnapshot {
  return {
    id,
    name,
    role: 'Stopped',
    isLeader: false,
    isAlive: true,
    writerCheckpoint: 4096,
    step: null,
    told: null,
    progress: null,
    ...change
  };
}

const met = (item: ChecklistItem['item'], words: string): ChecklistItem => ({
  item,
  isOk: true,
  words,
  action: null
});

export function autoScavenge(
  cluster: string,
  members: MemberSnapshot[],
  change: Partial<AutoScavengeSnapshot> = {}
): AutoScavengeSnapshot {
  return {
    cluster,
    takenAtMs: Date.now(),
    coordinatedBy: 'window',
    coordinator: { kind: 'thisWindow' },
    state: 'NotConfigured',
    schedule: null,
    timeZone: 'UTC',
    timeUntilNextCycle: null,
    nextTimes: [],
    skipped: null,
    lastCycles: [],
    quietHours: null,
    maintenanceWindow: null,
    isQuietNow: false,
    pausedBy: null,
    clusterScavengeId: null,
    health: 'healthy',
    members,
    checklist: [
      met('licence', 'Licensed to Test until 2027-01-01.'),
      met('members', 'All members are there.')
    ],
    error: null,
    ...change
  };
}

export const noLicence: LicenceState = {
  choice: null,
  isValid: false,
  holder: null,
  expiresAtMs: null,
  isEvaluation: false,
  words: 'No licence was chosen.'
};

export const evaluation: LicenceState = {
  choice: 'evaluation',
  isValid: true,
  holder: 'evaluation',
  expiresAtMs: Date.parse('2027-01-01'),
  isEvaluation: true,
  words: 'Licensed to evaluation until 2027-01-01.'
};

export function remoteState(id: string, change: Partial<RemoteMemberState> = {}): RemoteMemberState {
  return {
    id,
    name: 'n1.example:2113',
    role: 'Leader',
    isAlive: true,
    writerCheckpoint: 9000,
    currentScavengeId: null,
    last: { scavengeId: '0f9a', result: 'Success' },
    error: null,
    ...change
  };
}

export function service(nodeId: string, change: Partial<NodeServiceState> = {}): NodeServiceState {
  return {
    nodeId,
    state: 'stopped',
    host: '127.0.0.1',
    port: 0,
    url: null,
    userCount: 0,
    passwordFile: null,
    startedMs: null,
    error: null,
    ...change
  };
}
