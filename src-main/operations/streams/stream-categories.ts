/** Streams summed up by category: what comes before the first dash of their names, as in the usage view. */
import { dashIn, NO_CATEGORY, type OperationControl } from '../../../src-core/index.ts';
import type { StreamCategories, StreamCategory } from '../../contract/operations/operation-contract.ts';
import type { StreamList } from './stream-list.ts';

const STREAMS_BETWEEN_LOOKS = 4096;

/** The category of a stream; streams without one share NO_CATEGORY. */
export function categoryAt(streams: StreamList, at: number): string {
  const name = streams.nameBytes(at);
  const dash = dashIn(name, 0, name.length);
  return dash < 0 ? NO_CATEGORY : name.toString('utf8', 0, dash);
}

/** Sums of all categories, the largest first. */
export async function sumCategories(
  streams: StreamList,
  control: OperationControl
): Promise<StreamCategories> {
  const sums = new Map<string, StreamCategory>();
  for (let at = 0; at < streams.count; at++) {
    const name = categoryAt(streams, at);
    let sum = sums.get(name);
    if (!sum) sums.set(name, (sum = { name, streams: 0, events: 0, bytes: 0 }));
    sum.streams++;
    sum.events += streams.eventCount(at);
    sum.bytes += streams.bytes(at);
    if (at % STREAMS_BETWEEN_LOOKS === 0 && control.isDue) await control.breathe();
  }
  const categories = [...sums.values()].sort(
    (a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
  );
  return { categories, totalBytes: totalBytesOf(streams) };
}

export function totalBytesOf(streams: StreamList): number {
  let bytes = 0;
  for (let at = 0; at < streams.count; at++) bytes += streams.bytes(at);
  return bytes;
}
