/** A problem of a log as an error: with the places that are known and no others, and as a format of others where it is one. */
import { expect, it } from 'vitest';
import { problemAsError, type LogProblem } from '../../../src-core/log/log-problem.ts';

const READER_VERSION_OFFSET = 1;
const PROBLEM: LogProblem = {
  code: 'chunkMissing',
  severity: 'damage',
  file: null,
  offset: null,
  position: null,
  message: 'Something is wrong.',
  remedy: 'Correct it.'
};

it.each<[string, Partial<LogProblem>, object]>([
  ['none', {}, {}],
  ['the file', { file: 'a.chk' }, { file: 'a.chk' }],
  ['the first byte of a file', { file: 'a.chk', offset: 0 }, { file: 'a.chk', offset: 0 }],
  ['the first position', { position: 0 }, { position: 0 }],
  ['all', { file: 'a', offset: 7, position: 900 }, { file: 'a', offset: 7, position: 900 }]
])('has the places that are known: %s', (_which, places, details) => {
  const error = problemAsError({ ...PROBLEM, ...places });
  expect(error).toMatchObject({ code: 'LogCorrupt', message: 'Something is wrong.', remedy: 'Correct it.' });
  expect(error.details).toStrictEqual({ problem: 'chunkMissing', ...details });
});

it.each<[LogProblem['code'], number | null, string]>([
  ['encrypted', 35, 'UnsupportedFormat'],
  ['archiveGap', null, 'UnsupportedFormat'],
  ['chunkHeaderInvalid', READER_VERSION_OFFSET, 'UnsupportedFormat'],
  ['chunkHeaderInvalid', 0, 'LogCorrupt'],
  ['chunkHeaderInvalid', 6, 'LogCorrupt'],
  ['chunkFooterInvalid', READER_VERSION_OFFSET, 'LogCorrupt'],
  ['chunkNotCompleted', null, 'LogCorrupt']
])('%s at %s is %s', (code, offset, expected) => {
  expect(problemAsError({ ...PROBLEM, code, offset }).code).toBe(expected);
});
