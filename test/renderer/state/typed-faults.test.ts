import { expect, test } from 'vitest';
import { addressFault, clusterNameFault } from '../../../src-renderer/state/clusters/typed-faults.ts';

test.each(['https://node-1.example:2113', ' http://127.0.0.1:2113/ ', 'https://[::1]:2113'])(
  'an address of a node is right: %s',
  (typed) => expect(addressFault(typed)).toBe('')
);

test.each([
  ['no address', /^This is not an address\. .*https:\/\/node-1\.example:2113/],
  ['node-1:2113', /^This is not an address/],
  ['https://', /^This is not an address/],
  ['esdb://node-1:2113', /^A node is not called over esdb\./],
  ['https://ops:secret@node-1:2113/stats?x=1', /^Leave out user, path and query: https:\/\/node-1:2113\.$/],
  ['https://node-1:2113/ui', /^Leave out user, path and query/]
])('of %s it is said what a right one is, and no password again', (typed, words) => {
  expect(addressFault(typed)).toMatch(words);
  expect(addressFault(typed)).not.toContain('secret');
});

test('a name of a cluster is a word', () => {
  expect(clusterNameFault('live-1')).toBe('');
  expect(clusterNameFault('live one')).toMatch(/^A name has letters/);
  expect(clusterNameFault('x'.repeat(61))).toMatch(/at most 60/);
});
