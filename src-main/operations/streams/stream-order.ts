/** Which streams of a list are selected, in which order. */
import type { OperationControl } from '../../../src-core/index.ts';
import { orderedByNumber } from './number-order.ts';
import type { StreamList } from './stream-list.ts';

export type StreamSort = 'name' | 'bytes' | 'events';

export interface StreamOrder {
  /** Or a number of each stream, whole. */
  sort: StreamSort | Float64Array;
  descending: boolean;
  /** Only streams whose names start with this. */
  prefix?: string | undefined;
}

/**
 * Places of the selected streams. Names are in the order of their UTF-16 units, the same on every machine, and decide where
 * numbers are equal. Yields to others meanwhile, and can be stopped.
 */
export async function orderedStreams(
  streams: StreamList,
  { sort, descending, prefix = '' }: StreamOrder,
  control: OperationControl
): Promise<Uint32Array> {
  const [from, to] = prefix === '' ? [0, streams.count] : streams.startingWith(prefix);
  const byName = new Uint32Array(to - from);
  for (let i = 0; i < byName.length; i++) byName[i] = from + i;
  if (sort === 'name') return descending ? byName.reverse() : byName;
  const numberOf = (at: number): number => {
    if (typeof sort !== 'string') return sort[at]!;
    return sort === 'bytes' ? streams.bytes(at) : streams.eventCount(at);
  };
  return orderedByNumber(byName, { numberOf, descending }, control);
}
