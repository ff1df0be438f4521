/** The bytes of one record, with its decoded fields tied to them. */
import {
  FRAME_LENGTH,
  LogRecord,
  eventNumberToJson,
  expectedVersionToJson,
  invalidRequest,
  ticksToIso,
  type Database
} from '../../../src-core/index.ts';
import { committedNumbers, withCommittedNumber } from '../streams/committed-number.ts';
import { lookIntoDatabase } from '../database/database-access.ts';
import { FieldList } from './described-field.ts';
import { indentJson } from './indent-json.ts';
import type { OperationContext } from '../operation.ts';
import type {
  CheckedRequestOf,
  DescribedField,
  RecordDescription
} from '../../contract/operations/operation-contract.ts';
import { flagNames, recordRow } from './record-row.ts';

/** More is useless on a screen. */
const LONGEST_EXCERPT_BYTES = 64 * 1024;
/** Longer payloads are not formatted: megabytes of pretty JSON are useless. */
const LONGEST_JSON_BYTES = 1024 * 1024;
const LENGTH_FIELD = 4;

export async function describeRecord(
  request: CheckedRequestOf<'describeRecord'>,
  context: OperationContext
): Promise<RecordDescription> {
  return lookIntoDatabase(request, context, async (database) => {
    const { chunk, physical, record } = requestedRecord(database, request.position);
    const fileOffset = chunk.dataStart + physical;
    const totalLength = record.length + FRAME_LENGTH;
    const framed = record.bytes.subarray(
      record.start - LENGTH_FIELD,
      record.start + record.length + LENGTH_FIELD
    );
    return {
      file: chunk.fileName,
      fileOffset,
      position: record.position,
      bytes: new Uint8Array(framed.subarray(0, LONGEST_EXCERPT_BYTES)),
      totalLength,
      fields: recordFields(record),
      record: await withCommittedNumber(
        recordRow(
          record,
          { chunk: Math.floor(record.position / database.log.chunkSizeBytes), fileOffset },
          'none'
        ),
        record,
        committedNumbers(database, context)
      ),
      dataJson: prettyJson(record.data),
      metadataJson: prettyJson(record.metadata)
    };
  });
}

function requestedRecord(database: Database, position: number) {
  const chunk = database.log.chunkAt(position);
  const reader = chunk && database.log.readerOf(chunk);
  const physical = reader?.physicalOffset(position - reader.chunk.startPosition) ?? -1;
  if (!chunk || !reader || physical < 0 || position >= database.log.end) {
    throw invalidRequest(
      `No record starts at position ${position}.`,
      'position',
      'Name the start of a record.'
    );
  }
  const record = new LogRecord();
  reader.readAtPhysical(physical, record);
  return { chunk, physical, record };
}

/** Offsets count from the first byte of the framed record. */
function recordFields(record: LogRecord): DescribedField[] {
  const list = new FieldList()
    .add('Length', `${record.length} bytes`, LENGTH_FIELD)
    .add('Record type', record.kind, 1)
    .add('Record version', record.version, 1)
    .add('Log position', record.position, 8);
  switch (record.kind) {
    case 'prepare':
      addPrepare(list, record);
      break;
    case 'commit':
      list
        .add('Transaction position', record.transactionPosition, 8)
        .add('First event number', eventNumberToJson(record.eventNumber), record.version === 0 ? 4 : 8)
        .add('Sort key', record.position, 8)
        .add('Correlation id', record.correlationId, 16)
        .add('Time', ticksToIso(record.ticks), 8);
      break;
    case 'system':
      list
        .add('Time', ticksToIso(record.ticks), 8)
        .add('System record type', record.systemType === 1 ? 'epoch' : record.systemType, 1)
        .add('Serialization', record.bytes[record.start + 19] ?? 0, 1)
        .at(LENGTH_FIELD + 28)
        .add('Data length', `${record.dataLength} bytes`, 4)
        .add('Data', `${record.dataLength} bytes`, record.dataLength);
      break;
  }
  return list.at(LENGTH_FIELD + record.length).add('Length, again', `${record.length} bytes`, LENGTH_FIELD)
    .fields;
}

function addPrepare(list: FieldList, record: LogRecord): void {
  const { places } = record;
  const inFrame = (offset: number): number => offset - record.start + LENGTH_FIELD;
  const nameAt = inFrame(record.streamStart);
  const versionLength = record.version === 0 ? 4 : 8;
  const afterVersion = LENGTH_FIELD + 24 + versionLength;
  const afterId = inFrame(places.eventId) + 32;
  list
    .add('Flags', flagNames(record.flags).join(', ') || 'none', 2)
    .add('Transaction position', record.transactionPosition, 8)
    .add('Transaction offset', record.transactionOffset, 4)
    .add('Expected version', expectedVersionToJson(record.expectedVersion), versionLength)
    .add('Stream name length', `${record.streamEnd - record.streamStart} bytes`, nameAt - afterVersion)
    .add('Stream', record.stream, record.streamEnd - record.streamStart)
    .add('Event id', record.eventId, 16)
    .add('Correlation id', record.correlationId, 16)
    .add('Time', ticksToIso(record.ticks), 8)
    .add('Event type length', `${places.typeEnd - places.type} bytes`, inFrame(places.type) - afterId - 8)
    .add('Event type', record.eventType, places.typeEnd - places.type)
    .add('Data length', `${record.dataLength} bytes`, 4)
    .add('Data', `${record.dataLength} bytes`, record.dataLength)
    .add('Metadata length', `${record.metadataLength} bytes`, 4)
    .add('Metadata', `${record.metadataLength} bytes`, record.metadataLength);
}

function prettyJson(bytes: Buffer): string | null {
  if (bytes.length === 0 || bytes.length > LONGEST_JSON_BYTES) return null;
  return indentJson(bytes.toString('utf8'));
}
