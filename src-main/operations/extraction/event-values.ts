/**
 * An event as the rows of every format have it. Payloads are exact: JSON stands there as it was written, so that numbers of
 * any size and repeated members survive; everything else is base64. Copies all from the record's view.
 */
import { isUtf8 } from 'node:buffer';
import { PrepareFlag, ticksToIso, type LogRecord } from '../../../src-core/index.ts';

export interface Payload {
  /** JSON as it was written, or base64. */
  text: string;
  isJson: boolean;
}

export interface EventValues {
  stream: string;
  /** Of a tombstone DELETED_STREAM_EVENT_NUMBER. */
  eventNumber: number;
  eventType: string;
  eventId: string;
  time: string;
  ticks: bigint;
  position: number;
  isJson: boolean;
  isRedacted: boolean;
  /** Of a redacted event empty, as for a reader. */
  data: Payload;
  /** null: none. */
  metadata: Payload | null;
}

const EMPTY = Buffer.alloc(0);
/** `record` is the event's prepare; `eventNumber` what its commit gives it. */
export function eventValues(record: LogRecord, eventNumber: number): EventValues {
  const isRedacted = (record.flags & PrepareFlag.isRedacted) !== 0;
  const isJson = (record.flags & PrepareFlag.isJson) !== 0;
  const { metadata, ticks } = record;
  return {
    stream: record.stream,
    eventNumber,
    eventType: record.eventType,
    eventId: record.eventId,
    time: ticksToIso(ticks),
    ticks,
    position: record.position,
    isJson,
    isRedacted,
    data: payloadOf(isRedacted ? EMPTY : record.data, isJson),
    metadata: metadata.length === 0 ? null : payloadOf(metadata, true)
  };
}

function payloadOf(bytes: Buffer, mayBeJson: boolean): Payload {
  const text = mayBeJson ? jsonText(bytes) : undefined;
  return text === undefined ? { text: bytes.toString('base64'), isJson: false } : { text, isJson: true };
}

/** undefined for bytes that are no JSON, whatever they claim. */
function jsonText(bytes: Buffer): string | undefined {
  if (bytes.length === 0 || !isUtf8(bytes)) return undefined;
  const text = bytes.toString('utf8');
  try {
    JSON.parse(text);
    return text;
  } catch {
    return undefined;
  }
}
