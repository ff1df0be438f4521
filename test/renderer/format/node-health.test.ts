/** How a node is, as a shape and a word, out of what an inspection says. */
import { describe, expect, test } from 'vitest';
import { sightOf } from '../../../src-renderer/format/node-health.ts';
import { inspection } from '../fake-database.ts';

const CHECKED = new Date(2026, 0, 31, 6, 10);
const checkedAt = CHECKED.toISOString().replace('Z', '0000Z');
const NOW = new Date(2026, 0, 31, 18).getTime();
const { health } = inspection;

function sight(changes: Partial<typeof health>, inUse: typeof inspection.inUse = null) {
  return sightOf({ ...inspection, inUse, health: { ...health, checkedAt, ...changes } }, NOW);
}

describe('a node', () => {
  test('is sound by a check, with its time', () => {
    expect(sight({})).toMatchObject({ shape: 'sound', word: 'sound', words: 'sound as of 06:10 (doctor)' });
    expect(sight({ by: 'verify' }).words).toBe('sound as of 06:10 (verify)');
  });

  test('is not green by a look that left something out', () => {
    expect(sight({ isPartial: true })).toMatchObject({
      shape: 'soundSoFar',
      words: 'sound as of 06:10 (doctor), as far as checked'
    });
  });

  test('is not checked, and what it was before it changed', () => {
    const changed = { state: 'notChecked' as const, checkedAt: null, by: 'inspect' as const };
    expect(sight(changed).words).toBe('not checked');
    const before = { state: 'sound' as const, checkedAt, by: 'doctor' as const };
    expect(sight({ ...changed, before })).toMatchObject({
      shape: 'notChecked',
      words: 'not checked since its files changed; before: sound as of 06:10 (doctor)'
    });
  });

  test.each([
    ['findings', 'findings'],
    ['willNotStart', 'will not start'],
    ['unclean', 'not shut down cleanly']
  ] as const)('of the state %s is said to be so', (state, word) => {
    expect(sight({ state })).toMatchObject({ shape: state, word });
  });

  test('whose next start cuts the log was not not shut down cleanly for that', () => {
    expect(sight({ state: 'unclean', code: 'truncatePending' }).word).toBe('will truncate the log');
  });

  test('that a server holds is running, with what was known', () => {
    const inUse = { by: 'KurrentDB', pid: 7 };
    expect(sight({}, inUse)).toMatchObject({
      shape: 'running',
      word: 'running',
      words: 'running, sound as of 06:10 (doctor)'
    });
    expect(sight({ state: 'findings', by: 'verify' }, inUse).word).toBe('running, findings');
    expect(sight({ state: 'notChecked', checkedAt: null }, inUse).words).toBe('running');
  });

  test('that nobody looked at, or nobody can read, is not taken for anything else', () => {
    expect(sightOf(undefined, NOW)).toMatchObject({ shape: 'unknown', word: 'not checked yet' });
    const gone = { code: 'DatabaseNotFound' as const, message: 'No chunks.', remedy: '', details: {} };
    expect(sightOf(gone, NOW)).toMatchObject({
      shape: 'failed',
      word: 'cannot be read',
      because: 'No chunks.'
    });
  });
});
