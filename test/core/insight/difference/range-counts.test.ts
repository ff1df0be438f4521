/** Records that only one side has are judged many at once; none is lost where there is no room for more. */
import { describe, expect, test } from 'vitest';
import type { Difference } from '../../../../src-core/insight/difference/difference.ts';
import { PendingRecords } from '../../../../src-core/insight/difference/pending-records.ts';
import { RangeCounts } from '../../../../src-core/insight/difference/range-counts.ts';
import { encodeSystem } from '../../../../src-core/records/encode-record.ts';
import type { LogRecord } from '../../../../src-core/records/log-record.ts';
import { eventPayload, recordFrom } from './event-payload.ts';

const MEBIBYTE = 2 ** 20;

function counting() {
  const told: Difference<number>[] = [];
  const lots: string[][] = [];
  const counts = new RangeCounts<number>({
    judge: () => ({ verdict: 'unexplained', rule: null, because: 'The test says so.' }),
    prepare: (lackedBy, streams) => {
      if (streams.size > 0) lots.push([lackedBy, ...streams]);
    },
    pending: new PendingRecords(),
    describe: ({ position }) => position,
    wantsMore: () => true,
    onDifference: (difference) => told.push(difference),
    wantsExplained: () => false,
    onExplained: () => undefined
  });
  const onlyHere = (side: 'one' | 'other', record: LogRecord) =>
    counts.onlyHere(
      side,
      {
        position: record.position,
        framedLength: record.length + 8,
        fileName: 'chunk',
        fileOffset: 0,
        record
      },
      undefined
    );
  return { counts, told, lots, onlyHere };
}

describe('records that are waiting to be judged', () => {
  test('are judged before one that has no room beside them', () => {
    const { counts, told, lots, onlyHere } = counting();
    const large = recordFrom(
      eventPayload({ position: 0, stream: 'large', data: Buffer.alloc(9 * MEBIBYTE) })
    );
    const next = recordFrom(
      eventPayload({ position: 10 * MEBIBYTE, stream: 'next', data: Buffer.alloc(9 * MEBIBYTE) })
    );
    onlyHere('one', large);
    expect(told).toEqual([]);
    onlyHere('one', next);
    expect(told.map(({ position }) => position)).toEqual([0]);
    counts.flush();
    expect(told.map(({ position, one, lackedBy }) => [position, one, lackedBy])).toEqual([
      [0, 0, 'other'],
      [10 * MEBIBYTE, 10 * MEBIBYTE, 'other']
    ]);
    expect(lots).toEqual([
      ['other', 'large'],
      ['other', 'next']
    ]);
  });

  test('are judged when there are very many of them', () => {
    const { counts, told, onlyHere } = counting();
    for (let position = 0; position < 32_768; position++)
      onlyHere('one', recordFrom(eventPayload({ position })));
    expect(told).toEqual([]);
    onlyHere('one', recordFrom(eventPayload({ position: 32_768 })));
    expect(told).toHaveLength(32_768);
    counts.flush();
    expect(told.at(-1)?.position).toBe(32_768);
    expect(counts.one.unexplained.records).toBe(32_769);
  });

  test('have streams where they are events', () => {
    const { counts, told, lots, onlyHere } = counting();
    onlyHere('one', recordFrom(encodeSystem({ position: 0, ticks: 0n, data: Buffer.from('{}') })));
    onlyHere('one', recordFrom(eventPayload({ position: 100, stream: 'order-1' })));
    onlyHere('other', recordFrom(eventPayload({ position: 200, stream: 'order-2' })));
    counts.flush();
    expect(lots).toEqual([
      ['other', 'order-1'],
      ['one', 'order-2']
    ]);
    expect(told.map(({ position, lackedBy }) => [position, lackedBy])).toEqual([
      [0, 'other'],
      [100, 'other'],
      [200, 'one']
    ]);
  });
});
