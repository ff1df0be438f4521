/** Every stream in the log. */
import { openRequested, requestedNow } from '../database/database-access.ts';
import { digestsOf } from '../database/digests-of.ts';
import type { OperationContext } from '../operation.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import type { StreamRow } from '../../contract/operations/reports.ts';
import { StreamCatalog } from './stream-catalog.ts';
import { openStreamIndex } from './stream-index-access.ts';
import { orderedStreams } from './stream-order.ts';

const BATCH_ROWS = 128;

export async function* listStreams(
  request: CheckedRequestOf<'listStreams'>,
  context: OperationContext
): AsyncGenerator<StreamRow[]> {
  const { control } = context;
  const now = requestedNow(request.now, context);
  const prefix = request.prefix ?? '';
  const database = openRequested(request, context);
  try {
    const digests = digestsOf(request, context);
    const catalog = await StreamCatalog.read(database, context, digests);
    const index = await openStreamIndex(database, context, digests);
    try {
      const wanted = {
        sort: request.sort,
        // By size or count the largest come first: those are of interest.
        descending: request.sort !== 'name',
        prefix
      };
      const order = await orderedStreams(catalog.streams, wanted, control);
      let rows: StreamRow[] = [];
      let left = request.limit ?? Infinity;
      for (const [done, at] of order.entries()) {
        if (left === 0) break;
        const row = await catalog.row(at, { log: database.log, index, now, control });
        if (request.state === undefined || row.state === request.state) {
          rows.push(row);
          left--;
        }
        if (rows.length >= BATCH_ROWS) {
          yield rows;
          rows = [];
        }
        if (!control.isDue) continue;
        control.report({ phase: 'streams', done, total: order.length, unit: 'streams' });
        await control.breathe();
      }
      if (rows.length > 0) yield rows;
    } finally {
      index.close();
    }
  } finally {
    database.close();
  }
}
