import { expect, test } from 'vitest';
import { rulesInWords } from '../../../src-renderer/format/stream-rules.ts';

const none = {
  maxCount: null,
  maxAgeSeconds: null,
  truncateBefore: null,
  cacheControlSeconds: null,
  acl: null
};

test('says the rules of a stream in words', () => {
  expect(rulesInWords(null)).toBe('');
  expect(rulesInWords({ ...none, maxCount: 1 })).toBe('keep 1 event');
  expect(rulesInWords({ ...none, maxCount: 5, maxAgeSeconds: 2_592_000 })).toBe(
    'keep 5 events, keep for 30 days'
  );
  expect(rulesInWords({ ...none, truncateBefore: 1200 })).toBe('from number 1,200');
  expect(rulesInWords({ ...none, truncateBefore: '9223372036854775807' })).toBe('deleted');
});
