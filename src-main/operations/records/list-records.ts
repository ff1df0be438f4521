/** Log records in order, filtered. */
import { invalidRequest, type Database } from '../../../src-core/index.ts';
import { committedNumbers, withCommittedNumber } from '../streams/committed-number.ts';
import { openRequested } from '../database/database-access.ts';
import { lacksStreams } from './absent-streams.ts';
import { LogWalk } from './log-walk.ts';
import { positionBounds, recordMatcher } from './match-record.ts';
import type { OperationContext } from '../operation.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import { recordFilter } from './record-filter.ts';
import { parseRecordQuery } from './record-query.ts';
import { recordRow } from './record-row.ts';
import type { RecordRow, SkippedRow } from '../../contract/operations/reports.ts';
import { SalvageWalk } from './salvage-walk.ts';

const BATCH_ROWS = 128;
/** Few: a name that a filter reads may be as long as a record. */
const RECORDS_BETWEEN_LOOKS = 128;

export async function* listRecords(
  request: CheckedRequestOf<'listRecords'>,
  context: OperationContext
): AsyncGenerator<(RecordRow | SkippedRow)[]> {
  const database = openRequested(request, context);
  try {
    const terms = parseRecordQuery(request.filter ?? '');
    const range = requestedRange(request, database, positionBounds(terms));
    const walk = request.salvage
      ? new SalvageWalk(database, range, (message) => context.log({ level: 'warning', message }))
      : new LogWalk(database, { ...range, skips: lacksStreams({ ...request, terms }, database, context) });
    const { chunkSizeBytes } = database.log;
    const hasName = recordFilter(request);
    const matches = recordMatcher(terms);
    const numbers = committedNumbers(database, context);
    const isWanted: typeof matches = (record) => hasName(record) && matches(record);
    let left = request.limit ?? Infinity;
    let sinceLook = 0;
    let rows: (RecordRow | SkippedRow)[] = [];
    try {
      while (left > 0 && walk.next()) {
        const { record } = walk;
        rows.push(...skippedBefore(walk));
        if (isWanted(record)) {
          const place = { chunk: Math.floor(record.position / chunkSizeBytes), fileOffset: walk.fileOffset };
          rows.push(await withCommittedNumber(recordRow(record, place, request.data), record, numbers));
          left -= 1;
        }
        sinceLook += 1;
        if (rows.length >= BATCH_ROWS || sinceLook >= RECORDS_BETWEEN_LOOKS) {
          sinceLook = 0;
          yield rows;
          rows = [];
          if (context.control.isDue) {
            context.control.report({
              phase: 'records',
              done: record.position - walk.from,
              total: walk.to - walk.from,
              unit: 'bytes'
            });
            await context.control.breathe();
          }
        }
      }
    } catch (error) {
      rows.push(...skippedBefore(walk));
      // What was read before the fault is good: return it first.
      if (rows.length > 0) yield rows;
      throw error;
    } finally {
      walk.close();
    }
    rows.push(...skippedBefore(walk));
    if (rows.length > 0) yield rows;
  } finally {
    database.close();
  }
}

/** Only a salvage skips anything. */
function skippedBefore(walk: LogWalk | SalvageWalk): SkippedRow[] {
  return walk instanceof SalvageWalk ? walk.takeSkipped() : [];
}

/** The positions allowed by `from`, `to`, `chunk` and the filter together. A salvage ends where the records do. */
function requestedRange(
  request: CheckedRequestOf<'listRecords'>,
  database: Database,
  bounds: { from: number; to: number }
): { from: number; to: number } {
  const { log } = database;
  let from = request.from ?? 0;
  let to = request.to ?? (request.salvage ? Number.MAX_SAFE_INTEGER : log.end);
  if (request.chunk !== undefined) {
    const chunkStart = request.chunk * log.chunkSizeBytes;
    if (chunkStart > log.end && !request.salvage) {
      throw invalidRequest(
        `There is no chunk ${request.chunk}; the last one is ${Math.floor(log.end / log.chunkSizeBytes)}.`,
        'chunk'
      );
    }
    from = Math.max(from, chunkStart);
    to = Math.min(to, chunkStart + log.chunkSizeBytes);
  }
  return { from: Math.max(from, bounds.from), to: Math.min(to, bounds.to) };
}
