import { describe, expect, test } from 'vitest';
import {
  compareHistories,
  requireBase,
  requireSameCluster
} from '../../../src-core/backup/compare-history.ts';
import type { ManifestEpoch } from '../../../src-core/backup/manifest.ts';
import type { SourceIdentity } from '../../../src-core/backup/source-identity.ts';

const epochs = (...ids: string[]): ManifestEpoch[] =>
  ids.map((id, number) => ({ number, id, position: number * 1000 })).reverse();

const source: SourceIdentity = {
  databaseTag: '77',
  address: 'https://node1:2113',
  dataDirectory: '/data',
  epochs: epochs('a', 'b', 'c'),
  writer: 5000,
  chunkSize: 65536
};

function earlier(change: Partial<SourceIdentity> = {}) {
  const {
    databaseTag,
    address,
    dataDirectory,
    epochs: chain,
    writer
  } = { ...source, epochs: epochs('a', 'b'), ...change };
  return {
    id: '20260101T000000Z-0000',
    databaseTag,
    epochs: chain,
    node: {
      address,
      dataDirectory,
      indexDirectory: '/data/index',
      serverVersion: null,
      role: null,
      cluster: null,
      wasInUse: true
    },
    checkpoints: { writer, chaser: writer, epoch: 0, proposal: -1, truncate: -1, index: -1, filter: null }
  };
}

describe('histories', () => {
  test.each([
    [epochs('a', 'b'), epochs('a', 'b', 'c'), 'same', undefined],
    [epochs('a', 'b', 'x'), epochs('a', 'b', 'c'), 'forked', 2],
    [epochs('x', 'y'), epochs('a', 'b', 'c'), 'foreign', 0],
    [epochs('a', 'b', 'c'), epochs('a', 'b'), 'same', undefined],
    [[], epochs('a'), 'unknown', undefined]
  ])('are told apart by the ids of epochs of one number (%#)', (a, b, relation, number) => {
    const found = compareHistories(a, b);
    expect(found.relation).toBe(relation);
    expect(found.conflict?.number).toBe(number);
  });
});

describe('a base for a differential backup', () => {
  test('is an earlier state of the same node', () => {
    expect(() => requireBase(earlier(), source, false)).not.toThrow();
  });

  test.each([
    ['another tag', { databaseTag: '78' }, true],
    ['a history that has parted since', { epochs: epochs('a', 'b', 'x') }, true],
    ['a log that ends earlier now', { writer: 9000 }, true],
    ['another address', { address: 'https://node2:2113' }, false],
    ['another directory', { dataDirectory: '/elsewhere' }, false]
  ])('is refused with %s, naming both', (_, change, evenWhenMoved) => {
    const refuse = (isMoved: boolean) => (): void => requireBase(earlier(change), source, isMoved);
    expect(refuse(false)).toThrow(/20260101T000000Z-0000 is of .*this is https:\/\/node1:2113/);
    if (evenWhenMoved) expect(refuse(true)).toThrow();
    else expect(refuse(true)).not.toThrow();
  });
});

describe('a node without a tag in one of the backups', () => {
  const { databaseTag: _, ...rest } = source;
  const untagged = { ...rest, databaseTag: null };
  const refuse = (change: Partial<SourceIdentity>) => () => requireBase(earlier(change), untagged, false);

  test('is known by its address, and has moved where its directory is another', () => {
    expect(refuse({ databaseTag: null })).not.toThrow();
    expect(refuse({ databaseTag: null, dataDirectory: '/elsewhere' })).toThrow(
      /The address is the same, but this may be a copy/
    );
    expect(refuse({ address: 'https://node2:2113' })).toThrow(/Files of two nodes must not be mixed/);
  });

  test('is known by its directory where one of the addresses is not known', () => {
    expect(refuse({ address: null })).not.toThrow();
    expect(refuse({ address: null, dataDirectory: '/elsewhere' })).toThrow(/two nodes must not be mixed/);
  });
});

describe('checkpoints that are other files than they were', () => {
  const restored = { ...source, checkpointFiles: 'writer 31, epoch 32, proposal 33' };
  const before = {
    ...earlier(),
    node: { ...earlier().node, checkpointFiles: 'writer 21, epoch 22, proposal 23' }
  };

  test('tell of a restore that lost nothing, also where the node is said to have moved', () => {
    for (const isMoved of [false, true])
      expect(() => requireBase(before, restored, isMoved)).toThrow(/restored or its files replaced/);
  });

  test('say nothing where the node has moved, or an older program noted none', () => {
    expect(() => requireBase(before, { ...restored, dataDirectory: '/elsewhere' }, true)).not.toThrow();
    expect(() => requireBase(earlier(), restored, false)).not.toThrow();
  });
});

describe('a target', () => {
  test('takes other nodes of the same cluster', () => {
    const other = earlier({ databaseTag: '78', address: 'https://node2:2113' });
    expect(requireSameCluster(other, source)).toBeUndefined();
  });

  test('refuses another cluster', () => {
    const foreign = earlier({ databaseTag: '78', epochs: epochs('x', 'y') });
    expect(() => requireSameCluster(foreign, source)).toThrow(/another history/);
  });

  test('takes a node that was restored since, and says so', () => {
    expect(requireSameCluster(earlier({ epochs: epochs('a', 'b', 'x') }), source)).toMatch(
      /restored or truncated/
    );
  });
});
