import { expect, test } from 'vitest';
import { noteVisit } from '../../../src-renderer/state/last-visit.ts';
import { inspection } from '../fake-database.ts';

const HOUR = 3_600_000;

test('compares with the visit before this one, not with the last look', () => {
  expect(noteVisit('n', inspection, 0)).toBeNull();
  expect(noteVisit('n', inspection, 60_000)).toBeNull();
  const grown = { ...inspection, bytes: { ...inspection.bytes, data: 9 } };
  expect(noteVisit('n', grown, 2 * HOUR)?.data).toBe(inspection.bytes.data);
  expect(noteVisit('n', grown, 2 * HOUR + 1000)?.timeMs).toBe(60_000);
});

test('begins again when what was kept cannot be read', () => {
  localStorage.setItem('winnow.visit.n', 'not json');
  expect(noteVisit('n', inspection, 0)).toBeNull();
});
