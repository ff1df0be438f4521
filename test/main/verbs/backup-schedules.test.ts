import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EngineError, OperationStopped } from '../../../src-core/index.ts';
import { NodeRegistry } from '../../../src-main/settings/node-registry.ts';
import { dueBackup, MOST_MISSED, newBackupSchedule } from '../../../src-main/settings/backup-schedule.ts';
import { BackupSchedules, type BackupSchedulesParts } from '../../../src-main/verbs/backup-schedules.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NIGHTLY = {
  expression: '0 1 * * *',
  timeZone: 'UTC',
  compress: false,
  retention: { last: 0, daily: 7, weekly: 0, monthly: 0 }
};
/** Noon. */
const SET_AT = Date.UTC(2026, 0, 10, 12);

let home: string;
let registry: NodeRegistry;
let nodeId: string;
let nowMs: number;
let calls: { name: string; request: Record<string, unknown> }[];
let isWhole: boolean;
let failure: Error | undefined;
let isOccupied: boolean;
let faults: string[];

beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'winnow-schedule-'));
  nowMs = SET_AT;
  registry = new NodeRegistry(home, () => nowMs);
  nodeId = registry.open({ dataDirectory: path.join(home, 'orders') }).id;
  registry.edit(nodeId, { backupTarget: home, backupSchedule: newBackupSchedule(NIGHTLY, SET_AT) });
  [calls, isWhole, failure, isOccupied, faults] = [[], true, undefined, false, []];
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function schedules(change: Partial<BackupSchedulesParts> = {}): BackupSchedules {
  const call = async (name: string, request: object): Promise<unknown> => {
    calls.push({ name, request: request as Record<string, unknown> });
    await Promise.resolve();
    if (failure) throw failure;
    if (name === 'verifyBackup') return { backup: 'b1', ok: isWhole };
    return { backups: [{ id: 'b1' }] };
  };
  return new BackupSchedules({
    home,
    clock: () => nowMs,
    engine: { call: call as never },
    registry,
    isOccupied: () => isOccupied,
    follow: (_node, run) => run({}),
    onChange: () => undefined,
    onFault: (error) => faults.push(String(error)),
    ...change
  });
}

const names = () => calls.map(({ name }) => name);
const kept = () => registry.find(nodeId)!.backupSchedule!;

describe('a schedule of backups', () => {
  test('takes nothing before its time, then takes, proves and prunes once', async () => {
    const own = schedules();
    nowMs = SET_AT + 12 * HOUR;
    await own.look();
    expect(names()).toEqual([]);
    nowMs = SET_AT + 13 * HOUR;
    await own.look();
    await own.look();
    expect(names()).toEqual(['createBackup', 'verifyBackup', 'pruneBackups']);
    expect(calls[1]!.request).toMatchObject({ id: 'b1' });
    expect(calls[2]!.request).toMatchObject({ retention: NIGHTLY.retention });
    expect(kept().last).toEqual({ atMs: nowMs, startedMs: nowMs, dueMs: nowMs, missed: 0, message: null });
  });

  test('that cannot be read says so, once, and keeps no other from its time', async () => {
    const other = registry.open({ dataDirectory: path.join(home, 'other') });
    const broken = { ...newBackupSchedule(NIGHTLY, SET_AT), expression: 'every night' };
    registry.edit(other.id, { backupTarget: home, backupSchedule: broken });
    nowMs = SET_AT + 13 * HOUR;
    await schedules().look();
    expect(names()).toEqual(['createBackup', 'verifyBackup', 'pruneBackups']);
    const said = () => registry.find(other.id)!.backupSchedule!.last;
    expect(said()?.message).toMatch(/every night/);
    nowMs += HOUR;
    await schedules().look();
    expect(said()?.atMs).toBe(nowMs - HOUR);
  });

  test('goes on after the clock was set back', async () => {
    nowMs = SET_AT - 30 * DAY;
    await schedules().look();
    nowMs += 13 * HOUR;
    await schedules().look();
    expect(names()).toEqual(['createBackup', 'verifyBackup', 'pruneBackups']);
  });

  test('runs nothing while what it has run cannot be noted, and says why', async () => {
    const edit = (): never => {
      throw new Error('No space left on device.');
    };
    nowMs = SET_AT + 13 * HOUR;
    await schedules({
      registry: { list: () => registry.list(), find: (id) => registry.find(id), edit }
    }).look();
    expect(names()).toEqual([]);
    expect(faults).toEqual(['Error: No space left on device.']);
  });

  test('survives a list of nodes that cannot be read', async () => {
    writeFileSync(path.join(home, 'nodes.json'), '{"nodes": [');
    nowMs = SET_AT + 13 * HOUR;
    await schedules().look();
    expect(names()).toEqual([]);
  });

  test('makes missed runs up once, however many they were', async () => {
    nowMs = SET_AT + 9 * DAY;
    await schedules().look();
    await schedules().look();
    expect(names().filter((name) => name === 'createBackup')).toHaveLength(1);
    expect(dueBackup(kept(), nowMs + 12 * HOUR)).toBeUndefined();
    expect(dueBackup(kept(), nowMs + 13 * HOUR)).toMatchObject({ missed: 0 });
    // The night before, and the eight nights of which nothing is left.
    expect(kept().last).toMatchObject({ missed: 8, dueMs: SET_AT + 8 * DAY + 13 * HOUR });
  });

  test('counts what it missed up to a limit, however long nothing ran', () => {
    const everyMinute = newBackupSchedule({ ...NIGHTLY, expression: '* * * * *' }, SET_AT);
    expect(dueBackup(everyMinute, SET_AT + 90 * DAY)?.missed).toBe(MOST_MISSED);
  });

  test('resumes at its start what a killed process had begun, and leaves alone what a living one does', async () => {
    nowMs = SET_AT + 13 * HOUR;
    const running = { startedMs: nowMs, dueMs: nowMs, missed: 2 };
    registry.edit(nodeId, { backupSchedule: { ...kept(), handledMs: nowMs, running } });
    failure = new EngineError({ code: 'DatabaseInUse', message: 'The target is in use.', remedy: '' });
    await schedules().look();
    expect(kept()).toMatchObject({ last: null, running: { missed: 2 } });
    failure = undefined;
    await schedules().look();
    expect(kept().last).toMatchObject({ message: null, missed: 2 });
    expect(kept().running).toBeUndefined();
  });

  test('tries again, less and less often, while the database is in use, and then takes its backup once', async () => {
    nowMs = SET_AT + 13 * HOUR;
    const dueMs = nowMs;
    const own = schedules();
    const attempts = () => names().filter((name) => name === 'createBackup').length;
    failure = new EngineError({
      code: 'DatabaseInUse',
      message: 'The database is being changed by a scavenge.',
      remedy: ''
    });
    await own.look();
    expect(kept().last).toMatchObject({ dueMs });
    expect(kept().last?.message).toContain('changed by a scavenge');
    const minutes: number[] = [];
    for (let minute = 1; minute <= 180; minute++) {
      nowMs = dueMs + minute * 60_000;
      const before = attempts();
      await own.look();
      if (attempts() > before) minutes.push(minute);
    }
    expect(minutes).toEqual([5, 15, 35, 75, 135]);

    failure = undefined;
    nowMs = dueMs + 195 * 60_000;
    await own.look();
    expect(kept().last).toEqual({ atMs: nowMs, startedMs: nowMs, dueMs, missed: 0, message: null });
    const taken = attempts();
    nowMs = dueMs + 23 * HOUR;
    await own.look();
    expect(attempts()).toBe(taken);

    // The next refusal begins with the short wait again, and a new process does not wait at all.
    failure = new EngineError({ code: 'DatabaseInUse', message: 'In use.', remedy: '' });
    nowMs = dueMs + 24 * HOUR;
    await own.look();
    nowMs += 5 * 60_000;
    await own.look();
    expect(attempts()).toBe(taken + 2);
    failure = undefined;
    await schedules().look();
    expect(kept().last).toMatchObject({ message: null, dueMs: dueMs + 24 * HOUR });
  });

  test('that is set while its run is refused keeps what was set', async () => {
    nowMs = SET_AT + 13 * HOUR;
    const later = newBackupSchedule({ ...NIGHTLY, expression: '0 3 * * *' }, nowMs);
    await schedules({
      follow: () => {
        nowMs += 1000;
        registry.edit(nodeId, { backupSchedule: { ...later, handledMs: nowMs } });
        return Promise.reject(new EngineError({ code: 'DatabaseInUse', message: 'In use.', remedy: '' }));
      }
    }).look();
    expect(kept()).toMatchObject({ expression: '0 3 * * *', handledMs: nowMs });
  });

  test('removes nothing where the new backup is not whole', async () => {
    nowMs = SET_AT + DAY;
    isWhole = false;
    await schedules().look();
    expect(names()).toEqual(['createBackup', 'verifyBackup']);
    expect(kept().last?.message).toMatch(/damaged; nothing was removed/);
  });

  test('removes nothing where nothing is to be kept by a rule', async () => {
    const retention = { last: 0, daily: 0, weekly: 0, monthly: 0 };
    registry.edit(nodeId, { backupSchedule: newBackupSchedule({ ...NIGHTLY, retention }, SET_AT) });
    nowMs = SET_AT + DAY;
    await schedules().look();
    expect(names()).toEqual(['createBackup', 'verifyBackup']);
  });

  test('keeps why a run failed, and does not repeat it before its next time', async () => {
    nowMs = SET_AT + DAY;
    failure = new Error('The disk is full.');
    const own = schedules();
    await own.look();
    await own.look();
    expect(names()).toEqual(['createBackup']);
    expect(kept().last?.message).toContain('The disk is full.');
  });

  test('waits while something else has the node for itself', async () => {
    nowMs = SET_AT + DAY;
    isOccupied = true;
    const own = schedules();
    await own.look();
    expect(names()).toEqual([]);
    isOccupied = false;
    await own.look();
    expect(names()).toContain('createBackup');
  });

  test('makes up a run at the next start that the end of the application stopped', async () => {
    nowMs = SET_AT + DAY;
    failure = new OperationStopped();
    const own = schedules();
    const looking = own.look();
    await own.close();
    await looking;
    failure = undefined;
    await schedules().look();
    expect(names().filter((name) => name === 'createBackup')).toHaveLength(2);
    expect(kept().last?.message).toBeNull();
  });

  test('is refused with a wrong expression or zone', () => {
    expect(() => newBackupSchedule({ ...NIGHTLY, expression: 'daily' }, 0)).toThrow(/five fields/);
    expect(() => newBackupSchedule({ ...NIGHTLY, timeZone: 'Nowhere' }, 0)).toThrow(/zone/i);
  });
});
