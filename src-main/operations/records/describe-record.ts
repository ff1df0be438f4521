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
import type { OperationContext } from '../operation.ts';
import type {
  CheckedRequestOf,
  DescribedField,
  RecordDescription
} from '../../contract/operations/operation-contract.ts';
import { flagNames, recordRow } from './record-row.ts';

/** What a person who walks through a list sees at once. */
const LONGEST_EXCERPT_BYTES = 64 * 1024;
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
      bytes: new Uint8Array(request.whole ? framed : framed.subarray(0, LONGEST_EXCERPT_BYTES)),
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
      )
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
    .add('Length', `${record.length} bytes`, LENGTH_FIELD, 'length')
    .add('Record type', record.kind, 1, 'number')
    .add('Record version', record.version, 1, 'number')
    .add('Log position', record.position, 8, 'number');
  switch (record.kind) {
    case 'prepare':
      addPrepare(list, record);
      break;
    case 'commit':
      list
        .add('Transaction position', record.transactionPosition, 8, 'number')
        .add(
          'First event number',
          eventNumberToJson(record.eventNumber),
          record.version === 0 ? 4 : 8,
          'number'
        )
        .add('Sort key', record.position, 8, 'number')
        .add('Correlation id', record.correlationId, 16, 'id')
        .add('Time', ticksToIso(record.ticks), 8, 'time');
      break;
    case 'system':
      list
        .add('Time', ticksToIso(record.ticks), 8, 'time')
        .add('System record type', record.systemType === 1 ? 'epoch' : record.systemType, 1, 'number')
        .add('Serialization', record.bytes[record.start + 19] ?? 0, 1, 'number')
        .at(LENGTH_FIELD + 28)
        .add('Data length', `${record.dataLength} bytes`, 4, 'length')
        .add('Data', `${record.dataLength} bytes`, record.dataLength, 'data');
      break;
  }
  return list
    .at(LENGTH_FIELD + record.length)
    .add('Length, again', `${record.length} bytes`, LENGTH_FIELD, 'length').fields;
}

function addPrepare(list: FieldList, record: LogRecord): void {
  const { places } = record;
  const inFrame = (offset: number): number => offset - record.start + LENGTH_FIELD;
  const nameAt = inFrame(record.streamStart);
  const versionLength = record.version === 0 ? 4 : 8;
  const afterVersion = LENGTH_FIELD + 24 + versionLength;
  const afterId = inFrame(places.eventId) + 32;
  list
    .add('Flags', flagNames(record.flags).join(', ') || 'none', 2, 'number')
    .add('Transaction position', record.transactionPosition, 8, 'number')
    .add('Transaction offset', record.transactionOffset, 4, 'number')
    .add('Expected version', expectedVersionToJson(record.expectedVersion), versionLength, 'number')
    .add(
      'Stream name length',
      `${record.streamEnd - record.streamStart} bytes`,
      nameAt - afterVersion,
      'length'
    )
    .add('Stream', record.stream, record.streamEnd - record.streamStart, 'name')
    .add('Event id', record.eventId, 16, 'id')
    .add('Correlation id', record.correlationId, 16, 'id')
    .add('Time', ticksToIso(record.ticks), 8, 'time')
    .add(
      'Event type length',
      `${places.typeEnd - places.type} bytes`,
      inFrame(places.type) - afterId - 8,
      'length'
    )
    .add('Event type', record.eventType, places.typeEnd - places.type, 'name')
    .add('Data length', `${record.dataLength} bytes`, 4, 'length')
    .add('Data', `${record.dataLength} bytes`, record.dataLength, 'data')
    .add('Metadata length', `${record.metadataLength} bytes`, 4, 'length')
    .add('Metadata', `${record.metadataLength} bytes`, record.metadataLength, 'metadata');
}
