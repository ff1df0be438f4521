import { describe, expect, it } from 'vitest';
import { memberDifferences, type MemberFacts } from '../../../src-renderer/state/clusters/member-facts.ts';
import { memberSnapshot } from '../fake-clusters.ts';

function facts(name: string, logEnd: number | null, epoch: number | null, role = 'Stopped'): MemberFacts {
  const member = { ...memberSnapshot(name, name), role, writerCheckpoint: logEnd };
  return { member, logEnd, epoch, size: null, freeBytes: null, lastScavenged: null, isNeverScavenged: false };
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

  it('are not told of what is not known, nor of running members, which are always apart', () => {
    expect(
      memberDifferences([facts('one', 1000, null), facts('two', null, 3), facts('three', 1000, 9)])
    ).toEqual([]);
    expect(memberDifferences([facts('one', 1000, 3, 'Leader'), facts('two', 900, 3, 'Follower')])).toEqual(
      []
    );
  });
});
