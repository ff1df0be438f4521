/**
 * The payload of an event's record for another place in another log. Everything stays as it is stored, to the byte, but for
 * what belongs to the place: the position, and the write that it was part of. Each event becomes a committed write of its own,
 * since others of the same write, or the commit of its transaction, may not be there. Format: docs/format/records.md.
 */
import { assert } from '../assert.ts';
import { logCorrupt } from '../errors.ts';
import { writeInt64 } from '../codec/int64.ts';
import { LogRecord, PrepareFlag } from '../records/log-record.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../units/event-number.ts';

const WRITE_OF_ITS_OWN = PrepareFlag.transactionBegin | PrepareFlag.transactionEnd | PrepareFlag.isCommitted;
/** Expected versions of tombstones: 2^31-2 in records of version 0, 2^63-2 since. */
const LEGACY_TOMBSTONE_VERSION = 2147483646;
const TOMBSTONE_VERSION = 0x7ffffffffffffffen;
const LAST_INT32 = 2147483647;

/** Changes a copy of a prepare's payload in place. */
export function placePrepare(
  payload: Buffer,
  { position, eventNumber }: { position: number; eventNumber: number }
): void {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
  const isTombstone = eventNumber === DELETED_STREAM_EVENT_NUMBER;
  writeInt64(view, 2, position);
  view.setUint16(10, view.getUint16(10, true) | WRITE_OF_ITS_OWN, true);
  writeInt64(view, 12, position);
  view.setInt32(20, 0, true);
  if (payload[1] === 0) {
    const version = isTombstone ? LEGACY_TOMBSTONE_VERSION : eventNumber - 1;
    // The one number below that has another meaning there: a reader would take the event for a tombstone.
    if (version > LAST_INT32 || (version === LEGACY_TOMBSTONE_VERSION && !isTombstone)) {
      const message = `A record of version 0 at position ${position} would have the event number ${eventNumber}.`;
      throw logCorrupt(message, { position });
    }
    view.setInt32(24, version, true);
  } else if (isTombstone) view.setBigInt64(24, TOMBSTONE_VERSION, true);
  else writeInt64(view, 24, eventNumber - 1);
}

/** A writer decodes what it has encoded. */
export function checkPlaced(payload: Buffer, expected: { position: number; eventNumber: number }): void {
  const record = new LogRecord();
  const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
  const problem = record.parse(payload, view, 0, payload.length);
  assert(problem === undefined, `a copied event is a record: ${problem ?? ''}`);
  assert(record.position === expected.position, 'a copied event knows its position');
  assert(record.eventNumber === expected.eventNumber, 'a copied event keeps its number');
  assert(record.isSelfCommitted, 'a copied event is committed');
}
