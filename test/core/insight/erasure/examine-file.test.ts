/** One file looked through: what is found in it, in which form, and what of it was not understood. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { uncontrolled } from '../../../../src-core/database/operation-control.ts';
import { encodeEntry, encodeTableHeader, entrySizeBytes } from '../../../../src-core/index/index-table.ts';
import { writeIndexTable } from '../../../../src-core/index/index-table-writer.ts';
import { hashStream, hashText } from '../../../../src-core/index/stream-hash.ts';
import { entryOwners } from '../../../../src-core/insight/erasure/entry-owners.ts';
import type { ErasureFile } from '../../../../src-core/insight/erasure/erasure-file.ts';
import { subjectsOf, type ErasureQuestion } from '../../../../src-core/insight/erasure/erasure-question.ts';
import { examineFile, searchFor } from '../../../../src-core/insight/erasure/examine-file.ts';
import { StreamDeletions } from '../../../../src-core/insight/erasure/stream-deletions.ts';
import { encodeCommit, encodeSystem } from '../../../../src-core/records/encode-record.ts';
import { PrepareFlag } from '../../../../src-core/records/log-record.ts';
import { readWholeFile } from '../../../../src-core/storage/file-system.ts';
import { chunkBytes, completed, RECORD_ID } from '../../../support/chunk-bytes.ts';
import { MemoryFileSystem } from '../../../support/memory-file-system.ts';
import { sortedEntries } from '../../index/index-fixture.ts';

/** Shorter than what is looked for in numbers. */
const SHORT = 'ab-1';
const LONG = 'customer-42';
/** Of a lower hash than that. */
const BEHIND = ['a', 'b', 'c', 'd', 'e', 'f'].find((name) => hashStream(name).high < hashStream(LONG).high)!;

type Asked = Partial<ErasureQuestion>;

async function examined(
  bytes: Uint8Array,
  asked: Asked,
  { blockBytes = 4096, ...file }: Partial<ErasureFile> & { blockBytes?: number } = {}
) {
  const subjects = subjectsOf({ streams: [], categories: [], eventIds: [], ...asked });
  const named = subjects.map(({ name }, subject) => ({ subject, stream: name }));
  async function* blocks() {
    await Promise.resolve();
    yield new Uint8Array(0);
    for (let at = 0; at < bytes.length; at += blockBytes) yield bytes.subarray(at, at + blockBytes);
  }
  const result = await examineFile({
    file: {
      name: 'chunk-000000.000000',
      kind: 'backup',
      form: 'chunk',
      bytes: bytes.length,
      blocks,
      ...file
    },
    search: searchFor(subjects),
    owners: entryOwners(named, () => undefined),
    deletions: subjects.map(() => new StreamDeletions()),
    control: uncontrolled(),
    onBytes: () => undefined
  });
  const found = (result.found.get(0) ?? []).map(({ kind, what, count }) => `${count} ${what} (${kind})`);
  return { ...result, found, firstOffset: result.found.get(0)?.[0]?.firstOffset };
}

describe('records', () => {
  const redacted = PrepareFlag.data | PrepareFlag.isCommitted | PrepareFlag.isRedacted;

  test.each([
    [
      'data of 0xFF with the flag are redacted',
      new Uint8Array(4).fill(0xff),
      redacted,
      '1 redacted (backup)'
    ],
    ['the flag over other data proves nothing', '{}', redacted, '1 event (backup)'],
    [
      'data of 0xFF without the flag are an event',
      new Uint8Array(4).fill(0xff),
      undefined,
      '1 event (backup)'
    ]
  ])('%s', async (_name, data, flags, expected) => {
    const bytes = chunkBytes([{ stream: LONG, data, ...(flags === undefined ? {} : { flags }) }]);
    expect((await examined(bytes, { streams: [LONG] })).found).toEqual([expected]);
  });

  test('commits and records of the system that name an id or a stream mention it', async () => {
    const ticks = 638_000_000_000_000_000n;
    const bytes = chunkBytes([
      (position) =>
        encodeCommit({
          position,
          transactionPosition: 0,
          firstEventNumber: 0,
          correlationId: RECORD_ID,
          ticks
        }),
      (position) => encodeSystem({ position, ticks, data: Buffer.from(`{"of":"${LONG}"}`) })
    ]);
    expect((await examined(bytes, { eventIds: [RECORD_ID] })).found).toEqual(['1 mention (backup)']);
    expect((await examined(bytes, { streams: [LONG] })).found).toEqual(['1 mention (backup)']);
    expect((await examined(bytes, { categories: ['customer'] })).names.size).toBe(0);
  });

  test('a mention in UTF-16 counts whatever is beside it', async () => {
    const data = Buffer.from(`x${LONG}x`, 'utf16le');
    const { found } = await examined(chunkBytes([{ stream: 'audit', data }]), { streams: [LONG] });
    expect(found).toEqual(['1 mention (backup)']);
  });

  test('a longer name is no mention', async () => {
    const bytes = chunkBytes([{ stream: 'audit', data: `{"of":"${LONG}7"}` }]);
    expect((await examined(bytes, { streams: [LONG] })).found).toEqual([]);
  });

  test('a mention of a category ends where it will', async () => {
    const bytes = chunkBytes([{ stream: 'audit', data: `{"of":"${LONG}","not":"my-${LONG}"}` }]);
    const { found, names } = await examined(bytes, { categories: ['customer'] });
    expect(found).toEqual(['1 mention (backup)']);
    expect(names.size).toBe(0);
  });

  test('what is whole by its frame and no record is searched as bytes', async () => {
    const nonsense = (position: number) => {
      const payload = encodeSystem({
        position,
        ticks: 0n,
        data: Buffer.from(`${LONG} and forty more bytes of no meaning`)
      });
      payload[0] = 0; // a prepare, whose lengths then contradict the frame
      return payload;
    };
    const { found, gaps } = await examined(chunkBytes([nonsense]), { streams: [LONG] });
    expect(found).toEqual(['1 bytes (backup)']);
    expect(gaps).toEqual([]);
  });
});

describe('a completed chunk', () => {
  const chunk = chunkBytes([{ stream: 'other' }]);
  const map = Buffer.concat([Buffer.from(SHORT), Buffer.alloc(8)]);
  const longMap = Buffer.concat([Buffer.from(LONG), Buffer.alloc(1)]);
  const md5 = Buffer.concat([Buffer.alloc(4), Buffer.from(SHORT), Buffer.alloc(8)]);
  const padding = Buffer.concat([Buffer.alloc(100), Buffer.from(SHORT), Buffer.alloc(20)]);

  test.each([
    ['a short name in its map occurs there at random', completed(chunk, { map }), SHORT, [], 0],
    ['a short name in its hash does so too', completed(chunk, { md5 }), SHORT, [], 0],
    ['a long name in its map counts', completed(chunk, { map: longMap }), LONG, ['1 bytes (backup)'], 0],
    [
      'a short name between map and footer counts',
      completed(chunk, { map, padding }),
      SHORT,
      ['1 bytes (backup)'],
      1
    ],
    [
      'a short name after it counts',
      Buffer.concat([completed(chunk), padding]),
      SHORT,
      ['1 bytes (backup)'],
      1
    ]
  ])('%s', async (_name, bytes, name, expected, gapCount) => {
    const { found, gaps } = await examined(bytes, { streams: [name] });
    expect(found).toEqual(expected);
    expect(gaps).toHaveLength(gapCount);
  });

  test('a footer that does not begin where its records end is that of another state: nothing of it is passed over', async () => {
    const records = chunkBytes([{ stream: 'other' }, { stream: 'other' }]);
    const torn = Buffer.from(completed(records, { map }));
    torn.fill(0, chunk.length, records.length);
    const { found, gaps } = await examined(torn, { streams: [SHORT] });
    expect(found).toEqual(['1 bytes (backup)']);
    expect(gaps).toHaveLength(1);
  });

  test('remains far before its end are told with their place', async () => {
    const remains = Buffer.from('what a record has left');
    const bytes = Buffer.concat([chunk, remains, Buffer.alloc(20_000)]);
    const { gaps } = await examined(bytes, { streams: [SHORT] });
    expect(gaps).toEqual([
      `${remains.length} bytes from offset ${chunk.length} on belong to no complete record; they may be the remains of any event.`
    ]);
  });
});

describe('a chunk of another kind', () => {
  test('is told as encrypted, with the kind of its encryption', async () => {
    const bytes = chunkBytes([{ stream: 'other' }], 1);
    expect((await examined(bytes, { streams: [LONG] })).gaps).toEqual([
      'Its records are encrypted (AES-GCM, type 1).'
    ]);
  });

  test('that is shorter than header and footer is searched to its end', async () => {
    const bytes = chunkBytes([{ stream: LONG }]).subarray(0, 200);
    const { found, gaps } = await examined(bytes, { streams: [LONG] });
    expect(found).toEqual(['1 bytes (backup)']);
    expect(gaps).toEqual([expect.stringContaining('bytes from offset 128 on belong to no complete record')]);
  });

  test('without a header that can be one is told of from its first byte', async () => {
    const bytes = chunkBytes([{ stream: LONG }]);
    bytes[0] = 9;
    const { found, gaps } = await examined(bytes, { streams: [LONG] });
    expect(found).toEqual(['1 event (backup)']);
    expect(gaps).toEqual([expect.stringContaining('bytes from offset 0 on belong to no complete record')]);
  });

  test('without any bytes is empty, and nothing is wrong with it', async () => {
    const { found, gaps, bytes, sha256 } = await examined(new Uint8Array(0), { streams: [LONG] });
    expect({ found, gaps, bytes }).toEqual({ found: [], gaps: [], bytes: 0 });
    expect(sha256).toBe(createHash('sha256').digest('hex'));
  });
});

test.each([
  ['a file that begins as SQLite does', 'letter', Buffer.from(`SQLite format 3\0 ${LONG}`), 'state'],
  ['a write-ahead log by its name', 'state.db-wal', Buffer.from(LONG), 'state'],
  ['a chunk under another name', 'letter', chunkBytes([{ stream: LONG }]), 'chunk'],
  ['anything else', 'letter', Buffer.from(LONG), 'unknown']
])('%s is known by what is in it', async (_name, name, bytes, form) => {
  const result = await examined(bytes, { streams: [LONG] }, { name, form: 'unknown', kind: 'other' });
  expect(result.form).toBe(form);
  expect(result.found).toHaveLength(1);
});

test('an id in the scavenge state counts as bytes: it is in no cell of a name', async () => {
  const id = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';
  const bytes = Buffer.from(`SQLite format 3\0 ${id}`);
  const { found } = await examined(bytes, { eventIds: [id] }, { form: 'state', kind: 'scavengeState' });
  expect(found).toEqual(['1 bytes (scavengeState)']);
});

describe('an index table', () => {
  const table = (version: 1 | 2 | 3 | 4, streams: readonly string[]) => {
    const size = entrySizeBytes(version) / 4;
    const words = new Uint32Array(streams.length * size);
    const sorted = streams
      .map((stream) => hashStream(stream))
      .sort((a, b) => b.high - a.high || b.low - a.low);
    for (const [i, { high, low }] of sorted.entries()) {
      if (version > 1) encodeEntry(version, words, i * size, high, low, 0, 128 * i);
    }
    return Buffer.concat([encodeTableHeader(version), new Uint8Array(words.buffer), Buffer.alloc(16)]);
  };
  const asTable = { name: RECORD_ID, form: 'table' as const, kind: 'index' as const };
  const asked = { streams: [LONG] };

  test.each([2, 3] as const)('of version %i gives the entries of a stream', async (version) => {
    const bytes = table(version, ['other', LONG, `$$${LONG}`, 'more']);
    for (const blockBytes of [4096, 40]) {
      const { found, gaps } = await examined(bytes, asked, { ...asTable, blockBytes });
      expect(found).toEqual(['2 indexEntry (index)']);
      expect(gaps).toEqual([]);
    }
  });

  /** As the server writes it, midpoints included. */
  const written = (entries: readonly [stream: string, number: number, position: number][]): Buffer => {
    const memory = new MemoryFileSystem();
    memory.makeDirectory('/index');
    const rows = entries.map(([stream, number, position]): [string, number, number] => {
      const { high, low } = hashStream(stream);
      return [hashText(high, low), number, position];
    });
    writeIndexTable({ fileSystem: memory, directory: '/index', name: RECORD_ID }, sortedEntries(rows));
    return Buffer.from(readWholeFile(memory, `/index/${RECORD_ID}`)!);
  };

  test.each<[name: string, rows: [string, number, number][]]>([
    ['one entry', [[LONG, 0, 700]]],
    ['one entry, of the first record of the log', [[LONG, 0, 0]]],
    [
      'several numbers',
      [
        [LONG, 2, 900],
        [LONG, 1, 800],
        [LONG, 0, 0]
      ]
    ],
    [
      'one number, as streams that share a hash have it',
      [
        [LONG, 0, 900],
        [LONG, 0, 800],
        [LONG, 0, 0]
      ]
    ],
    [
      'another stream behind it',
      [
        [LONG, 0, 0],
        [BEHIND, 0, 0],
        [BEHIND, 0, 0]
      ]
    ]
  ])('with midpoints counts entries alone: %s', async (_name, rows) => {
    const count = rows.filter(([stream]) => stream === LONG).length;
    for (const blockBytes of [4096, 40]) {
      const { found, gaps, firstOffset } = await examined(written(rows), asked, { ...asTable, blockBytes });
      expect({ found, gaps, firstOffset }).toEqual({
        found: [`${count} indexEntry (index)`],
        gaps: [],
        firstOffset: 128
      });
    }
  });

  test('without an entry has none', async () => {
    expect(await examined(written([]), asked, asTable)).toMatchObject({ found: [], gaps: [] });
  });

  test.each<[name: string, change: (bytes: Buffer) => Buffer, problem: string]>([
    [
      'another footer',
      (bytes) => bytes.fill(7, bytes.length - 144, bytes.length - 143),
      'its footer is not that of an index table'
    ],
    [
      'too many midpoints',
      (bytes) => bytes.fill(9, bytes.length - 142, bytes.length - 141),
      'its length fits no whole number of entries'
    ],
    [
      'one midpoint less',
      (bytes) => bytes.fill(1, bytes.length - 142, bytes.length - 141),
      'its entries are out of order'
    ],
    [
      'entries whose numbers rise',
      (bytes) => bytes.fill(9, 128 + 24, 128 + 25),
      'its entries are out of order'
    ]
  ])('with midpoints and %s is told as not examined', async (_name, change, problem) => {
    const rows: [string, number, number][] = [
      [LONG, 1, 900],
      [LONG, 0, 800]
    ];
    const { gaps } = await examined(change(written(rows)), asked, asTable);
    expect(gaps).toEqual([`It cannot be read as an index table: ${problem}.`]);
  });

  test.each([
    ['that ends within its header', table(3, []).subarray(0, 100), 'it ends within its header'],
    ['of another type', table(3, [LONG]).fill(7, 0, 1), 'its header is not that of an index table'],
    ['of a later version', table(3, [LONG]).fill(9, 1, 2), 'its header is not that of an index table'],
    ['of version 1', table(1, [LONG]), 'version 1 holds only half of each hash']
  ])('%s is told as not examined', async (_name, bytes, problem) => {
    for (const blockBytes of [4096, 50]) {
      const { found, gaps } = await examined(bytes, asked, { ...asTable, blockBytes });
      expect(found).toEqual([]);
      expect(gaps).toEqual([`It cannot be read as an index table: ${problem}.`]);
    }
  });

  test('without a byte is no table that contradicts its format', async () => {
    expect((await examined(new Uint8Array(0), asked, asTable)).gaps).toEqual([]);
  });

  test('is searched for the name as well, unless that is so short that it occurs at random', async () => {
    const bytes = Buffer.concat([
      table(3, ['other']),
      Buffer.from(`${LONG} ab ${SHORT}`),
      Buffer.from(SHORT, 'utf16le')
    ]);
    expect((await examined(bytes, asked, asTable)).found).toEqual(['1 bytes (index)']);
    expect((await examined(bytes, { streams: [SHORT] }, asTable)).found).toEqual(['1 bytes (index)']);
    expect((await examined(bytes, { streams: ['ab'] }, asTable)).found).toEqual([]);
  });
});
