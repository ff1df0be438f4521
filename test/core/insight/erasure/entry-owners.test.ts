/** Whose an entry of the index is: the record at its position decides, as far as there is one. */
import { expect, test } from 'vitest';
import { entryOwners } from '../../../../src-core/insight/erasure/entry-owners.ts';

/** Streams of one length share a hash; a metastream has another upper half. */
const byLength = (stream: string) => ({ high: stream.startsWith('$$') ? 2 : 1, low: stream.length });
const streams = [
  { subject: 0, stream: 'one' },
  { subject: 1, stream: 'two' },
  { subject: 2, stream: 'three' }
];
const entry = (hashHigh: number, hashLow: number) => ({ hashHigh, hashLow, position: 77 });

test.each([
  ['without a record it may be of each stream with its hash', undefined, entry(1, 3), [0, 1]],
  ['with a record it is of the stream that this names', 'two', entry(1, 3), [1]],
  ['it is of none where the record is of another stream with the same hash', 'six', entry(1, 3), []],
  ['it is of a stream where it is of its metastream', '$$three', entry(2, 7), [2]],
  ['it is of none where only the upper half of its hash is wanted', undefined, entry(1, 99), []]
])('%s', (_name, name, asked, subjects) => {
  const owners = entryOwners(streams, () => name, byLength);
  expect([...owners.highs]).toEqual([1, 2]);
  expect(owners.ownersOf(asked)).toEqual(subjects);
});
