import { describe, expect, it } from 'vitest';
import { encodeCommit, encodePrepare, encodeSystem } from '../../../src-core/records/encode-record.ts';
import { LogRecord, PrepareFlag } from '../../../src-core/records/log-record.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../../../src-core/units/event-number.ts';
import { EXAMPLE_TICKS, exampleEvent0 } from '../chunks/worked-example.ts';

const GUID = '01020304-0506-0708-090a-0b0c0d0e0f10';

function parse(payload: Buffer): LogRecord | string {
  const record = new LogRecord();
  const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
  return record.parse(payload, view, 0, payload.length) ?? record;
}

function parsed(payload: Buffer): LogRecord {
  const record = parse(payload);
  if (typeof record === 'string') throw new Error(record);
  return record;
}

const prepare = (fields: Partial<Parameters<typeof encodePrepare>[0]>) =>
  encodePrepare({
    position: 7,
    flags: 0x127,
    transactionPosition: 7,
    transactionOffset: 0,
    expectedVersion: 4,
    stream: 'stream',
    eventId: GUID,
    correlationId: GUID,
    ticks: EXAMPLE_TICKS,
    eventType: 'type',
    data: Buffer.from('data'),
    metadata: Buffer.from('meta'),
    ...fields
  });

describe('a record', () => {
  it('has the bytes of the worked example', () => {
    expect(exampleEvent0.length).toBe(93);
    expect(exampleEvent0.toString('hex')).toBe(
      '0001000000000000000023010000000000000000000000' +
        '00ffffffffffffffff03732d31000000100000000000000000000000010403020106050807090a0b0c0d0e0f1000c000995c0adc08' +
        '0154070000007b2261223a317d00000000'
    );
  });

  it('gives back names of any length, whose own length takes one byte to three', () => {
    for (const length of [0, 1, 127, 128, 300, 16_383, 16_384, 70_000]) {
      const name = 'n'.repeat(length);
      for (const fields of [{ stream: name || 's' }, { eventType: name }]) {
        const record = parsed(prepare(fields));
        expect([record.stream, record.eventType]).toEqual([
          fields.stream ?? 'stream',
          fields.eventType ?? 'type'
        ]);
        expect([record.data.toString(), record.metadata.toString()]).toEqual(['data', 'meta']);
      }
    }
  });

  it('gives back every field of a prepare', () => {
    const record = parsed(prepare({}));
    expect(record.kind).toBe('prepare');
    expect(record.position).toBe(7);
    expect(record.eventNumber).toBe(5);
    expect(record.stream).toBe('stream');
    expect(record.eventType).toBe('type');
    expect(record.eventId).toBe(GUID);
    expect(record.ticks).toBe(EXAMPLE_TICKS);
    expect(record.data.toString()).toBe('data');
    expect(record.metadata.toString()).toBe('meta');
    expect(record.isSelfCommitted).toBe(true);
  });

  it.each([0, 1] as const)('maps the number of a tombstone in version %i', (version) => {
    const record = parsed(
      prepare({ version, flags: 0x2e, expectedVersion: DELETED_STREAM_EVENT_NUMBER, data: Buffer.alloc(0) })
    );
    expect(record.eventNumber).toBe(DELETED_STREAM_EVENT_NUMBER);
    expect(record.isTombstone).toBe(true);
  });

  it('knows a metastream without decoding its name', () => {
    expect(parsed(prepare({ stream: '$$a' })).isMetastream).toBe(true);
    expect(parsed(prepare({ stream: '$a' })).isMetastream).toBe(false);
  });

  it.each([0, 1] as const)('gives back a commit of version %i', (version) => {
    const record = parsed(
      encodeCommit({
        version,
        position: 9,
        transactionPosition: 3,
        firstEventNumber: 12,
        correlationId: GUID,
        ticks: 5n
      })
    );
    expect([record.kind, record.transactionPosition, record.eventNumber, record.ticks]).toEqual([
      'commit',
      3,
      12,
      5n
    ]);
  });

  it('gives back an epoch', () => {
    const record = parsed(encodeSystem({ position: 0, ticks: EXAMPLE_TICKS, data: Buffer.from('{}') }));
    expect([record.kind, record.systemType, record.data.toString()]).toEqual(['system', 1, '{}']);
  });

  it('replaces each invalid part of a name by one U+FFFD', () => {
    const payload = prepare({ stream: 'abcdef' });
    payload.set([0x61, 0xff, 0xe2, 0x82, 0x62, 0x63], payload.indexOf('abcdef'));
    expect(parsed(payload).stream).toBe('a\ufffd\ufffdbc');
  });

  it('accepts a length that is written longer than needed', () => {
    const payload = prepare({ stream: 'ab' });
    const at = payload.indexOf('ab') - 1;
    const longer = Buffer.concat([
      payload.subarray(0, at),
      Buffer.from([0x82, 0x00]),
      payload.subarray(at + 1)
    ]);
    expect(parsed(longer).stream).toBe('ab');
  });

  it('refuses the types of the experimental format by name', () => {
    const payload = prepare({});
    payload[0] = 5;
    expect(parse(payload)).toMatch(/experimental/);
  });

  it('refuses a number above 2^53 that is not a tombstone', () => {
    const payload = prepare({});
    payload.writeBigInt64LE(2n ** 60n, 24);
    expect(parse(payload)).toMatch(/2\^53/);
  });

  it('never reads outside its payload, whatever byte is changed to whatever value', () => {
    const payload = prepare({ flags: PrepareFlag.data | PrepareFlag.isCommitted });
    for (let at = 0; at < payload.length; at++) {
      for (const value of [0, 1, 0x7f, 0x80, 0xff]) {
        const damaged = Buffer.from(payload);
        damaged[at] = value;
        const record = parse(damaged);
        if (typeof record === 'string') continue;
        if (record.kind !== 'prepare') continue;
        expect(record.data.length + record.metadata.length).toBeLessThan(payload.length);
        expect(record.streamEnd).toBeLessThan(payload.length);
      }
    }
  });

  it('refuses every cut payload', () => {
    const payload = prepare({});
    for (let length = 0; length < payload.length; length++) {
      expect(typeof parse(payload.subarray(0, length))).toBe('string');
    }
  });
});
