import { expect, test } from 'vitest';
import { timesByChunk } from '../../../src-renderer/state/chunk-times.ts';
import { weeksOf } from '../../../src-renderer/state/usage/expiry-weeks.ts';
import { diskFullMs, logGrowth } from '../../../src-renderer/state/usage/log-growth.ts';
import { cutMiddle } from '../../../src-renderer/format/cut-middle.ts';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const at = (day: number): string => `${new Date(START + day * DAY_MS).toISOString().slice(0, 19)}.0000000Z`;

/** One chunk of 100 bytes a day. */
const chunksOf = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    chunkStart: i,
    logicalStart: i * 100,
    logicalEnd: (i + 1) * 100
  }));
const timesOf = (count: number) =>
  timesByChunk(Array.from({ length: count }, (_, i) => ({ chunkStart: i, first: at(i), last: at(i + 1) })));

test('a log grows by what was written over its last thirty days', () => {
  expect(logGrowth(chunksOf(10), timesOf(10), 1000)).toEqual({ kind: 'known', bytesPerDay: 100, days: 10 });
  const { kind, ...known } = logGrowth(chunksOf(90), timesOf(90), 9000);
  expect(kind).toBe('known');
  expect(known).toMatchObject({ bytesPerDay: 100, days: 30 });
});

test('how fast it grows is not known without times, or of less than a day', () => {
  expect(logGrowth(chunksOf(3), timesByChunk([]), 300)).toEqual({ kind: 'unknown', reason: 'noTimes' });
  const short = timesByChunk([{ chunkStart: 0, first: at(0), last: at(0.5) }]);
  expect(logGrowth(chunksOf(1), short, 100)).toEqual({ kind: 'unknown', reason: 'tooShort' });
});

test('the disk is full when the free bytes are written', () => {
  expect(diskFullMs(1000, 100, START)).toBe(START + 10 * DAY_MS);
  expect(diskFullMs(1e15, 1, START)).toBeNull();
});

test('days stand in twelve weeks from Monday on, those before today empty', () => {
  // 2026-01-01 is a Thursday.
  const calendar = Array.from({ length: 90 }, (_, day) => ({
    day: at(day).slice(0, 10),
    records: 1,
    bytes: 10,
    sumBytes: (day + 1) * 10
  }));
  const weeks = weeksOf(calendar);
  expect(weeks).toHaveLength(12);
  expect(weeks[0]).toMatchObject({ monday: '2025-12-29', bytes: 40 });
  expect(weeks[0]!.days.map((day) => day?.day ?? null)).toEqual([
    null,
    null,
    null,
    '2026-01-01',
    '2026-01-02',
    '2026-01-03',
    '2026-01-04'
  ]);
  expect(weeks[11]!.days.every((day) => day !== null)).toBe(true);
  expect(weeksOf([])).toEqual([]);
});

test('a name is cut in the middle, and not at all where nothing of it would be left', () => {
  expect(cutMiddle('session-7f3a99', 20)).toBe('session-7f3a99');
  expect(cutMiddle('session-7f3a99', 9)).toBe('sess…3a99');
  expect(cutMiddle('session-7f3a99', 3)).toBe('');
  expect([...cutMiddle('session-7f3a99', 8)]).toHaveLength(8);
});
