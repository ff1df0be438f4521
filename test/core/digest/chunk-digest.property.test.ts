/** A digest says of each record what the chunk says, over random logs; as a file it is whole or nothing. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { partsOf, type Chunk } from '../../../src-core/chunks/chunk.ts';
import { ChunkReader } from '../../../src-core/chunks/chunk-reader.ts';
import { openDatabase } from '../../../src-core/database/database.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { columnsOf, type ChunkDigest } from '../../../src-core/digest/chunk-digest.ts';
import { DigestCursor, DigestStreamCursor } from '../../../src-core/digest/digest-cursor.ts';
import { DigestNotableCursor } from '../../../src-core/digest/notable-cursor.ts';
import { DigestSweepCursor } from '../../../src-core/digest/sweep-cursor.ts';
import { decodeDigest, encodeDigest } from '../../../src-core/digest/digest-file.ts';
import { readDigestAtOnce, readDigests } from '../../../src-core/digest/read-digest.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import type { LogRecord } from '../../../src-core/records/log-record.ts';
import type { RecordHead } from '../../../src-core/records/record-head.ts';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { ticksFromHalves, ticksFromIso } from '../../../src-core/units/ticks.ts';
import { randomDatabase, removeRandomDatabases } from '../../campaign/random-database.ts';
import {
  scavengeEnvironment,
  scavengeRequest,
  temporaryDirectory
} from '../../support/scavenge-environment.ts';
import { seedList } from '../../support/seeds.ts';

const SEEDS = seedList(8);
const fileSystem = new NodeFileSystem();
const directories: string[] = [];
afterEach(() => {
  removeRandomDatabases();
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

function forEachChunk(dataDirectory: string, action: (chunk: Chunk) => void): void {
  const database = openDatabase({ fileSystem, dataDirectory });
  for (const chunk of database.log.chunks) action(chunk);
  database.close();
}

/** All that a head has; data where a digest keeps it. */
function factsOf(record: RecordHead, physicalOffset: number) {
  const { kind, version, position, length, flags, eventNumber, timeHigh, timeLow } = record;
  const common = { kind, version, position, length, flags, timeHigh, timeLow, physicalOffset };
  if (kind === 'system') return common;
  const inTransaction = kind === 'commit' || !record.isSelfCommitted;
  const { transactionPosition, transactionOffset } = record;
  const numbered = {
    ...common,
    eventNumber,
    ...(inTransaction && { transactionPosition, transactionOffset })
  };
  if (kind === 'commit') return numbered;
  const { stream, isMetastream, isTombstone, hasData, isSelfCommitted } = record;
  const data = isMetastream ? record.data.toString('hex') : undefined;
  return { ...numbered, stream, isMetastream, isTombstone, hasData, isSelfCommitted, data };
}

function recordsOf(chunk: Chunk): { facts: unknown; record: LogRecord }[] {
  const reader = new ChunkReader(fileSystem, chunk);
  const found: { facts: unknown; record: LogRecord }[] = [];
  for (const cursor = reader.cursor(); cursor.next();) {
    found.push({ facts: factsOf(cursor.record, cursor.physicalOffset), record: cursor.record });
  }
  reader.close();
  return found;
}

function headsOf(digest: ChunkDigest, from?: number): unknown[] {
  const found: unknown[] = [];
  const cursor = new DigestCursor(digest, from);
  while (cursor.next()) found.push(factsOf(cursor.record, cursor.physicalOffset));
  return found;
}

describe.each(SEEDS)('of a random log (seed %d)', (seed) => {
  it('says of each record what the chunk says', async () => {
    let transactions = 0;
    forEachChunk(await randomDatabase(seed), (chunk) => {
      const digest = readDigestAtOnce(fileSystem, chunk);
      const facts = recordsOf(chunk).map((one) => one.facts);
      expect(headsOf(digest)).toEqual(facts);
      transactions += digest.columns.inTransaction.length;
    });
    expect(transactions).toBeGreaterThan(0);
  });

  it('begins at any position, and lists the records of one stream', async () => {
    forEachChunk(await randomDatabase(seed), (chunk) => {
      const digest = readDigestAtOnce(fileSystem, chunk);
      const all = headsOf(digest) as { position: number; kind: string; stream?: string }[];
      for (const from of [0, chunk.startPosition + 1, all[Math.floor(all.length / 2)]?.position ?? 0]) {
        expect(headsOf(digest, from)).toEqual(all.filter(({ position }) => position >= from));
      }
      const streams = new Set(all.flatMap(({ kind, stream }) => (kind === 'prepare' ? [stream!] : [])));
      expect(digest.streamCount).toBe(streams.size);
      for (const stream of streams) {
        const cursor = new DigestStreamCursor(digest, stream);
        const found: unknown[] = [];
        while (cursor.next()) found.push(factsOf(cursor.record, cursor.physicalOffset));
        expect(found).toEqual(all.filter((one) => one.stream === stream));
      }
      expect(digest.streamOrdinal('no such stream')).toBe(-1);
      expect(new DigestStreamCursor(digest, 'no such stream').next()).toBe(false);
      const sweep = new DigestSweepCursor(digest);
      expect(sweep.streamCount).toBe(streams.size);
      const limits = new Float64Array(sweep.streamCount);
      const limitOf = new Map<string, number>();
      for (let ordinal = 0; ordinal < sweep.streamCount; ordinal++) {
        sweep.nameStream(ordinal);
        limits[ordinal] = [-Infinity, 2, Infinity][ordinal % 3]!;
        limitOf.set(sweep.record.stream, limits[ordinal]!);
      }
      const below: unknown[] = [];
      while (sweep.next(limits)) below.push(sweep.record.position);
      const wanted = (
        all as { position: number; eventNumber?: number; stream?: string; kind: string }[]
      ).filter(({ kind, stream, eventNumber }) => kind === 'prepare' && eventNumber! < limitOf.get(stream!)!);
      expect(below).toEqual(wanted.map(({ position }) => position));
    });
  });

  it('passes what accumulation has no use for, and knows the times of all', async () => {
    forEachChunk(await randomDatabase(seed), (chunk) => {
      const digest = readDigestAtOnce(fileSystem, chunk);
      const middle = digest.positionOf(Math.floor(digest.recordCount / 2));
      for (const [from, to] of [
        [0, Infinity],
        [middle, Infinity],
        [0, middle]
      ] as const) {
        const met = new Set<string>();
        const wanted: number[] = [];
        let least: bigint | undefined;
        let most: bigint | undefined;
        let prepares = 0;
        let last = -1;
        for (const cursor = new DigestCursor(digest, from); cursor.next();) {
          const { record } = cursor;
          if (record.position >= to) break;
          last = record.position;
          if (record.kind !== 'prepare') continue;
          prepares++;
          const { ticks, stream } = record;
          if (least === undefined || ticks < least) least = ticks;
          if (most === undefined || ticks > most) most = ticks;
          if (!met.has(stream) || record.isMetastream || record.isTombstone) wanted.push(record.position);
          met.add(stream);
        }
        const cursor = new DigestNotableCursor(digest, from, to);
        const found: number[] = [];
        while (cursor.next()) found.push(cursor.record.position);
        expect(found).toEqual(wanted);
        expect(cursor.passed).toBe(prepares - wanted.length);
        expect(cursor.lastPosition).toBe(last);
        const times = cursor.prepares;
        expect(times && ticksFromHalves(times.minHigh, times.minLow)).toBe(least);
        expect(times && ticksFromHalves(times.maxHigh, times.maxLow)).toBe(most);
      }
    });
  });

  it('is the same read alone, beside others with its hash, and from its file', async () => {
    const chunks: Chunk[] = [];
    forEachChunk(await randomDatabase(seed), (chunk) => chunks.push(chunk));
    const breathe = () => Promise.resolve();
    const settled = await readDigests(
      chunks.slice(0, 4).map((chunk) => ({ chunk: partsOf(chunk) })),
      { fileSystem, breathe, onBytes: () => undefined }
    );
    for (const [i, one] of settled.entries()) {
      if (one.status === 'rejected') throw one.reason;
      const [chunk, digest] = [chunks[i]!, one.value!];
      expect(digest.isHashed).toBe(chunk.footer !== null);
      expect(digest.columns).toEqual(readDigestAtOnce(fileSystem, chunk).columns);
      const file = Buffer.concat(encodeDigest(digest, 'its chunk'));
      const decoded = decodeDigest(ownBytes(file), 'its chunk');
      expect(decoded?.columns).toEqual(digest.columns);
      expect(decoded?.isHashed).toBe(digest.isHashed);
    }
  });
});

describe('the memory of a digest that was made', () => {
  it.each([1, 40, 513, 3000])('is little more than its size says, with %i records', (count) => {
    const directory = temporaryDirectory();
    directories.push(directory);
    const { newGuid } = scavengeEnvironment();
    const writer = LogWriter.create({ fileSystem, directory, chunkSizeBytes: 1024 * 1024, newGuid });
    const now = () => ticksFromIso('2026-01-01T00:00:00Z')!;
    const appender = new EventAppender({ writer, lastEventNumber: () => -1, now, newGuid });
    for (let i = 0; i < count; i++)
      appender.append(`stream-${i % 700}`, [{ eventType: 'made', data: Buffer.from('x') }]);
    writer.completeChunk();
    writer.close();
    forEachChunk(directory, (chunk) => {
      if (!chunk.isCompleted) return;
      const digest = readDigestAtOnce(fileSystem, chunk);
      const buffers = new Set<ArrayBufferLike>(columnsOf(digest).map(({ buffer }) => buffer));
      const bytes = [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0);
      expect(bytes).toBeGreaterThanOrEqual(digest.sizeBytes);
      expect(bytes).toBeLessThanOrEqual(digest.sizeBytes * 1.2 + 256);
    });
  });
});

describe('of a chunk with more of everything than there is room for at first', () => {
  it('says of each record what the chunk says, before a scavenge and after it', async () => {
    const home = temporaryDirectory();
    directories.push(home);
    const dataDirectory = join(home, 'db');
    mkdirSync(dataDirectory);
    const environment = scavengeEnvironment();
    const { newGuid } = environment;
    const chunkSizeBytes = 4 * 1024 * 1024;
    const writer = LogWriter.create({ fileSystem, directory: dataDirectory, chunkSizeBytes, newGuid });
    const now = () => ticksFromIso('2026-01-01T00:00:00Z')!;
    const appender = new EventAppender({ writer, newGuid, now, lastEventNumber: () => -1 });
    // Two events and metadata of each stream; half of the streams keep one event.
    for (let i = 0; i < 5000; i++) {
      const stream = `a-stream-with-a-name-of-its-own-${i}`;
      const metadata = JSON.stringify({ $maxCount: 1 + (i % 2), what: 'room'.repeat(10) });
      appender.append(`$$${stream}`, [{ eventType: '$metadata', data: Buffer.from(metadata) }]);
      const event = { eventType: `type-${i}`, data: Buffer.alloc(0) };
      appender.append(stream, [event, event]);
    }
    writer.completeChunk();
    writer.close();
    const request = scavengeRequest(dataDirectory, {
      scavengePoint: 'detached',
      winnowHome: join(home, 'winnow')
    });
    let counts: number[] = [];
    for (const isScavenged of [false, true]) {
      counts = [];
      if (isScavenged) await runScavenge(request, environment);
      forEachChunk(dataDirectory, (chunk) => {
        const digest = readDigestAtOnce(fileSystem, chunk);
        expect(headsOf(digest)).toEqual(recordsOf(chunk).map((one) => one.facts));
        counts.push(digest.recordCount);
      });
      expect(counts[0]).toBe(isScavenged ? 12_500 : 15_000);
    }
  });
});

describe('the file of a digest', () => {
  it('is nothing once any bit of it differs, it is cut, or it is that of another chunk', async () => {
    let chunk: Chunk | undefined;
    forEachChunk(await randomDatabase(2), (one) => (chunk ??= one));
    const bytes = ownBytes(Buffer.concat(encodeDigest(readDigestAtOnce(fileSystem, chunk!), 'its chunk')));
    const whole = decodeDigest(bytes, 'its chunk')!;
    expect(decodeDigest(bytes, 'another chunk')).toBeUndefined();
    for (let at = 0; at < bytes.length; at += 8) {
      expect(decodeDigest(bytes.slice(0, at), 'its chunk'), `cut at ${at}`).toBeUndefined();
    }
    let padding = 0;
    for (let at = 0; at < bytes.length; at++) {
      const flipped = bytes.slice();
      flipped[at]! ^= 1 << (at % 8);
      const decoded = decodeDigest(flipped, 'its chunk');
      if (!decoded) continue;
      // Between columns lie bytes that mean nothing.
      expect(decoded.columns, `flipped at ${at}`).toEqual(whole.columns);
      padding++;
    }
    expect(padding).toBeLessThan(8 * 24);
  });
});

function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
