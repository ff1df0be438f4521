import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NodeRegistry } from '../../../src-main/settings/node-registry.ts';

let home: string;
let nowMs: number;
const registry = (): NodeRegistry => new NodeRegistry(path.join(home, 'winnow'), () => nowMs);
const directory = (name: string): string => {
  mkdirSync(path.join(home, name), { recursive: true });
  return path.join(home, name);
};

beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'winnow-registry-'));
  nowMs = 1;
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('remembers nodes over a restart, newest first', () => {
  registry().open({ dataDirectory: directory('a') });
  nowMs = 2;
  registry().open({ dataDirectory: directory('b') });
  expect(
    registry()
      .list()
      .map((node) => node.name)
  ).toEqual(['b', 'a']);
});

test('knows a directory again by whatever path it is reached', () => {
  const first = registry().open({ dataDirectory: directory('a') });
  symlinkSync(path.join(home, 'a'), path.join(home, 'link'));
  const second = registry().open({ dataDirectory: path.join(home, 'link') });
  expect(second.id).toBe(first.id);
  expect(registry().list()).toHaveLength(1);
});

test('keeps names and answers when a node is opened again', () => {
  const { id } = registry().open({ dataDirectory: directory('a') });
  registry().edit(id, { name: 'prod-1', isSingleNode: false });
  nowMs = 9;
  expect(registry().open({ dataDirectory: directory('a') })).toMatchObject({
    name: 'prod-1',
    isSingleNode: false,
    lastOpenedMs: 9
  });
});

test('tells the same data directory with another index apart', () => {
  const a = registry().open({ dataDirectory: directory('a') });
  const b = registry().open({ dataDirectory: directory('a'), indexDirectory: directory('idx') });
  expect(a.id).not.toBe(b.id);
});

test('names a node after the last folder that says something, each name once', () => {
  expect(registry().open({ dataDirectory: directory('prod/node-1/data') }).name).toBe('node-1');
  expect(registry().open({ dataDirectory: directory('test/node-1/db') }).name).toBe('node-1 (2)');
});

test('forgets a node and touches nothing else', () => {
  const { id, dataDirectory } = registry().open({ dataDirectory: directory('a') });
  writeFileSync(path.join(dataDirectory, 'writer.chk'), '12345678');
  registry().forget(id);
  expect(registry().list()).toEqual([]);
  expect(readFileSync(path.join(dataDirectory, 'writer.chk'), 'utf8')).toBe('12345678');
});

test('begins with an empty list when the file cannot be read', () => {
  registry().open({ dataDirectory: directory('a') });
  writeFileSync(path.join(home, 'winnow', 'nodes.json'), '{"nodes":[{"id":1}]}');
  expect(registry().list()).toEqual([]);
  writeFileSync(path.join(home, 'winnow', 'nodes.json'), 'not json');
  expect(registry().list()).toEqual([]);
});

test('knows a sample as a single node', () => {
  expect(registry().open({ dataDirectory: directory('s'), isSample: true })).toMatchObject({
    isSample: true,
    isSingleNode: true
  });
});
