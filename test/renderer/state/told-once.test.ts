import { describe, expect, test } from 'vitest';
import { remedyAlone, withoutTold } from '../../../src-renderer/state/told-once.ts';

const HASH = 'The hash of chunk-000005.000000 is a, its footer says b: a byte of the file has changed.';

describe('a fact that the page tells elsewhere', () => {
  test('is left out of a sentence before it and after it', () => {
    expect(withoutTold(`This node will not stay up. ${HASH}`, [HASH])).toBe('This node will not stay up.');
    expect(withoutTold(`${HASH} Which byte changed cannot be determined.`, [HASH])).toBe(
      'Which byte changed cannot be determined.'
    );
  });

  test('stays where it is all that there is, or the end of another sentence', () => {
    expect(withoutTold(HASH, [HASH])).toBe(HASH);
    expect(withoutTold(`This node will not start: ${HASH}`, [HASH])).toBe(
      `This node will not start: ${HASH}`
    );
    expect(withoutTold('Another one.', [HASH, ''])).toBe('Another one.');
  });

  test('what the server does is not said by the remedy again', () => {
    const remedy = 'Restore chunk-000005.000000 from a backup. The server ends itself when it finds this.';
    expect(remedyAlone(remedy, true)).toBe('Restore chunk-000005.000000 from a backup.');
    expect(remedyAlone(remedy, false)).toBe(remedy);
    expect(remedyAlone('The server does it by itself.', true)).toBe('The server does it by itself.');
  });
});
