/** What the log says about the deletion of the streams of one subject. */
import { expect, it } from 'vitest';
import { StreamDeletions, type Deletion } from '../../../../src-core/insight/erasure/stream-deletions.ts';

type Word = [stream: string, deletion: Deletion | 'event'];

it.each<[string, Deletion, Word[]]>([
  ['no stream', 'none', []],
  ['a stream that only has events', 'none', [['a', 'event']]],
  [
    'a stream deleted for good',
    'hard',
    [
      ['a', 'event'],
      ['a', 'hard']
    ]
  ],
  [
    'events that come after the word about their stream',
    'soft',
    [
      ['a', 'soft'],
      ['a', 'event']
    ]
  ],
  [
    'metadata behind a tombstone, which says no more',
    'hard',
    [
      ['a', 'hard'],
      ['a', 'none']
    ]
  ],
  [
    'the last word of several',
    'none',
    [
      ['a', 'soft'],
      ['a', 'none']
    ]
  ],
  [
    'one of two streams that is not deleted',
    'none',
    [
      ['a', 'hard'],
      ['b', 'event']
    ]
  ],
  [
    'one of two streams that is only softly deleted',
    'soft',
    [
      ['a', 'hard'],
      ['b', 'soft']
    ]
  ]
])('%s: %s', (_, expected, words) => {
  const deletions = new StreamDeletions();
  for (const [stream, word] of words) {
    if (word === 'event') deletions.noteEvent(stream);
    else deletions.note(stream, word);
  }
  expect(deletions.ofAll).toBe(expected);
});
