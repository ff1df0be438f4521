/** Each place where something was found has one sentence that says what to do about it. */
import { describe, expect, test } from 'vitest';
import type { ErasureFile } from '../../../../src-core/insight/erasure/erasure-file.ts';
import type { FoundWhat, PlaceKind } from '../../../../src-core/insight/erasure/place.ts';
import { remedyFor } from '../../../../src-core/insight/erasure/remedies.ts';

function remedy(
  kind: PlaceKind,
  what: FoundWhat,
  { deletion = 'none', ...file }: Partial<ErasureFile> & { deletion?: 'hard' | 'soft' | 'none' } = {}
): string {
  const blocks = (): AsyncIterable<Uint8Array> => {
    throw new Error('A remedy reads no file.');
  };
  return remedyFor({
    found: { kind, what, count: 1, firstOffset: 0 },
    file: { name: 'chunk-000001.000000', kind, form: 'chunk', bytes: 1, blocks, ...file },
    deletion
  });
}

describe('what is in the log', () => {
  test.each([
    ['event', 'hard', /^The stream is deleted; run "winnow scavenge/],
    ['event', 'soft', /^A soft-deleted stream keeps its last event: hard-delete/],
    ['event', 'none', /^Hard-delete the stream \(tombstone\), then run/],
    ['redacted', 'none', /^The data of the event are overwritten\. .* only deleting the stream/],
    ['metadata', 'hard', /^Run "winnow scavenge/],
    ['metadata', 'soft', /^Hard-delete the stream \(tombstone\), which also removes its metadata/],
    ['tombstone', 'hard', /Only "--unsafe-ignore-hard-deletes" removes it\.$/],
    ['link', 'none', /^Truncate or delete the stream that holds the link/],
    ['mention', 'none', /^Another stream holds this in its data, metadata or name/]
  ] as const)('%s of a stream with the deletion "%s"', (what, deletion, words) => {
    expect(remedy('log', what, { deletion })).toMatch(words);
  });

  test.each(['event', 'metadata', 'link', 'mention'] as const)(
    '%s in the chunk that is being written waits for its completion',
    (what) => {
      expect(remedy('log', what, { isActive: true })).toMatch(/complete it first \(a new scavenge point/);
      expect(remedy('log', what, { isActive: false })).not.toMatch(/complete it first/);
    }
  );
});

test.each([
  ['slack', 'event', {}, /after the end of the log/],
  ['supersededChunk', 'event', {}, /^A newer version of this chunk is in use/],
  ['temporaryFile', 'event', {}, /^Left by interrupted work/],
  ['index', 'indexEntry', {}, /^Run a scavenge, which removes the entries/],
  ['index', 'bytes', {}, /^Run "winnow index rebuild", and delete copies/],
  ['scavengeState', 'name', {}, /^The state stores the names of streams/],
  [
    'other',
    'event',
    { name: 'winnow-replaced/20261121T050000Z/chunk-000000.000000' },
    /scavenge --undo --forget/
  ],
  ['other', 'event', { name: '../db-set-aside-1/chunk-000000.000000' }, /^Delete this copy/]
] as const)('what is in a file of the kind %s (%s) is removed there', (kind, what, file, words) => {
  expect(remedy(kind, what, file)).toMatch(words);
});

describe('what is in a backup', () => {
  test('that names no file is deleted by hand', () => {
    const words = 'No finished backup names this file: delete it in the target.';
    expect(remedy('backup', 'event')).toBe(words);
    expect(remedy('backup', 'event', { backups: [] })).toBe(words);
  });

  test.each([
    [['a'], 'Erase in the backup a (', 'or remove it ('],
    [['a', 'b', 'c'], 'Erase in the backups a, b, c (', 'or remove them ('],
    [['a', 'b', 'c', 'd', 'e'], 'Erase in the backups a, b, c and 2 more (', 'or remove them (']
  ])('of %j is erased in these', (backups, begin, remove) => {
    const words = remedy('backup', 'event', { backups });
    expect(words.startsWith(begin)).toBe(true);
    expect(words).toContain(remove);
  });
});
