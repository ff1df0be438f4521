/** What is known of each member of a cluster, side by side, and where members differ. */
import type {
  ClusterEntry,
  ClusterMember,
  InspectReport,
  MemberSnapshot
} from '../../../src-main/contract/verbs/workbench-contract.ts';

export interface MemberFacts {
  member: MemberSnapshot;
  /** End of its log, in bytes; null: not known, as all that follows. */
  logEnd: number | null;
  epoch: number | null;
  /** Of data and index, in bytes. */
  size: number | null;
  freeBytes: number | null;
  version: string | null;
  lastScavenged: string | null;
  /** Known that it never was. */
  isNeverScavenged: boolean;
}

export type MemberDifference =
  | { kind: 'logEnd'; member: string; behind: string; bytes: number }
  | { kind: 'epoch'; member: string; epoch: number; other: string; otherEpoch: number }
  | { kind: 'version'; member: string; version: string; other: string; otherVersion: string };

/** A member that is named, before the first look at its cluster. */
export function notSeenYet({ id, name }: ClusterMember): MemberSnapshot {
  return {
    id,
    name,
    role: null,
    isLeader: false,
    isAlive: true,
    writerCheckpoint: null,
    step: null,
    told: null,
    progress: null
  };
}

/**
 * A directory is looked at; a running node tells of itself, and its size it does not tell.
 * @param inspected the last look at a node in the list; running nodes elsewhere have none
 */
export function memberFacts(
  cluster: ClusterEntry,
  members: readonly MemberSnapshot[],
  inspected: (nodeId: string) => InspectReport | undefined
): MemberFacts[] {
  return members.map((member) => {
    const nodeId = cluster.members.find(({ id }) => id === member.id)?.nodeId ?? null;
    const seen = nodeId === null ? undefined : inspected(nodeId);
    const epochs = seen?.epochs.map(({ number }) => number) ?? [];
    return {
      member,
      logEnd: member.writerCheckpoint,
      epoch: epochs.length === 0 ? (member.told?.epoch ?? null) : Math.max(...epochs),
      size: seen ? seen.bytes.data + seen.bytes.index : null,
      freeBytes: seen?.freeBytes ?? member.told?.freeBytes ?? null,
      version: member.told?.version ?? null,
      lastScavenged: seen?.lastScavenged ?? member.told?.lastScavenged ?? null,
      isNeverScavenged: seen?.lastScavengedFrom === 'never'
    };
  });
}

/** Each named against the member that is furthest, or for running ones against the leader. */
export function memberDifferences(facts: readonly MemberFacts[]): MemberDifference[] {
  return [...stoppedDifferences(facts), ...runningDifferences(facts)];
}

/** Logs of running members are always a little apart; their reign and their version are not. */
function runningDifferences(facts: readonly MemberFacts[]): MemberDifference[] {
  const running = facts.filter(({ member }) => member.isAlive && member.told !== null);
  const leader = running.find(({ member }) => member.isLeader) ?? running[0];
  if (leader === undefined) return [];
  const other = leader.member.name;
  return running.flatMap(({ member, epoch, version }): MemberDifference[] => {
    const isOtherReign =
      epoch !== null &&
      leader.epoch !== null &&
      (epoch !== leader.epoch || member.told?.epochId !== leader.member.told?.epochId);
    const { version: otherVersion } = leader;
    return [
      ...(isOtherReign
        ? [{ kind: 'epoch', member: member.name, epoch, other, otherEpoch: leader.epoch ?? 0 } as const]
        : []),
      ...(version !== null && otherVersion !== null && version !== otherVersion
        ? [{ kind: 'version', member: member.name, version, other, otherVersion } as const]
        : [])
    ];
  });
}

/** Of stopped members: each is compared with the one that is furthest. */
function stoppedDifferences(facts: readonly MemberFacts[]): MemberDifference[] {
  const stopped = facts.filter(({ member, logEnd }) => member.role === 'Stopped' && logEnd !== null);
  const furthest = stopped.reduce<MemberFacts | undefined>(
    (best, next) => (best === undefined || (next.logEnd ?? 0) > (best.logEnd ?? 0) ? next : best),
    undefined
  );
  if (furthest === undefined) return [];
  return stopped.flatMap((one): MemberDifference[] => {
    const bytes = (furthest.logEnd ?? 0) - (one.logEnd ?? 0);
    if (bytes > 0) {
      return [{ kind: 'logEnd', member: one.member.name, behind: furthest.member.name, bytes }];
    }
    const areKnown = one.epoch !== null && furthest.epoch !== null;
    if (!areKnown || one.epoch === furthest.epoch) return [];
    return [
      {
        kind: 'epoch',
        member: one.member.name,
        epoch: one.epoch ?? 0,
        other: furthest.member.name,
        otherEpoch: furthest.epoch ?? 0
      }
    ];
  });
}
