import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import {
  readStreamBackward,
  readStreamForward,
  type StreamPage
} from '../../../src-core/index/read-stream.ts';
import { openStreamIndex, type StreamIndex } from '../../../src-core/index/stream-index.ts';
import { eventNumberToBigInt } from '../../../src-core/units/event-number.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import { expectedOf, removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import type { ExpectedStream } from '../../support/golden-expectations.ts';
import { fileSystem } from './index-fixture.ts';

const RESULTS: Partial<Record<StreamPage['result'], ExpectedStream['result']>> = {
  success: 'Success',
  noStream: 'NoStream',
  streamDeleted: 'StreamDeleted'
};
/** The server cannot subtract this age from today; ours saturates. */
const SATURATED = ['age-huge'];
/** Too many pages to be worth it: as many events as a person asks for, and all at once. */
const PAGE_SIZES = [13, 4096];

afterEach(removeUnpacked);

/** What a person sees who pages through a stream: result, last number, and ranges of numbers forward. */
function readWhole(index: StreamIndex, stream: string, count: number, now: bigint): ExpectedStream {
  const readable: [number, number][] = [];
  for (let from = 0; ;) {
    const page = readStreamForward(index, { stream, from, count, now });
    for (const { number } of page.events) {
      const range = readable.at(-1);
      if (range?.[1] === number - 1) range[1] = number;
      else readable.push([number, number]);
    }
    if (page.result !== 'success' || page.isEndOfStream) {
      const last = Number(eventNumberToBigInt(page.lastEventNumber));
      return { result: RESULTS[page.result] ?? 'Error', last, readable, isDeleted: false };
    }
    expect(page.nextEventNumber, `the page of ${stream} from ${from} leads on`).toBeGreaterThan(from);
    from = page.nextEventNumber;
  }
}

function countBackward(index: StreamIndex, stream: string, count: number, now: bigint): number {
  let events = 0;
  for (let from = -1; ;) {
    const page = readStreamBackward(index, { stream, from, count, now });
    events += page.events.length;
    if (page.result !== 'success' || page.isEndOfStream) return events;
    from = page.nextEventNumber;
  }
}

describe('streams of real databases read as through the real server', () => {
  test.each([
    ['tables', 'before'],
    ['tables', 'after-scavenge'],
    ['rules', 'before'],
    ['rules', 'after-t0'],
    ['rules-odd', 'before'],
    ['transactions', 'before'],
    ['transactions', 'after-ihd'],
    ['old-v0', 'before'],
    ['killed-clean-tables', 'after-recovery'],
    ['restored', 'after-start2']
  ])('%s, %s', async (name, folder) => {
    const dataDirectory = unpackDatabase({ name, folder });
    const expected = expectedOf(name, folder) as ReturnType<typeof expectedOf> & { observedAtUtc?: string };
    const now = ticksFromIso(expected.observedAtUtc ?? '2026-11-21T01:00:00Z')!;
    const database = openDatabase({ fileSystem, dataDirectory });
    const directory = path.join(dataDirectory, 'index');
    const index = await openStreamIndex({ fileSystem, directory, log: database.log });
    expect(index.directory.problems).toEqual([]);
    // Streams to which the observing server itself wrote were cut back by hand: their pages are not its answer.
    const isAnswer = (stream: ExpectedStream) => !('trimmedObserverWrites' in stream);
    const streams = Object.entries(expected.streams!).filter(
      ([stream, answer]) => !SATURATED.includes(stream) && isAnswer(answer)
    );
    expect(streams.length).toBeGreaterThan(10);
    for (const [stream, { result, last, readable }] of streams) {
      for (const count of PAGE_SIZES) {
        const found = readWhole(index, stream, count, now);
        expect(found.result, stream).toBe(result);
        if (result !== 'Success') continue;
        expect([found.last, found.readable], stream).toEqual([last, readable]);
        const total = found.readable!.reduce((sum, [from, to]) => sum + Number(to) - Number(from) + 1, 0);
        expect(countBackward(index, stream, count, now), stream).toBe(total);
      }
    }
    index.close();
    database.close();
  });
});
