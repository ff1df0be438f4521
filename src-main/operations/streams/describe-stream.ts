/**
 * Where a stream is stored and how its metadata developed, from its index entries: rules do not apply here; events that a reader
 * no longer sees are reported as long as index and log contain them.
 */
import {
  PrepareFlag,
  eventNumberToJson,
  hashText,
  parseStreamMetadata,
  ticksToIso,
  FRAME_LENGTH,
  type Database,
  type LogRecord,
  type StreamIndex
} from '../../../src-core/index.ts';
import { lookIntoDatabase } from '../database/database-access.ts';
import type { OperationContext } from '../operation.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import type {
  MetadataVersion,
  StreamDescription,
  StreamPlace
} from '../../contract/operations/reading-reports.ts';
import { metadataRow } from './stream-catalog.ts';
import { openStreamIndex } from './stream-index-access.ts';

const METASTREAM_PREFIX = '$$';
/** Each entry costs one record read. */
const MOST_ENTRIES = 50_000;
const MOST_VERSIONS = 200;

export async function describeStream(
  request: CheckedRequestOf<'describeStream'>,
  context: OperationContext
): Promise<StreamDescription> {
  return lookIntoDatabase(request, context, async (database) => {
    const index = await openStreamIndex(database, context, request);
    try {
      const { stream } = request;
      const hash = index.hashOf(stream);
      const places = new Map<number, StreamPlace>();
      const seen = await readEntries({ database, index, stream, context, limit: MOST_ENTRIES }, (record) => {
        addTo(places, database, record);
      });
      const metadataHistory: MetadataVersion[] = [];
      if (!stream.startsWith(METASTREAM_PREFIX)) {
        const metastream = METASTREAM_PREFIX + stream;
        await readEntries(
          { database, index, stream: metastream, context, limit: MOST_VERSIONS },
          (record, number) => {
            metadataHistory.push(versionOf(record, number));
          }
        );
      }
      return {
        stream,
        hash: hashText(hash.high, hash.low),
        places: [...places.values()].sort((a, b) => a.chunkStart - b.chunkStart),
        metadataHistory,
        goneEntries: seen.gone,
        foreignEntries: seen.foreign,
        cutAt: seen.count >= MOST_ENTRIES ? MOST_ENTRIES : null
      };
    } finally {
      index.close();
    }
  });
}

interface ReadEntries {
  database: Database;
  index: StreamIndex;
  stream: string;
  context: OperationContext;
  limit: number;
}

/** Calls `take` for each record of the stream that the index names, newest first. */
async function readEntries(
  { database, index, stream, context, limit }: ReadEntries,
  take: (record: LogRecord, number: number) => void
): Promise<{ count: number; gone: number; foreign: number }> {
  const entries = index.entries.range(index.hashOf(stream), 0, Infinity, limit).slice(0, limit);
  const seen = { count: entries.length, gone: 0, foreign: 0 };
  for (const { number, position } of entries) {
    const record = database.log.readAt(position);
    if (record?.kind !== 'prepare') seen.gone += 1;
    else if (record.stream !== stream) seen.foreign += 1;
    else take(record, number);
    if (context.control.isDue) await context.control.breathe();
  }
  return seen;
}

function addTo(places: Map<number, StreamPlace>, { log }: Database, record: LogRecord): void {
  const chunk = log.chunkAt(record.position);
  if (!chunk) return;
  const bytes = record.length + FRAME_LENGTH;
  const place = places.get(chunk.startNumber);
  if (!place) {
    places.set(chunk.startNumber, {
      chunkStart: chunk.startNumber,
      chunkEnd: chunk.endNumber,
      file: chunk.fileName,
      events: 1,
      bytes,
      firstPosition: record.position
    });
    return;
  }
  place.events += 1;
  place.bytes += bytes;
  place.firstPosition = Math.min(place.firstPosition, record.position);
}

function versionOf(record: LogRecord, number: number): MetadataVersion {
  const isJson = (record.flags & PrepareFlag.isJson) !== 0 && !record.isTombstone;
  const parsed = isJson ? parseStreamMetadata(record.data, { recordVersion: record.version }) : undefined;
  return {
    eventNumber: eventNumberToJson(number),
    position: record.position,
    time: ticksToIso(record.ticks),
    json: isJson ? record.data.toString('utf8') : null,
    metadata: parsed ? metadataRow(parsed) : null
  };
}
