import { describe, expect, test } from 'vitest';
import { judgeRetention, type Retention } from '../../../src-core/backup/retention.ts';

const NOTHING: Retention = { last: 0, daily: 0, weekly: 0, monthly: 0 };

const CHECKPOINTS = { chaser: 0, epoch: null, proposal: null, truncate: null, index: null, filter: null };

function backups(times: string[], tag = '1') {
  return times.map((time) => ({
    id: `${time.replaceAll(/[-:]/g, '')}Z-0000`,
    startedAt: `${time}.0000000Z`,
    basedOn: null,
    generation: null,
    epochs: [],
    checkpoints: { ...CHECKPOINTS, writer: 1000 },
    databaseTag: tag,
    node: {
      address: null,
      dataDirectory: '/data',
      indexDirectory: '/data/index',
      serverVersion: null,
      role: null,
      cluster: null,
      wasInUse: false
    }
  }));
}

function kept(times: string[], retention: Partial<Retention>): string[] {
  const verdicts = judgeRetention(backups(times), { ...NOTHING, ...retention });
  return times.filter((_, i) => verdicts[i]!.isKept);
}

describe('retention', () => {
  const times = [
    '2026-01-30T05:00:00',
    '2026-02-27T05:00:00',
    '2026-03-01T05:00:00',
    '2026-03-02T05:00:00',
    '2026-03-02T17:00:00',
    '2026-03-03T05:00:00'
  ];

  test('keeps the last backups', () => {
    expect(kept(times, { last: 2 })).toEqual(times.slice(-2));
  });

  test('keeps the last one of each day that has one', () => {
    expect(kept(times, { daily: 3 })).toEqual([times[2], times[4], times[5]]);
  });

  test('counts weeks from Monday', () => {
    // 1 March 2026 is a Sunday: with Friday, 27 February, it is one week.
    expect(kept(times, { weekly: 2 })).toEqual([times[2], times[5]]);
  });

  test('keeps the last one of each month', () => {
    expect(kept(times, { monthly: 12 })).toEqual([times[0], times[1], times[5]]);
  });

  test('keeps what any rule keeps, and says which', () => {
    const verdicts = judgeRetention(backups(times), { last: 1, daily: 2, weekly: 0, monthly: 2 });
    expect(verdicts.map(({ rules }) => rules.join())).toEqual([
      '',
      'monthly',
      '',
      '',
      'daily',
      'last,daily,monthly'
    ]);
  });

  test('counts each node for itself', () => {
    const both = [...backups(times.slice(0, 3), '1'), ...backups(times.slice(3), '2')];
    const verdicts = judgeRetention(both, { ...NOTHING, last: 1 });
    expect(verdicts.map(({ isKept }) => isKept)).toEqual([false, false, true, false, false, true]);
  });

  test('is refused when it would keep nothing', () => {
    expect(() => judgeRetention(backups(times), NOTHING)).toThrow(/all would be removed/);
  });
});
