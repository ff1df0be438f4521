/** Every stream in the log. */
import { DigestRecords } from '../../../src-core/index.ts';
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
    const records = new DigestRecords({ log: database.log, digests });
    const index = await openStreamIndex(database, context, { digests, records });
    try {
      const wanted = {
        sort: request.sort,
        // By size or count the largest come first: those are of interest.
        descending: request.sort !== 'name',
        prefix
      };
      const order = await orderedStreams(catalog.streams, wanted, control);
      const view = { records, index, now, control };
      let left = request.limit ?? Infinity;
      const wantedState = request.state;
      // Of a filtered list nobody knows how far it has to be looked through.
      const few = wantedState === undefined ? order.subarray(0, left) : order;
      for await (const batch of catalog.rows(few, view)) {
        const rows = (
          wantedState === undefined ? batch : batch.filter(({ state }) => state === wantedState)
        ).slice(0, left);
        for (let from = 0; from < rows.length; from += BATCH_ROWS) yield rows.slice(from, from + BATCH_ROWS);
        left -= rows.length;
        if (left === 0) break;
      }
    } finally {
      index.close();
    }
  } finally {
    database.close();
  }
}
