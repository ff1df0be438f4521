import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ChangedPart } from '../../../src-main/contract/verbs/workbench-contract.ts';
import type { LockHolder } from '../../../src-core/storage/file-system.ts';
import { watchDatabase } from '../../../src-main/verbs/database-watcher.ts';

let directory: string;
let close: () => Promise<void>;
let heard: ChangedPart[];
let holder: LockHolder | undefined;
const WAIT = { timeout: 8000, interval: 20 };

beforeEach(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'winnow-watch-'));
  mkdirSync(path.join(directory, 'index'));
  writeFileSync(path.join(directory, 'writer.chk'), Buffer.alloc(8));
  heard = [];
  holder = undefined;
  close = watchDatabase(
    { dataDirectory: directory, indexDirectory: path.join(directory, 'index') },
    (parts) => heard.push(...parts),
    { lockHolder: () => holder }
  );
  await new Promise((resolve) => setTimeout(resolve, 300));
});
afterEach(async () => {
  await close();
  rmSync(directory, { recursive: true, force: true });
});

test('tells of a chunk that appears', async () => {
  writeFileSync(path.join(directory, 'chunk-000001.000000'), '');
  await vi.waitFor(() => expect(heard).toContain('chunks'), WAIT);
  expect(heard).not.toContain('checkpoints');
});

test('tells of a checkpoint that moves', async () => {
  writeFileSync(path.join(directory, 'writer.chk'), Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]));
  await vi.waitFor(() => expect(heard).toContain('checkpoints'), WAIT);
  expect(heard).not.toContain('chunks');
});

test('tells of index and scavenge state', async () => {
  writeFileSync(path.join(directory, 'index', 'indexmap'), 'x');
  await vi.waitFor(() => expect(heard).toContain('index'), WAIT);
  mkdirSync(path.join(directory, 'index', 'scavenging'));
  writeFileSync(path.join(directory, 'index', 'scavenging', 'scavenging.db'), 'x');
  await vi.waitFor(() => expect(heard).toContain('scavengeState'), WAIT);
});

test('tells of a server that starts and of one that stops, though no file changes', async () => {
  holder = { by: 'kurrentd', pid: 4711 };
  await vi.waitFor(() => expect(heard).toEqual(['lock']), WAIT);
  holder = undefined;
  await vi.waitFor(() => expect(heard).toEqual(['lock', 'lock']), WAIT);
});

test('says nothing once it is closed, and nothing of what did not change', async () => {
  writeFileSync(path.join(directory, 'writer.chk'), Buffer.alloc(8));
  await new Promise((resolve) => setTimeout(resolve, 400));
  await close();
  writeFileSync(path.join(directory, 'chunk-000002.000000'), '');
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(heard).toEqual([]);
});

test('stays quiet over a directory that is gone', async () => {
  rmSync(directory, { recursive: true, force: true });
  await vi.waitFor(() => expect(heard).toContain('checkpoints'), WAIT);
});
