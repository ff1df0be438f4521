import { describe, expect, it } from 'vitest';
import type { ClusterEntry } from '../../../src-main/contract/verbs/workbench-contract.ts';
import {
  memberDifferences,
  memberFacts,
  type MemberFacts
} from '../../../src-renderer/state/clusters/member-facts.ts';
import { memberSnapshot } from '../fake-clusters.ts';

function facts(name: string, logEnd: number | null, epoch: number | null, role = 'Stopped'): MemberFacts {
  const member = { ...memberSnapshot(name, name), role, writerCheckpoint: logEnd };
  return {
    member,
    logEnd,
    epoch,
    size: null,
    freeBytes: null,
    version: null,
    lastScavenged: null,
    isNeverScavenged: false
  };
}

/** As a running member tells it. */
function running(name: string, told: { epoch: number; epochId: string; version: string }): MemberFacts {
  const member = memberSnapshot(name, name, {
    role: name === 'one' ? 'Leader' : 'Follower',
    isLeader: name === 'one',
    told: { ...told, freeBytes: 1, totalBytes: 2, lastScavenged: null }
  });
  const cluster = { members: [] as ClusterEntry['members'] } as ClusterEntry;
  return memberFacts(cluster, [member], () => undefined)[0]!;
}

describe('differences between members', () => {
  it('are named with what is missing, each against the member that is furthest', () => {
    expect(memberDifferences([facts('one', 1000, 3), facts('two', 900, 3), facts('three', 1000, 3)])).toEqual(
      [{ kind: 'logEnd', member: 'two', behind: 'one', bytes: 100 }]
    );
  });

  it('are told of logs that end alike in another epoch', () => {
    expect(memberDifferences([facts('one', 1000, 3), facts('two', 1000, 4)])).toEqual([
      { kind: 'epoch', member: 'two', epoch: 4, other: 'one', otherEpoch: 3 }
    ]);
  });

  it('of running members are told of another reign or version than the leader’s', () => {
    const same = { epoch: 4, epochId: 'a', version: '26.2.0' };
    expect(memberDifferences([running('two', same), running('one', same)])).toEqual([]);
    expect(
      memberDifferences([
        running('one', same),
        running('two', { ...same, epoch: 3 }),
        running('three', { ...same, version: '26.1.0' })
      ])
    ).toEqual([
      { kind: 'epoch', member: 'two', epoch: 3, other: 'one', otherEpoch: 4 },
      { kind: 'version', member: 'three', version: '26.1.0', other: 'one', otherVersion: '26.2.0' }
    ]);
    expect(memberDifferences([running('one', same), running('two', { ...same, epochId: 'b' })])).toEqual([
      { kind: 'epoch', member: 'two', epoch: 4, other: 'one', otherEpoch: 4 }
    ]);
  });

  it('are not told of what is not known, nor of running members, which are always apart', () => {
    expect(
      memberDifferences([facts('one', 1000, null), facts('two', null, 3), facts('three', 1000, 9)])
    ).toEqual([]);
    expect(memberDifferences([facts('one', 1000, 3, 'Leader'), facts('two', 900, 3, 'Follower')])).toEqual(
      []
    );
  });
});
