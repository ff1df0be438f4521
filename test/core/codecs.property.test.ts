/**
 * Properties of the codecs over random values: what is encoded decodes to the same, and random bytes give a
 * decoded value or a named refusal, never another failure and never a byte from outside.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeChunkFileName, encodeChunkFileName } from '../../src-core/chunks/chunk-file-name.ts';
import {
  CHUNK_FOOTER_LENGTH,
  decodeChunkFooter,
  encodeChunkFooterHead
} from '../../src-core/chunks/chunk-footer.ts';
import {
  CHUNK_HEADER_LENGTH,
  decodeChunkHeader,
  encodeChunkHeader
} from '../../src-core/chunks/chunk-header.ts';
import { decodePositionMap, PositionMap } from '../../src-core/chunks/position-map.ts';
import { decodeGuid, encodeGuid } from '../../src-core/codec/guid.ts';
import { readInt64, writeInt64 } from '../../src-core/codec/int64.ts';
import { EngineError } from '../../src-core/errors.ts';
import { decodeIndexMap, encodeIndexMap } from '../../src-core/index/index-map.ts';
import { encodeCommit, encodePrepare, encodeSystem } from '../../src-core/records/encode-record.ts';
import { LogRecord } from '../../src-core/records/log-record.ts';
import { EMPTY_METADATA, parseStreamMetadata } from '../../src-core/records/stream-metadata.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../../src-core/units/event-number.ts';
import { MAX_TICKS, ticksFromIso, ticksToIso } from '../../src-core/units/ticks.ts';

const guid = fc.uuid();
const bytes = (maxLength: number) => fc.uint8Array({ maxLength });
const position = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const ticks = fc.bigInt({ min: 0n, max: MAX_TICKS });
/** Without lone surrogates, which UTF-8 cannot carry. */
const text = fc.string({ unit: 'grapheme', maxLength: 60 });
const notEmptyGuid = guid.filter((id) => !/^[0-]+$/.test(id));

function parse(payload: Buffer): LogRecord | string {
  const record = new LogRecord();
  return (
    record.parse(
      payload,
      new DataView(payload.buffer, payload.byteOffset, payload.length),
      0,
      payload.length
    ) ?? record
  );
}

function parsed(payload: Buffer): LogRecord {
  const record = parse(payload);
  if (typeof record === 'string') throw new Error(record);
  return record;
}

const prepare = fc.record({
  position,
  flags: fc.nat({ max: 0xffff }),
  transactionPosition: position,
  transactionOffset: fc.integer({ min: -1, max: 2 ** 31 - 1 }),
  expectedVersion: fc.oneof(
    fc.integer({ min: -2, max: 2 ** 40 }),
    fc.constant<number>(DELETED_STREAM_EVENT_NUMBER)
  ),
  stream: text.filter((name) => name.length > 0),
  eventId: notEmptyGuid,
  correlationId: notEmptyGuid,
  ticks,
  eventType: text,
  data: bytes(300),
  metadata: bytes(100)
});

describe('decoding what was encoded gives the same', () => {
  it('for prepares', () => {
    fc.assert(
      fc.property(prepare, (fields) => {
        const record = parsed(encodePrepare(fields));
        expect({
          position: record.position,
          flags: record.flags,
          transactionPosition: record.transactionPosition,
          transactionOffset: record.transactionOffset,
          expectedVersion: record.expectedVersion,
          stream: record.stream,
          eventId: record.eventId,
          correlationId: record.correlationId,
          ticks: record.ticks,
          eventType: record.eventType,
          data: new Uint8Array(record.data),
          metadata: new Uint8Array(record.metadata)
        }).toEqual(fields);
      })
    );
  });

  it('for commits and epochs', () => {
    const commit = fc.record({
      version: fc.constantFrom<0 | 1>(0, 1),
      position,
      transactionPosition: position,
      firstEventNumber: fc.oneof(
        fc.nat({ max: 2 ** 31 - 2 }),
        fc.constant<number>(DELETED_STREAM_EVENT_NUMBER)
      ),
      correlationId: guid,
      ticks
    });
    fc.assert(
      fc.property(commit, fc.record({ position, ticks, data: bytes(200) }), (fields, system) => {
        const record = parsed(encodeCommit(fields));
        expect([
          record.version,
          record.position,
          record.transactionPosition,
          record.eventNumber,
          record.ticks
        ]).toEqual([
          fields.version,
          fields.position,
          fields.transactionPosition,
          fields.firstEventNumber,
          fields.ticks
        ]);
        expect(record.correlationId).toBe(fields.correlationId);
        const epoch = parsed(encodeSystem(system));
        expect([epoch.position, epoch.ticks, new Uint8Array(epoch.data)]).toEqual([
          system.position,
          system.ticks,
          system.data
        ]);
      })
    );
  });

  it('for chunk headers and footers', () => {
    const header = fc
      .record({
        chunkSizeBytes: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
        startNumber: fc.nat({ max: 399_999 }),
        length: fc.nat({ max: 100 }),
        isScavenged: fc.boolean(),
        chunkId: guid,
        version: fc.constantFrom(3, 4)
      })
      .map(({ length, ...fields }) => ({
        ...fields,
        endNumber: fields.startNumber + (fields.isScavenged ? length : 0),
        minCompatibleVersion: 3,
        transformType: 0
      }));
    const footer = fc
      .record({
        physicalDataSize: fc.nat({ max: 2 ** 31 - 1 }),
        gone: fc.nat({ max: 2 ** 40 }),
        entries: fc.nat({ max: 2 ** 20 })
      })
      .map(({ physicalDataSize, gone, entries }) => ({
        physicalDataSize,
        logicalDataSize: physicalDataSize + gone,
        mapSize: entries * 12
      }));
    fc.assert(
      fc.property(header, footer, (head, foot) => {
        expect(decodeChunkHeader(encodeChunkHeader(head))).toEqual(head);
        const whole = new Uint8Array(CHUNK_FOOTER_LENGTH);
        whole.set(encodeChunkFooterHead(foot));
        expect(decodeChunkFooter(whole)).toMatchObject({ ...foot, isCompleted: true, isMap12Bytes: true });
      })
    );
  });

  it('for names, GUIDs, whole numbers and times', () => {
    const name = fc.record({ chunkNumber: fc.nat({ max: 999_999 }), fileVersion: fc.nat({ max: 999_999 }) });
    const whole = fc.integer({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });
    fc.assert(
      fc.property(name, guid, whole, ticks, (chunk, id, value, time) => {
        expect(decodeChunkFileName(encodeChunkFileName(chunk))).toEqual(chunk);
        const buffer = new Uint8Array(16);
        encodeGuid(id, buffer, 0);
        expect(decodeGuid(buffer, 0)).toBe(id);
        const view = new DataView(buffer.buffer);
        writeInt64(view, 0, value);
        expect(readInt64(view, 0)).toBe(value);
        expect(view.getBigInt64(0, true)).toBe(BigInt(value));
        expect(ticksFromIso(ticksToIso(time))).toBe(time);
      })
    );
  });

  it('for index maps', () => {
    const map = fc.record({
      prepareCheckpoint: position,
      commitCheckpoint: position,
      maxAutoMergeLevel: fc.nat({ max: 2 ** 31 - 1 }),
      files: fc.uniqueArray(guid, { maxLength: 12 })
    });
    fc.assert(
      fc.property(map, ({ files, ...rest }) => {
        const tables = files.map((file, index) => ({ level: index, position: 0, file }));
        const whole = { version: 2, ...rest, tables };
        expect(decodeIndexMap(encodeIndexMap(whole))).toEqual(whole);
      })
    );
  });
});

describe('random bytes are decoded or refused by name', () => {
  const refusal = (action: () => unknown) => {
    try {
      action();
    } catch (error) {
      expect(error).toBeInstanceOf(EngineError);
      expect((error as EngineError).code).not.toBe('AssertionFailed');
    }
  };

  it('as records, whatever lies around them', () => {
    fc.assert(
      fc.property(bytes(400), fc.nat({ max: 2 }), fc.nat({ max: 1 }), (random, type, version) => {
        const payload = Buffer.from(random);
        if (payload.length > 1) {
          payload[0] = type;
          payload[1] = version;
        }
        const surrounded = Buffer.concat([Buffer.alloc(32, 0xee), payload, Buffer.alloc(32, 0xee)]);
        const record = new LogRecord();
        const view = new DataView(surrounded.buffer, surrounded.byteOffset, surrounded.length);
        const problem = record.parse(surrounded, view, 32, payload.length);
        if (problem !== undefined) return;
        expect(record.data.length + record.metadata.length).toBeLessThanOrEqual(payload.length);
        if (record.kind === 'prepare') expect(record.streamEnd).toBeLessThanOrEqual(32 + payload.length);
      }),
      { numRuns: 2000 }
    );
  });

  it('as headers, footers, maps and metadata', () => {
    fc.assert(
      fc.property(bytes(256), fc.boolean(), (random, isMap12Bytes) => {
        const header = decodeChunkHeader(random.subarray(0, CHUNK_HEADER_LENGTH));
        expect(['string', 'object']).toContain(typeof header);
        const footer = decodeChunkFooter(random.subarray(0, CHUNK_FOOTER_LENGTH));
        expect(['string', 'object']).toContain(typeof footer);
        const entryLength = isMap12Bytes ? 12 : 8;
        const whole = random.subarray(0, random.length - (random.length % entryLength));
        const map = decodePositionMap(whole, { isMap12Bytes, physicalDataSize: 1000 });
        expect(typeof map === 'number' || map instanceof PositionMap).toBe(true);
        expect(Object.keys(parseStreamMetadata(random, { recordVersion: 1 }))).toEqual(
          Object.keys(EMPTY_METADATA)
        );
        refusal(() => decodeIndexMap(random));
      }),
      { numRuns: 1000 }
    );
  });
});
