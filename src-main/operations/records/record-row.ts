/** A log record as the row that `records` and the window show. Copies everything from the record's view. */
import {
  PrepareFlag,
  type LogRecord,
  eventNumberToJson,
  expectedVersionToJson,
  ticksToIso
} from '../../../src-core/index.ts';
import { payloadText, sha256Of, type DataForm } from './payload-form.ts';
import type { RecordRow } from '../../contract/operations/reports.ts';

const FLAG_NAMES = new Map<number, string>(Object.entries(PrepareFlag).map(([name, bit]) => [bit, name]));

/** The record's place, besides its position. */
export interface RecordPlace {
  /** Logical chunk number. */
  chunk: number;
  /** Offset in the chunk file of the record's first length field. */
  fileOffset: number;
}

export function recordRow(record: LogRecord, place: RecordPlace, form: DataForm): RecordRow {
  const head = {
    position: record.position,
    chunk: place.chunk,
    fileOffset: place.fileOffset,
    length: record.length
  };
  const time = ticksToIso(record.ticks);
  switch (record.kind) {
    case 'prepare': {
      const data = payloadText(record.data, form);
      const metadata = payloadText(record.metadata, form);
      return {
        ...head,
        kind: 'prepare',
        version: record.version,
        stream: record.stream,
        eventNumber: eventNumberToJson(record.eventNumber),
        expectedVersion: expectedVersionToJson(record.expectedVersion),
        eventId: record.eventId,
        correlationId: record.correlationId,
        eventType: record.eventType,
        flags: flagNames(record.flags),
        flagBits: record.flags,
        transactionPosition: record.transactionPosition,
        transactionOffset: record.transactionOffset,
        time,
        dataLength: record.dataLength,
        metadataLength: record.metadataLength,
        dataSha256: sha256Of(record.data),
        metadataSha256: sha256Of(record.metadata),
        ...(data === undefined ? {} : { data }),
        ...(metadata === undefined ? {} : { metadata })
      };
    }
    case 'commit':
      return {
        ...head,
        kind: 'commit',
        version: record.version,
        firstEventNumber: eventNumberToJson(record.eventNumber),
        transactionPosition: record.transactionPosition,
        eventId: record.eventId,
        time
      };
    case 'system': {
      const data = payloadText(record.data, form);
      return {
        ...head,
        kind: 'system',
        version: record.version,
        systemType: 'epoch',
        time,
        dataLength: record.dataLength,
        dataSha256: sha256Of(record.data),
        ...(data === undefined ? {} : { data })
      };
    }
  }
}

/** Names of the set bits, `bitN` for those without a name. */
export function flagNames(flags: number): string[] {
  const names: string[] = [];
  for (let i = 0; i < 16; i++) {
    const bit = 1 << i;
    if ((flags & bit) !== 0) names.push(FLAG_NAMES.get(bit) ?? `bit${i}`);
  }
  return names;
}
