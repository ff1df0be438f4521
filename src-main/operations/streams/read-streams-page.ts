/**
 * One page of the streams of a database, searched and sorted, from a catalogue that the engine keeps. Sorting a
 * million names takes about a second and is done once for each order; a search scans the sorted list, so that
 * each typed letter costs a few tenths of that, and yields to others in between.
 */
import { requestedNow, lookIntoDatabase } from '../database/database-access.ts';
import { digestsOf } from '../database/digests-of.ts';
import { EngineCache, keyOf, stampOf } from '../database/engine-cache.ts';
import type { OperationContext } from '../operation.ts';
import type { CheckedRequestOf, Page } from '../../contract/operations/operation-contract.ts';
import type { StreamRow } from '../../contract/operations/reports.ts';
import { StreamCatalog } from './stream-catalog.ts';
import type { StreamColumns } from './stream-columns.ts';
import { openStreamIndex } from './stream-index-access.ts';
import { orderedStreams } from './stream-order.ts';
import { containsMatcher, wildcardMatcher } from '../records/wildcard.ts';

const KEPT_CATALOGS = 2;
const KEPT_ORDERS = 6;

const catalogs = new EngineCache<StreamCatalog>(KEPT_CATALOGS);
const orders = new EngineCache<Uint32Array>(KEPT_ORDERS);
const searches = new EngineCache<Uint32Array>(KEPT_ORDERS);

export async function readStreamsPage(
  request: CheckedRequestOf<'readStreamsPage'>,
  context: OperationContext
): Promise<Page<StreamRow>> {
  return lookIntoDatabase(request, context, async (database) => {
    const { sort, descending, offset, limit } = request;
    const key = keyOf(database);
    const stamp = stampOf(database);
    const { control } = context;
    const digests = digestsOf(request, context);
    const catalog = await catalogs.get(
      key,
      stamp,
      () => StreamCatalog.read(database, context, digests),
      control
    );
    const orderKey = `${key}\n${sort} ${descending}`;
    const all = await orders.get(
      orderKey,
      stamp,
      async () => orderedStreams(catalog.columns, { sort, descending }, control),
      control
    );
    const { search } = request;
    const order =
      search === ''
        ? all
        : await searches.get(
            `${orderKey}\n${search}`,
            stamp,
            () => matchingStreams(catalog.columns, all, searchMatcher(search), context),
            control
          );
    const index = await openStreamIndex(database, context, digests);
    try {
      const now = requestedNow(undefined, context);
      const rows: StreamRow[] = [];
      for (const at of order.subarray(offset, offset + limit)) {
        rows.push(await catalog.row(at, { log: database.log, index, now, control }));
        if (control.isDue) await control.breathe();
      }
      return { rows, offset, total: order.length };
    } finally {
      index.close();
    }
  });
}

/** Matches names that contain the text, ignoring case; with a star the whole name: `order-*` is a prefix, `*-7` a suffix. */
function searchMatcher(search: string): (name: string) => boolean {
  return search.includes('*') ? wildcardMatcher(search, { ignoresCase: true }) : containsMatcher(search);
}

const NAMES_BETWEEN_LOOKS = 256;

async function matchingStreams(
  columns: StreamColumns,
  all: Uint32Array,
  isWanted: (name: string) => boolean,
  { control }: OperationContext
): Promise<Uint32Array> {
  const found = new Uint32Array(all.length);
  let count = 0;
  for (let i = 0; i < all.length; i++) {
    const at = all[i] ?? 0;
    if (isWanted(columns.name(at))) found[count++] = at;
    if (i % NAMES_BETWEEN_LOOKS === 0 && control.isDue) await control.breathe();
  }
  return found.slice(0, count);
}
