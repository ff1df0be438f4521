/** Whether streams are told apart by their hashes alone: from digests in memory, and from stored ones a piece at a time. */
import { describe, expect, it } from 'vitest';
import type { Chunk } from '../../../src-core/chunks/chunk.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import type { EventAppender } from '../../../src-core/database/event-appender.ts';
import { ChunkDigests } from '../../../src-core/digest/chunk-digests.ts';
import { decodeDigest, encodeDigest, findStreamColumns } from '../../../src-core/digest/digest-file.ts';
import { ImpliedStreams } from '../../../src-core/digest/implied-streams.ts';
import { PreparedHeads } from '../../../src-core/digest/prepared-heads.ts';
import { StoredStreams } from '../../../src-core/digest/stored-streams.ts';
import { StreamRun, type NamedHash } from '../../../src-core/digest/stream-run.ts';
import { hashStream } from '../../../src-core/index/stream-hash.ts';
import type { ApartReading } from '../../../src-core/log/log-reader.ts';
import { appendedLog, someEvents, type AppendedLog } from '../../support/appended-log.ts';
import { COLLIDING_ORDERS } from '../../support/colliding-names.ts';
import { guidsFrom } from '../../support/crash-database.ts';
import { Prng } from '../../support/prng.ts';

const CHUNK_BYTES = 8192;
const [ONE, OTHER] = COLLIDING_ORDERS;

/** Digests are in memory, or stored and read from there. */
async function preparedFor({ fileSystem, log }: AppendedLog, isStored: boolean) {
  const digests = new ChunkDigests({
    fileSystem,
    newGuid: guidsFrom(5),
    threads: 1,
    ...(isStored && { directory: '/kept', memoryBytes: 1 })
  });
  const heads = new PreparedHeads({ digests, fileSystem, operation: uncontrolled() });
  await heads.prepare(log.chunks);
  return { digests, heads };
}

function writeSome(appender: EventAppender, seed: number): void {
  const random = new Prng(seed);
  for (let i = 0; i < 120; i++) {
    const stream = `stream-${random.below(40)}`;
    const drawn = random.below(10);
    if (drawn < 6) appender.append(stream, someEvents(1, 100));
    else if (drawn < 9) appender.setMetadata(stream, '{"$maxCount":3}');
    else appender.append(`$$${stream}`, someEvents(1, 10));
  }
  appender.hardDelete('stream-1');
  appender.hardDelete('$$stream-2');
  appender.setMetadata('nobody-wrote-to-it', '{}');
}

function namesOf(run: NamedHash): string[] {
  const names: string[] = [];
  while (run.next()) {
    const name = Buffer.from(run.names.subarray(run.nameStart, run.nameEnd)).toString('utf8');
    expect({ high: run.high, low: run.low }).toEqual(hashStream(name));
    names.push(name);
  }
  return names;
}

/** Metadata and tombstones, as the log has them. */
function notableIn({ log }: AppendedLog) {
  const found: { position: number; [fact: string]: unknown }[] = [];
  const cursor = log.cursor();
  while (cursor.next()) {
    const { record } = cursor;
    if (record.kind !== 'prepare' || !(record.isMetastream || record.isTombstone)) continue;
    const { stream, position, isTombstone } = record;
    const about = isTombstone ? `$$${stream}` : stream.slice(2);
    found.push({ stream, position, isTombstone, own: hashStream(stream), about: hashStream(about) });
  }
  cursor.close();
  return found;
}

describe.each([false, true])('streams of digests that are stored: %s', (isStored) => {
  const told = (reading: ApartReading, chunk: Chunk, from: number, to: number) => {
    const found: unknown[] = [];
    const cursor = reading.notableOf(chunk, from, to)!;
    while (cursor.next()) {
      const { stream, position, isTombstone, streamHash: own } = cursor.record;
      found.push({ stream, position, isTombstone, own: { ...own }, about: { ...cursor.about } });
    }
    return found;
  };

  it.each([1, 2, 3])(
    'are apart, and metadata and deletions are told with their hashes (seed %i)',
    async (seed) => {
      const opened = appendedLog((after) => writeSome(after(-1), seed), CHUNK_BYTES);
      const { heads } = await preparedFor(opened, isStored);
      const { chunks } = opened.log;
      expect(chunks.length).toBeGreaterThan(2);
      const reading = heads.readApart(chunks);
      const all = notableIn(opened);
      const between = (from: number, to: number) =>
        all.filter(({ position }) => position >= from && position < to);
      // The answer may be asked for at any time, also of chunks that were not told of yet.
      for (const [i, chunk] of chunks.entries()) {
        const { startPosition: from, endPosition: to } = chunk;
        const middle = from + 4000;
        expect(told(reading, chunk, from, middle)).toEqual(between(from, middle));
        if (i === seed - 1) expect(await reading.areApart()).toBe(true);
        expect(told(reading, chunk, middle, to)).toEqual(between(middle, to));
      }
      expect(await reading.areApart()).toBe(true);
    }
  );

  it.each<[string, (appender: EventAppender) => void]>([
    [
      'two streams of one chunk',
      (appender) => {
        appender.append(ONE, someEvents(1));
        appender.append(OTHER, someEvents(1));
      }
    ],
    [
      'streams of two chunks',
      (appender) => {
        appender.append(ONE, someEvents(1));
        writeSome(appender, 5);
        appender.append(OTHER, someEvents(1));
      }
    ],
    [
      'a stream and one that only its metadata name',
      (appender) => {
        appender.append(ONE, someEvents(1));
        writeSome(appender, 6);
        appender.setMetadata(OTHER, '{"$maxCount":1}');
      }
    ],
    [
      'two that only their metadata name',
      (appender) => {
        appender.setMetadata(ONE, '{"$maxCount":1}');
        appender.setMetadata(OTHER, '{"$maxCount":1}');
      }
    ]
  ])('are not apart where %s share a hash', async (_, write) => {
    expect(hashStream(ONE)).toEqual(hashStream(OTHER));
    const opened = appendedLog((after) => write(after(-1)), CHUNK_BYTES);
    const { heads } = await preparedFor(opened, isStored);
    expect(await heads.readApart(opened.log.chunks).areApart()).toBe(false);
  });
});

describe('the streams of a digest', () => {
  async function someDigest() {
    const opened = appendedLog((after) => writeSome(after(-1), 8), 65_536);
    const { digests } = await preparedFor(opened, false);
    return digests.of(opened.log.chunks[0]!);
  }

  /** As they come from a file of these bytes. */
  function storedIn(file: Uint8Array, identity: string, most: number) {
    const read = (from: number, length: number) => new Uint8Array(file.slice(from, from + length));
    const places = findStreamColumns(read, identity);
    return places && new StoredStreams(places, most, (find) => find(read));
  }

  it('come in the order of their hashes, whole or in pieces', async () => {
    const digest = await someDigest();
    const whole = namesOf(StreamRun.ofDigest(digest));
    expect(whole).toEqual(
      Array.from({ length: digest.streamCount }, (_, ordinal) => digest.streamName(ordinal))
    );
    const file = Buffer.concat(encodeDigest(digest, 'it'));
    for (const most of [1, 2, 7, whole.length - 1, whole.length, 1000]) {
      const stored = storedIn(file, 'it', most)!;
      expect(stored.isSound).toBe(false);
      expect(namesOf(new StreamRun(() => stored.next()))).toEqual(whole);
      expect(stored.isSound).toBe(true);
    }
    expect(storedIn(file, 'another', 10)).toBeUndefined();
  });

  it('are never said to be sound when a byte of them is another, or missing', async () => {
    const digest = await someDigest();
    const file = Buffer.concat(encodeDigest(digest, 'it'));
    const whole = namesOf(StreamRun.ofDigest(digest));
    const isSound = (bytes: Uint8Array) => {
      const stored = storedIn(bytes, 'it', 16);
      if (!stored) return false;
      const run = new StreamRun(() => stored.next());
      const names: string[] = [];
      while (run.next()) names.push(Buffer.from(run.names.subarray(run.nameStart, run.nameEnd)).toString());
      if (stored.isSound) expect(names).toEqual(whole);
      return stored.isSound;
    };
    expect(isSound(file)).toBe(true);
    let unsound = 0;
    for (let at = 0; at < file.length; at++) {
      const flipped = Uint8Array.from(file);
      flipped[at]! ^= 1 << (at % 8);
      // A flipped byte outside of these columns is none of theirs.
      const isOfStreams = decodeDigest(flipped, 'it') === undefined && !isSound(flipped);
      unsound += isOfStreams ? 1 : 0;
      if (at % 50 === 0) isSound(file.subarray(0, at));
    }
    const { hashHigh, hashLow, nameEnds, names } = digest.columns;
    const bytes = [hashHigh, hashLow, nameEnds, names].reduce((sum, { byteLength }) => sum + byteLength, 0);
    expect(unsound).toBeGreaterThanOrEqual(bytes);
  });

  it('imply those that metadata are about, and the metastreams of deleted ones', async () => {
    const opened = appendedLog((after) => {
      const appender = after(-1);
      appender.append('plain', someEvents(1));
      appender.setMetadata('limited', '{"$maxCount":1}');
      appender.setMetadata('größer', '{"$maxCount":1}');
      appender.append('gone', someEvents(1));
      appender.hardDelete('gone');
      for (let i = 0; i < 30; i++) appender.setMetadata('limited', '{"$maxCount":1}');
    }, CHUNK_BYTES);
    const { digests } = await preparedFor(opened, false);
    const implied = new ImpliedStreams();
    for (const chunk of opened.log.chunks) implied.addOf(digests.of(chunk));
    const names = namesOf(implied.inOrder());
    expect(new Set(names)).toEqual(new Set(['limited', 'größer', '$$gone']));
    expect(names.filter((name) => name === 'limited').length).toBe(opened.log.chunks.length);
  });
});
