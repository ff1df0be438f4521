/** What is known of each member of a cluster, side by side, and where members differ. */
import type {
  ClusterEntry,
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
  lastScavenged: string | null;
  /** Known that it never was. */
  isNeverScavenged: boolean;
}

export type MemberDifference =
  | { kind: 'logEnd'; member: string; behind: string; bytes: number }
  | { kind: 'epoch'; member: string; epoch: number; other: string; otherEpoch: number };

/** @param inspected the last look at a node in the list; running nodes elsewhere have none */
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
      epoch: epochs.length === 0 ? null : Math.max(...epochs),
      size: seen ? seen.bytes.data + seen.bytes.index : null,
      freeBytes: seen?.freeBytes ?? null,
      lastScavenged: seen?.lastScavenged ?? null,
      isNeverScavenged: seen?.lastScavengedFrom === 'never'
    };
  });
}

/** Of stopped members: running ones are always a little apart. Each is compared with the one that is furthest. */
export function memberDifferences(facts: readonly MemberFacts[]): MemberDifference[] {
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
