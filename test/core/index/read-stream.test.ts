import { describe, expect, test } from 'vitest';
import {
  readStreamBackward,
  readStreamEvent,
  readStreamForward,
  type StreamPage
} from '../../../src-core/index/read-stream.ts';
import { openStreamIndex, type StreamIndex } from '../../../src-core/index/stream-index.ts';
import { TICKS_PER_SECOND } from '../../../src-core/units/ticks.ts';
import { fileSystem, scratchDirectory } from './index-fixture.ts';
import { MemoryLog, nthCharacter } from './memory-log.ts';

const NOW = 1_000n * TICKS_PER_SECOND;

async function indexOf(log: MemoryLog): Promise<StreamIndex> {
  return openStreamIndex({ fileSystem, directory: scratchDirectory(), log, hasher: nthCharacter });
}

/** `count` events of `ab`, one a second from second 0 on. */
function eventsOf(count: number): MemoryLog {
  const log = new MemoryLog();
  for (let number = 0; number < count; number++) log.event('ab', number, BigInt(number) * TICKS_PER_SECOND);
  return log;
}

const numbers = (page: StreamPage) => page.events.map((event) => event.number);
const forward = (index: StreamIndex, from: number, count: number, now = NOW) =>
  readStreamForward(index, { stream: 'ab', from, count, now });
const backward = (index: StreamIndex, from: number, count: number, now = NOW) =>
  readStreamBackward(index, { stream: 'ab', from, count, now });

describe('a forward page', () => {
  test('leads from one to the next until the end', async () => {
    const index = await indexOf(eventsOf(5));
    const first = forward(index, 0, 2);
    expect(first).toMatchObject({
      result: 'success',
      nextEventNumber: 2,
      isEndOfStream: false,
      lastEventNumber: 4
    });
    expect(first.events).toEqual([
      { number: 0, position: 0 },
      { number: 1, position: 100 }
    ]);
    const last = forward(index, 3, 2);
    expect(numbers(last)).toEqual([3, 4]);
    expect(last).toMatchObject({ nextEventNumber: 5, isEndOfStream: true });
    expect(forward(index, 5, 2)).toMatchObject({ events: [], nextEventNumber: 5, isEndOfStream: true });
  });

  test('skips what maxCount and truncateBefore hide, and says where the visible part begins', async () => {
    const log = eventsOf(10);
    log.metadata('ab', 0, '{"$maxCount":4}');
    const index = await indexOf(log);
    expect(forward(index, 0, 3)).toMatchObject({ events: [], nextEventNumber: 6, isEndOfStream: false });
    expect(numbers(forward(index, 0, 8))).toEqual([6, 7]);
    log.metadata('ab', 1, '{"$tb":8}');
    expect(numbers(forward(await indexOf(log), 0, 100))).toEqual([8, 9]);
  });

  test('leaves out events without a record and keeps going', async () => {
    const log = eventsOf(6);
    log.remove(0);
    log.remove(200);
    const index = await indexOf(log);
    expect(numbers(forward(index, 0, 100))).toEqual([1, 3, 4, 5]);
    expect(forward(index, 0, 1)).toMatchObject({ events: [], nextEventNumber: 1, isEndOfStream: false });
  });

  test('shows of two events with one number that which was written first', async () => {
    const log = eventsOf(2);
    log.event('ab', 1, 0n);
    expect(forward(await indexOf(log), 0, 10).events).toEqual([
      { number: 0, position: 0 },
      { number: 1, position: 100 }
    ]);
  });

  test('shows only the events of its own stream where hashes collide', async () => {
    const log = eventsOf(2);
    log.event('cb', 0);
    log.event('cb', 1);
    const index = await indexOf(log);
    expect(forward(index, 0, 10).events.map((event) => event.position)).toEqual([0, 100]);
  });
});

describe('a forward page of a stream with a maximum age', () => {
  async function aged(count: number, maxAgeSeconds: number): Promise<StreamIndex> {
    const log = eventsOf(count);
    log.metadata('ab', 0, `{"$maxAge":${maxAgeSeconds}}`);
    return indexOf(log);
  }
  const at = (second: number) => BigInt(second) * TICKS_PER_SECOND;

  test('holds the events that are not expired', async () => {
    const index = await aged(10, 5);
    const page = forward(index, 0, 100, at(10));
    expect(numbers(page)).toEqual([5, 6, 7, 8, 9]);
    expect(page).toMatchObject({ nextEventNumber: 10, isEndOfStream: true });
  });

  test('with expired events only leads straight to the first that is not', async () => {
    const index = await aged(1000, 5);
    const page = forward(index, 0, 10, at(1000));
    expect(page).toMatchObject({ events: [], nextEventNumber: 995, isEndOfStream: false });
    expect(numbers(forward(index, page.nextEventNumber, 10, at(1000)))).toEqual([995, 996, 997, 998, 999]);
  });

  test('is the end when even the last event is expired', async () => {
    const index = await aged(10, 5);
    const page = forward(index, 0, 3, at(100));
    expect(page).toMatchObject({ result: 'success', events: [], nextEventNumber: 10, isEndOfStream: true });
  });

  test('leads to the first that is not expired past events without a record', async () => {
    const log = eventsOf(1000);
    log.metadata('ab', 0, '{"$maxAge":5}');
    const index = await indexOf(log);
    for (let number = 1; number < 990; number += 2) log.remove(number * 100);
    expect(forward(index, 0, 10, at(1000))).toMatchObject({
      events: [],
      nextEventNumber: 995,
      isEndOfStream: false
    });
  });

  test('leads over numbers that the index does not hold to one that is not expired', async () => {
    const log = eventsOf(10);
    for (let number = 500; number < 510; number++) log.event('ab', number, at(1000));
    log.metadata('ab', 0, '{"$maxAge":5}');
    const index = await indexOf(log);
    const page = forward(index, 0, 4, at(1000));
    expect(page).toMatchObject({ events: [], isEndOfStream: false });
    expect(page.nextEventNumber).toBeGreaterThan(9);
    expect(numbers(forward(index, page.nextEventNumber, 4, at(1000)))).toEqual([500, 501, 502, 503]);
  });

  test('jumps over numbers that the index does not hold', async () => {
    const log = new MemoryLog();
    log.event('ab', 0, 0n);
    log.event('ab', 500, at(9));
    log.event('ab', 501, at(10));
    log.metadata('ab', 0, '{"$maxAge":5}');
    const index = await indexOf(log);
    expect(numbers(forward(index, 1, 10, at(10)))).toEqual([500, 501]);
  });
});

describe('a backward page', () => {
  test('leads from the last event to the first', async () => {
    const index = await indexOf(eventsOf(5));
    const first = backward(index, -1, 2);
    expect(numbers(first)).toEqual([4, 3]);
    expect(first).toMatchObject({ nextEventNumber: 2, isEndOfStream: false });
    const last = backward(index, 1, 2);
    expect(numbers(last)).toEqual([1, 0]);
    expect(last).toMatchObject({ nextEventNumber: -1, isEndOfStream: true });
  });

  test('ends where the visible part begins', async () => {
    const log = eventsOf(10);
    log.metadata('ab', 0, '{"$maxCount":4}');
    const index = await indexOf(log);
    expect(numbers(backward(index, 7, 5))).toEqual([7, 6]);
    expect(backward(index, 7, 5)).toMatchObject({ nextEventNumber: -1, isEndOfStream: true });
    expect(backward(index, 3, 2)).toMatchObject({ events: [], isEndOfStream: true });
  });

  test('from above the last event leads to it', async () => {
    const index = await indexOf(eventsOf(3));
    expect(backward(index, 100, 5)).toMatchObject({ events: [], nextEventNumber: 2, isEndOfStream: false });
  });

  test('leaves out expired events', async () => {
    const log = eventsOf(10);
    log.metadata('ab', 0, '{"$maxAge":2}');
    const page = backward(await indexOf(log), -1, 5, 10n * TICKS_PER_SECOND);
    expect(numbers(page)).toEqual([9, 8]);
    expect(page.isEndOfStream).toBe(true);
  });
});

describe('a single event', () => {
  test('is found by its number, the last one by -1', async () => {
    const index = await indexOf(eventsOf(3));
    expect(readStreamEvent(index, 'ab', 1, NOW).events).toEqual([{ number: 1, position: 100 }]);
    expect(readStreamEvent(index, 'ab', -1, NOW).events).toEqual([{ number: 2, position: 200 }]);
    expect(readStreamEvent(index, 'ab', 3, NOW).result).toBe('notFound');
  });

  test('is not found when it is hidden or gone', async () => {
    const log = eventsOf(5);
    log.metadata('ab', 0, '{"$tb":2,"$maxAge":900}');
    log.remove(300);
    const index = await indexOf(log);
    expect(readStreamEvent(index, 'ab', 1, 0n).result).toBe('notFound');
    expect(readStreamEvent(index, 'ab', 2, 0n).result).toBe('success');
    expect(readStreamEvent(index, 'ab', 2, NOW).result).toBe('notFound');
    expect(readStreamEvent(index, 'ab', 3, 0n).result).toBe('notFound');
  });
});

describe('every read', () => {
  const reads = [
    ['forward', forward],
    ['backward', backward],
    ['single', (index: StreamIndex, from: number) => readStreamEvent(index, 'ab', from, NOW)]
  ] as const;

  test.each(reads)('of a stream that never was says so (%s)', async (_name, read) => {
    expect(read(await indexOf(new MemoryLog()), 0, 5)).toMatchObject({
      result: 'noStream',
      lastEventNumber: -1
    });
  });

  test.each(reads)('of a deleted stream says so (%s)', async (_name, read) => {
    const log = eventsOf(2);
    log.tombstone('ab');
    expect(read(await indexOf(log), 0, 5)).toMatchObject({ result: 'streamDeleted', events: [] });
  });

  test.each(reads)(
    'of a soft-deleted stream finds none, but knows its last number (%s)',
    async (_name, read) => {
      const log = eventsOf(2);
      log.metadata('ab', 0, '{"$tb":9223372036854775807}');
      expect(read(await indexOf(log), 0, 5)).toMatchObject({
        result: 'noStream',
        events: [],
        lastEventNumber: 1
      });
    }
  );

  test.each(reads)('reports a latest entry without a record as its result (%s)', async (_name, read) => {
    const log = eventsOf(2);
    const index = await indexOf(log);
    log.remove(100);
    const page = read(index, 0, 5);
    expect(page.result).toBe('error');
    expect(page.error).toMatchObject({ code: 'IndexCorrupt', details: { position: 100 } });
  });

  test.each(reads)('passes on an error that is no fault of the files (%s)', async (_name, read) => {
    const log = eventsOf(2);
    const index = await indexOf(log);
    log.readAt = () => {
      throw new TypeError('ours');
    };
    expect(() => read(index, 0, 5)).toThrow(TypeError);
  });
});
