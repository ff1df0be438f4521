/** The events that a reader gets: of a stream through the index, of `$all` in log order. */
import {
  EngineError,
  LogRecord,
  invalidRequest,
  readStreamBackward,
  readStreamForward,
  type Database,
  type StreamIndex,
  type StreamPage
} from '../../../src-core/index.ts';
import { openRequested, requestedNow } from '../database/database-access.ts';
import { eventRow } from './event-row.ts';
import type { OperationContext } from '../operation.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import type { DataForm } from '../records/payload-form.ts';
import { readAll } from './read-all.ts';
import type { EventRow } from '../../contract/operations/reports.ts';
import { openStreamIndex } from './stream-index-access.ts';

const ALL = '$all';
const PAGE_EVENTS = 256;

type Request = CheckedRequestOf<'readStream'>;

export async function* readStream(request: Request, context: OperationContext): AsyncGenerator<EventRow[]> {
  const database = openRequested(request, context);
  try {
    if (request.stream === ALL) {
      yield* readAll(database, request, context);
      return;
    }
    const index = await openStreamIndex(database, context, request);
    try {
      yield* readPages(database, index, request, context);
    } finally {
      index.close();
    }
  } finally {
    database.close();
  }
}

async function* readPages(
  database: Database,
  index: StreamIndex,
  request: Request,
  context: OperationContext
): AsyncGenerator<EventRow[]> {
  const { stream, backward } = request;
  const now = requestedNow(request.now, context);
  let left = request.limit ?? Infinity;
  let from = request.from ?? (backward ? -1 : 0);
  for (;;) {
    const count = Math.max(1, Math.min(PAGE_EVENTS, left));
    const read = backward ? readStreamBackward : readStreamForward;
    const page = requireReadable(read(index, { stream, from, count, now }), stream);
    if (left <= 0) return; // a limit of 0 still distinguishes an unknown stream from an empty answer
    yield eventRows(database, page, request.data);
    left -= page.events.length;
    if (left <= 0 || page.isEndOfStream) return;
    if (!backward && page.nextEventNumber <= from) {
      throw invalidRequest(`Reading "${stream}" cannot proceed beyond event ${from}.`, 'stream');
    }
    from = page.nextEventNumber;
    context.control.throwIfStopped();
    if (context.control.isDue) await context.control.breathe();
  }
}

/** The page, or what its result means for a reader. */
export function requireReadable(page: StreamPage, stream: string): StreamPage {
  switch (page.result) {
    case 'success':
      return page;
    case 'streamDeleted':
      throw new EngineError({
        code: 'StreamDeleted',
        message: `The stream "${stream}" is hard-deleted.`,
        remedy: 'Until a scavenge removes its records, "winnow records --stream" lists them.',
        details: { stream }
      });
    case 'noStream':
    case 'notFound':
      throw new EngineError({
        code: 'StreamNotFound',
        message: `There is no stream "${stream}" for a reader: it never had events, or it is soft-deleted.`,
        remedy: 'See "winnow streams" for the streams of this database.',
        details: { stream }
      });
    case 'error':
      throw page.error ?? new RangeError('A failed read names its error.');
  }
}

/** The events of a page with their contents. */
export function eventRows(database: Database, page: StreamPage, form: DataForm): EventRow[] {
  return page.events.map(({ number, position }) => {
    const record: LogRecord | undefined = database.log.readAt(position);
    if (!record) throw new RangeError(`The event at ${position} was there a moment ago.`);
    return eventRow(record, { eventNumber: number }, form);
  });
}
