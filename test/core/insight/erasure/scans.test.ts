/** The searches of an erasure report: names against longer names, cuts between blocks, cells of SQLite, remains. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { CHUNK_HEADER_LENGTH } from '../../../../src-core/chunks/chunk-header.ts';
import { uncontrolled } from '../../../../src-core/database/operation-control.ts';
import { EngineError } from '../../../../src-core/errors.ts';
import { classifyRecord } from '../../../../src-core/insight/erasure/classify-record.ts';
import { ChunkScan } from '../../../../src-core/insight/erasure/chunk-scan.ts';
import { entryOwners } from '../../../../src-core/insight/erasure/entry-owners.ts';
import { examineFile, searchFor } from '../../../../src-core/insight/erasure/examine-file.ts';
import { patternsOf, subjectsOf } from '../../../../src-core/insight/erasure/erasure-question.ts';
import { PatternSearch } from '../../../../src-core/insight/erasure/search-bytes.ts';
import { RawScan } from '../../../../src-core/insight/erasure/raw-scan.ts';
import { StreamDeletions } from '../../../../src-core/insight/erasure/stream-deletions.ts';
import { PrepareFlag } from '../../../../src-core/records/log-record.ts';
import { chunkBytes } from '../../../support/chunk-bytes.ts';
import { Prng } from '../../../support/prng.ts';

interface Asked {
  streams?: string[];
  categories?: string[];
  eventIds?: string[];
}

/** What a scan tells, fed in blocks of a size. */
function scan(bytes: Buffer, asked: Asked, blockBytes = bytes.length) {
  const subjects = subjectsOf({ streams: [], categories: [], eventIds: [], ...asked });
  const told: string[] = [];
  const chunk = new ChunkScan(new PatternSearch(patternsOf(subjects)), {
    onRecord: (record, hits, offset) => {
      const what = classifyRecord(record, subjects[0]!, hits);
      if (what !== undefined) told.push(`${what} at ${offset}`);
    },
    onBytes: (_pattern, offset) => told.push(`bytes at ${offset}`)
  });
  for (let at = 0; at < bytes.length; at += blockBytes) chunk.feed(bytes.subarray(at, at + blockBytes));
  chunk.finish();
  return { told, unclaimed: chunk.unclaimed, recordsEnd: chunk.recordsEnd };
}

const kinds = (bytes: Buffer, asked: Asked) => scan(bytes, asked).told.map((line) => line.split(' ')[0]);

describe('records', () => {
  it('tells events, metadata, tombstone, links and mentions of a stream apart, and longer names from it', () => {
    const bytes = chunkBytes([
      { stream: 'order-1', data: '{"a":1}' },
      { stream: 'order-12', data: '{"a":1}' },
      { stream: '$$order-1', data: '{"$maxCount":3}' },
      { stream: '$$order-12', data: '{}' },
      { stream: '$ce-order', data: '0@order-1' },
      { stream: '$ce-order', data: '0@order-12' },
      { stream: 'audit', data: '{"of":"order-1"}' },
      { stream: 'audit', data: '{"of":"order-12","and":"my-order-1","or":"order-1-old"}' },
      { stream: 'audit', data: '{"note":"first\\norder-1"}' },
      { stream: 'audit', metadata: '{"$causedBy":"order-1"}' },
      { stream: '$persistentsubscription-order-1::group-parked' },
      { stream: 'order-1', flags: PrepareFlag.streamDelete | PrepareFlag.isCommitted, data: '' }
    ]);
    expect(kinds(bytes, { streams: ['order-1'] })).toEqual([
      'event',
      'metadata',
      'link',
      'mention',
      'mention',
      'mention',
      'mention',
      'tombstone'
    ]);
  });

  it.each(['0', '9', 'A', 'Z', 'a', 'z', '_', '-', 'é'])(
    'tells a name from a longer one that has "%s" before or after it',
    (letter) => {
      const mentions = (text: string) =>
        kinds(chunkBytes([{ stream: 'audit', data: text }]), { streams: ['order-1'] });
      expect(mentions(`{"of":"order-1${letter}"}`)).toEqual([]);
      expect(mentions(`{"of":"${letter}order-1"}`)).toEqual([]);
    }
  );

  it.each(['/', ':', '@', '[', '`', '{', '.', ' '])(
    'finds a name that has "%s" before and after it',
    (sign) => {
      const bytes = chunkBytes([{ stream: 'audit', data: `{"of":"x${sign}order-1${sign}x"}` }]);
      expect(kinds(bytes, { streams: ['order-1'] })).toEqual(['mention']);
    }
  );

  it('counts a name in binary data whatever stands beside it', () => {
    const bytes = chunkBytes([{ stream: 'audit', data: '\u0000order-12' }]);
    expect(kinds(bytes, { streams: ['order-1'] })).toEqual(['mention']);
  });

  it('finds names that JSON wrote with escapes', () => {
    const bytes = chunkBytes([{ stream: 'audit', data: '{"of":"m\\u00fcller \\"x\\""}' }]);
    expect(kinds(bytes, { streams: ['müller "x"'] })).toEqual(['mention']);
  });

  it('finds all streams of a category and nothing that only ends like it', () => {
    const bytes = chunkBytes([
      { stream: 'order-1' },
      { stream: '$$order-2' },
      { stream: 'reorder-1' },
      { stream: 'order' },
      { stream: '$ce-order', data: '7@order-3' }
    ]);
    expect(kinds(bytes, { categories: ['order'] })).toEqual(['event', 'metadata', 'link']);
  });

  it('finds an event by its id, in records, and as text in others', () => {
    const id = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';
    const bytes = chunkBytes([
      { stream: 'a', eventId: id },
      { stream: 'a', data: `{"of":"${id.toUpperCase()}"}` },
      { stream: 'a' }
    ]);
    expect(kinds(bytes, { eventIds: [id] })).toEqual(['event', 'mention']);
  });
});

describe('the walk', () => {
  const random = new Prng(11);
  const records = Array.from({ length: 60 }, (_, i) => ({
    stream: i % 7 === 0 ? 'person-1' : `person-1${i}`,
    data: JSON.stringify({ text: 'y'.repeat(random.below(400)) })
  }));
  const whole = chunkBytes(records);
  /** Whole records, a piece of one, zeros, whole records again (their heads say another place), a name alone. */
  const torn = Buffer.concat([
    whole,
    whole.subarray(150, 200),
    Buffer.alloc(70_000),
    whole.subarray(128),
    Buffer.from('...person-1...')
  ]);

  it.each([1, 7, 100, 4096, 65_536])('says the same whatever the blocks, here of %i bytes', (blockBytes) => {
    const part = blockBytes < 7 ? torn.subarray(0, 6000) : torn;
    expect(scan(part, { streams: ['person-1'] }, blockBytes)).toEqual(scan(part, { streams: ['person-1'] }));
  });

  it('finds records behind a torn one and behind zeros, and names that belong to none', () => {
    const { told, unclaimed, recordsEnd } = scan(torn, { streams: ['person-1'] });
    expect(told.filter((line) => line.startsWith('event'))).toHaveLength(2 * Math.ceil(60 / 7));
    expect(told.at(-1)).toBe(`bytes at ${torn.length - 11}`);
    expect(recordsEnd).toBe(whole.length);
    expect(unclaimed[0]!.from).toBeGreaterThanOrEqual(whole.length);
    expect(unclaimed[0]!.end).toBeLessThanOrEqual(whole.length + 50);
  });

  it.each([
    ['type', 4, 3],
    ['version', 5, 2]
  ])('takes what has a length at both ends, but a %s that no record has, for bytes', (_, at, value) => {
    const position = whole.length - CHUNK_HEADER_LENGTH;
    const [record] = [chunkBytes([{ stream: 'person-1' }]).subarray(CHUNK_HEADER_LENGTH)].map((one) =>
      Buffer.from(one)
    );
    record!.writeBigInt64LE(BigInt(position), 6);
    const place = whole.length + record!.indexOf('person-1');
    const told = () => scan(Buffer.concat([whole, record!]), { streams: ['person-1'] });
    expect(told().told.at(-1)).toBe(`event at ${whole.length}`);
    expect(told().recordsEnd).toBe(whole.length + record!.length);
    record![at] = value;
    expect(told().told.at(-1)).toBe(`bytes at ${place}`);
    expect(told().recordsEnd).toBe(whole.length);
  });

  it('calls nothing unclaimed in a file of whole records and zeros', () => {
    expect(scan(Buffer.concat([whole, Buffer.alloc(5000)]), { streams: ['x'] }).unclaimed).toEqual([]);
  });
});

describe('a file that cannot be read to its end', () => {
  it('is told of, with what was found until then', async () => {
    const bytes = chunkBytes([{ stream: 'order-1' }, { stream: 'order-2' }]);
    async function* blocks() {
      yield bytes.subarray(0, 300);
      await Promise.resolve();
      throw new EngineError({ code: 'StorageFailed', message: 'The disk says no.', remedy: '' });
    }
    const examined = await examineFile({
      file: { name: 'chunk-000000.000000', kind: 'backup', form: 'chunk', bytes: bytes.length, blocks },
      search: searchFor([{ asked: 'stream', name: 'order-1' }]),
      owners: entryOwners([], () => undefined),
      deletions: [new StreamDeletions()],
      control: uncontrolled(),
      onBytes: () => undefined
    });
    expect(examined.failure).toBe('The disk says no.');
    expect(examined.found.get(0)).toEqual([{ kind: 'backup', what: 'event', count: 1, firstOffset: 128 }]);
  });
});

describe('the search', () => {
  it('finds what a search for each pattern alone finds', () => {
    const random = new Prng(5);
    const text = (length: number) => Array.from({ length }, () => random.pick(['a', 'b', 'c'])).join('');
    for (let round = 0; round < 200; round++) {
      const bytes = Buffer.from(text(300));
      const names = Array.from({ length: 1 + random.below(6) }, () => text(1 + random.below(8)));
      const patterns = patternsOf(subjectsOf({ streams: names, categories: [], eventIds: [] }));
      const from = random.below(20);
      const expected = patterns.flatMap((pattern) => {
        const places: string[] = [];
        for (let at = from; at + pattern.bytes.length <= bytes.length; at++) {
          if (bytes.subarray(at, at + pattern.bytes.length).equals(pattern.bytes)) {
            places.push(`${patterns.indexOf(pattern)} at ${at}`);
          }
        }
        return places;
      });
      const found = new PatternSearch(patterns).find(bytes, from);
      expect(found.map(({ pattern, at }) => `${patterns.indexOf(pattern)} at ${at}`).sort()).toEqual(
        expected.sort()
      );
      expect(found.map(({ at }) => at)).toEqual(found.map(({ at }) => at).sort((a, b) => a - b));
    }
  });
});

describe('the scavenge state', () => {
  it('finds names in tables and free pages, and leaves out longer names', () => {
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-state-'));
    const file = path.join(directory, 'scavenging.db');
    try {
      const database = new DatabaseSync(file);
      database.exec('CREATE TABLE HashUsers (key INT PRIMARY KEY, value TEXT NOT NULL)');
      database.exec('CREATE TABLE HashCollisions (key TEXT PRIMARY KEY)');
      const add = database.prepare('INSERT INTO HashUsers VALUES (?, ?)');
      for (let i = 0; i < 400; i++) add.run(BigInt(i) << 40n, `order-1${i}`);
      expect(namesIn(file, 'order-1')).toEqual([]);
      add.run(77n, 'order-1');
      add.run(78n, '$$order-1');
      database.exec(`INSERT INTO HashCollisions VALUES ('order-1')`);
      expect(namesIn(file, 'order-1').length).toBeGreaterThanOrEqual(3);
      database.exec(`DELETE FROM HashUsers WHERE key = 77; DELETE FROM HashCollisions`);
      database.close();
      expect(fs.readFileSync(file).includes('order-1')).toBe(true);
      expect(namesIn(file, 'order-1').length).toBeGreaterThanOrEqual(2);
    } finally {
      fs.rmSync(directory, { recursive: true, force: true });
    }
  });

  it.each([20, 57, 58, 59, 200, 2000])(
    'tells a name of %i letters from one that is a letter longer',
    (length) => {
      const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-state-'));
      const file = path.join(directory, 'scavenging.db');
      const name = `order-${'x'.repeat(length - 6)}`;
      try {
        const database = new DatabaseSync(file);
        database.exec('CREATE TABLE HashUsers (key INT PRIMARY KEY, value TEXT NOT NULL)');
        const add = database.prepare('INSERT INTO HashUsers VALUES (?, ?)');
        add.run(1n, `${name}x`);
        expect(namesIn(file, name)).toEqual([]);
        add.run(2n, name);
        database.close();
        expect(namesIn(file, name)).toHaveLength(1);
      } finally {
        fs.rmSync(directory, { recursive: true, force: true });
      }
    }
  );
});

function namesIn(file: string, stream: string): number[] {
  const subjects = subjectsOf({ streams: [stream], categories: [], eventIds: [] });
  const found: number[] = [];
  const raw = new RawScan({
    subjects,
    search: new PatternSearch(patternsOf(subjects)),
    isState: true,
    onFound: (_subject, offset) => found.push(offset)
  });
  const bytes = fs.readFileSync(file);
  for (let at = 0; at < bytes.length; at += 5000) raw.feed(bytes.subarray(at, at + 5000));
  raw.finish();
  return found;
}
