/** Rulings about a record that is gone: what explains it, and what cannot be said without more than is at hand. */
import { describe, expect, test } from 'vitest';
import type { StreamIndex } from '../../../../src-core/index/stream-index.ts';
import { RemovalJudge, type RemovalPoint } from '../../../../src-core/insight/difference/removal-judge.ts';
import { encodeCommit, encodeSystem } from '../../../../src-core/records/encode-record.ts';
import { PrepareFlag } from '../../../../src-core/records/log-record.ts';
import { eventPayload, recordFrom } from './event-payload.ts';
import { ReadableLog, weakIndexOf } from './readable-log.ts';

const NOW = 638_000_000_000_000_000n;
const ID = '11111111-2222-4333-8444-555555555555';

function pointAt(position: number): RemovalPoint {
  return { position, effectiveNow: NOW, from: 'log' };
}

function judgeOf(lacking?: StreamIndex, points: readonly RemovalPoint[] = [], holding?: StreamIndex) {
  return new RemovalJudge({ lacking: () => lacking, holding: () => holding, points, now: NOW });
}

const event = (position: number, number: number, stream = 'ab') =>
  recordFrom(eventPayload({ position, stream, expectedVersion: number - 1 }));
const member = (position: number, flags: number, stream = 'ab') =>
  recordFrom(eventPayload({ position, stream, flags, expectedVersion: -2 }));

describe('a record that is no event', () => {
  test.each([
    [
      'of the system is removed by no scavenge',
      encodeSystem({ position: 0, ticks: NOW, data: Buffer.from('{}') }),
      { verdict: 'unexplained', because: 'No scavenge removes records of the system.' }
    ],
    [
      'of a commit may have been removed by old servers',
      encodeCommit({
        position: 0,
        transactionPosition: 0,
        firstEventNumber: 0,
        correlationId: ID,
        ticks: NOW
      }),
      { verdict: 'notKnown', because: 'Only the scavenge of a server before 22.10 removes commits.' }
    ]
  ])('%s', (_name, payload, expected) => {
    expect(judgeOf().judge(recordFrom(payload))).toEqual({ rule: null, ...expected });
  });
});

test('without an index of either side nothing is known', () => {
  expect(judgeOf().judge(event(0, 0))).toEqual({
    verdict: 'notKnown',
    rule: null,
    because: 'Neither side has an index that says what held for its stream.'
  });
});

describe('an event', () => {
  /** Five events, the metadata last. */
  async function limited(): Promise<StreamIndex> {
    const log = new ReadableLog();
    for (let number = 0; number < 5; number++) log.event('ab', number, NOW);
    log.metadata('ab', 0, '{"$maxCount":2}');
    return weakIndexOf(log);
  }

  test('is explained by a scavenge that worked to a place after it', async () => {
    const judge = judgeOf(await limited(), [pointAt(600), pointAt(700)]);
    const ruling = judge.judge(event(100, 1));
    expect(ruling).toMatchObject({ verdict: 'explained', rule: 'maxCount' });
    expect(ruling.because).toMatch(/^Removed by the scavenge to position 700, as of /);
    expect(judge.judge(event(100, 1))).toBe(ruling);
  });

  test('is not explained by a scavenge that did not come to its place', async () => {
    const judge = judgeOf(await limited(), [pointAt(100)]);
    expect(judge.judge(event(100, 1))).toEqual({
      verdict: 'notKnown',
      rule: null,
      because: 'Only a scavenge that left no scavenge point here could have removed it.'
    });
    expect(judge.judge(event(400, 4))).toMatchObject({ verdict: 'unexplained' });
  });

  test('is judged alike whether its stream was prepared, and after many others', async () => {
    const index = await limited();
    const alone = judgeOf(index, [pointAt(600)]).judge(event(100, 1));
    const prepared = judgeOf(index, [pointAt(600)]);
    prepared.prepare(new Set(['ab', 'other']));
    expect(prepared.judge(event(100, 1))).toEqual(alone);
    expect(prepared.judge(event(100, 0, 'never')).verdict).toBe('unexplained');
  });

  test('is judged alike after more streams than are remembered', async () => {
    const index = await limited();
    const streams = Array.from({ length: 50_000 }, (_, i) => `s${i}`);
    const alone = judgeOf(index).judge(event(100, 1));
    expect(alone.verdict).toBe('notKnown');
    const judge = judgeOf(index);
    judge.prepare(new Set(streams));
    expect(judge.judge(event(100, 1))).toEqual(alone);
    judge.prepare(new Set(streams));
    expect(judge.judge(event(100, 1))).toEqual(alone);
    expect(judge.judge(event(100, 0, 's7')).verdict).toBe('unexplained');
  });
});

describe('a part of a transaction', () => {
  const OLD = 'Only the scavenge of a server before 22.10 removes parts of transactions.';

  async function deleted(): Promise<StreamIndex> {
    const log = new ReadableLog();
    log.event('ab', 0);
    log.tombstone('ab');
    return weakIndexOf(log);
  }

  test('is explained where its stream was deleted before a point after it', async () => {
    const judge = judgeOf(await deleted(), [pointAt(300)]);
    expect(judge.judge(member(0, PrepareFlag.data))).toMatchObject({
      verdict: 'explained',
      rule: 'hardDelete'
    });
  });

  test.each([
    ['begins the transaction', PrepareFlag.transactionBegin, 0],
    ['deletes the stream', PrepareFlag.streamDelete, 0],
    ['is after every point', PrepareFlag.data, 300]
  ])('is not, where it %s', async (_name, flags, position) => {
    const judge = judgeOf(await deleted(), [pointAt(300)]);
    expect(judge.judge(member(position, flags))).toEqual({ verdict: 'notKnown', rule: null, because: OLD });
  });

  test('is not, where the stream lives', async () => {
    const log = new ReadableLog();
    log.event('ab', 0);
    const judge = judgeOf(await weakIndexOf(log), [pointAt(300)]);
    expect(judge.judge(member(0, PrepareFlag.data))).toEqual({
      verdict: 'notKnown',
      rule: null,
      because: OLD
    });
  });

  test('is explained where even the tombstone is gone from the side that lacks it', async () => {
    const judge = judgeOf(await weakIndexOf(new ReadableLog()), [], await deleted());
    const ruling = judge.judge(member(0, PrepareFlag.transactionBegin));
    expect(ruling).toMatchObject({ verdict: 'explained', rule: 'hardDelete' });
    expect(ruling.because).toMatch(/ignores hard deletes/);
  });
});
