/** What SQLite says of a state, as what can be done about it. */
import { expect, it } from 'vitest';
import { EngineError } from '../../../src-core/errors.ts';
import { stateProblem } from '../../../src-core/scavenge/state/state-error.ts';

function sqliteError(message: string, code = 'ERR_SQLITE_ERROR'): Error {
  return Object.assign(new Error(message), { code });
}

it.each([
  ['database or disk is full', 'StorageFailed', /could not be written or read.*disk is full/],
  ['disk I/O error', 'StorageFailed', /could not be written or read/],
  ['attempt to write a readonly database', 'StorageFailed', /could not be written or read/],
  ['unable to open database file', 'StorageFailed', /could not be written or read/],
  ['database is locked', 'DatabaseInUse', /in use by another process/],
  ['database table is busy', 'DatabaseInUse', /in use by another process/],
  ['file is not a database', 'StorageFailed', /cannot be used: file is not a database/],
  ['no such table: Checkpoint', 'StorageFailed', /cannot be used/]
])('"%s" is %s', (message, code, said) => {
  const error = stateProblem(sqliteError(message), '/index/scavenging/scavenging.db');
  expect(error).toBeInstanceOf(EngineError);
  expect(error).toMatchObject({
    code,
    message: expect.stringMatching(said) as string,
    remedy: expect.stringMatching(/\S/) as string,
    details: { file: '/index/scavenging/scavenging.db' }
  });
});

it('only what is no state is named invalid', () => {
  const reasonOf = (message: string) =>
    (stateProblem(sqliteError(message), 'state') as EngineError).details['reason'];
  expect(reasonOf('file is not a database')).toBe('stateInvalid');
  expect([reasonOf('database is locked'), reasonOf('disk I/O error')]).toEqual([undefined, undefined]);
});

it('a number that no double holds is damage, other errors are what they were', () => {
  const range = stateProblem(sqliteError('too large', 'ERR_OUT_OF_RANGE'), 'state');
  expect(range).toMatchObject({ code: 'StorageFailed', details: { reason: 'stateInvalid' } });
  const ours = new EngineError({ code: 'LogCorrupt', message: 'x', remedy: 'y', details: {} });
  const others = [ours, new TypeError('ours too'), 'no error'];
  expect(others.map((error) => stateProblem(error, 'state'))).toEqual(others);
});
