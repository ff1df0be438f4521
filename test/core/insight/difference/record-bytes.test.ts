/** Where two records of one position differ, and what lies there. */
import { describe, expect, test } from 'vitest';
import { differentBytes } from '../../../../src-core/insight/difference/record-bytes.ts';
import {
  encodeCommit,
  encodePrepare,
  encodeSystem,
  frameRecord
} from '../../../../src-core/records/encode-record.ts';
import { LogRecord } from '../../../../src-core/records/log-record.ts';

const ID = '11111111-2222-4333-8444-555555555555';
const ticks = 638_000_000_000_000_000n;

const prepare = frameRecord(
  encodePrepare({
    position: 4096,
    flags: 0x27,
    transactionPosition: 4096,
    transactionOffset: 0,
    expectedVersion: 6,
    stream: 'order-1',
    eventId: ID,
    correlationId: ID,
    ticks,
    eventType: 'placed',
    data: Buffer.from('{"a":1}'),
    metadata: Buffer.from('{"b":2}')
  })
);
const commit = frameRecord(
  encodeCommit({ position: 4096, transactionPosition: 1024, firstEventNumber: 0, correlationId: ID, ticks })
);
const system = frameRecord(encodeSystem({ position: 4096, ticks, data: Buffer.from('{"epoch":1}') }));

function placesOf(frame: Buffer) {
  const record = new LogRecord();
  const view = new DataView(frame.buffer, frame.byteOffset, frame.length);
  expect(record.parse(frame, view, 4, frame.length - 8)).toBeUndefined();
  return { ...record.places, streamStart: record.streamStart, dataLength: record.dataLength };
}

function changed(frame: Buffer, at: number): Buffer {
  const copy = Buffer.from(frame);
  copy[at] = copy[at]! ^ 0x11;
  return copy;
}

const { eventId, type, typeEnd, data, metadata, streamStart, dataLength } = placesOf(prepare);

describe('the part of a record in which two differ', () => {
  test.each([
    ['the length before', prepare, 0, 'length'],
    ['the length after', prepare, prepare.length - 1, 'length'],
    ['the type', prepare, 4, 'type and version'],
    ['the version', prepare, 5, 'type and version'],
    ['the position', prepare, 6, 'position'],
    ['the last byte of the position', prepare, 13, 'position'],
    ['the flags', prepare, 14, 'head'],
    ['the stream', prepare, streamStart, 'stream'],
    ['the event id', prepare, eventId, 'event id'],
    ['the correlation id', prepare, eventId + 16, 'event id'],
    ['the time', prepare, eventId + 32, 'time'],
    ['the length of the type', prepare, eventId + 40, 'length of the event type'],
    ['the type of the event', prepare, type, 'event type'],
    ['the length of the data', prepare, typeEnd, 'length of the data'],
    ['the data', prepare, data, 'data'],
    ['the length of the metadata', prepare, data + dataLength, 'length of the metadata'],
    ['the metadata', prepare, metadata, 'metadata'],
    ['a commit', commit, 20, 'commit'],
    ['the head of an epoch', system, 16, 'head'],
    ['the data of an epoch', system, placesOf(system).data, 'data']
  ])('is told for %s', (_name, frame, at, part) => {
    expect(differentBytes(frame, changed(frame, at))).toEqual({ first: at, last: at, part, count: 1 });
  });

  test('is the head where the first of the two is no record', () => {
    const broken = Buffer.from(prepare);
    broken.writeInt32LE(1_000_000, typeEnd);
    expect(differentBytes(broken, changed(broken, data))?.part).toBe('head');
  });
});

describe('the bytes in which two differ', () => {
  test('are none where they are equal', () => {
    expect(differentBytes(prepare, Buffer.from(prepare))).toBeUndefined();
  });

  test('begin with the first and end with the last, and are counted', () => {
    const other = changed(changed(prepare, data), metadata);
    expect(differentBytes(prepare, other)).toEqual({ first: data, last: metadata, part: 'data', count: 2 });
  });

  test('reach to the end of the longer one', () => {
    const longer = Buffer.concat([prepare, Buffer.alloc(5)]);
    const first = prepare.length;
    expect(differentBytes(prepare, longer)).toEqual({ first, last: first + 4, part: 'length', count: 0 });
    expect(differentBytes(longer, prepare)).toMatchObject({ first, last: first + 4, count: 0 });
    expect(differentBytes(changed(longer, data), prepare)).toMatchObject({
      first: data,
      last: first + 4,
      count: 1
    });
  });
});
