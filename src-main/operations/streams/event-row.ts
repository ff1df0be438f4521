/** An event as a reader gets it: the row of `read`. Copies everything from the record's view. */
import { PrepareFlag, type LogRecord, eventNumberToJson, ticksToIso } from '../../../src-core/index.ts';
import { payloadText, sha256Of, type DataForm } from '../records/payload-form.ts';
import type { EventRow } from '../../contract/operations/reports.ts';

const EMPTY = Buffer.alloc(0);

export interface EventNumbers {
  eventNumber: number;
  /** Only for `$all`. */
  commitPosition?: number;
}

/** `record` is the event's prepare. For a redacted one a reader gets empty data, whatever is on disk. */
export function eventRow(record: LogRecord, numbers: EventNumbers, form: DataForm): EventRow {
  const data = (record.flags & PrepareFlag.isRedacted) === 0 ? record.data : EMPTY;
  const { metadata } = record;
  const dataText = payloadText(data, form);
  const metadataText = payloadText(metadata, form);
  return {
    stream: record.stream,
    eventNumber: eventNumberToJson(numbers.eventNumber),
    position: record.position,
    ...(numbers.commitPosition === undefined ? {} : { commitPosition: numbers.commitPosition }),
    eventId: record.eventId,
    eventType: record.eventType,
    time: ticksToIso(record.ticks),
    isJson: (record.flags & PrepareFlag.isJson) !== 0,
    dataLength: data.length,
    metadataLength: metadata.length,
    dataSha256: sha256Of(data),
    metadataSha256: sha256Of(metadata),
    ...(dataText === undefined ? {} : { data: dataText }),
    ...(metadataText === undefined ? {} : { metadata: metadataText })
  };
}
