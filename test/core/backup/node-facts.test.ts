import { describe, expect, test } from 'vitest';
import { quorumNote, requireFitNode, type NodeFacts } from '../../../src-core/backup/node-facts.ts';

const member = (address: string, role: string, writer: number) => ({ address, role, isAlive: true, writer });

function facts(role: string, change: Partial<NodeFacts> = {}): NodeFacts {
  return {
    address: 'https://node2:2113',
    serverVersion: '26.2.0',
    role,
    writer: 1_000_000_000,
    cluster: [
      member('node1:2113', 'Leader', 1_000_000_100),
      member('node2:2113', role, 1_000_000_000),
      member('node3:2113', 'Follower', 1_000_000_000)
    ],
    ...change
  };
}

describe('the source of a backup', () => {
  test.each(['Follower', 'ReadOnlyReplica', 'readonlyreplica', 'Leader'])('may be a %s', (role) => {
    expect(requireFitNode(facts(role), 'before')).toEqual([]);
  });

  test.each(['CatchingUp', 'Clone', 'PreReplica', 'Unknown'])('may not be in the state %s', (role) => {
    expect(() => requireFitNode(facts(role), 'before')).toThrow(new RegExp(`in the state ${role}`));
  });

  test('may not be cut off from the leader', () => {
    const cluster = [
      { ...member('node1:2113', 'Leader', 5), isAlive: false },
      member('node2:2113', 'Follower', 5)
    ];
    expect(() => requireFitNode(facts('Follower', { cluster }), 'after')).toThrow(
      /no live leader after the copy/
    );
  });

  test('may not be far behind the leader, and a short way behind is a note', () => {
    expect(() => requireFitNode(facts('Follower', { writer: 1000 }), 'before')).toThrow(
      /bytes behind the leader/
    );
    const [note] = requireFitNode(facts('Follower', { writer: 990_000_000 }), 'before');
    expect(note?.code).toBe('behindLeader');
  });

  test('may be a single node that sees no cluster', () => {
    expect(requireFitNode(facts('Leader', { cluster: null }), 'before')).toEqual([]);
  });

  test('is not behind where one of the positions is not known', () => {
    expect(requireFitNode(facts('Follower', { writer: null }), 'before')).toEqual([]);
    const cluster = [{ ...member('node1:2113', 'Leader', 0), writer: null }];
    expect(requireFitNode(facts('Follower', { writer: 1000, cluster }), 'before')).toEqual([]);
  });
});

describe('the note on a quorum', () => {
  test('is there while fewer nodes than a quorum have backups', () => {
    expect(quorumNote(facts('Follower'), 1).map(({ code }) => code)).toEqual(['fewerThanQuorum']);
    expect(quorumNote(facts('Follower'), 2)).toEqual([]);
  });

  test('counts the nodes that vote', () => {
    const cluster = [1, 2, 3, 4, 5].map((n) => member(`node${n}:2113`, n === 1 ? 'Leader' : 'Follower', 1));
    const replica = member('node6:2113', 'ReadOnlyReplica', 1);
    const said = (nodes: number) =>
      quorumNote(facts('Leader', { cluster: [...cluster, replica] }), nodes).map(({ message }) => message);
    expect([1, 2, 3].map(said)).toEqual([
      ['1 of 5 nodes has a backup here; a quorum is 3.'],
      ['2 of 5 nodes have a backup here; a quorum is 3.'],
      []
    ]);
  });

  test('is not there for a single node, nor where nobody was asked', () => {
    expect(quorumNote(facts('Leader', { cluster: [member('node2:2113', 'Leader', 1)] }), 1)).toEqual([]);
    expect(quorumNote(undefined, 1)).toEqual([]);
  });
});
