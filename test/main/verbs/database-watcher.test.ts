import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ChangedPart } from '../../../src-main/contract/verbs/workbench-contract.ts';
import type { LockHolder } from '../../../src-core/storage/file-system.ts';
import { POLL_INTERVAL_MS, watchDatabase } from '../../../src-main/verbs/database-watcher.ts';

let directory: string;
let close: () => Promise<void>;
let heard: ChangedPart[];
let holder: LockHolder | undefined;
let intervals: (number | undefined)[];
const WAIT = { timeout: 8000, interval: 20 };

beforeEach(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'winnow-watch-'));
  mkdirSync(path.join(directory, 'index'));
  writeFileSync(path.join(directory, 'writer.chk'), Buffer.alloc(8));
  heard = [];
  holder = undefined;
  const started = vi.spyOn(globalThis, 'setInterval');
  await watch(true);
  intervals = started.mock.calls.map(([, ms]) => ms);
});
afterEach(async () => {
  await close();
  vi.restoreAllMocks();
  rmSync(directory, { recursive: true, force: true });
});

async function watch(isNotified: boolean): Promise<void> {
  close = watchDatabase(
    { dataDirectory: directory, indexDirectory: path.join(directory, 'index') },
    (parts) => heard.push(...parts),
    { fileSystem: { lockHolder: () => holder }, sendsNotifications: () => Promise.resolve(isNotified) }
  );
  await new Promise((resolve) => setTimeout(resolve, 300));
}

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

test('reads the directory by the clock only where nothing notifies of changes', async () => {
  expect(intervals).not.toContain(POLL_INTERVAL_MS);
  await close();
  const started = vi.spyOn(globalThis, 'setInterval');
  await watch(false);
  expect(started.mock.calls.map(([, ms]) => ms)).toContain(POLL_INTERVAL_MS);
});

test('notices a directory that comes back under its name', async () => {
  rmSync(directory, { recursive: true, force: true });
  await vi.waitFor(() => expect(heard).toContain('checkpoints'), WAIT);
  heard = [];
  mkdirSync(path.join(directory, 'index'), { recursive: true });
  writeFileSync(path.join(directory, 'chunk-000000.000000'), '');
  await vi.waitFor(() => expect(heard).toContain('chunks'), WAIT);
});
