import { describe, expect, it } from 'vitest';
import {
  encodeCommit,
  encodePrepare,
  encodeSystem,
  prepareLength
} from '../../../src-core/records/encode-record.ts';
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

  const commit = (version: 0 | 1 = 1) =>
    encodeCommit({
      version,
      position: 9,
      transactionPosition: 3,
      firstEventNumber: 12,
      correlationId: GUID,
      ticks: 5n
    });
  const epoch = () => encodeSystem({ position: 0, ticks: EXAMPLE_TICKS, data: Buffer.from('{}') });
  const eventIdAt = prepare({}).indexOf('stream') + 'stream'.length;

  it.each<[problem: string, payload: Buffer, change: (bytes: Buffer) => Buffer | number]>([
    ['the event id is empty', prepare({}), (bytes) => bytes.fill(0, eventIdAt, eventIdAt + 16)],
    ['the correlation id is empty', prepare({}), (bytes) => bytes.fill(0, eventIdAt + 16, eventIdAt + 32)],
    ['the length of the stream name is damaged', prepare({}), (bytes) => bytes.fill(0xff, 32, 38)],
    [
      'the length of the stream name is damaged',
      prepare({}),
      (bytes) => bytes.fill(0xff, 32, 36).writeUInt8(0x08, 36)
    ],
    [
      'the length of the event type is damaged',
      prepare({}),
      (bytes) => bytes.fill(0xff, eventIdAt + 40, eventIdAt + 45)
    ],
    ['commit version 2 is unknown', commit(), (bytes) => bytes.writeUInt8(2, 1)],
    ['a commit of 58 bytes instead of 54', commit(), (bytes) => bytes.writeUInt8(0, 1)],
    ['a commit of 54 bytes instead of 58', commit(0), (bytes) => bytes.writeUInt8(1, 1)],
    ['the transaction position is negative', commit(), (bytes) => bytes.writeBigInt64LE(-1n, 10)],
    ['the first event number is above 2^53', commit(), (bytes) => bytes.writeBigInt64LE(2n ** 53n, 18)],
    ['system record version 1 is unknown', epoch(), (bytes) => bytes.writeUInt8(1, 1)],
    ['the system record ends within its head', epoch(), (bytes) => bytes.subarray(0, 31)],
    ['system record type 2 is unknown', epoch(), (bytes) => bytes.writeUInt8(2, 18)],
    ['serialization 0 of a system record is unknown', epoch(), (bytes) => bytes.writeUInt8(0, 19)],
    ['serialization 4 of a system record is unknown', epoch(), (bytes) => bytes.writeUInt8(4, 19)],
    ['a data length of -1 does not end with the record', epoch(), (bytes) => bytes.writeInt32LE(-1, 28)],
    ['a data length of 3 does not end with the record', epoch(), (bytes) => bytes.writeInt32LE(3, 28)]
  ])('is refused with its reason: %s', (problem, payload, change) => {
    const changed = change(payload);
    expect(parse(typeof changed === 'number' ? payload : changed)).toBe(problem);
  });

  it.each([2 ** 53 - 1, DELETED_STREAM_EVENT_NUMBER])(
    'keeps %d, the first event number of a commit',
    (number) => {
      const payload = encodeCommit({
        position: 9,
        transactionPosition: 3,
        firstEventNumber: number,
        correlationId: GUID,
        ticks: 5n
      });
      expect(parsed(payload).eventNumber).toBe(number);
    }
  );

  it.each([
    [0x7f, 1],
    [0x80, 2],
    [0x3fff, 2],
    [0x4000, 3],
    [0x1fffff, 3],
    [0x200000, 4],
    [0xfffffff, 4],
    [0x10000000, 5]
  ])('with a name of %i bytes needs %i for the length of the name', (stream, lengthBytes) => {
    const bare = prepareLength({ stream: 1, eventType: 0, data: 0, metadata: 0 });
    expect(prepareLength({ stream, eventType: 0, data: 0, metadata: 0 })).toBe(
      bare - 2 + stream + lengthBytes
    );
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
