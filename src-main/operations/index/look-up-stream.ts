/** What the index knows about one stream: which tables are searched, what their filters say, the entries found. */
import {
  eventNumberToJson,
  hashText,
  type Database,
  type IndexTableReader,
  type StreamHash,
  type StreamIndex
} from '../../../src-core/index.ts';
import { lookIntoDatabase } from '../database/database-access.ts';
import type { OperationContext } from '../operation.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import type { LookedUpEntry, StreamLookUp, TableAsked } from '../../contract/operations/reading-reports.ts';
import { openStreamIndex } from '../streams/stream-index-access.ts';

const MOST_ROWS = 500;
const ONLY_IN_LOG = 'log';

type Source = IndexTableReader | StreamIndex['recent'];

export async function lookUpStream(
  request: CheckedRequestOf<'lookUpStream'>,
  context: OperationContext
): Promise<StreamLookUp> {
  return lookIntoDatabase(request, context, async (database) => {
    const index = await openStreamIndex(database, context, request);
    try {
      const hash = index.hashOf(request.stream);
      const tables: TableAsked[] = [];
      const rows: LookedUpEntry[] = [];
      for (const source of [index.recent, ...index.tables]) {
        const name = source === index.recent ? null : (source as IndexTableReader).name;
        const first = source.firstAtOrBelow(hash.high, hash.low, Infinity);
        const end = source.firstBelow(hash.high, hash.low, 0);
        tables.push({
          table: name,
          filter: filterOf(source, index, hash),
          entries: Math.max(0, end - first)
        });
        for (let at = first; at < end && rows.length < MOST_ROWS; at++) {
          rows.push(rowAt(database, source, at, name ?? ONLY_IN_LOG));
        }
        if (context.control.isDue) await context.control.breathe();
      }
      return {
        hash: hashText(hash.high, hash.low),
        tables,
        rows,
        total: tables.reduce((sum, table) => sum + table.entries, 0)
      };
    } finally {
      index.close();
    }
  });
}

function filterOf(source: Source, index: StreamIndex, hash: StreamHash): TableAsked['filter'] {
  if (source === index.recent) return 'none';
  const table = source as IndexTableReader;
  if (table.version === 1 || table.filter.filter === undefined) return 'none';
  return table.mayContain(hash.high, hash.low) ? 'maybe' : 'no';
}

function rowAt(database: Database, source: Source, at: number, table: string): LookedUpEntry {
  const entry = source.readEntry(at, { hashHigh: 0, hashLow: 0, number: 0, position: 0 });
  const record = database.log.readAt(entry.position);
  const isEvent = record?.kind === 'prepare';
  return {
    hash: hashText(entry.hashHigh, entry.hashLow),
    eventNumber: eventNumberToJson(entry.number),
    position: entry.position,
    table,
    stream: isEvent ? record.stream : null,
    eventType: isEvent ? record.eventType : null
  };
}
