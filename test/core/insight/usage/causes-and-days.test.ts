/** What no scavenge frees, what ages free when, and what a rule would free, on a log small enough to add up by hand. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EventAppender } from '../../../../src-core/database/event-appender.ts';
import { ChunkDigests } from '../../../../src-core/digest/chunk-digests.ts';
import { readUsage, type Usage } from '../../../../src-core/insight/usage/read-usage.ts';
import { newestEvents } from '../../../../src-core/insight/usage/newest-events.ts';
import { unfreeable } from '../../../../src-core/insight/usage/unfreeable.ts';
import { sumUsage } from '../../../../src-core/insight/usage/usage-items.ts';
import { whatIf } from '../../../../src-core/insight/usage/what-if.ts';
import { LogWriter } from '../../../../src-core/log/log-writer.ts';
import { NodeFileSystem } from '../../../../src-core/storage/node-file-system.ts';
import { ticksFromIso, ticksToIso } from '../../../../src-core/units/ticks.ts';
import { scavengeEnvironment, temporaryDirectory } from '../../../support/scavenge-environment.ts';

const fileSystem = new NodeFileSystem();
const NOW = '2026-01-11T12:00:00Z';
const breathe = () => Promise.resolve();

let home: string;
let usage: Usage | undefined;
beforeEach(() => {
  home = temporaryDirectory();
});
afterEach(() => {
  usage?.close();
  usage = undefined;
  rmSync(home, { recursive: true, force: true });
});

interface Story {
  at: (time: string) => void;
  appender: EventAppender;
  event: (stream: string, type?: string, data?: string) => void;
}

/** Writes a log, completes its chunk, and counts it. */
async function count(tell: (story: Story) => void): Promise<Usage> {
  const { newGuid, operation } = scavengeEnvironment();
  const dataDirectory = join(home, 'db');
  mkdirSync(dataDirectory);
  const writer = LogWriter.create({
    fileSystem,
    directory: dataDirectory,
    chunkSizeBytes: 1_048_576,
    newGuid
  });
  let now = ticksFromIso('2026-01-01T00:00:00Z')!;
  const appender = new EventAppender({ writer, newGuid, now: () => now, lastEventNumber: () => -1 });
  tell({
    appender,
    at: (time) => (now = ticksFromIso(time)!),
    event: (stream, eventType = 'Happened', data = '{}') =>
      void appender.append(stream, [{ eventType, data: Buffer.from(data) }])
  });
  appender.writeScavengePoint(0);
  writer.close();
  usage = await readUsage({
    fileSystem,
    dataDirectory,
    effectiveNow: ticksFromIso(NOW)!,
    digests: new ChunkDigests({ fileSystem, newGuid, threads: 1 }),
    operation,
    newGuid
  });
  return usage;
}

async function causes(counted: Usage) {
  const { last } = await newestEvents(counted, breathe);
  return Object.fromEntries(unfreeable(counted, last).map(({ cause, ...row }) => [cause, row]));
}

const bytesOf = async (counted: Usage, name: string) =>
  (await sumUsage(counted, 'stream', 1000)).items.find((item) => item.name === name)!;

describe('what no scavenge frees', () => {
  it('tells dead links from links whose event is left', async () => {
    const counted = await count(({ appender, event }) => {
      for (let i = 0; i < 5; i++) event('order-1');
      event('order-2');
      event('order-3');
      appender.setMetadata('order-1', '{"$maxCount":2}');
      appender.hardDelete('order-2');
      for (const target of ['0@order-1', '2@order-1', '3@order-1', '0@order-2', '0@order-3', 'nothing']) {
        event('$ce-order', '$>', target);
      }
    });
    const { deadLinks, tombstones, metadata } = await causes(counted);
    expect(deadLinks).toMatchObject({ records: 3 });
    // Five links of 9 bytes and one of 7: the three are half of all, and 1 byte more.
    expect(deadLinks!.bytes).toBe((await bytesOf(counted, '$ce-order')).bytes / 2 + 1);
    expect(tombstones).toMatchObject({ records: 1 });
    expect(metadata).toEqual({ records: 1, bytes: (await bytesOf(counted, '$$order-1')).bytes });
    const { items } = await sumUsage(counted, 'link', 10);
    const [links] = items.filter(({ name }) => name === '$ce-');
    expect(links).toMatchObject({ records: 6, discardableRecords: 0 });
  });

  it('counts newest events that their rules would let go, and no others', async () => {
    const counted = await count(({ appender, event, at }) => {
      event('old-1');
      event('kept-1');
      event('gone-1');
      appender.setMetadata('old-1', '{"$maxAge":3600}');
      appender.softDelete('gone-1');
      at('2026-01-11T11:59:00Z');
      event('young-1');
      appender.setMetadata('young-1', '{"$maxAge":3600}');
    });
    const { lastEvents } = await causes(counted);
    expect(lastEvents).toEqual({
      records: 2,
      bytes: (await bytesOf(counted, 'old-1')).bytes + (await bytesOf(counted, 'gone-1')).bytes
    });
  });

  it('counts what of names lies beyond 64 bytes, once for each record', async () => {
    const counted = await count(({ event }) => {
      event('a'.repeat(100));
      event('a'.repeat(100), 't'.repeat(70));
      event('short');
    });
    expect((await causes(counted))['longNames']).toEqual({ records: null, bytes: 36 + 36 + 6 });
  });
});

describe('the calendar', () => {
  it('names the day on which an event falls due, and never that of the newest event of a stream', async () => {
    const counted = await count(({ appender, event, at }) => {
      appender.setMetadata('audit', '{"$maxAge":864000}');
      at('2026-01-03T10:00:00Z');
      event('audit');
      at('2026-01-05T10:00:00Z');
      event('audit');
      event('audit');
      at('2026-01-06T10:00:00Z');
      event('audit');
    });
    const { calendar } = await newestEvents(counted, breathe);
    const days = calendar.days(30).filter(({ records }) => records > 0);
    const one = (await bytesOf(counted, 'audit')).bytes / 4;
    expect(days.map(({ day, ...rest }) => ({ day: ticksToIso(day).slice(0, 10), ...rest }))).toEqual([
      { day: '2026-01-13', records: 1, bytes: one, sumBytes: one },
      { day: '2026-01-15', records: 2, bytes: 2 * one, sumBytes: 3 * one }
    ]);
  });
});

describe('what if', () => {
  it('frees what a rule for a category would free, the newest event never', async () => {
    const counted = await count(({ event, at }) => {
      for (let i = 0; i < 10; i++) event('session-1');
      at('2026-01-11T11:00:00Z');
      event('session-2');
      event('sessions');
    });
    const one = (await bytesOf(counted, 'session-2')).bytes;
    const byAge = { category: 'session', maxAgeSeconds: 86_400, maxCount: null };
    const byCount = { category: 'session', maxAgeSeconds: null, maxCount: 4 };
    expect(await whatIf(counted, byAge, breathe)).toEqual({
      streams: 2,
      bytes: 11 * one,
      discardableBytes: 0,
      likelyBytes: 9 * one,
      leastBytes: 9 * one,
      mostBytes: 9 * one
    });
    expect(await whatIf(counted, byCount, breathe)).toMatchObject({
      likelyBytes: 6 * one,
      leastBytes: 6 * one,
      mostBytes: 6 * one
    });
    const none = await whatIf(counted, { ...byAge, category: 'nobody' }, breathe);
    expect(none).toMatchObject({ streams: 0, bytes: 0 });
  });
});
