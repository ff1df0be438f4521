/**
 * The contract between window and main process about clusters, their auto-scavenge, the service of a node
 * and the licence. Types only; joined into contract.ts, checked in cluster-validate.ts.
 *
 * Invariants: the window names clusters by their names, members and nodes by their ids, never a path; a password goes
 * in and never comes out; a snapshot is complete in itself.
 */
import type { CycleStep, ScheduleState } from '../../../src-core/units/scavenge-terms.ts';
import type { Progress } from '../operations/reports.ts';

export interface ClusterMember {
  /** Derived from its place: the same member has the same id. */
  id: string;
  kind: 'local' | 'remote';
  /** The directory, or the registered address. */
  place: string;
  /** For people: the name of the node in the list, else its place. */
  name: string;
  /** The node in the list with this directory. */
  nodeId: string | null;
}

/** A registered cluster, or a node that is not registered in one: a cluster of one. */
export interface ClusterEntry {
  /** The name that all verbs take. */
  name: string;
  /** The name that people see. */
  title: string;
  kind: 'local' | 'remote';
  /** A single node: cannot be renamed or removed, and cannot get members. */
  isImplied: boolean;
  /** Expected number of full members. */
  clusterSize: number;
  members: ClusterMember[];
  /** User of running nodes. */
  user: string | null;
  password: PasswordPlace;
  /** Name of the file, without its directory. */
  certificateAuthority: string | null;
}

/** Where the password of a cluster is stored; `none`: there is none. */
export type PasswordPlace = 'none' | 'keyChain' | 'file' | 'environment';

export interface QuietHours {
  /** In the cluster's time zone: `08:00`. */
  from: string;
  /** At or before `from`: on the next day. */
  to: string;
  /** Days on which it begins, Sunday is 0. */
  days: number[];
}

export type ChecklistItemName =
  | 'feature'
  | 'devMode'
  | 'memoryDatabase'
  | 'licence'
  | 'schedule'
  | 'paused'
  | 'quietHours'
  | 'credentials'
  | 'members'
  | 'coordinator'
  | 'ownSchedule';

/** What the window offers for an item that is not ok. */
export type ChecklistAction =
  'chooseLicence' | 'configure' | 'resume' | 'setAccess' | 'chooseAuthority' | 'editSettings' | null;

/** One condition of auto-scavenge. */
export interface ChecklistItem {
  item: ChecklistItemName;
  /** Not ok: this prevents the schedule from running. */
  isOk: boolean;
  /** A sentence for people. */
  words: string;
  action: ChecklistAction;
}

export interface MemberSnapshot {
  /** Of ClusterMember if it is registered; else derived from its address. */
  id: string;
  name: string;
  /** The role in the server's words, `Stopped` or `InUse` for directories; null: not known. */
  role: string | null;
  isLeader: boolean;
  isAlive: boolean;
  /** End of its log, in bytes; null: not known. */
  writerCheckpoint: number | null;
  /** In the open cycle, else in the last one; null: in none. */
  step: CycleStep | null;
  /** What a running node tells of itself over HTTP; null: a directory, or it does not answer. */
  told: ToldByMember | null;
  /** Progress of the node scavenge that this process runs on it. */
  progress: Progress | null;
}

/** null: it does not say. A server tells nobody how much its files take. */
export interface ToldByMember {
  /** The last reign that it knows: its number, and what is the same on all members of one history. */
  epoch: number | null;
  epochId: string | null;
  version: string | null;
  /** On the volume of its data. */
  freeBytes: number | null;
  totalBytes: number | null;
  /** When its last scavenge ended well, of those in the history. */
  lastScavenged: string | null;
}

/** `window`: this process; `process`: another one on this machine; `cluster`: its own leader. */
export type CoordinatedBy = 'window' | 'process' | 'cluster' | 'nobody';

/** `process`: of this machine; `url`: where it answers, null: not known. The view has the words for it. */
export type Coordinator =
  | { kind: 'thisWindow' | 'thisService' | 'cluster' | 'nobody' }
  | { kind: 'process'; pid: number; url: string | null };

export type ClusterHealth = 'healthy' | 'incomplete' | 'unreachable';

export interface AutoScavengeSnapshot {
  cluster: string;
  takenAtMs: number;
  coordinatedBy: CoordinatedBy;
  /** Who that is, as seen from the window or page that is shown. */
  coordinator: Coordinator;
  /** null: not known; `error` says why. */
  state: ScheduleState | null;
  /** The normalised expression; null: none is set. */
  schedule: string | null;
  timeZone: string;
  /** `[d.]hh:mm:ss`, as the status answer has it. */
  timeUntilNextCycle: string | null;
  /** The next five times, with their offsets; empty without a schedule. */
  nextTimes: string[];
  /** The occurrence that a person skipped, while it is ahead. */
  skipped: string | null;
  /** The last cycles that ended, newest first. */
  lastCycles: { startedAt: string; endedAt: string }[];
  quietHours: QuietHours | null;
  /** `02:00-04:00`: what the quiet hours leave, where that is the same every day. */
  maintenanceWindow: string | null;
  isQuietNow: boolean;
  pausedBy: 'person' | 'quietHours' | null;
  /** Set while a cycle is open. */
  clusterScavengeId: string | null;
  health: ClusterHealth;
  /** In the order in which they are scavenged. */
  members: MemberSnapshot[];
  /** Conditions in the order in which to check them; all ok: it runs when it is due. */
  checklist: ChecklistItem[];
  error: string | null;
}

/** What is known about a running node; its files are elsewhere and are not read. */
export interface RemoteMemberState {
  id: string;
  name: string;
  role: string | null;
  isAlive: boolean;
  writerCheckpoint: number | null;
  /** Who started it; null: nothing runs, or it is not known. */
  currentScavengeId: string | null;
  /** Last result since the node started, in the server's words: `InProgress`, `Success`, `Stopped`, `Errored`. */
  last: { scavengeId: string; result: string } | null;
  /** Why it cannot be reached. */
  error: string | null;
}

export interface LicenceState {
  /** `null`: none was chosen. */
  choice: 'evaluation' | 'file' | 'key' | null;
  isValid: boolean;
  holder: string | null;
  expiresAtMs: number | null;
  isEvaluation: boolean;
  /** What it is, or why it is not valid, in a sentence. */
  words: string;
}

export type NodeServiceStatus = 'stopped' | 'starting' | 'running' | 'stopping' | 'failed';

/** The admin API of one node, hosted by this process. */
export interface NodeServiceState {
  nodeId: string;
  state: NodeServiceStatus;
  host: string;
  /** The actual port while it runs; before that, the requested one (0: any free port). */
  port: number;
  url: string | null;
  /** Number of users who may log in. */
  userCount: number;
  /** Set if an administrator was created because there were no users. */
  passwordFile: string | null;
  startedMs: number | null;
  /** Why it is not running. */
  error: string | null;
}

export interface ClusterVerbs {
  listClusters: { request: Record<string, never>; reply: ClusterEntry[] };
  /** The cluster that a node is registered in, or the node alone. */
  clusterOfNode: { request: { nodeId: string }; reply: ClusterEntry };
  /** Either nodes in the list, or addresses of running nodes. */
  createCluster: {
    request: { name: string; nodeIds?: string[]; urls?: string[]; clusterSize?: number };
    reply: ClusterEntry;
  };
  renameCluster: { request: { cluster: string; name: string }; reply: ClusterEntry };
  /** Removes it from the list; directories, nodes and the history of its schedule stay. */
  forgetCluster: { request: { cluster: string }; reply: null };
  addClusterNode: { request: { cluster: string; nodeId: string }; reply: ClusterEntry };
  addClusterAddress: { request: { cluster: string; url: string; clusterSize?: number }; reply: ClusterEntry };
  /** The last member cannot be removed: remove the cluster instead. */
  removeClusterMember: { request: { cluster: string; memberId: string }; reply: ClusterEntry };
  /** User and password of running nodes; null: without a user. No password: the stored one stays. */
  setClusterAccess: {
    request: { cluster: string; user: string | null; password?: string };
    reply: ClusterEntry;
  };
  /** Asks with a dialog for the authority's certificate (PEM); null: nothing was chosen. */
  chooseClusterAuthority: { request: { cluster: string }; reply: ClusterEntry | null };
  /** Returns to the system's authorities. */
  forgetClusterAuthority: { request: { cluster: string }; reply: ClusterEntry };

  /** State of a running node. */
  remoteMember: { request: { cluster: string; memberId: string }; reply: RemoteMemberState };
  /** Refused while a scavenge runs in the cluster. No threshold: the server's own. */
  startRemoteScavenge: {
    request: { cluster: string; memberId: string; threshold?: number };
    reply: RemoteMemberState;
  };
  /** Stops any scavenge there, however it was started. */
  stopRemoteScavenge: { request: { cluster: string; memberId: string }; reply: RemoteMemberState };

  autoScavengeStatus: { request: { cluster: string }; reply: AutoScavengeSnapshot };
  /** Sends snapshots of one cluster as events, every few seconds and after each change; null: of none. */
  followCluster: { request: { cluster: string | null }; reply: null };
  configureAutoScavenge: {
    request: { cluster: string; schedule: string; timeZone?: string };
    reply: AutoScavengeSnapshot;
  };
  pauseAutoScavenge: { request: { cluster: string }; reply: AutoScavengeSnapshot };
  resumeAutoScavenge: { request: { cluster: string }; reply: AutoScavengeSnapshot };
  /** A cycle now, whatever schedule and quiet hours say. */
  runAutoScavengeNow: { request: { cluster: string }; reply: AutoScavengeSnapshot };
  /** The next occurrence of the schedule does not become a cycle. */
  skipAutoScavenge: { request: { cluster: string }; reply: AutoScavengeSnapshot };
  /** `window`: `02:00-04:00`, the only hours in which scavenges run; quiet hours are all others, every day. */
  setQuietHours: {
    request: { cluster: string; quietHours: QuietHours | { window: string } | null };
    reply: AutoScavengeSnapshot;
  };

  licenceState: { request: Record<string, never>; reply: LicenceState };
  /** `file` asks with a dialog; null: nothing was chosen. */
  chooseLicence: { request: { choice: 'evaluation' | 'file' | 'none' }; reply: LicenceState | null };

  nodeServiceState: { request: { nodeId: string }; reply: NodeServiceState };
  /** Defaults: this machine only, any free port. */
  startNodeService: {
    request: { nodeId: string; host?: string; port?: number };
    reply: NodeServiceState;
  };
  stopNodeService: { request: { nodeId: string }; reply: NodeServiceState };
}

export type ClusterVerbName = keyof ClusterVerbs;

export type ClusterEvent =
  | { kind: 'clusters'; clusters: ClusterEntry[] }
  | { kind: 'autoScavenge'; snapshot: AutoScavengeSnapshot }
  | { kind: 'licence'; licence: LicenceState }
  | { kind: 'nodeService'; service: NodeServiceState };
