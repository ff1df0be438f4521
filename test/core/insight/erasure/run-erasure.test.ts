/** The report over many files: verdicts, remedies, and what keeps it from being complete. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase, type Database } from '../../../../src-core/database/database.ts';
import { uncontrolled } from '../../../../src-core/database/operation-control.ts';
import { logCorrupt } from '../../../../src-core/errors.ts';
import { encodeEntry, encodeTableHeader } from '../../../../src-core/index/index-table.ts';
import { hashStream } from '../../../../src-core/index/stream-hash.ts';
import type { ErasureFile } from '../../../../src-core/insight/erasure/erasure-file.ts';
import type { ErasureQuestion } from '../../../../src-core/insight/erasure/erasure-question.ts';
import { runErasure } from '../../../../src-core/insight/erasure/run-erasure.ts';
import { PrepareFlag } from '../../../../src-core/records/log-record.ts';
import { chunkBytes } from '../../../support/chunk-bytes.ts';
import { MemoryFileSystem } from '../../../support/memory-file-system.ts';
import { writeSmallDatabase } from '../../../support/restore-fixture.ts';

const DATA = '/db';
const STREAM = 'customer-42';
const TOMBSTONE = { stream: STREAM, data: '', flags: PrepareFlag.streamDelete | PrepareFlag.isCommitted };
const SOFT = { stream: `$$${STREAM}`, data: '{"$tb":9223372036854775807}' };

let database: Database;

beforeEach(async () => {
  const fileSystem = new MemoryFileSystem();
  await writeSmallDatabase(fileSystem, DATA, { sizeBytes: 20_000 });
  database = openDatabase({ fileSystem, dataDirectory: DATA });
});

afterEach(() => database.close());

function fileOf(name: string, bytes: Uint8Array, change: Partial<ErasureFile> = {}): ErasureFile {
  async function* blocks() {
    await Promise.resolve();
    yield bytes;
  }
  return { name, kind: 'log', form: 'chunk', bytes: bytes.length, blocks, ...change };
}

function report(files: readonly ErasureFile[], asked: Partial<ErasureQuestion> = { streams: [STREAM] }) {
  return runErasure({
    database,
    question: { streams: [], categories: [], eventIds: [], ...asked },
    files,
    notExamined: [],
    control: uncontrolled()
  });
}

async function remedyOfEvents(files: readonly ErasureFile[], asked?: Partial<ErasureQuestion>) {
  const { streams } = await report(files, asked);
  return streams[0]!.places.find(({ kind, what }) => kind === 'log' && what === 'event')?.remedy;
}

describe('how a stream was deleted decides the remedy for its events', () => {
  const events = fileOf('chunk-000000.000000', chunkBytes([{ stream: STREAM }]));
  const later = (records: Parameters<typeof chunkBytes>[0], change: Partial<ErasureFile> = {}) =>
    fileOf('chunk-000001.000000', chunkBytes(records), change);

  test.each([
    ['not at all', [], /^Hard-delete the stream \(tombstone\), then run/],
    ['softly', [SOFT], /^A soft-deleted stream keeps its last event/],
    ['for good', [TOMBSTONE], /^The stream is deleted; run/],
    ['softly, then for good', [SOFT, TOMBSTONE], /^The stream is deleted; run/],
    ['softly, then used again', [SOFT, { ...SOFT, data: '{"$tb":5}' }], /^Hard-delete the stream/]
  ])('%s', async (_name, records, words) => {
    expect(await remedyOfEvents([events, later(records)])).toMatch(words);
  });

  test.each(['supersededChunk', 'backup', 'other'] as const)(
    'but not as a file of the kind %s says',
    async (kind) => {
      const files = [events, later([TOMBSTONE], { kind })];
      expect(await remedyOfEvents(files)).toMatch(/^Hard-delete the stream \(tombstone\), then run/);
    }
  );

  test('but not as a tombstone after the end of the log says: a truncation has removed it', async () => {
    const bytes = chunkBytes([{ stream: STREAM }, TOMBSTONE]);
    const dataEnd = chunkBytes([{ stream: STREAM }]).length;
    for (const records of [TOMBSTONE, SOFT]) {
      const cut = fileOf('chunk-000000.000000', chunkBytes([{ stream: STREAM }, records]), { dataEnd });
      expect(await remedyOfEvents([cut])).toMatch(/^Hard-delete the stream \(tombstone\), then run/);
    }
    const whole = fileOf('chunk-000000.000000', bytes, { dataEnd: bytes.length });
    expect(await remedyOfEvents([whole])).toMatch(/^The stream is deleted; run/);
  });

  test.each([
    [
      'all deleted for good',
      [TOMBSTONE, { ...TOMBSTONE, stream: 'customer-43' }],
      /^The stream is deleted; run/
    ],
    ['one of them softly', [TOMBSTONE, { ...SOFT, stream: '$$customer-43' }], /^A soft-deleted stream keeps/],
    ['only one of them', [TOMBSTONE], /^Hard-delete the stream/]
  ])('of a category by its streams: %s', async (_name, records, words) => {
    const both = fileOf('chunk-000000.000000', chunkBytes([{ stream: STREAM }, { stream: 'customer-43' }]));
    expect(await remedyOfEvents([both, later(records)], { categories: ['customer'] })).toMatch(words);
  });
});

describe('a report is not complete', () => {
  test('where a file cannot be read to its end, which is then not hashed', async () => {
    const broken = fileOf('chunk-000000.000000', new Uint8Array(0));
    broken.blocks = async function* () {
      await Promise.resolve();
      yield chunkBytes([{ stream: STREAM }]);
      throw logCorrupt('The object ends before its data do.', { file: broken.name });
    };
    const { complete, notExamined, files, streams } = await report([broken]);
    expect(complete).toBe(false);
    expect(notExamined).toEqual([{ place: broken.name, why: 'The object ends before its data do.' }]);
    expect(files).toEqual([]);
    expect(streams[0]).toMatchObject({ erased: false, places: [{ what: 'event', records: 1 }] });
  });

  test('where a file is not a known part of a database', async () => {
    const notReadable = 'Nobody knows what it is.';
    const letter = fileOf('letter', Buffer.from('dear'), { kind: 'other', form: 'unknown', notReadable });
    const { complete, notExamined, files } = await report([letter]);
    expect(complete).toBe(false);
    expect(notExamined).toEqual([{ place: 'letter', why: notReadable }]);
    expect(files).toMatchObject([{ file: 'letter', bytes: 4 }]);
  });

  test('where a name is so long that the scavenge state may have split it', async () => {
    const state = fileOf('scavenging.db', Buffer.from('SQLite format 3\0'), {
      kind: 'scavengeState',
      form: 'state'
    });
    const files = [state, fileOf('chunk-000000.000000', chunkBytes([]))];
    const { notExamined } = await report(files, { streams: ['s'.repeat(401)] });
    expect(notExamined).toEqual([
      { place: 'scavenging.db', why: expect.stringMatching(/more than 400 bytes/) as string }
    ]);
    expect((await report(files, { streams: ['s'.repeat(400)] })).complete).toBe(true);
  });
});

describe('an entry of the index', () => {
  const table = (stream: string, position: number) => {
    const { high, low } = hashStream(stream);
    const words = new Uint32Array(6);
    encodeEntry(3, words, 0, high, low, 0, position);
    const bytes = Buffer.concat([encodeTableHeader(3), new Uint8Array(words.buffer), Buffer.alloc(16)]);
    return fileOf('index/11111111-2222-4333-8444-555555555555', bytes, { kind: 'index', form: 'table' });
  };
  const found = async (position: number) => {
    const { streams } = await report([table(STREAM, position)]);
    return streams[0]!.places.map(({ what, records }) => `${records} ${what}`);
  };

  test('does not count where the record at its position is of another stream', async () => {
    const position = database.log.findBackward(database.log.end, ({ kind }) => kind === 'prepare')!.position;
    expect(await found(position)).toEqual([]);
  });

  test.each([
    [
      'of the system',
      () => database.log.findBackward(database.log.end, ({ kind }) => kind === 'system')!.position
    ],
    ['that cannot be read', () => 1],
    ['that is not there', () => database.log.end]
  ])('counts where its position holds a record %s', async (_name, position) => {
    expect(await found(position())).toEqual(['1 indexEntry']);
  });
});

test('files are listed by name, each with its hash, and a bloom filter is noted', async () => {
  const filter = fileOf('a.bloomfilter', new Uint8Array(3), { kind: 'index', form: 'numbers' });
  const names = ['c', 'a', 'b'].map((name) => fileOf(name, chunkBytes([])));
  const { files, notes, complete } = await report([...names, filter]);
  expect(files.map(({ file }) => file)).toEqual(['a', 'a.bloomfilter', 'b', 'c']);
  expect(notes.map(({ place }) => place)).toEqual(['outside these directories', 'bloom filters']);
  expect(complete).toBe(true);
});
