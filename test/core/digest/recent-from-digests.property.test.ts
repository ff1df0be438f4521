/** The entries that digests give are those that the log gives, or none are given. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { ChunkDigests } from '../../../src-core/digest/chunk-digests.ts';
import { PreparedHeads } from '../../../src-core/digest/prepared-heads.ts';
import { readDigestAtOnce } from '../../../src-core/digest/read-digest.ts';
import { recentFromDigests } from '../../../src-core/digest/recent-from-digests.ts';
import { EntryBlock } from '../../../src-core/index/index-entry.ts';
import { readRecentEntries } from '../../../src-core/index/read-recent-entries.ts';
import type { RecentEntries } from '../../../src-core/index/recent-entries.ts';
import { hashStream } from '../../../src-core/index/stream-hash.ts';
import { systemStreams } from '../../../src-core/index/system-streams.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { ticksFromIso, type Ticks } from '../../../src-core/units/ticks.ts';
import { RandomLog } from '../../campaign/random-log.ts';
import { guidsFrom } from '../../support/crash-database.ts';
import { Prng } from '../../support/prng.ts';
import { scavengeEnvironment, temporaryDirectory } from '../../support/scavenge-environment.ts';
import { seedList, seedsFrom } from '../../support/seeds.ts';

const fileSystem = new NodeFileSystem();
const directories: string[] = [];
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

function newDirectory(): string {
  const home = temporaryDirectory();
  directories.push(home);
  mkdirSync(join(home, 'db'));
  return join(home, 'db');
}

/** Streams that grow in turn, metadata and tombstones among them, over several chunks, without transactions. */
function plainDatabase(seed: number): string {
  const dataDirectory = newDirectory();
  const newGuid = guidsFrom(seed);
  const random = new Prng(seed);
  const writer = LogWriter.create({ fileSystem, directory: dataDirectory, chunkSizeBytes: 16_384, newGuid });
  let ticks = ticksFromIso('2026-01-01T00:00:00Z')!;
  const appender = new EventAppender({
    writer,
    newGuid,
    now: () => (ticks = (ticks + 1n) as Ticks),
    lastEventNumber: () => -1
  });
  for (let i = 0; i < 400; i++) {
    const stream = `stream-${random.below(25)}`;
    if (random.chance(0.1)) appender.setMetadata(stream, `{"$maxCount":${1 + random.below(9)}}`);
    else appender.append(stream, [{ eventType: 'happened', data: Buffer.alloc(random.below(300)) }]);
  }
  writer.close();
  return dataDirectory;
}

function entriesOf(recent: RecentEntries) {
  const block = new EntryBlock(recent.count);
  recent.readEntries(0, block);
  const { hashHigh, hashLow, number, position } = block;
  return { hashHigh, hashLow, number, position };
}

/** How often digests gave them. */
async function compare(dataDirectory: string, random: Prng): Promise<number> {
  const database = openDatabase({ fileSystem, dataDirectory });
  const { log } = database;
  const { operation } = scavengeEnvironment();
  const lasting = log.chunks.filter(({ isLasting }) => isLasting);
  const digests = new ChunkDigests({ fileSystem, newGuid: () => 'none', threads: 1 });
  const known = lasting.filter(() => random.chance(0.7));
  await digests.prepare(known, operation);
  const heads = new PreparedHeads({ digests, fileSystem, operation });
  let given = 0;
  for (let i = 0; i < 6; i++) {
    // From the last records of a chunk on: a few entries are merged with those of a whole chunk.
    const nearEnd = log.chunks[0]!.endPosition - random.below(700);
    const commitCheckpoint = i === 0 ? -1 : i === 1 ? nearEnd : random.below(log.end);
    const prepareCheckpoint = commitCheckpoint - (commitCheckpoint > 0 ? random.below(2) : 0);
    const range = { prepareCheckpoint, commitCheckpoint, end: log.end };
    const breathe = () => Promise.resolve();
    const digestOf = (chunk: (typeof log.chunks)[number]) => readDigestAtOnce(fileSystem, chunk);
    const whole = await recentFromDigests({ ...range, chunks: log.chunks, digestOf, breathe });
    if (whole) given++;
    const fromRecords = {
      chunks: log.chunks,
      cursor: (from: number, to: number) => log.cursor(startOfRecord(log, from), to)
    };
    const partly = await heads.recentEntries(fromRecords, range);
    const wanted = await readRecentEntries({ log: fromRecords, ...range, hasher: hashStream });
    const only = systemStreams(['stream-3']);
    const asked = await heads.recentEntries(fromRecords, range, only);
    if (asked) {
      const read = await readRecentEntries({ log: fromRecords, ...range, hasher: hashStream, only });
      expect(entriesOf(asked)).toEqual(entriesOf(read));
    }
    expect(asked !== undefined || partly === undefined).toBe(true);
    for (const entries of [whole, partly]) if (entries) expect(entriesOf(entries)).toEqual(entriesOf(wanted));
    expect(partly !== undefined || whole === undefined).toBe(true);
  }
  // The others are read for their entries, not for a digest.
  expect(digests.chunksRead).toBe(known.length);
  database.close();
  return given;
}

/** A walk begins at a record; the chunk's first is one. */
function startOfRecord(log: { chunkSizeBytes: number }, position: number): number {
  return Math.floor(Math.max(0, position) / log.chunkSizeBytes) * log.chunkSizeBytes;
}

it.each(seedList(5))('of a plain log digests give all of them (seed %d)', async (seed) => {
  expect(await compare(plainDatabase(seed), new Prng(seed))).toBe(6);
});

it.each(seedsFrom(11, 6))('of any log what they give is right (seed %d)', async (seed) => {
  const dataDirectory = newDirectory();
  const log = new RandomLog({ dataDirectory, random: new Prng(seed), hasher: hashStream });
  log.grow({ steps: 120 });
  await compare(dataDirectory, new Prng(seed));
});

it('entries of chunks that no longer change are merged once, and taken from what is kept', async () => {
  const database = openDatabase({ fileSystem, dataDirectory: plainDatabase(3) });
  const { log } = database;
  const range = { prepareCheckpoint: -1, commitCheckpoint: -1, end: log.end };
  const lasting = log.chunks.filter(({ isLasting }) => isLasting).map(({ startNumber }) => startNumber);
  expect(lasting.length).toBeGreaterThan(1);
  let saved: EntryBlock | undefined;
  const ask = async () => {
    const read: number[] = [];
    const recent = await recentFromDigests({
      ...range,
      chunks: log.chunks,
      digestOf: (chunk) => {
        read.push(chunk.startNumber);
        return readDigestAtOnce(fileSystem, chunk);
      },
      kept: { load: () => saved, save: (_chunks, _range, entries) => (saved = entries) },
      breathe: () => Promise.resolve()
    });
    return { read, entries: entriesOf(recent!) };
  };
  const first = await ask();
  const second = await ask();
  database.close();
  expect(first.read).toEqual(expect.arrayContaining(lasting));
  expect(second.read.filter((number) => lasting.includes(number))).toEqual([]);
  expect(second.entries).toEqual(first.entries);
});
