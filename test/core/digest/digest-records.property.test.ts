/** The record at a position is the same by its digest and by the log, over random logs; and few questions load no digest. */
import { afterEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { ChunkDigests } from '../../../src-core/digest/chunk-digests.ts';
import { DigestRecords } from '../../../src-core/digest/digest-records.ts';
import type { IndexedRecord } from '../../../src-core/index/record-source.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { randomDatabase, removeRandomDatabases } from '../../campaign/random-database.ts';
import { guidsFrom } from '../../support/crash-database.ts';
import { seedList } from '../../support/seeds.ts';

const fileSystem = new NodeFileSystem();
/** More questions of a chunk than it takes to load its digest. */
const ROUNDS = 12;
afterEach(removeRandomDatabases);

function factsOf(record: IndexedRecord | undefined): unknown {
  if (!record) return undefined;
  const { kind, version, position, flags, ticks } = record;
  const common = { kind, version, position, flags, ticks };
  if (kind === 'system') return common;
  const { eventNumber, isSelfCommitted, transactionPosition, transactionOffset } = record;
  // Of a record that is its own commit nobody asks for more.
  const inTransaction = isSelfCommitted ? undefined : { transactionPosition, transactionOffset };
  const numbered = { ...common, eventNumber, isSelfCommitted, inTransaction };
  if (kind === 'commit') return numbered;
  const { stream, isTombstone, hasData } = record;
  const data = stream.startsWith('$$') ? Buffer.from(record.data).toString('hex') : undefined;
  return { ...numbered, stream, isTombstone, hasData, data };
}

function answerOf(
  source: { readAt: (position: number) => IndexedRecord | undefined },
  position: number
): unknown {
  try {
    return factsOf(source.readAt(position));
  } catch (error) {
    return String(error);
  }
}

describe('records by their position', () => {
  it.each(seedList(6))('are those of the log, seed %i', async (seed) => {
    const database = openDatabase({ fileSystem, dataDirectory: await randomDatabase(seed) });
    try {
      const { log } = database;
      const digests = new ChunkDigests({ fileSystem, newGuid: guidsFrom(seed), threads: 1 });
      await digests.prepare(log.chunks, uncontrolled());
      const records = new DigestRecords({ log, digests });
      const positions: number[] = [];
      const cursor = log.cursor();
      while (cursor.next()) positions.push(cursor.record.position);
      cursor.close();
      // Where no record begins the log may say that it is damaged: then both do, however often they were asked.
      const asked = [-1, ...positions.flatMap((position) => [position, position + 1]), log.end, log.end + 9];
      for (let round = 0; round < ROUNDS; round++) {
        for (const position of asked) {
          expect(answerOf(records, position), `position ${position}`).toEqual(answerOf(log, position));
        }
      }
    } finally {
      database.close();
    }
  });

  it('are read from the log while few are asked for, and where a question may hold no digest', async () => {
    const database = openDatabase({ fileSystem, dataDirectory: await randomDatabase(2) });
    try {
      const { log } = database;
      const digests = new ChunkDigests({ fileSystem, newGuid: guidsFrom(1), threads: 1 });
      await digests.prepare(log.chunks, uncontrolled());
      let loaded = 0;
      const counted = new Proxy(digests, {
        get: (target, name) => {
          if (name === 'known') loaded++;
          const value: unknown = Reflect.get(target, name);
          return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
        }
      });
      const records = new DigestRecords({ log, digests: counted });
      expect(records.readAt(0)?.position).toBe(0);
      expect(loaded).toBe(0);
      const without = new DigestRecords({ log, digests: counted, mostBytes: 0 });
      for (let round = 0; round < ROUNDS; round++) expect(without.readAt(0)?.position).toBe(0);
      expect(loaded).toBe(0);
      for (let round = 0; round < ROUNDS; round++) expect(records.readAt(0)?.position).toBe(0);
      expect(loaded).toBe(1);
    } finally {
      database.close();
    }
  });
});
