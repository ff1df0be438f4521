/** The worked examples of docs/format: two events of stream s-1, as a version 4 server writes them. */
import { encodePrepare, type PrepareFields } from '../../../src-core/records/encode-record.ts';
import type { ChunkHeader } from '../../../src-core/chunks/chunk-header.ts';

export const EXAMPLE_TICKS = 638396640000000000n;
const CORRELATION = '01020304-0506-0708-090a-0b0c0d0e0f10';

const event = (fields: Partial<PrepareFields>): Buffer =>
  encodePrepare({
    position: 0,
    flags: 0x0123,
    transactionPosition: 0,
    transactionOffset: 0,
    expectedVersion: -1,
    stream: 's-1',
    eventId: '10000000-0000-0000-0000-000000000001',
    correlationId: CORRELATION,
    ticks: EXAMPLE_TICKS,
    eventType: 'T',
    data: Buffer.from('{"a":1}'),
    metadata: new Uint8Array(0),
    ...fields
  });

export const exampleEvent0 = event({});
export const exampleEvent1 = event({
  position: 101,
  flags: 0x0125,
  transactionOffset: 1,
  expectedVersion: 0,
  eventId: '10000000-0000-0000-0000-000000000002',
  data: Buffer.from('{"a":2}'),
  metadata: Buffer.from('{}')
});
export const exampleEvent2 = event({
  position: 1024,
  flags: 0x0127,
  transactionPosition: 1024,
  expectedVersion: 1,
  eventId: '10000000-0000-0000-0000-000000000003',
  correlationId: '21222324-2526-2728-292a-2b2c2d2e2f30',
  ticks: 638396640010000000n,
  data: Buffer.from('{"a":3}')
});

export const exampleHeader: ChunkHeader = {
  version: 4,
  minCompatibleVersion: 3,
  chunkSizeBytes: 1024,
  startNumber: 0,
  endNumber: 0,
  isScavenged: false,
  chunkId: '00112233-4455-6677-8899-aabbccddeeff',
  transformType: 0
};
