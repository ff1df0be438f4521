import { expect, test } from 'vitest';
import { savedReportIn } from '../../../src-renderer/state/saved-report.ts';
import { VERIFY_DEFAULTS, verifyRequestOf } from '../../../src-renderer/state/verify-options.ts';

test('a saved report gives its time and its files, and nothing else', () => {
  const report = {
    takenAt: '2026-01-01T00:00:00Z',
    files: [{ file: 'a', sha256: 'b', more: 1 }],
    streams: []
  };
  expect(savedReportIn(JSON.stringify(report))).toEqual({
    takenAt: '2026-01-01T00:00:00Z',
    files: [{ file: 'a', sha256: 'b' }]
  });
});

test.each(['', 'null', '[]', '{}', '{"takenAt":1,"files":[]}', '{"takenAt":"x","files":[{"file":"a"}]}'])(
  '%s is no saved report',
  (text) => expect(savedReportIn(text)).toBeUndefined()
);

test('a verification without options is asked for without them', () => {
  expect(verifyRequestOf(VERIFY_DEFAULTS)).toEqual({ quick: false });
  expect(verifyRequestOf({ ...VERIFY_DEFAULTS, isQuick: true, threads: 4, mebibytesPerSecond: 50 })).toEqual({
    quick: true,
    threads: 4,
    bytesPerSecond: 52_428_800
  });
});

test('a verification with a budget reads in turns, and never quickly', () => {
  expect(verifyRequestOf({ ...VERIFY_DEFAULTS, isQuick: true, budgetMinutes: 10, withinDays: 7 })).toEqual({
    quick: false,
    budgetMs: 600_000,
    withinMs: 604_800_000
  });
});
