import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ClusterRegistry } from '../../../src-main/settings/cluster-registry.ts';
import { knownClusterSize, knownMembership } from '../../../src-main/settings/cluster-membership.ts';
import { NodeRegistry } from '../../../src-main/settings/node-registry.ts';

let winnowHome: string;
let dataDirectory: string;
beforeEach(() => {
  winnowHome = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'winnow-membership-')));
  dataDirectory = path.join(winnowHome, 'node-1');
});
afterEach(() => rmSync(winnowHome, { recursive: true, force: true }));

const question = (configuredSize?: number, saidSingleNode = false) => ({
  dataDirectory,
  saidSingleNode,
  configuredSize,
  winnowHome
});

function register(opened: { clusterSize?: number }, isSingleNode?: boolean): void {
  const registry = new NodeRegistry(winnowHome, () => 0);
  const { id } = registry.open({ dataDirectory, ...opened });
  if (isSingleNode !== undefined) registry.edit(id, { isSingleNode });
}

test('nothing is known of a directory of which nobody said anything', () => {
  expect(knownMembership(question())).toEqual({});
  expect(knownClusterSize(question())).toBeUndefined();
});

test.each([
  ['its configuration has size 1', {}, undefined, 1, true, 1],
  ['its configuration has size 3', {}, undefined, 3, false, 3],
  ['it was opened with size 3', { clusterSize: 3 }, undefined, undefined, false, 3],
  ['a person called it a member', {}, false, undefined, false, undefined],
  [
    'a person called it a member, and it was opened with size 1',
    { clusterSize: 1 },
    false,
    undefined,
    false,
    1
  ],
  ['a person called it single, and its configuration has size 3', {}, true, 3, true, 3],
  ['a person called it a member, and its configuration has size 1', {}, false, 1, true, 1]
] as const)('a node is known as it was stated: %s', (_name, opened, answer, configured, expected, size) => {
  register(opened, answer);
  expect(knownMembership(question(configured))).toEqual({ singleNode: expected });
  expect(knownClusterSize(question(configured))).toBe(size);
});

test('no size is made up for a member of a cluster of which only that is known', () => {
  register({}, false);
  expect(() => knownMembership(question(undefined, true))).toThrow(/this node is a member of a cluster\./);
  register({ clusterSize: 3 }, true);
  expect(() => knownMembership(question(undefined, true))).toThrow(/a member of a cluster of 3\./);
});

test('a node that is registered with others is a member of that cluster', () => {
  const members = [1, 2].map((n) => ({ dataDirectory: path.join(winnowHome, `node-${n}`) }));
  new ClusterRegistry(winnowHome).register({ kind: 'local', name: 'pair', members });
  expect(knownMembership(question())).toEqual({ singleNode: false, clusterName: 'pair' });
  expect(() => knownMembership(question(undefined, true))).toThrow(/a member of the cluster "pair"\./);
});
