/** Times and lengths of time as texts: the server's, and none that are not. */
import { describe, expect, it } from 'vitest';
import { formatTimeSpan, parseTimeSpan } from '../../../src-core/auto-scavenge/time-span.ts';
import {
  formatWallTime,
  instantOfWallTime,
  parseWallTime
} from '../../../src-core/auto-scavenge/wall-time.ts';

describe('a length of time', () => {
  it.each([
    [0n, '00:00:00'],
    [1n, '00:00:00.0000001'],
    [-1n, '-00:00:00.0000001'],
    [36_610_000_000n, '01:01:01'],
    [-864_000_000_000n * 3n - 5_000_000n, '-3.00:00:00.5000000'],
    [2n ** 63n - 1n, '10675199.02:48:05.4775807'],
    [-(2n ** 63n), '-10675199.02:48:05.4775808']
  ])('%d ticks are %s, and back', (ticks, text) => {
    expect(formatTimeSpan(ticks)).toBe(text);
    expect(parseTimeSpan(text)).toBe(ticks);
  });

  it.each([
    ...['', 'soon', '1:00:00', '00:00', '24:00:00', '00:60:00', '00:00:60', '00:00:00.', '00:00:00.12345678'],
    ...['+00:00:01', '1.1.00:00:00', '10675199.02:48:05.4775808', '-10675199.02:48:05.4775809']
  ])('%j is none', (text) => {
    expect(parseTimeSpan(text)).toBeUndefined();
  });
});

describe('a moment on a clock', () => {
  it.each([
    ['2026-08-01T10:17:25', null],
    ['2026-08-01T10:17:25.5+02:00', 120],
    ['2026-08-01T10:17:25.0000001-03:30', -210],
    ['2026-08-01T10:17:25+00:00', 0]
  ])('%s keeps its offset', (text, offsetMinutes) => {
    const time = parseWallTime(text)!;
    expect(time.offsetMinutes).toBe(offsetMinutes);
    expect(formatWallTime(time)).toBe(text);
  });

  it('Z is an offset of nothing', () => {
    expect(parseWallTime('2026-08-01T10:17:25Z')).toEqual(parseWallTime('2026-08-01T10:17:25+00:00'));
  });

  it('west of Greenwich it is earlier on the clock than in UTC', () => {
    expect(instantOfWallTime(parseWallTime('2026-08-01T10:00:00-03:30')!)).toBe(Date.UTC(2026, 7, 1, 13, 30));
  });

  it.each([
    ...['', '2026-08-01', '2026-02-30T00:00:00', '2026-08-01T25:00:00', '2026-08-01T10:17:25 +02:00'],
    ...['2026-08-01T10:17:25+14:01', '2026-08-01T10:17:25-01:60']
  ])('%j is none', (text) => {
    expect(parseWallTime(text)).toBeUndefined();
  });
});
