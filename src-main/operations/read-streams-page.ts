/** One page of the streams of a database, searched and sorted, out of a catalogue that the engine keeps. */
import { requestedNow, withDatabase } from './database-access.ts';
import { EngineCache, keyOf, stampOf } from './engine-cache.ts';
import type { OperationContext } from './operation.ts';
import type { CheckedRequestOf, Page } from './operation-contract.ts';
import type { StreamRow } from './reports.ts';
import { StreamCatalog } from './stream-catalog.ts';
import { openStreamIndex } from './stream-index-access.ts';
import { orderedStreams } from './stream-order.ts';

const KEPT_CATALOGS = 2;
const KEPT_ORDERS = 6;

const catalogs = new EngineCache<StreamCatalog>(KEPT_CATALOGS);
const orders = new EngineCache<Uint32Array>(KEPT_ORDERS);

export async function readStreamsPage(
  request: CheckedRequestOf<'readStreamsPage'>,
  context: OperationContext
): Promise<Page<StreamRow>> {
  return withDatabase(request, context, async (database) => {
    const { sort, descending, offset, limit } = request;
    const key = keyOf(database);
    const stamp = stampOf(database);
    const catalog = await catalogs.get(key, stamp, () => StreamCatalog.read(database, context));
    const search = request.search.toLowerCase();
    const order = await orders.get(`${key}\n${sort} ${descending} ${search}`, stamp, async () =>
      orderedStreams(catalog.columns, {
        sort,
        descending,
        isWanted: (name) => search === '' || name.toLowerCase().includes(search)
      })
    );
    const index = await openStreamIndex(database, context);
    try {
      const now = requestedNow(undefined, context);
      const rows = Array.from(order.subarray(offset, offset + limit), (at) => catalog.row(at, index, now));
      return { rows, offset, total: order.length };
    } finally {
      index.close();
    }
  });
}
