/** The log of every golden database: records and chunks as the server reports them, reads as it answers them. */
import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../src-core/database/database.ts';
import { uncontrolled } from '../../src-core/database/operation-control.ts';
import { readStreamForward } from '../../src-core/index/read-stream.ts';
import type { StreamIndex } from '../../src-core/index/stream-index.ts';
import { FRAME_LENGTH, type LogRecord } from '../../src-core/records/log-record.ts';
import { NodeFileSystem } from '../../src-core/storage/node-file-system.ts';
import { eventNumberToBigInt } from '../../src-core/units/event-number.ts';
import { ticksFromIso, ticksToIso } from '../../src-core/units/ticks.ts';
import { expectedOf, goldenFolders, goldenNames, removeUnpacked, unpackDatabase } from '../support/golden.ts';
import type { ExpectedChunk, ExpectedRecord, ExpectedStream } from '../support/golden-expectations.ts';

const fileSystem = new NodeFileSystem();
afterEach(removeUnpacked);

/** Stories with one folder and one expectation each; the damaged and half-made ones have tests of their own. */
const databases = goldenNames()
  .filter((name) => !/^(damaged|truncate-(?!middle|chunk|inside)|old-ptables|scavdb|http|locks)/.test(name))
  .flatMap((name) => goldenFolders(name).map((folder) => ({ name, folder })))
  .filter(({ name, folder }) => hasExpectation(name, folder));

function hasExpectation(name: string, folder: string): boolean {
  try {
    expectedOf(name, folder);
    return true;
  } catch {
    return false; // a backup, or a second rebuild: the story says nothing of it
  }
}

function open(name: string, folder: string): Database {
  return openDatabase({ fileSystem, dataDirectory: unpackDatabase({ name, folder }) });
}

const exact = (value: number | bigint | null | undefined) =>
  value === null || value === undefined ? value : BigInt(value);
const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** The record in the words of the expectation, with the members it has. */
function described(record: LogRecord, wanted: ExpectedRecord): Record<string, unknown> {
  const isPrepare = record.kind === 'prepare';
  const all: Record<string, unknown> = {
    type: { prepare: 'Prepare', commit: 'Commit', system: 'System' }[record.kind],
    v: record.version,
    pos: record.position,
    len: record.length,
    ts: ticksToIso(record.ticks).slice(0, -1),
    txPos: record.transactionPosition,
    txOff: record.transactionOffset,
    correlationId: record.kind === 'system' ? undefined : record.correlationId,
    stream: isPrepare ? record.stream : undefined,
    eventId: isPrepare ? record.eventId : undefined,
    eventType: isPrepare ? record.eventType : undefined,
    flags: record.flags,
    dataLen: record.dataLength,
    dataSha256: isPrepare ? hash(record.data) : undefined,
    metaLen: record.metadataLength,
    metaSha256: isPrepare ? hash(record.metadata) : undefined
  };
  return Object.fromEntries(
    Object.keys(all).map((key) => [key, wanted[key as keyof ExpectedRecord] == null ? undefined : all[key]])
  );
}

const MEMBERS = [
  'type v pos len ts txPos txOff correlationId stream eventId eventType flags dataLen dataSha256 metaLen metaSha256'
].flatMap((names) => names.split(' ')) as (keyof ExpectedRecord)[];

describe.each(databases)('$name/$folder', ({ name, folder }) => {
  const expected = expectedOf(name, folder);
  /** The current engine's stories count the frame in a record's length. */
  const isCurrent = 'engine' in expected;

  it('has the records, chunks and checkpoints that the server reports', () => {
    const database = open(name, folder);
    try {
      const cursor = database.log.cursor();
      let count = 0;
      const perChunk = new Map<string, number>();
      while (cursor.next()) {
        const wanted = expected.records[count++]!;
        const members: Record<string, unknown> = Object.fromEntries(
          MEMBERS.map((key) => [key, wanted[key] ?? undefined])
        );
        if (wanted.ts)
          members['ts'] = ticksToIso(ticksFromIso(`${wanted.ts.replace(/Z$/, '')}Z`)!).slice(0, -1);
        if (isCurrent && wanted.len !== undefined) members['len'] = wanted.len - FRAME_LENGTH;
        expect(described(cursor.record, wanted)).toEqual(members);
        if (cursor.record.kind === 'prepare' && wanted.number !== null && wanted.number !== undefined) {
          if (cursor.record.isSelfCommitted) {
            expect(eventNumberToBigInt(cursor.record.eventNumber)).toBe(exact(wanted.number));
          }
        }
        perChunk.set(cursor.chunk.fileName, (perChunk.get(cursor.chunk.fileName) ?? 0) + 1);
        expect(database.log.readAt(wanted.pos)?.position).toBe(wanted.pos);
      }
      expect(count).toBe(expected.records.length);
      expect(database.chunkSet.chunks.map((chunk) => chunk.fileName)).toEqual(
        expected.chunks.filter(({ file }) => !isSurplus(database, file)).map(({ file }) => file)
      );
      for (const chunk of database.chunkSet.chunks) {
        const wanted = expected.chunks.find(({ file }) => file === chunk.fileName)!;
        expect({ size: chunk.fileSize, footer: chunk.footer?.md5 ?? null }).toEqual({
          size: wanted.fileSize,
          footer: chunk.isActive ? null : (wanted.footer?.md5 ?? null)
        });
        expect(headerOf(chunk.header)).toEqual(headerOf(asHeader(wanted.header)));
        if (wanted.recordCount !== undefined)
          expect(perChunk.get(chunk.fileName) ?? 0).toBe(wanted.recordCount);
      }
      const { writer, chaser, epoch, truncate } = database.checkpoints;
      expect([writer, chaser, epoch, truncate]).toEqual(
        ['writer', 'chaser', 'epoch', 'truncate'].map((key) => expected.checkpoints[`${key}.chk`] ?? null)
      );
    } finally {
      database.close();
    }
  });

  if (!expected.streams) return; // killed, and never started again
  it('answers stream reads as the server does', async () => {
    const database = open(name, folder);
    try {
      const index = await database.openIndex(uncontrolled());
      const now = ticksFromIso(
        (expected as { observedAtUtc?: string }).observedAtUtc ?? '2026-11-21T00:00:00Z'
      )!;
      for (const [stream, wanted] of Object.entries(expected.streams!)) {
        if ('trimmedObserverWrites' in wanted) continue; // what the observer itself had written was cut from the expectation
        if (wanted.error?.includes('un-representable')) continue; // a huge $maxAge: the server fails, we saturate
        expect({ stream, ...readAll(index, stream, now) }).toEqual({ stream, ...asRead(wanted) });
      }
    } finally {
      database.close();
    }
  });
});

function isSurplus(database: Database, file: string): boolean {
  return database.chunkSet.surplus.some((surplus) => surplus.file === file);
}

function asHeader(header: ExpectedChunk['header']) {
  return {
    version: header.version,
    chunkSizeBytes: header.chunkSize,
    startNumber: header.chunkStartNumber,
    endNumber: header.chunkEndNumber,
    isScavenged: header.isScavenged,
    chunkId: header.chunkId
  };
}

function headerOf(header: ReturnType<typeof asHeader>) {
  const { version, chunkSizeBytes, startNumber, endNumber, isScavenged, chunkId } = header;
  return { version, chunkSizeBytes, startNumber, endNumber, isScavenged, chunkId };
}

function readAll(index: StreamIndex, stream: string, now: bigint) {
  const numbers: number[] = [];
  for (let from = 0; ;) {
    const page = readStreamForward(index, { stream, from, count: 500, now });
    numbers.push(...page.events.map(({ number }) => number));
    if (page.result !== 'success' || page.isEndOfStream) return { result: page.result, numbers };
    from = page.nextEventNumber;
  }
}

function asRead(wanted: ExpectedStream) {
  const results = {
    Success: 'success',
    NoStream: 'noStream',
    StreamDeleted: 'streamDeleted',
    Error: 'error'
  } as const;
  const numbers = (wanted.readable ?? []).flatMap(([from, to]) =>
    Array.from({ length: Number(to) - Number(from) + 1 }, (_, i) => Number(from) + i)
  );
  return {
    result: results[wanted.result],
    numbers: wanted.readable ? numbers : (expect.any(Array) as unknown)
  };
}
