/** A stream told in ranges: what is merged, what is told once, and that every way of reading the log tells the same. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { OperationControl } from '../../../../src-core/database/operation-control.ts';
import { ChunkDigests } from '../../../../src-core/digest/chunk-digests.ts';
import { explainRecords } from '../../../../src-core/insight/explain/explain-records.ts';
import type { ExplainedStream } from '../../../../src-core/insight/explain/explanation.ts';
import { encodeCommit, encodePrepare } from '../../../../src-core/records/encode-record.ts';
import { PrepareFlag } from '../../../../src-core/records/log-record.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../../../../src-core/units/event-number.ts';
import { scavengeEnvironment } from '../../../support/scavenge-environment.ts';
import { AskedLog, event } from './asked-log.ts';

let asked: AskedLog;

beforeEach(() => {
  asked = new AskedLog();
});
afterEach(() => asked.remove());

const briefly = ({ ranges }: ExplainedStream) =>
  ranges.map(({ from, to, verdict, rule }) => [from, to, verdict, rule]);

test('a stream with open transactions only has no last event', async () => {
  const open = asked.events.beginTransaction('open');
  asked.events.writeInTransaction(open, event());
  asked.finish();
  expect(await asked.stream('open')).toMatchObject({ lastEvent: null, ranges: [], unnumberedRecords: 2 });
});

test('a tombstone written in a transaction is told under the number of all tombstones', async () => {
  asked.events.append('t', [event()]);
  const { writer, newGuid } = asked;
  const [eventId, correlationId, ticks] = [newGuid(), newGuid(), asked.now];
  const transactionPosition = writer.append((position) =>
    encodePrepare({
      position,
      flags: PrepareFlag.streamDelete | PrepareFlag.transactionBegin | PrepareFlag.transactionEnd,
      transactionPosition: position,
      transactionOffset: 0,
      expectedVersion: DELETED_STREAM_EVENT_NUMBER,
      stream: 't',
      eventId,
      correlationId,
      ticks,
      eventType: '$streamDeleted',
      data: Buffer.alloc(0),
      metadata: Buffer.alloc(0)
    })
  );
  writer.append((position) =>
    encodeCommit({
      position,
      transactionPosition,
      firstEventNumber: DELETED_STREAM_EVENT_NUMBER,
      correlationId,
      ticks
    })
  );
  asked.finish();
  const told = await asked.stream('t', { alwaysKeepScavenged: true });
  expect(told.unnumberedRecords).toBe(0);
  expect(briefly(told)).toEqual([
    [0, 0, 'discard', 'hardDelete'],
    [DELETED_STREAM_EVENT_NUMBER, DELETED_STREAM_EVENT_NUMBER, 'keep', 'tombstone']
  ]);
});

test('numbers that were written twice are told once, whatever the second writing covers', async () => {
  const events = () => asked.appender(() => -1);
  asked.events.append('same', [event(), event(), event(), event(), event()]);
  events().append('same', [event(), event(), event()]);
  asked.events.append('longer', [event(), event()]);
  events().append('longer', [event(), event(), event()]);
  for (const stream of ['inside', 'beyond'])
    asked.events.append(stream, [event(), event(), event(), event()]);
  asked.writer.completeChunk();
  // Behind the scavenge point, where something else is said of them.
  asked.appender(() => 0).append('inside', [event()]);
  asked.appender(() => 2).append('beyond', [event(), event()]);
  asked.writer.close();
  expect(briefly(await asked.stream('same'))).toEqual([[0, 4, 'keep', 'noRule']]);
  expect(briefly(await asked.stream('longer'))).toEqual([[0, 2, 'keep', 'noRule']]);
  expect(briefly(await asked.stream('inside'))).toEqual([[0, 3, 'keep', 'noRule']]);
  expect(briefly(await asked.stream('beyond'))).toEqual([
    [0, 3, 'keep', 'noRule'],
    [4, 4, 'keep', 'activeChunk']
  ]);
});

test('events that are too old, but come after one that is not, are told with the first that stays', async () => {
  asked.day = 10;
  asked.events.setMetadata('back', '{"$maxAge":432000}');
  asked.events.append('back', [event()]);
  asked.writer.completeChunk();
  asked.day = 0; // the clock of the server went back
  asked.events.append('back', [event(), event()]);
  asked.writer.completeChunk();
  asked.day = 12;
  asked.events.append('back', [event()]);
  asked.finish();
  const { ranges } = await asked.stream('back');
  expect(ranges[1]).toMatchObject({
    from: 1,
    to: 2,
    verdict: 'keep',
    rule: 'maxAge',
    because:
      'They are older than $maxAge of 5 days, but an event before them is not, and events are removed only from the front of a stream: number 0 is the first that stays.',
    change: 'A scavenge point written when the events before it are also too old, or $tb.'
  });
  expect((await asked.event('back', 1)).because).toBe(
    'It is older than $maxAge of 5 days, but an event before it is not, and events are removed only from the front of a stream: number 0 is the first that stays.'
  );
});

test.each(['plain', 'a\u{fffd}'])(
  'what is known of chunks tells the same of %s as the log',
  async (stream) => {
    asked.events.append(stream, [event(3000), event(), event()]);
    asked.events.setMetadata(stream, '{"$maxCount":2}');
    for (let i = 0; i < 20; i++) asked.events.append('other', [event()]);
    asked.writer.completeChunk();
    for (let i = 0; i < 300; i++) asked.events.append('other', [event()]);
    asked.writer.completeChunk();
    asked.events.append(stream, [event()]);
    asked.writer.close();
    const { fileSystem, newGuid } = asked;
    let elapsed = 0;
    let turns = 0;
    // A slow machine: at every look its slice of time is over.
    const operation = new OperationControl({
      elapsedMs: () => (elapsed += 1000),
      yieldTurn: () => {
        turns++;
        return Promise.resolve();
      }
    });
    const always = { alwaysKeepScavenged: true };
    const byLog = await asked.stream(stream, always, { operation });
    const digests = new ChunkDigests({ fileSystem, newGuid, threads: 1 });
    const turnsOfLog = turns;
    expect(await asked.stream(stream, always, { operation, digests })).toEqual(byLog);
    expect(Math.min(turnsOfLog, turns - turnsOfLog)).toBeGreaterThan(0);
    expect(briefly(byLog)).toMatchObject([
      [0, 0, 'discard', 'maxCount'],
      [1, 1, 'keep', 'maxCount'],
      [2, 2, 'keep', 'lastEvent'],
      [3, 3, 'keep', 'activeChunk']
    ]);
  }
);

test('an event that may be too old counts 1 in its chunk, and the threshold for that is named', async () => {
  asked.events.setMetadata('aged', '{"$maxAge":432000}');
  asked.events.append('aged', [event(3000)]);
  asked.day = 10;
  asked.events.append('aged', [event()]);
  asked.finish();
  const told = await asked.event('aged', 0, { threshold: 2 });
  expect(told).toMatchObject({
    verdict: 'keep',
    rule: 'belowThreshold',
    because:
      'Chunk 0 has weight 1, below the threshold of 2, so it is not rewritten, although $maxAge of 5 days discards it since 2026-01-06.',
    change: 'A threshold of 1 or 0 ("--threshold"); or more discardable records in the chunk.'
  });
  expect(await asked.event('aged', 0, { threshold: 1, alwaysKeepScavenged: true })).toMatchObject({
    verdict: 'discard',
    rule: 'maxAge'
  });
});

describe('what a scavenge that was stopped has done already', () => {
  beforeEach(async () => {
    asked.events.append('cut', [event(3000), event(3000), event()]);
    asked.events.setMetadata('cut', '{"$tb":1}');
    asked.finish();
    await asked.writeIndex();
  });
  const own = { scavengePoint: 'existing', singleNode: true } as const;
  const stopped = (stopAfter: 'calculation' | 'chunkMerging', threshold: number) =>
    asked.scavenge({ scavengePoint: 'new', singleNode: true, threshold, merge: true, stopAfter });

  test('is nothing where it has calculated only', async () => {
    await stopped('calculation', 0);
    const told = await asked.event('cut', 0, own);
    expect(told).toMatchObject({ verdict: 'discard', rule: 'truncateBefore', scavenge: { isResumed: true } });
  });

  test('are all chunks where it has merged them: none is visited again', async () => {
    await stopped('chunkMerging', 10);
    const told = await asked.event('cut', 0, own);
    expect(told).toMatchObject({
      verdict: 'keep',
      rule: 'belowThreshold',
      change: 'The next scavenge.',
      scavenge: { isResumed: true }
    });
    expect(told.because).toMatch(
      /^Chunk 0-1 was processed by this scavenge before it was stopped, and is not visited again, although /
    );
  });
});

test('the number of a member of a transaction is looked for up to the end of the log', async () => {
  const [committed, open] = [asked.events.beginTransaction('t'), asked.events.beginTransaction('t')];
  const members = [committed, open].map((transaction) =>
    asked.events.writeInTransaction(transaction, event())
  );
  for (let i = 0; i < 1100; i++) asked.events.append('other', [event(10)]);
  asked.events.commitTransaction(committed);
  asked.finish();
  const told = [];
  for (const position of members) told.push(await asked.ask({ kind: 'position', position }));
  expect(told).toMatchObject([
    { stream: 't', eventNumber: 0, isUncommitted: false },
    { stream: 't', eventNumber: null, isUncommitted: true }
  ]);
});

test('of more streams than it remembers the same is said at the end as at the beginning', async () => {
  asked.events.append('s0', [event(10), event(10)]);
  asked.events.setMetadata('s0', '{"$tb":1}');
  const others: number[] = [];
  for (let i = 1; i <= 10_000; i++) others.push(asked.events.append(`s${i}`, [event(10)]).position);
  asked.finish();
  const { records } = await explainRecords(
    [0, ...others, 0],
    asked.request({ alwaysKeepScavenged: true }),
    scavengeEnvironment()
  );
  expect(records[0]).toMatchObject({ position: 0, verdict: 'discard', rule: 'truncateBefore' });
  expect(records.at(-1)).toEqual(records[0]);
  expect(new Set(records.slice(1, -1).map(({ verdict, rule }) => `${verdict} ${rule}`))).toEqual(
    new Set(['keep noRule'])
  );
});
