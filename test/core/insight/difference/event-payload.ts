/** One event as its bytes and as a record, for comparisons that are handed records. */
import { encodePrepare, type PrepareFields } from '../../../../src-core/records/encode-record.ts';
import { LogRecord, PrepareFlag } from '../../../../src-core/records/log-record.ts';

const ID = '11111111-2222-4333-8444-555555555555';

export function eventPayload(fields: Partial<PrepareFields>): Buffer {
  const { position = 0 } = fields;
  return encodePrepare({
    position,
    flags:
      PrepareFlag.data | PrepareFlag.transactionBegin | PrepareFlag.transactionEnd | PrepareFlag.isCommitted,
    transactionPosition: position,
    transactionOffset: 0,
    expectedVersion: -1,
    stream: 'order-1',
    eventId: ID,
    correlationId: ID,
    ticks: 638_000_000_000_000_000n,
    eventType: 'placed',
    data: Buffer.from('{}'),
    metadata: Buffer.alloc(0),
    ...fields
  });
}

/** A view over bytes of its own. */
export function recordFrom(payload: Buffer): LogRecord {
  const record = new LogRecord();
  const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
  const problem = record.parse(payload, view, 0, payload.length);
  if (problem !== undefined) throw new Error(`These bytes are not a record: ${problem}`);
  return record;
}
