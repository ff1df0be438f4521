/**
 * One page of the records that match a filter. A page also ends after a number of bytes of the log, found or not, so
 * that a search through a large log is many short answers: the caller shows the progress and may stop.
 */
import { type Database, requireFault } from '../../../src-core/index.ts';
import { committedNumbers, PAGE_SEARCH_BYTES, withCommittedNumber } from '../streams/committed-number.ts';
import { lookIntoDatabase } from '../database/database-access.ts';
import { requestedChunk } from '../chunks/describe-chunk.ts';
import { lacksStreams } from './absent-streams.ts';
import { LogWalk, type WalkRange } from './log-walk.ts';
import { positionBounds, recordMatcher } from './match-record.ts';
import type { OperationContext } from '../operation.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import type { RecordsFound } from '../../contract/operations/reading-reports.ts';
import { parseRecordQuery } from './record-query.ts';
import { recordRow } from './record-row.ts';

const MOST_BYTES = 32 * 1024 * 1024;
/** Few: a name may be as long as a record. */
const RECORDS_BETWEEN_LOOKS = 64;

export async function searchRecords(
  request: CheckedRequestOf<'searchRecords'>,
  context: OperationContext
): Promise<RecordsFound> {
  const terms = parseRecordQuery(request.filter);
  const isWanted = recordMatcher(terms);
  const bounds = positionBounds(terms);
  return lookIntoDatabase(request, context, async (database) => {
    const { log } = database;
    const chunk = request.chunk === undefined ? undefined : requestedChunk(database, request.chunk);
    const from = Math.max(request.from, bounds.from, chunk?.startPosition ?? 0);
    const to = Math.min(log.end, bounds.to, chunk?.endPosition ?? log.end);
    const found: RecordsFound = { rows: [], nextFrom: null, searchedTo: to, searchEnd: to };
    if (from >= to) return found;
    const skips = lacksStreams({ winnowHome: request.winnowHome, terms }, database, context);
    const walk = walkFrom(database, { from, to, skips });
    const numbers = committedNumbers(database, context, PAGE_SEARCH_BYTES);
    try {
      for (let seen = 0; walk.next();) {
        const { record } = walk;
        if (found.rows.length === request.limit || record.position - from >= MOST_BYTES) {
          return { ...found, nextFrom: record.position, searchedTo: record.position };
        }
        if (isWanted(record)) {
          const place = {
            chunk: Math.floor(record.position / log.chunkSizeBytes),
            fileOffset: walk.fileOffset
          };
          found.rows.push(await withCommittedNumber(recordRow(record, place, 'none'), record, numbers));
        }
        seen += 1;
        if (seen % RECORDS_BETWEEN_LOOKS === 0 && context.control.isDue) await context.control.breathe();
      }
      return found;
    } finally {
      walk.close();
    }
  });
}

interface Walk {
  readonly record: LogWalk['record'];
  readonly fileOffset: number;
  next(): boolean;
  close(): void;
}

/** A record starts where the previous page ended, so no walk from the chunk's start is needed. */
function walkFrom(database: Database, range: WalkRange & { from: number }): Walk {
  const { from, to, skips } = range;
  return startsRecord(database, from) ? database.log.cursor(from, to, skips) : new LogWalk(database, range);
}

function startsRecord({ log }: Database, position: number): boolean {
  try {
    return log.readAt(position) !== undefined;
  } catch (error) {
    requireFault(error);
    return false;
  }
}
