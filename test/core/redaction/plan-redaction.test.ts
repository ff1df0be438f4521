/** What a redaction finds of the events that are meant, what it refuses of them, and how it is stopped and continued. */
import { beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { OperationControl, uncontrolled } from '../../../src-core/database/operation-control.ts';
import { EngineError, OperationStopped } from '../../../src-core/errors.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { planRedaction } from '../../../src-core/redaction/plan-redaction.ts';
import type { RedactionQuestion } from '../../../src-core/redaction/redaction-question.ts';
import { runRedaction, type RunRedaction } from '../../../src-core/redaction/run-redaction.ts';
import { namesIn } from '../../../src-core/storage/directory-entries.ts';
import { readWholeFile, type OpenFile, type OpenMode } from '../../../src-core/storage/file-system.ts';
import { PassThroughFileSystem } from '../../../src-core/storage/pass-through.ts';
import { guidsFrom } from '../../support/crash-database.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { treeOf } from '../../support/restore-fixture.ts';
import { naiveRecords, naiveRedaction } from './naive-redaction.ts';

const DIRECTORY = '/db';
const MIB = 1024 * 1024;
const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

let fileSystem: MemoryFileSystem;
beforeEach(() => (fileSystem = new MemoryFileSystem()));

/** Completed chunks with what is told; behind it one that is being written. */
function write(chunkSizeBytes: number, tell: (appender: EventAppender) => void): void {
  fileSystem.makeDirectory(DIRECTORY);
  const newGuid = guidsFrom(6);
  const writer = LogWriter.create({ fileSystem, directory: DIRECTORY, chunkSizeBytes, newGuid });
  const appender = new EventAppender({ writer, newGuid, now: () => 1n, lastEventNumber: () => -1 });
  tell(appender);
  writer.completeChunk();
  appender.append('after', [{ eventType: 'happened', data: Buffer.from('{}') }]);
  writer.close();
}

function append(appender: EventAppender, n: number, data: Uint8Array, eventType = 'happened'): void {
  appender.append('orders', [{ eventType, data, eventId: id(n) }]);
}

function question(change: Partial<RedactionQuestion>): RedactionQuestion {
  return { eventIds: [], events: [], ...change };
}

async function plan(change: Partial<RedactionQuestion>, control = uncontrolled()) {
  const database = openDatabase({ fileSystem, dataDirectory: DIRECTORY });
  try {
    return await planRedaction({ database, question: question(change), control });
  } finally {
    database.close();
  }
}

function redact(change: Partial<RedactionQuestion>, more: Partial<RunRedaction> = {}) {
  return runRedaction({
    place: { fileSystem, dataDirectory: DIRECTORY },
    question: question(change),
    assumeStopped: false,
    newGuid: guidsFrom(9),
    control: uncontrolled(),
    ...more
  });
}

const bytesOf = (name: string): Buffer => Buffer.from(readWholeFile(fileSystem, `${DIRECTORY}/${name}`)!);
const chunks = (): string[] => namesIn(fileSystem, DIRECTORY).filter((name) => name.startsWith('chunk-'));

describe('a question', () => {
  beforeEach(() => write(4096, (appender) => append(appender, 1, Buffer.from('{}'))));

  test.each([
    ['names no event', {}, 'The request names no event.'],
    ['names what is no id', { eventIds: ['Jane Doe'] }, '"jane doe" is not an event id.'],
    [
      'names an event by a number that is not there',
      { events: [{ stream: 'orders', number: 17 }] },
      'The log holds no record of event 17 of orders. Nothing was written.'
    ]
  ])('that %s is refused', async (_what, asked, message) => {
    const before = treeOf(fileSystem, DIRECTORY);
    await expect(redact(asked)).rejects.toMatchObject({ code: 'InvalidRequest', message });
    expect(treeOf(fileSystem, DIRECTORY)).toEqual(before);
  });

  test('that names an event twice, and in two ways, means one record', async () => {
    const event = { stream: 'orders', number: 0 };
    const other = { stream: 'others', number: 0 };
    const { asked, records, notFound } = await plan({
      eventIds: [id(1), id(1).toUpperCase()],
      events: [event, event, other]
    });
    expect(asked).toHaveLength(3);
    expect(records).toHaveLength(1);
    expect(notFound).toEqual([{ eventId: null, ...other }]);
  });
});

describe('a record', () => {
  test('without data is not redacted, and no chunk is made again or swept for it', async () => {
    write(4096, (appender) => append(appender, 1, Buffer.alloc(0)));
    const bytes = bytesOf(chunks()[0]!);
    const file = fileSystem.open(`${DIRECTORY}/left.scavenge.tmp`, 'createNew');
    file.write(bytes, 0, bytes.length, 0);
    file.close();
    const before = treeOf(fileSystem, DIRECTORY);
    const outcome = await redact({ eventIds: [id(1)] });
    expect(outcome).toMatchObject({ chunks: [], swept: [], isFinished: true });
    expect(outcome.plan).toMatchObject({ sweeps: [], scratchBytes: 0 });
    expect(outcome.plan.records).toMatchObject([{ state: 'empty', refusal: null, dataLength: 0 }]);
    expect(treeOf(fileSystem, DIRECTORY)).toEqual(before);
  });

  test('that begins a transaction is no event, and has nothing to redact', async () => {
    write(4096, (appender) => {
      const transaction = appender.beginTransaction('orders');
      appender.writeInTransaction(transaction, {
        eventType: 'happened',
        data: Buffer.from('{}'),
        eventId: id(2)
      });
      appender.commitTransaction(transaction);
    });
    const database = openDatabase({ fileSystem, dataDirectory: DIRECTORY });
    const begin = database.log.readAt(0)!.eventId;
    database.close();
    const { records } = await plan({ eventIds: [begin, id(2)] });
    expect(records.map(({ state }) => state)).toEqual(['empty', 'toRedact']);
  });

  test('that is a link is refused, with what to redact instead', async () => {
    write(4096, (appender) => append(appender, 1, Buffer.from('0@others'), '$>'));
    const before = treeOf(fileSystem, DIRECTORY);
    await expect(redact({ eventIds: [id(1)] })).rejects.toMatchObject({
      message: expect.stringContaining('it is a link: its data only name the event it points to') as string,
      remedy: 'Redact the event that it points to.'
    });
    expect(treeOf(fileSystem, DIRECTORY)).toEqual(before);
  });

  test('that begins, ends or lies anywhere in a large chunk is blank afterwards, and no other byte is', async () => {
    // Larger than a block of four MiB, so that records lie before, behind and across the border of two.
    write(12 * MIB, (appender) => {
      for (let n = 1; n <= 9; n++) append(appender, n, Buffer.alloc(MIB, n));
    });
    const [name] = chunks();
    const before = bytesOf(name!);
    const wanted = [1, 4, 5, 9];
    const { chunks: done } = await redact({ eventIds: wanted.map(id) });
    expect(done).toHaveLength(1);
    const ids = new Set((await plan({ eventIds: wanted.map(id) })).records.map(({ eventId }) => eventId));
    expect(ids.size).toBe(4);
    const keys = wanted.map((n) => naiveId(before, n));
    expect(bytesOf(done[0]!.after.fileName).equals(naiveRedaction(before, new Set(keys)))).toBe(true);
  });
});

/** As naive-redaction.ts has ids: the bytes where the record with this data begins. */
function naiveId(chunk: Buffer, n: number): string {
  const found = naiveRecords(chunk).find(({ dataAt }) => chunk[dataAt] === n && chunk[dataAt + 1] === n);
  return found!.id;
}

/** A clock on which so much time passes between two looks. */
function clockOf(ms: number): () => number {
  let now = 0;
  return () => (now += ms);
}

describe('a redaction', () => {
  /** Three chunks, each with events. */
  const writeThree = (): void =>
    write(4096, (appender) => {
      for (let n = 1; n <= 30; n++) append(appender, n, Buffer.alloc(200, n));
    });

  test('that is stopped between two chunks tells what it has done, and the next one does the rest', async () => {
    writeThree();
    const eventIds = Array.from({ length: 30 }, (_, i) => id(i + 1));
    const stop = new AbortController();
    const control = new OperationControl({
      signal: stop.signal,
      elapsedMs: clockOf(20),
      yieldTurn: () => Promise.resolve()
    });
    const stopped = await redact({ eventIds }, { control, onChunk: () => stop.abort() });
    expect(stopped).toMatchObject({ isFinished: false, swept: [] });
    expect(stopped.chunks).toHaveLength(1);
    const rest = await redact({ eventIds });
    expect(rest.isFinished).toBe(true);
    expect(rest.chunks.length).toBe(stopped.plan.chunks.length - 1);
    expect((await plan({ eventIds })).records.every(({ state }) => state === 'redacted')).toBe(true);
  });

  test('that is stopped before the first chunk is done changes nothing', async () => {
    writeThree();
    const before = treeOf(fileSystem, DIRECTORY);
    const stop = new AbortController();
    const control = new OperationControl({
      signal: stop.signal,
      elapsedMs: clockOf(20),
      yieldTurn: () => Promise.resolve()
    });
    const going = redact({ eventIds: [id(1)] }, { control, onPlan: () => stop.abort() });
    await expect(going).rejects.toThrow(OperationStopped);
    expect(treeOf(fileSystem, DIRECTORY)).toEqual(before);
  });

  test('removes older versions only where the newest is whole, and gives way meanwhile', async () => {
    writeThree();
    await redact({ eventIds: [id(1)] });
    const name = chunks().find((one) => one.endsWith('1'))!;
    const older = name.replace(/1$/, '0');
    const bytes = bytesOf(name);
    const file = fileSystem.open(`${DIRECTORY}/${older}`, 'createNew');
    file.write(bytes, 0, bytes.length, 0);
    file.close();
    let turns = 0;
    const control = new OperationControl({
      elapsedMs: clockOf(20),
      yieldTurn: () => Promise.resolve(void turns++)
    });
    const { swept, chunks: done } = await redact({ eventIds: [id(1)] }, { control });
    expect([swept, done]).toEqual([[older], []]);
    expect(turns).toBeGreaterThan(0);
    expect(chunks()).not.toContain(older);
  });

  test('reports and gives way while it looks through many records', async () => {
    write(MIB, (appender) => {
      for (let n = 1; n <= 2500; n++) append(appender, n, Buffer.from('{}'));
    });
    const phases: string[] = [];
    let turns = 0;
    const control = new OperationControl({
      elapsedMs: clockOf(200),
      yieldTurn: () => Promise.resolve(void turns++),
      onProgress: ({ phase }) => phases.push(phase)
    });
    expect((await plan({ eventIds: [id(2500)] }, control)).records).toHaveLength(1);
    expect(turns).toBe(2);
    expect(phases).toEqual(['finding events', 'finding events']);
  });

  test.each([
    ['its head', 0],
    ['its first record', 130]
  ])('leaves the old chunk where the disk gives other bytes of the new one: in %s', async (_what, at) => {
    writeThree();
    const before = treeOf(fileSystem, DIRECTORY);
    class Wrong extends PassThroughFileSystem {
      override open(path: string, mode: OpenMode): OpenFile {
        const file = super.open(path, mode);
        const write = file.write.bind(file);
        if (mode === 'createNew' && path.endsWith('.tmp'))
          file.write = (bytes, offset, length, position) => {
            const other = Buffer.from(bytes.subarray(offset, offset + length));
            if (position <= at && position + length > at) other[at - position]! ^= 0xff;
            write(other, 0, length, position);
          };
        return file;
      }
    }
    const place = { fileSystem: new Wrong(fileSystem), dataDirectory: DIRECTORY };
    await expect(redact({ eventIds: [id(1)] }, { place })).rejects.toMatchObject({
      code: 'StorageFailed',
      message: expect.stringMatching(/is not what is read again.*The old file is unchanged\.$/) as string
    });
    expect(treeOf(fileSystem, DIRECTORY)).toEqual(before);
  });

  test('says who owns the chunk where the system refuses the copy its owner without a word', async () => {
    writeThree();
    class Owners extends PassThroughFileSystem {
      override changeOwner(): void {
        throw new EngineError({ code: 'StorageFailed', message: 'No.', remedy: 'No.' });
      }
    }
    const place = { fileSystem: new Owners(fileSystem), dataDirectory: DIRECTORY };
    await expect(redact({ eventIds: [id(1)] }, { place })).rejects.toMatchObject({
      message: expect.stringContaining('belongs to user 1000, group 1000') as string,
      details: { osCode: '' }
    });
  });
});
