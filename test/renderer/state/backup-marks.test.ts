import { describe, expect, test } from 'vitest';
import { backupMarks, checkOfAll, nextOf } from '../../../src-renderer/state/backup-marks.ts';
import { backup } from '../fake-backups.ts';

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...backup, id: `b${count - index}`, verified: null }));

describe('backups along time', () => {
  test('stand each by itself where there is room', () => {
    expect(backupMarks(many(3), [300, 200, 100], 20).map(({ at }) => at)).toEqual([300, 200, 100]);
  });

  test('become one mark where they would cover each other, and none is lost', () => {
    const rows = many(300);
    const marks = backupMarks(
      rows,
      rows.map((_, index) => 600 - 2 * index),
      20
    );
    expect(marks).toHaveLength(30);
    expect(marks.flatMap(({ backups }) => backups)).toEqual(rows);
    const places = marks.map(({ at }) => at);
    expect(places.slice(1).every((at, index) => places[index]! - at >= 20)).toBe(true);
  });

  test('say the worst that is known of several', () => {
    const whole = { ...backup, verified: { at: '', ok: true, damage: 0 } };
    const damaged = { ...backup, rehearsed: { at: '', ok: false, damage: 1 } };
    expect(checkOfAll([whole, whole])).toBe('whole');
    expect(checkOfAll([whole, { ...backup, verified: null, rehearsed: null }])).toBe('unknown');
    expect(checkOfAll([whole, damaged])).toBe('damaged');
  });

  test('are selected one after another by clicks on their mark', () => {
    const mark = { backups: many(2), at: 0 };
    expect(nextOf(mark, null)).toBe('b2');
    expect(nextOf(mark, 'b2')).toBe('b1');
    expect(nextOf(mark, 'b1')).toBe('b2');
  });
});
