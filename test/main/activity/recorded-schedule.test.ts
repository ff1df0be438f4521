/** What a schedule does, as it is written down among the operations. */
import { describe, expect, it } from 'vitest';
import { parseWallTime, type StoredEvent } from '../../../src-core/index.ts';
import type { ActivityEntry } from '../../../src-main/contract/operations/activity-reports.ts';
import { recordedSchedule } from '../../../src-main/cluster/recorded-schedule.ts';

const MEMBER = { address: 'node-1', port: 2113 };

function recorded() {
  const entries: ActivityEntry[] = [];
  let nowMs = Date.UTC(2026, 7, 1);
  const parts = recordedSchedule(
    {
      options: { clusterSize: 1, order: 'lagging', self: undefined, afterStoreFailure: 'recover' },
      store: {
        load: () => Promise.resolve({ configuration: undefined, history: [] }),
        append: ({ type }) => Promise.resolve(type === '$refused' ? 'notLeader' : 'stored'),
        probe: () => Promise.resolve()
      },
      scavenger: ({ kind }) => Promise.resolve({ kind: kind === 'resign' ? 'resigning' : 'failed' }),
      gossip: () => Promise.resolve([]),
      now: () => parseWallTime('2026-08-01T00:00:00+00:00')!,
      newId: () => 'c1',
      log: () => undefined
    },
    { log: { write: (entry) => entries.push(entry) }, door: 'schedule', cluster: 'trio', clock: () => nowMs }
  );
  const append = (type: string, data: StoredEvent['data'] = {}) => parts.store.append({ type, data });
  const pass = (ms: number): void => void (nowMs += ms);
  return { parts, entries, append, pass };
}

describe('the record of a schedule', () => {
  it('has a cycle from its beginning to its end, with what became of its members', async () => {
    const { entries, append, pass } = recorded();
    await append('$cluster-scavenge-started', { members: [MEMBER, MEMBER] });
    await append('$node-scavenge-completed', { result: 'Success' });
    await append('$node-scavenge-completed', { result: 'Errored' });
    pass(5000);
    await append('$cluster-scavenge-completed');
    expect(entries).toMatchObject([
      { operation: 'scavengeCluster', outcome: 'running', endedAt: null, options: { cluster: 'trio' } },
      { operation: 'scavengeCluster', outcome: 'done', elapsedMs: 5000, figures: { success: 1, errored: 1 } }
    ]);
    expect(entries[1]!.id).toBe(entries[0]!.id);
  });

  it('has every requested pause, resumptions and new schedules', async () => {
    const { entries, append } = recorded();
    await append('$pause-requested', { by: 'quietHours' });
    await append('$paused');
    await append('$resumed');
    await append('$configuration-updated', { schedule: '0 3 * * 0' });
    expect(entries.map(({ operation }) => operation)).toEqual([
      'requestPause',
      'pauseSchedule',
      'resumeSchedule',
      'configureSchedule'
    ]);
    expect(entries[0]!.options).toEqual({ cluster: 'trio', by: 'quietHours' });
  });

  it('has the resignation of a leader once, however often it is asked', async () => {
    const { entries, parts } = recorded();
    for (let tick = 0; tick < 3; tick++) await parts.scavenger({ kind: 'resign', member: MEMBER });
    expect(entries).toMatchObject([{ operation: 'resignLeader', options: { node: 'node-1:2113' } }]);
  });

  it('has nothing that was not stored', async () => {
    const { entries, append } = recorded();
    await append('$refused');
    expect(entries).toEqual([]);
  });
});
