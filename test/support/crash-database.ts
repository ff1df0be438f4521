/**
 * A database of a few dozen KiB in memory with every feature a scavenge meets: limits by count, age and number,
 * tombstones, soft deletion, metadata set again and again, streams with the same hash, old-style transactions that
 * were committed or left open, epochs, a chunk whose records all go, index tables on three levels and a tail of the
 * log that no table holds. The same options give the same bytes.
 */
import { openDatabase } from '../../src-core/database/database.ts';
import { EventAppender } from '../../src-core/database/event-appender.ts';
import { emptyIndexMap, writeIndexMap, type IndexMapTable } from '../../src-core/index/index-map.ts';
import { writeIndexTable } from '../../src-core/index/index-table-writer.ts';
import { readRecentEntries } from '../../src-core/index/read-recent-entries.ts';
import { hashStream, type StreamHasher } from '../../src-core/index/stream-hash.ts';
import { LogWriter } from '../../src-core/log/log-writer.ts';
import { TICKS_PER_SECOND, ticksFromIso } from '../../src-core/units/ticks.ts';
import { MemoryFileSystem } from './memory-file-system.ts';
import { Prng } from './prng.ts';

export const CRASH_CHUNK_BYTES = 4096;
/** Effective time of the scavenges of this database; the newest record is one minute older. */
export const CRASH_TIME = '2026-01-01T00:00:00Z';
/** Share of the log behind each table, oldest first. */
const TABLE_SHARES = [0.4, 0.65, 0.85];
const RECORD_SECONDS = 60n;

export interface CrashDatabase {
  dataDirectory: string;
  hasher?: StreamHasher;
  /** Ends with a scavenge point of this threshold. */
  point?: { threshold: number };
  rounds?: number;
}

/** Streams whose names begin with `same-` have one hash, all others the server's. */
export const collidingHasher: StreamHasher = (stream, into = { high: 0, low: 0 }) => {
  if (!/^(\$\$)?same-/.test(stream)) return hashStream(stream, into);
  into.high = stream.startsWith('$$') ? 0x22222222 : 0x11111111;
  into.low = 7;
  return into;
};

export async function writeCrashDatabase(options: CrashDatabase): Promise<MemoryFileSystem> {
  const { dataDirectory, hasher = hashStream, point, rounds = 4 } = options;
  const fileSystem = new MemoryFileSystem();
  fileSystem.makeDirectory(dataDirectory);
  const newGuid = guidsFrom(11);
  const writer = LogWriter.create({
    fileSystem,
    directory: dataDirectory,
    chunkSizeBytes: CRASH_CHUNK_BYTES,
    newGuid
  });
  let ticks = ticksFromIso(CRASH_TIME)! - BigInt(rounds) * 30n * RECORD_SECONDS * TICKS_PER_SECOND;
  const now = () => (ticks += RECORD_SECONDS * TICKS_PER_SECOND);
  const appender = new EventAppender({ writer, lastEventNumber: () => -1, now, newGuid });
  tell(appender, rounds, newGuid);
  if (point) appender.writeScavengePoint(point.threshold);
  appender.append('after', [event('after', 0, 40)]);
  writer.close();
  await writeIndex(fileSystem, { dataDirectory, hasher, newGuid });
  return fileSystem;
}

/** GUIDs that a seed determines. */
export function guidsFrom(seed: number): () => string {
  const random = new Prng(seed);
  return () =>
    Buffer.from(random.bytes(16))
      .toString('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function event(stream: string, number: number, length: number) {
  const text = JSON.stringify({ stream, number, fill: 'x'.repeat(length) });
  return { eventType: 'happened', data: Buffer.from(text) };
}

function tell(appender: EventAppender, rounds: number, newGuid: () => string): void {
  const random = new Prng(5);
  const epoch = (number: number) =>
    appender.writeEpoch({ number, epochId: newGuid(), leaderInstanceId: newGuid() });
  const append = (stream: string, count: number) => {
    for (let i = 0; i < count; i++) appender.append(stream, [event(stream, i, 20 + random.below(60))]);
  };
  epoch(0);
  appender.setMetadata('count', '{"$maxCount":4}');
  appender.setMetadata('age', '{"$maxAge":3600}');
  appender.setMetadata('same-count', '{"$maxCount":2}');
  const left = appender.beginTransaction('left-open');
  appender.writeInTransaction(left, event('left-open', 0, 10));
  for (let round = 0; round < rounds; round++) {
    append('count', 6);
    append('age', 3);
    append('same-count', 2);
    append('same-plain', 1);
    append(`gone-${round}`, 4);
    append(`hidden-${round % 2}`, 1);
    appender.append('plain', [event('plain', round, 30)]);
    appender.setMetadata('cut', `{"$tb":${round * 2}}`);
    append('cut', 2);
    if (round === 1) {
      const open = appender.beginTransaction('committed');
      for (let i = 0; i < 3; i++) appender.writeInTransaction(open, event('committed', i, 20));
      appender.commitTransaction(open);
      epoch(1);
    }
    // A chunk of which nothing will be left.
    if (round === 2) append('count', 34);
    if (round > 0) appender.hardDelete(`gone-${round - 1}`);
    if (round === 3) appender.softDelete('hidden-1');
  }
  appender.setMetadata('same-gone', '{"$maxCount":1}');
  append('same-gone', 3);
  appender.hardDelete('same-gone');
}

async function writeIndex(
  fileSystem: MemoryFileSystem,
  place: { dataDirectory: string; hasher: StreamHasher; newGuid: () => string }
): Promise<void> {
  const { dataDirectory, hasher, newGuid } = place;
  const { log, indexDirectory, close } = opened(fileSystem, dataDirectory);
  fileSystem.makeDirectory(indexDirectory);
  const tables: IndexMapTable[] = [];
  let checkpoint = -1;
  for (const [i, share] of TABLE_SHARES.entries()) {
    const end = firstEventAfter(log, log.end * share);
    const range = { prepareCheckpoint: checkpoint, commitCheckpoint: checkpoint, end: end + 1 };
    const entries = await readRecentEntries({ log, ...range, hasher });
    const file = newGuid();
    writeIndexTable({ fileSystem, directory: indexDirectory, name: file }, entries);
    tables.unshift({ level: TABLE_SHARES.length - 1 - i, position: 0, file });
    checkpoint = end;
  }
  const map = { ...emptyIndexMap(), prepareCheckpoint: checkpoint, commitCheckpoint: checkpoint, tables };
  writeIndexMap(fileSystem, indexDirectory, map, newGuid());
  close();
}

function opened(fileSystem: MemoryFileSystem, dataDirectory: string) {
  const database = openDatabase({ fileSystem, dataDirectory });
  return { log: database.log, indexDirectory: database.indexDirectory, close: () => database.close() };
}

/** A place where the index may end. */
function firstEventAfter(log: ReturnType<typeof opened>['log'], position: number): number {
  for (const cursor = log.cursor(); cursor.next();) {
    const { record } = cursor;
    if (record.isSelfCommitted && record.hasData && record.position >= position) return record.position;
  }
  throw new Error(`There is no event after ${position}.`);
}
