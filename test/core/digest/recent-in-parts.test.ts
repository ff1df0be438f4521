/** Entries that digests give of logs with numbers written twice, records that are no events, and ends within a chunk. */
import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { partsOf } from '../../../src-core/chunks/chunk.ts';
import { openDatabase, type Database } from '../../../src-core/database/database.ts';
import { ChunkDigests } from '../../../src-core/digest/chunk-digests.ts';
import { keptRecentIn } from '../../../src-core/digest/kept-recent.ts';
import { PreparedHeads } from '../../../src-core/digest/prepared-heads.ts';
import { readDigestAtOnce, readDigests } from '../../../src-core/digest/read-digest.ts';
import { recentFromDigests } from '../../../src-core/digest/recent-from-digests.ts';
import { EntryBlock, type SortedEntries } from '../../../src-core/index/index-entry.ts';
import { readRecentEntries, type RecentRange } from '../../../src-core/index/read-recent-entries.ts';
import { hashStream } from '../../../src-core/index/stream-hash.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { encodePrepare } from '../../../src-core/records/encode-record.ts';
import { PrepareFlag } from '../../../src-core/records/log-record.ts';
import { DerivedFiles } from '../../../src-core/storage/derived-files.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import { guidsFrom } from '../../support/crash-database.ts';
import { entriesOf } from '../../support/database-content.ts';
import { scavengeEnvironment, temporaryDirectory } from '../../support/scavenge-environment.ts';

const fileSystem = new NodeFileSystem();
const NOW = ticksFromIso('2026-01-01T00:00:00Z')!;
const newGuid = guidsFrom(7);
/** No one reads it, and the hash covers it. */
const IN_HEADER_PADDING = 100;
const CHANGED_AT = new Date('2026-01-02T00:00:00Z');
let home: string;
let dataDirectory: string;
let writer: LogWriter;
let database: Database | undefined;

beforeEach(() => {
  home = temporaryDirectory();
  dataDirectory = join(home, 'db');
  mkdirSync(dataDirectory);
  writer = LogWriter.create({ fileSystem, directory: dataDirectory, chunkSizeBytes: 16_384, newGuid });
});
afterEach(() => {
  database?.close();
  database = undefined;
  rmSync(home, { recursive: true, force: true });
});

/** One that believes each stream to end there. */
function appender(last = -1): EventAppender {
  return new EventAppender({ writer, newGuid, now: () => NOW, lastEventNumber: () => last });
}

const event = () => ({ eventType: 'e', data: Buffer.alloc(50), isJson: false });

/** A write without events, as a client makes that only asks for a version. */
function emptyWrite(stream: string): void {
  const [eventId, correlationId] = [newGuid(), newGuid()];
  writer.append((position) =>
    encodePrepare({
      position,
      flags: PrepareFlag.transactionBegin | PrepareFlag.transactionEnd | PrepareFlag.isCommitted,
      transactionPosition: position,
      transactionOffset: -1,
      expectedVersion: 0,
      stream,
      eventId,
      correlationId,
      ticks: NOW,
      eventType: '',
      data: Buffer.alloc(0),
      metadata: Buffer.alloc(0)
    })
  );
}

function opened(): Database {
  writer.close();
  return (database = openDatabase({ fileSystem, dataDirectory }));
}

async function given({ log }: Database, end = log.end): Promise<string[] | undefined> {
  const known = await recentFromDigests({
    ...rangeTo(end),
    chunks: log.chunks,
    digestOf: (chunk) => readDigestAtOnce(fileSystem, chunk),
    breathe: () => Promise.resolve()
  });
  return known && entriesOf(known);
}

const rangeTo = (end: number): RecentRange => ({ prepareCheckpoint: -1, commitCheckpoint: -1, end });

async function wanted({ log }: Database, end = log.end): Promise<string[]> {
  const entries: SortedEntries = await readRecentEntries({ log, ...rangeTo(end), hasher: hashStream });
  return entriesOf(entries);
}

describe('entries that digests give', () => {
  it('are in the order of positions where chunks have one number twice', async () => {
    appender().append('s', [event(), event()]);
    writer.completeChunk();
    appender().append('s', [event()]);
    appender().append('t', [event()]);
    writer.completeChunk();
    appender(0).append('s', [event()]);
    const log = opened();
    expect(await given(log)).toEqual(await wanted(log));
    expect(await given(log)).toHaveLength(5);
  });

  it('are none where numbers fall within a chunk', async () => {
    appender().append('s', [event(), event()]);
    appender().append('s', [event()]);
    expect(await given(opened())).toBeUndefined();
  });

  it('leave out what is no event, and what lies at or after the end', async () => {
    const events = appender();
    events.append('s', [event()]);
    emptyWrite('s');
    emptyWrite('none');
    const { position } = events.append('s', [event()]);
    events.append('t', [event()]);
    const log = opened();
    expect(await given(log)).toEqual(await wanted(log));
    expect(await given(log)).toHaveLength(3);
    expect(await given(log, position)).toEqual(await wanted(log, position));
    expect(await given(log, position)).toHaveLength(1);
  });
});

describe('kept entries', () => {
  const block = (): EntryBlock => {
    const entries = new EntryBlock(3);
    entries.set(0, 1, 2, 3, 4);
    entries.count = 1;
    return entries;
  };

  it('are those of the same chunks and the same range, as long as their file is what was written', () => {
    const directory = join(home, 'kept');
    const files = new DerivedFiles({ fileSystem, directory, newGuid });
    const kept = keptRecentIn(files, () => 'chunks');
    const range = rangeTo(1000);
    expect(kept.load([], range)).toBeUndefined();
    kept.save([], range, block());
    expect(kept.load([], range)).toMatchObject({ count: 1 });
    expect(kept.load([], { ...range, commitCheckpoint: 5 })).toBeUndefined();
    expect(keptRecentIn(files, () => 'others').load([], range)).toBeUndefined();
    const [name] = fileSystem.list(directory)!.map((entry) => entry.name);
    const file = fileSystem.open(join(directory, name!), 'readWrite');
    const size = file.size();
    const last = new Uint8Array(1);
    file.read(last, 0, 1, size - 1);
    file.write(Uint8Array.of(last[0]! ^ 1), 0, 1, size - 1);
    file.close();
    expect(kept.load([], range)).toBeUndefined();
  });

  it('are not kept where there are very many', () => {
    const files = new DerivedFiles({ fileSystem, directory: join(home, 'kept'), newGuid });
    const kept = keptRecentIn(files, () => 'chunks');
    const many = new EntryBlock(4_000_001);
    many.count = many.capacity;
    kept.save([], rangeTo(1000), many);
    expect(kept.load([], rangeTo(1000))).toBeUndefined();
  });
});

describe('prepared heads', () => {
  it('have the records of a stream only of chunks that have it, and know when the log is another one', async () => {
    appender().append('s', [event(), event()]);
    writer.completeChunk();
    appender().append('t', [event()]);
    writer.completeChunk();
    const { log } = opened();
    const { operation } = scavengeEnvironment();
    const digests = new ChunkDigests({ fileSystem, directory: join(home, 'digests'), newGuid, threads: 1 });
    const heads = new PreparedHeads({ digests, fileSystem, operation });
    expect(heads.logIdentity).toBeUndefined();
    await heads.prepare(log.chunks);
    expect(heads.logIdentity).toBeDefined();
    const counts = log.chunks.map((chunk) => {
      const cursor = heads.headsOfStream(chunk, 't');
      let count = 0;
      while (cursor?.next()) count++;
      return cursor && count;
    });
    expect(counts).toEqual([undefined, 1]);
    const path = join(dataDirectory, 'chunk-000000.000000');
    fileSystem.remove(path);
    expect(heads.logIdentity).toBeUndefined();
  });
});

describe('digests of chunks', () => {
  it('are not given on where a chunk may still change, or where nothing is stored', async () => {
    appender().append('s', [event()]);
    writer.completeChunk();
    appender().append('t', [event()]);
    const { log } = opened();
    const { operation } = scavengeEnvironment();
    const directory = join(home, 'digests');
    const digests = new ChunkDigests({ fileSystem, directory, newGuid, threads: 1 });
    await digests.prepare(log.chunks, operation);
    const [first] = log.chunks;
    expect(digests.knownOf([first!])).toHaveLength(1);
    expect(digests.knownOf(log.chunks)).toBeUndefined();
    expect(new ChunkDigests({ fileSystem, newGuid, threads: 1 }).knownOf([first!])).toBeUndefined();
    // The one that is being written is read for the question; no hash covers it, and it may hold any stream.
    const fresh = new ChunkDigests({ fileSystem, directory, newGuid, threads: 1 });
    expect(log.chunks.map((chunk) => fresh.mayHoldStream(chunk, 'neither'))).toEqual([false, true]);
    expect(log.chunks.map((chunk) => fresh.isSound(chunk))).toEqual([true, false]);
    expect(fresh.chunksRead).toBe(1);
    expect(log.chunks.map((chunk) => fresh.mayHoldStream(chunk, 't'))).toEqual([false, true]);
  });

  it('of the chunk that is being written are kept by the question that needs them, on a node at rest', () => {
    appender().append('s', [event()]);
    const [active] = opened().log.chunks;
    const later = { clock: () => Date.now() + 3_600_000, directory: join(home, 'digests') };
    const read = [1, 2].map(() => {
      const digests = new ChunkDigests({ fileSystem, newGuid, threads: 1, ...later });
      expect(digests.of(active!).recordCount).toBe(1);
      return digests.chunksRead;
    });
    expect(read).toEqual([1, 0]);
  });

  it('that no hash covers are not kept', async () => {
    appender().append('s', [event()]);
    writer.completeChunk();
    appender().append('t', [event()]);
    const { log } = opened();
    const digests = new ChunkDigests({ fileSystem, directory: join(home, 'digests'), newGuid, threads: 1 });
    const [first, second] = log.chunks;
    const bytes = readFileSync(first!.path);
    const write = (content: Buffer) => {
      writeFileSync(first!.path, content);
      utimesSync(first!.path, CHANGED_AT, CHANGED_AT); // as if nothing had changed
    };
    write(bytes);
    const wantedFirst = digests.wantedOf(first!)!;
    expect(digests.wantedOf(second!)).toBeUndefined();
    const isKept = async () => {
      const { store } = digests;
      const breathe = () => Promise.resolve();
      const order = { chunk: partsOf(first!), keptAs: wantedFirst };
      await readDigests([order], { fileSystem, store, breathe, onBytes: () => undefined });
      return digests.wantedOf(first!) === undefined;
    };
    const changed = Buffer.from(bytes);
    changed[IN_HEADER_PADDING]! ^= 1;
    write(changed);
    expect(await isKept()).toBe(false);
    write(bytes);
    expect(await isKept()).toBe(true);
  });
});
