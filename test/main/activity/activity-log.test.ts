import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ActivityLog } from '../../../src-main/activity/activity-log.ts';
import type { ProcessPlace } from '../../../src-main/settings/process-place.ts';
import type { ActivityEntry } from '../../../src-main/contract/operations/activity-reports.ts';

/** A machine, its first start, and no container. */
const PLACE: ProcessPlace = { machine: 'a', boot: 'first', processes: 'pid:[4026531836]' };

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'winnow-activity-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function entry(changes: Partial<ActivityEntry> = {}): ActivityEntry {
  return {
    id: 'one',
    operation: 'verifyDatabase',
    door: 'window',
    dataDirectory: '/data/node-1',
    target: null,
    startedAt: '2026-03-01T10:00:00.0000000Z',
    endedAt: null,
    elapsedMs: null,
    outcome: 'running',
    verdict: null,
    options: {},
    figures: {},
    log: [],
    error: null,
    version: '1.0.0',
    hostName: os.hostname(),
    pid: process.pid,
    ...changes
  };
}

const logIn = (parts: { largestFileBytes?: number; keptAsideBytes?: number } = {}): ActivityLog => {
  let nowMs = 1000;
  return new ActivityLog({ home, clock: () => ++nowMs, ...parts });
};

test('an operation is listed once, as it ended, newest first', () => {
  const log = logIn();
  log.write(entry());
  log.write(entry({ id: 'two', startedAt: '2026-03-01T11:00:00.0000000Z' }));
  log.write(entry({ outcome: 'done', elapsedMs: 5 }));
  expect(log.list().map(({ id, outcome }) => `${id} ${outcome}`)).toEqual(['two running', 'one done']);
});

test('an operation whose process is gone without a word was interrupted', () => {
  const log = logIn();
  log.write(entry());
  expect(log.list(() => false)[0]!.outcome).toBe('interrupted');
  expect(log.list(() => true)[0]!.outcome).toBe('running');
});

test('an operation of another machine is left as it is: nobody here can say', () => {
  const log = logIn();
  log.write(entry({ hostName: 'another' }));
  expect(log.list(() => false)[0]!.outcome).toBe('running');
});

test.each<[does: string, entry: Partial<ActivityEntry>, here: ProcessPlace | null, outcome: string]>([
  ['that has another name by now', { hostName: 'before' }, PLACE, 'interrupted'],
  ['that was started again', {}, { ...PLACE, boot: 'second' }, 'interrupted'],
  [
    'that was started again under another name',
    { hostName: 'before' },
    { ...PLACE, boot: 'second' },
    'interrupted'
  ],
  [
    'that is another one, with another name',
    { hostName: 'another' },
    { machine: 'b', boot: 'second', processes: PLACE.processes },
    'running'
  ],
  [
    'that is another one of the same name',
    {},
    { machine: 'b', boot: 'second', processes: PLACE.processes },
    'running'
  ],
  [
    'of which nothing is known but its start, of the same name',
    { place: { ...PLACE, machine: null } },
    { ...PLACE, boot: 'second' },
    'interrupted'
  ],
  [
    'of which nothing is known but its start, with another name',
    { hostName: 'another', place: { ...PLACE, machine: null } },
    { ...PLACE, machine: null, boot: 'second' },
    'running'
  ],
  ['that does not say which it is', {}, null, 'interrupted'],
  ['that does not say which it is, with another name', { hostName: 'before' }, null, 'running'],
  [
    'whose container was made again',
    { place: { ...PLACE, processes: 'pid:[1]' } },
    { ...PLACE, processes: 'pid:[2]' },
    'interrupted'
  ],
  ['that ran a container under its own name', { place: { ...PLACE, processes: 'pid:[1]' } }, PLACE, 'running']
])('what a process left running on a machine %s', (_, changes, here, outcome) => {
  const log = logIn();
  log.write(entry({ place: PLACE, ...changes }));
  expect(log.list(() => false, here)[0]!.outcome).toBe(outcome);
});

test('what still runs is running, whatever its machine is called', () => {
  const log = logIn();
  log.write(entry({ place: PLACE, hostName: 'before' }));
  expect(log.list(() => true, PLACE)[0]!.outcome).toBe('running');
});

test('a process number that a later start has given away again is not taken for the same process', () => {
  const log = logIn();
  log.write(entry({ place: PLACE }));
  expect(log.list(() => true, { ...PLACE, boot: 'second' })[0]!.outcome).toBe('interrupted');
});

test('a line cut by a loss of power costs that line only', () => {
  const log = logIn();
  log.write(entry());
  appendFileSync(path.join(home, 'activity.jsonl'), '{"id":"two","oper');
  log.write(entry({ id: 'three' }));
  expect(log.list().map(({ id }) => id)).toEqual(['one', 'three']);
});

test('a large file is put aside, and the oldest of those put aside go', () => {
  const log = logIn({ largestFileBytes: 1500, keptAsideBytes: 4000 });
  for (let i = 0; i < 60; i++) {
    log.write(
      entry({ id: `entry-${i}`, startedAt: `2026-03-01T10:00:${String(i).padStart(2, '0')}.0000000Z` })
    );
  }
  const ids = log.list().map(({ id }) => id);
  expect(ids[0]).toBe('entry-59');
  expect(ids).not.toContain('entry-0');
  const bytes = readdirSync(home).reduce((sum, name) => sum + statSync(path.join(home, name)).size, 0);
  expect(bytes).toBeLessThan(8000);
  expect(ids.length).toBeGreaterThan(5);
});

test('the record is for its owner only', () => {
  logIn().write(entry());
  const mode = statSync(path.join(home, 'activity.jsonl')).mode & 0o777;
  if (process.platform !== 'win32') expect(mode).toBe(0o600);
});

test('what cannot be written fails nothing', () => {
  const file = path.join(home, 'a-file');
  writeFileSync(file, '');
  const log = new ActivityLog({ home: file, clock: () => 1 });
  expect(() => log.write(entry())).not.toThrow();
  expect(log.list()).toEqual([]);
  expect(readFileSync(file, 'utf8')).toBe('');
});
