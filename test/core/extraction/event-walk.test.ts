/** Events as a walk gives them: what has no number, what has no commit, and chunks of a backup that cannot be opened. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase, type Database } from '../../../src-core/database/database.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { logCorrupt } from '../../../src-core/errors.ts';
import { EventWalk } from '../../../src-core/extraction/event-walk.ts';
import { sideSource, type RecordSource } from '../../../src-core/extraction/record-walk.ts';
import { databaseSide } from '../../../src-core/insight/difference/database-side.ts';
import type { DifferenceSide } from '../../../src-core/insight/difference/difference-side.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { encodePrepare } from '../../../src-core/records/encode-record.ts';
import { PrepareFlag } from '../../../src-core/records/log-record.ts';
import type { SkippedRange } from '../../../src-core/repair/salvage-chunk.ts';
import { guidsFrom } from '../../support/crash-database.ts';
import { MemoryFileSystem, storageError } from '../../support/memory-file-system.ts';

const DIRECTORY = '/db';
const CHUNK_BYTES = 4096;
const SELF_COMMITTED =
  PrepareFlag.data | PrepareFlag.transactionBegin | PrepareFlag.transactionEnd | PrepareFlag.isCommitted;

let fileSystem: MemoryFileSystem;
let database: Database | undefined;
/** Where the record without a number begins, and the member of a transaction whose commit comes in the third chunk. */
let numberless: number;
let member: number;
/** Of the last record. */
let end: number;

beforeEach(() => {
  fileSystem = new MemoryFileSystem();
  fileSystem.makeDirectory(DIRECTORY);
  const newGuid = guidsFrom(4);
  const writer = LogWriter.create({ fileSystem, directory: DIRECTORY, chunkSizeBytes: CHUNK_BYTES, newGuid });
  const appender = new EventAppender({ writer, newGuid, now: () => 1n, lastEventNumber: () => -1 });
  const event = { eventType: 'happened', data: Buffer.alloc(100, '7') };
  const transaction = appender.beginTransaction('late');
  member = appender.writeInTransaction(transaction, event);
  numberless = writer.append((position) =>
    encodePrepare({
      position,
      flags: SELF_COMMITTED,
      transactionPosition: position,
      transactionOffset: 0,
      expectedVersion: -2,
      stream: 'odd',
      eventId: newGuid(),
      correlationId: newGuid(),
      ticks: 1n,
      ...event,
      metadata: new Uint8Array(0)
    })
  );
  while (writer.position < 2 * CHUNK_BYTES + 500) appender.append('plain', [event]);
  appender.commitTransaction(transaction);
  end = writer.position;
  writer.close();
});
afterEach(() => {
  database?.close();
  database = undefined;
});

/** The database as the side of a comparison; opening one of its chunks ends with an error where one is given. */
function side(
  failing?: { number: number; error: Error },
  change: Partial<DifferenceSide> = {}
): RecordSource {
  database ??= openDatabase({ fileSystem, dataDirectory: DIRECTORY });
  const whole = databaseSide(database);
  const open: DifferenceSide['open'] = (chunk) =>
    chunk.startNumber === failing?.number ? Promise.reject(failing.error) : whole.open(chunk);
  return sideSource({ ...whole, open, ...change }, fileSystem);
}

async function walked(
  { source, ahead = source }: { source: RecordSource; ahead?: RecordSource },
  range = { from: 0, to: source.end }
) {
  const unreadable: SkippedRange[] = [];
  const events: { stream: string; eventNumber: number }[] = [];
  const walk = new EventWalk({
    source,
    ahead,
    selection: {},
    range,
    control: uncontrolled(),
    onUnreadable: (told) => unreadable.push(told),
    onPosition: () => undefined
  });
  try {
    while (await walk.next()) events.push({ stream: walk.record.stream, eventNumber: walk.eventNumber });
  } finally {
    walk.close();
  }
  return { events, unreadable };
}

describe('the events of a backup', () => {
  test('are given with the numbers that readers see, and a record without one is told with its place', async () => {
    const { events, unreadable } = await walked({ source: side() });
    expect(events[0]).toEqual({ stream: 'late', eventNumber: 0 });
    const others = events.slice(1);
    expect(others).toEqual(others.map((_, eventNumber) => ({ stream: 'plain', eventNumber })));
    expect(unreadable).toHaveLength(1);
    expect(unreadable[0]).toMatchObject({
      file: 'chunk-000000',
      from: numberless,
      why: 'its event number is none that a stream can have'
    });
  });

  test('tell of a chunk that cannot be opened, and of the member whose commit may lie in it', async () => {
    const error = logCorrupt('This chunk is encrypted.', { file: 'chunk-000002.000000' });
    const source = side({ number: 2, error });
    const { events, unreadable } = await walked({ source });
    expect(events.every(({ stream }) => stream === 'plain')).toBe(true);
    expect(unreadable.map(({ file, from, why }) => [file, from, why])).toEqual([
      ['chunk-000000', member, 'the commit of its transaction may lie where nothing could be read'],
      ['chunk-000000', numberless, 'its event number is none that a stream can have'],
      ['chunk-000002.000000', 2 * CHUNK_BYTES, 'This chunk is encrypted.']
    ]);
    expect(unreadable.at(-1)!.to).toBe(end);
  });

  test('end with the error of the disk, which is not passed over', async () => {
    const error = storageError('EIO', 'chunk-000001.000000');
    await expect(walked({ source: side({ number: 1, error }) })).rejects.toBe(error);
    const unexpected = new TypeError('our own mistake');
    await expect(walked({ source: side({ number: 1, error: unexpected }) })).rejects.toBe(unexpected);
  });

  test('tell nothing of a chunk that begins behind the end of the log', async () => {
    const error = logCorrupt('It cannot be read.', { file: 'chunk-000002.000000' });
    const source = side({ number: 2, error }, { end: 2 * CHUNK_BYTES });
    const { unreadable } = await walked({ source, ahead: side() }, { from: 0, to: end });
    expect(unreadable.map(({ from }) => from)).toEqual([numberless]);
  });

  test('have no record before the first step', async () => {
    const walk = side().walk({ from: 0, to: 100 });
    expect(() => walk.record).toThrow('The walk stands on no record.');
    expect(walk.next()).toBe('chunk');
    await walk.enter();
    await walk.enter();
    expect(walk.next()).toBe('record');
    expect(walk.record.position).toBe(0);
    walk.close();
    await walk.enter();
    expect(walk.next()).toBe('end');
  });
});
