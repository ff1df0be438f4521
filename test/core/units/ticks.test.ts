/** Times of the log as texts. */
import { expect, it } from 'vitest';
import { MAX_TICKS, ticksFromIso, ticksToIso } from '../../../src-core/units/ticks.ts';

it.each([
  ['0001-01-01T00:00:00.0000000Z', '0001-01-01T00:00:00.0000000Z'],
  ['2024-02-29T00:00Z', '2024-02-29T00:00:00.0000000Z'],
  ['2026-08-01T10:17:25', '2026-08-01T10:17:25.0000000Z'],
  ['2026-08-01T01:00+02:00', '2026-07-31T23:00:00.0000000Z'],
  ['2026-08-01T10:17:25.123456789Z', '2026-08-01T10:17:25.1234567Z'],
  ['9999-12-31T23:59:59.9999999Z', '9999-12-31T23:59:59.9999999Z']
])('%s is %s', (text, iso) => {
  expect(ticksToIso(ticksFromIso(text)!)).toBe(iso);
});

it.each([
  ...['', 'now', '2026-08-01', '2026-08-01 10:17', '2026-13-01T00:00Z', '2026-08-01T10:60Z'],
  // Days and hours that `Date.parse` would take for those after them.
  ...['2026-02-30T00:00:00Z', '2023-02-29T00:00Z', '2026-04-31T12:00+02:00', '2026-08-01T24:00:00Z'],
  // Before the first tick and after the last one.
  ...['0000-12-31T00:00Z', '0001-01-01T00:00+01:00', '9999-12-31T23:59:59-01:00', '2026-08-01T10:17+99:00']
])('%j is no time', (text) => {
  expect(ticksFromIso(text)).toBeUndefined();
});

it('what lies beyond is written as the first or the last time', () => {
  expect(ticksToIso(-1n)).toBe('0001-01-01T00:00:00.0000000Z');
  expect(ticksToIso(MAX_TICKS + 1n)).toBe('9999-12-31T23:59:59.9999999Z');
});
