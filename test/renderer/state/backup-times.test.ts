import { expect, test } from 'vitest';
import { drawnTimes } from '../../../src-renderer/state/backups.ts';

test('a backup with a date in the future stands where the next one was taken', () => {
  const days = ['2026-01-04', '2026-01-03', '2099-01-01', '2026-01-02'];
  const drawn = drawnTimes(days.map((day) => ({ startedAt: `${day}T00:00:00.0000000Z` })));
  expect(drawn.map((ms) => new Date(ms).toISOString().slice(0, 10))).toEqual([
    '2026-01-04',
    '2026-01-03',
    '2026-01-03',
    '2026-01-02'
  ]);
});
