/**
 * One page of the streams of a database, searched and sorted, from a catalogue that the engine keeps. Sorting a
 * million names takes about a second and is done once for each order; a search scans the sorted list, so that
 * each typed letter costs a few tenths of that, and yields to others in between.
 */
import { isUtf8 } from 'node:buffer';
import { removableOfStreams, DigestRecords } from '../../../src-core/index.ts';
import { requestedNow, lookIntoDatabase } from '../database/database-access.ts';
import { digestsOf } from '../database/digests-of.ts';
import { isAnsweredByDigests } from '../database/known-digests.ts';
import { EngineCache, keyOf, stampOf } from '../database/engine-cache.ts';
import type { OperationContext } from '../operation.ts';
import type {
  CheckedRequestOf,
  Page,
  StreamCategories
} from '../../contract/operations/operation-contract.ts';
import type { StreamRow } from '../../contract/operations/reports.ts';
import { categoryAt, sumCategories, totalBytesOf } from './stream-categories.ts';
import { StreamCatalog, type StreamView } from './stream-catalog.ts';
import type { StreamList } from './stream-list.ts';
import { openStreamIndex } from './stream-index-access.ts';
import { orderedStreams } from './stream-order.ts';
import { isMarked, readStateMarks } from './stream-states.ts';
import { withUsage } from '../usage/usage-access.ts';
import { containsMatcher, wildcardMatcher } from '../records/wildcard.ts';

const HOUR_MS = 3_600_000;
const KEPT_CATALOGS = 2;
const KEPT_ORDERS = 6;

const catalogs = new EngineCache<StreamCatalog>(KEPT_CATALOGS);
const orders = new EngineCache<Uint32Array>(KEPT_ORDERS);
const searches = new EngineCache<Uint32Array>(KEPT_ORDERS);
const stateMarks = new EngineCache<Uint8Array>(KEPT_CATALOGS);

export async function readStreamsPage(
  request: CheckedRequestOf<'readStreamsPage'>,
  context: OperationContext
): Promise<Page<StreamRow> & { totalBytes: number }> {
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
    // What is removable changes with the time, too; an order of an hour ago still tells the largest.
    const isKnown = sort === 'removable' && (await isAnsweredByDigests(request, context));
    const orderKey = `${key}\n${sort} ${descending}`;
    const orderStamp = isKnown ? `${stamp}\n${Math.floor(context.clock() / HOUR_MS)}` : stamp;
    const all = await orders.get(
      orderKey,
      orderStamp,
      async () => {
        const { streams } = catalog;
        const by = isKnown
          ? await removableOf(streams, request, context)
          : sort === 'removable'
            ? 'name'
            : sort;
        return orderedStreams(
          streams,
          { sort: by, descending: descending && (by !== 'name' || sort === 'name') },
          control
        );
      },
      control
    );
    const records = new DigestRecords({ log: database.log, digests });
    const index = await openStreamIndex(database, context, { digests, records });
    try {
      const now = requestedNow(undefined, context);
      const view = { records, index, now, control };
      const states = await wantedStates(request, { catalog, view, key, stamp });
      const { search, category } = request;
      const isWanted = wantedBy(catalog.streams, request, states);
      const filter = JSON.stringify([search, category, request.states, request.rules]);
      const order =
        isWanted === undefined
          ? all
          : await searches.get(
              `${orderKey}\n${filter}`,
              orderStamp,
              () => matchingStreams(all, isWanted, context),
              control
            );
      const rows: StreamRow[] = [];
      for (const at of order.subarray(offset, offset + limit)) {
        rows.push(await catalog.row(at, view));
        if (control.isDue) await control.breathe();
      }
      return { rows, offset, total: order.length, totalBytes: totalBytesOf(catalog.streams) };
    } finally {
      index.close();
    }
  });
}

/** What could be freed of each stream, by its place. */
async function removableOf(
  streams: StreamList,
  request: CheckedRequestOf<'readStreamsPage'>,
  context: OperationContext
): Promise<Float64Array> {
  const { control } = context;
  const values = new Float64Array(streams.count);
  await withUsage(request, context, async (usage) => {
    let sinceLook = 0;
    for await (const { name, bytes } of removableOfStreams(usage)) {
      const at = streams.findBytes(isUtf8(name) ? name : Buffer.from(name.toString('utf8')));
      if (at !== undefined) values[at]! += bytes;
      if (++sinceLook % NAMES_BETWEEN_LOOKS === 0 && control.isDue) await control.breathe();
    }
  });
  return values;
}

/** The categories of all streams, by the rule of the usage view. */
export async function readStreamCategories(
  request: CheckedRequestOf<'readStreamCategories'>,
  context: OperationContext
): Promise<StreamCategories> {
  return lookIntoDatabase(request, context, async (database) => {
    const { control } = context;
    const catalog = await catalogs.get(
      keyOf(database),
      stampOf(database),
      () => StreamCatalog.read(database, context, digestsOf(request, context)),
      control
    );
    return sumCategories(catalog.streams, control);
  });
}

/** State and rules of all streams, if one of them is asked for: read once for each version of the log. */
async function wantedStates(
  { states, rules }: CheckedRequestOf<'readStreamsPage'>,
  { catalog, view, key, stamp }: { catalog: StreamCatalog; view: StreamView; key: string; stamp: string }
): Promise<Uint8Array | undefined> {
  if (states.length === 0 && rules.length === 0) return undefined;
  return stateMarks.get(key, stamp, () => readStateMarks(catalog, view), view.control);
}

/** Tells the streams that a request wants; undefined: all of them. */
function wantedBy(
  streams: StreamList,
  { search, category, states, rules }: CheckedRequestOf<'readStreamsPage'>,
  marks: Uint8Array | undefined
): ((at: number) => boolean) | undefined {
  const tests: ((at: number) => boolean)[] = [];
  if (category !== undefined) {
    const wanted = category;
    tests.push((at) => categoryAt(streams, at) === wanted);
  }
  if (search !== '') {
    const isWanted = searchMatcher(search);
    tests.push((at) => isWanted(streams.name(at)));
  }
  if (marks) tests.push((at) => isMarked(marks[at] ?? 0, { states, rules }));
  if (tests.length === 0) return undefined;
  return (at) => tests.every((test) => test(at));
}

/** Matches names that contain the text, ignoring case; with a star the whole name: `order-*` is a prefix, `*-7` a suffix. */
function searchMatcher(search: string): (name: string) => boolean {
  return search.includes('*') ? wildcardMatcher(search, { ignoresCase: true }) : containsMatcher(search);
}

const NAMES_BETWEEN_LOOKS = 256;

async function matchingStreams(
  all: Uint32Array,
  isWanted: (at: number) => boolean,
  { control }: OperationContext
): Promise<Uint32Array> {
  const found = new Uint32Array(all.length);
  let count = 0;
  for (let i = 0; i < all.length; i++) {
    const at = all[i] ?? 0;
    if (isWanted(at)) found[count++] = at;
    if (i % NAMES_BETWEEN_LOOKS === 0 && control.isDue) await control.breathe();
  }
  return found.slice(0, count);
}
