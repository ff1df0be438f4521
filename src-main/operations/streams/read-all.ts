/**
 * `$all`: every event in the order of commit positions, regardless of metadata, as a reader of the server gets it.
 * Self-committed events come at their own position; those of an explicit transaction at its commit's.
 * The server leaves out its own stream of epochs.
 */
import {
  DELETED_STREAM_EVENT_NUMBER,
  LogRecord,
  PrepareFlag,
  type Database,
  type LogCursor
} from '../../../src-core/index.ts';
import { eventRow } from './event-row.ts';
import { LogWalk } from '../records/log-walk.ts';
import type { OperationContext } from '../operation.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import type { DataForm } from '../records/payload-form.ts';
import type { EventRow } from '../../contract/operations/reports.ts';

const EPOCH_STREAM = '$epoch-information';
const BATCH_ROWS = 128;
const RECORDS_BETWEEN_LOOKS = 1024;

type Request = CheckedRequestOf<'readStream'>;

export async function* readAll(
  database: Database,
  request: Request,
  context: OperationContext
): AsyncGenerator<EventRow[]> {
  let left = request.limit ?? Infinity;
  const pieces = request.backward
    ? backwardPieces(database, request, context)
    : forwardPieces(database, request.from ?? 0, database.log.end, request.data, context);
  for await (const rows of pieces) {
    if (rows.length >= left) {
      yield rows.slice(0, left);
      return;
    }
    left -= rows.length;
    yield rows;
  }
}

/** Events whose commit is at or after `from` and before `to`. */
async function* forwardPieces(
  database: Database,
  from: number,
  to: number,
  form: DataForm,
  { control }: OperationContext
): AsyncGenerator<EventRow[]> {
  const walk = new LogWalk(database, { from, to });
  let rows: EventRow[] = [];
  let sinceLook = 0;
  try {
    while (walk.next()) {
      const { record } = walk;
      if (record.kind === 'commit') addTransaction(database, record, form, rows);
      else if (record.isSelfCommitted && isEvent(record)) {
        rows.push(
          eventRow(record, { eventNumber: record.eventNumber, commitPosition: record.position }, form)
        );
      }
      sinceLook += 1;
      if (rows.length < BATCH_ROWS && sinceLook < RECORDS_BETWEEN_LOOKS) continue;
      yield rows;
      rows = [];
      sinceLook = 0;
      if (!control.isDue) continue;
      control.report({ phase: 'reading', done: record.position - from, total: to - from, unit: 'bytes' });
      await control.breathe();
    }
  } catch (error) {
    if (rows.length > 0) yield rows; // the rows before the fault are good
    throw error;
  } finally {
    walk.close();
  }
  if (rows.length > 0) yield rows;
}

/** Chunk by chunk from the end: each is read forward and reversed. */
async function* backwardPieces(
  database: Database,
  request: Request,
  context: OperationContext
): AsyncGenerator<EventRow[]> {
  const { log } = database;
  // As in the server: backward from a position means the events before it.
  let to = Math.min(request.from ?? log.end, log.end);
  while (to > 0) {
    const chunk = log.chunkAt(to - 1);
    if (!chunk) database.requireWhole();
    const from = chunk?.startPosition ?? Math.floor((to - 1) / log.chunkSizeBytes) * log.chunkSizeBytes;
    const rows: EventRow[] = [];
    for await (const piece of forwardPieces(database, from, to, request.data, context)) rows.push(...piece);
    yield rows.reverse();
    to = from;
  }
}

function isEvent(record: LogRecord): boolean {
  return (record.hasData || record.isTombstone) && record.stream !== EPOCH_STREAM;
}

/** Events of an explicit transaction, read from its start. Parts of it may have been scavenged. */
function addTransaction(database: Database, commit: LogRecord, form: DataForm, rows: EventRow[]): void {
  const { position: commitPosition, transactionPosition, eventNumber: first } = commit;
  const members: LogCursor = database.log.cursor(transactionPosition, commitPosition);
  try {
    while (members.next()) {
      const { record } = members;
      if (record.kind !== 'prepare' || record.transactionPosition !== transactionPosition) continue;
      if (!record.isSelfCommitted && isEvent(record)) {
        const eventNumber = record.isTombstone
          ? DELETED_STREAM_EVENT_NUMBER
          : first + record.transactionOffset;
        rows.push(eventRow(record, { eventNumber, commitPosition }, form));
      }
      if ((record.flags & PrepareFlag.transactionEnd) !== 0) return;
    }
  } finally {
    members.close();
  }
}
