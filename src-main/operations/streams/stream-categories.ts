/** Streams summed up by category: what comes before the first dash of their names, as in the usage view. */
import { dashIn, NO_CATEGORY, type OperationControl } from '../../../src-core/index.ts';
import type { StreamCategories, StreamCategory } from '../../contract/operations/operation-contract.ts';
import type { StreamColumns } from './stream-columns.ts';

const STREAMS_BETWEEN_LOOKS = 4096;

/** The category of a stream; streams without one share NO_CATEGORY. */
export function categoryAt(columns: StreamColumns, at: number): string {
  const start = columns.nameStart(at);
  const dash = dashIn(columns.nameBytes, start, columns.nameEnd(at));
  return dash < 0 ? NO_CATEGORY : columns.nameBytes.toString('utf8', start, dash);
}

/** Sums of all categories, the largest first. */
export async function sumCategories(
  columns: StreamColumns,
  control: OperationControl
): Promise<StreamCategories> {
  const sums = new Map<string, StreamCategory>();
  for (let at = 0; at < columns.count; at++) {
    const name = categoryAt(columns, at);
    let sum = sums.get(name);
    if (!sum) sums.set(name, (sum = { name, streams: 0, events: 0, bytes: 0 }));
    sum.streams++;
    sum.events += columns.eventCount(at);
    sum.bytes += columns.bytes(at);
    if (at % STREAMS_BETWEEN_LOOKS === 0 && control.isDue) await control.breathe();
  }
  const categories = [...sums.values()].sort(
    (a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
  );
  return { categories, totalBytes: totalBytesOf(columns) };
}

export function totalBytesOf(columns: StreamColumns): number {
  let bytes = 0;
  for (let at = 0; at < columns.count; at++) bytes += columns.bytes(at);
  return bytes;
}
