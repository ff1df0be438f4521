/** One page of a stream's events as a reader sees them, oldest first. */
import { readStreamForward } from '../../../src-core/index.ts';
import { requestedNow, lookIntoDatabase } from '../database/database-access.ts';
import type { OperationContext } from '../operation.ts';
import type { CheckedRequestOf, Replies } from '../../contract/operations/operation-contract.ts';
import { eventRows, requireReadable } from './read-stream.ts';
import { openStreamIndex } from './stream-index-access.ts';

export async function readEventsPage(
  request: CheckedRequestOf<'readEventsPage'>,
  context: OperationContext
): Promise<Replies['readEventsPage']> {
  return lookIntoDatabase(request, context, async (database) => {
    const index = await openStreamIndex(database, context, request);
    try {
      const { stream, limit: count } = request;
      const now = requestedNow(undefined, context);
      let { from } = request;
      for (;;) {
        const page = requireReadable(readStreamForward(index, { stream, from, count, now }), stream);
        const isStuck = page.nextEventNumber <= from;
        if (page.events.length > 0 || page.isEndOfStream || isStuck) {
          return {
            rows: eventRows(database, page, request.data),
            offset: page.events[0]?.number ?? from,
            total: page.lastEventNumber + 1,
            isEndOfStream: page.isEndOfStream || isStuck,
            nextFrom: page.nextEventNumber
          };
        }
        // Expired or scavenged: continue where the page says the next events are.
        from = page.nextEventNumber;
        if (context.control.isDue) await context.control.breathe();
      }
    } finally {
      index.close();
    }
  });
}
