/** The record at a position is the same by its digest and by the log, over random logs; and few questions load no digest. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { openDatabase } from '../../../src-core/database/database.ts';
import { ChunkDigests } from '../../../src-core/digest/chunk-digests.ts';
import { DigestRecords } from '../../../src-core/digest/digest-records.ts';
import type { IndexedRecord } from '../../../src-core/index/record-source.ts';
import { hashStream } from '../../../src-core/index/stream-hash.ts';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { ticksToIso } from '../../../src-core/units/ticks.ts';
import { RandomLog } from '../../campaign/random-log.ts';
import { guidsFrom } from '../../support/crash-database.ts';
import { Prng } from '../../support/prng.ts';
import {
  scavengeEnvironment,
  scavengeRequest,
  temporaryDirectory
} from '../../support/scavenge-environment.ts';
import { seedList } from '../../support/seeds.ts';

const fileSystem = new NodeFileSystem();
/** More questions of a chunk than it takes to load its digest. */
const ROUNDS = 12;
const homes: string[] = [];
afterEach(() => {
  for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true });
});

/** At odd seeds scavenged once and appended to. */
async function randomDatabase(seed: number): Promise<string> {
  const home = temporaryDirectory();
  homes.push(home);
  const dataDirectory = join(home, 'db');
  mkdirSync(dataDirectory);
  const log = new RandomLog({ dataDirectory, random: new Prng(seed), hasher: hashStream });
  log.grow({ steps: 150 });
  if (seed % 2 === 0) return dataDirectory;
  const request = scavengeRequest(dataDirectory, {
    scavengePoint: 'new',
    singleNode: true,
    now: ticksToIso(log.now)
  });
  await runScavenge(request, scavengeEnvironment());
  log.learn();
  log.grow({ steps: 80 });
  return dataDirectory;
}

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
      const asked = [-1, ...positions.flatMap((position) => [position, position + 1]), log.end, log.end + 9];
      for (let round = 0; round < ROUNDS; round++) {
        for (const position of asked) {
          const isRecord = positions.includes(position);
          const expected = isRecord ? factsOf(log.readAt(position)) : undefined;
          // Of a place within a record the log may say that it is damaged.
          if (isRecord || round === ROUNDS - 1) {
            expect(factsOf(records.readAt(position)), `position ${position}`).toEqual(expected);
          }
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
