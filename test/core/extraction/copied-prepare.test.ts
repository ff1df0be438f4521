/** Payloads for another place in another log: of both record versions, of events and tombstones, up to the last number. */
import { describe, expect, test } from 'vitest';
import { checkPlaced, placePrepare } from '../../../src-core/extraction/copied-prepare.ts';
import { encodePrepare } from '../../../src-core/records/encode-record.ts';
import { LogRecord, PrepareFlag } from '../../../src-core/records/log-record.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../../../src-core/units/event-number.ts';

/** A member of an explicit transaction, as it is stored: its number is only known by the commit. */
function stored(version: 0 | 1, flags: number): Buffer {
  return encodePrepare({
    version,
    position: 500,
    flags,
    transactionPosition: 400,
    transactionOffset: 3,
    expectedVersion: -2,
    stream: 'orders-1',
    eventId: '11111111-1111-1111-1111-111111111111',
    correlationId: '22222222-2222-2222-2222-222222222222',
    ticks: 1n,
    eventType: 'happened',
    data: Buffer.from('{}'),
    metadata: new Uint8Array(0)
  });
}

function parsed(payload: Buffer): LogRecord {
  const record = new LogRecord();
  const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
  expect(record.parse(payload, view, 0, payload.length)).toBeUndefined();
  return record;
}

const LAST_OF_OLD_RECORDS = 2 ** 31 - 2;

describe('a copied event', () => {
  test.each([
    { what: 'an old record', version: 0, flags: PrepareFlag.data, eventNumber: 7 },
    { what: 'a new record', version: 1, flags: PrepareFlag.data, eventNumber: 7 },
    { what: 'an old record with its first number', version: 0, flags: PrepareFlag.data, eventNumber: 0 },
    {
      what: 'an old record with its last number',
      version: 0,
      flags: PrepareFlag.data,
      eventNumber: LAST_OF_OLD_RECORDS
    },
    {
      what: 'a new record behind the numbers of old ones',
      version: 1,
      flags: PrepareFlag.data,
      eventNumber: 2 ** 31 - 1
    },
    {
      what: 'an old tombstone',
      version: 0,
      flags: PrepareFlag.streamDelete,
      eventNumber: DELETED_STREAM_EVENT_NUMBER
    },
    {
      what: 'a new tombstone',
      version: 1,
      flags: PrepareFlag.streamDelete,
      eventNumber: DELETED_STREAM_EVENT_NUMBER
    }
  ] as const)('has its number and is a write of its own: $what', ({ version, flags, eventNumber }) => {
    const payload = stored(version, flags);
    placePrepare(payload, { position: 9000, eventNumber });
    checkPlaced(payload, { position: 9000, eventNumber });
    const record = parsed(payload);
    expect(record).toMatchObject({
      version,
      position: 9000,
      transactionPosition: 9000,
      transactionOffset: 0
    });
    expect(record.eventNumber).toBe(eventNumber);
    expect(record.isSelfCommitted).toBe(true);
    expect(record.isTombstone).toBe(flags === PrepareFlag.streamDelete);
    expect(record.data.toString()).toBe('{}');
  });

  // The first would be read as the number of a tombstone, the others do not fit.
  test.each([2 ** 31 - 1, 2 ** 31 + 1, Number.MAX_SAFE_INTEGER])(
    'is refused as a record of version 0 with the number %d',
    (eventNumber) => {
      const place = (): void => placePrepare(stored(0, PrepareFlag.data), { position: 9000, eventNumber });
      expect(place).toThrow(
        expect.objectContaining({
          code: 'LogCorrupt',
          message: `A record of version 0 at position 9000 would have the event number ${eventNumber}.`,
          details: { position: 9000 }
        })
      );
    }
  );
});
