/** Which streams of a catalogue are selected, in which order. */
import type { OperationControl } from '../../../src-core/index.ts';
import { sortByName } from './name-order.ts';
import type { StreamColumns } from './stream-columns.ts';

export type StreamSort = 'name' | 'bytes' | 'events';

export interface StreamOrder {
  /** Or a number of each stream. */
  sort: StreamSort | Float64Array;
  descending: boolean;
  /** undefined: every stream. */
  isWanted?: ((name: string) => boolean) | undefined;
}

/** Number of streams sorted at once; longer runs are merged from these, yielding to others in between. */
const RUN_LENGTH = 4096;

/**
 * Indexes of the selected streams. Names are in the order of their UTF-16 units, the same on every machine, and decide where
 * sizes are equal. Yields to others meanwhile, and can be stopped.
 */
export async function orderedStreams(
  columns: StreamColumns,
  { sort, descending, isWanted }: StreamOrder,
  control: OperationControl
): Promise<Uint32Array> {
  const selected = new Uint32Array(columns.count);
  let count = 0;
  for (let at = 0; at < columns.count; at++) {
    if (!isWanted || isWanted(columns.name(at))) selected[count++] = at;
    if (at % RUN_LENGTH === 0 && control.isDue) await control.breathe();
  }
  const order = selected.subarray(0, count);
  if (!columns.areByName) await sortByName(order, columns, control);
  if (sort === 'name') return descending ? order.reverse() : order;
  const sign = descending ? -1 : 1;
  const value = (at: number): number => {
    if (typeof sort !== 'string') return sort[at] ?? 0;
    return sort === 'bytes' ? columns.bytes(at) : columns.eventCount(at);
  };
  // Runs and merges are stable, so equal ones stay in the order of their names.
  return sorted(order, (a, b) => sign * (value(a) - value(b)), control);
}

type Compare = (a: number, b: number) => number;

/** Sorts runs, then merges pairs until one is left. */
async function sorted(
  values: Uint32Array,
  compare: Compare,
  control: OperationControl
): Promise<Uint32Array> {
  for (let from = 0; from < values.length; from += RUN_LENGTH) {
    values.subarray(from, from + RUN_LENGTH).sort(compare);
    if (control.isDue) await control.breathe();
  }
  let [source, target]: [Uint32Array, Uint32Array] = [values, new Uint32Array(values.length)];
  for (let length = RUN_LENGTH; length < values.length; length *= 2) {
    for (let from = 0; from < values.length; from += 2 * length) {
      const middle = Math.min(from + length, values.length);
      const end = Math.min(middle + length, values.length);
      let [left, right] = [from, middle];
      for (let at = from; at < end; at++) {
        const takesLeft =
          left < middle && (right === end || compare(source[left] ?? 0, source[right] ?? 0) <= 0);
        target[at] = source[takesLeft ? left++ : right++] ?? 0;
        if (at % RUN_LENGTH === 0 && control.isDue) await control.breathe();
      }
    }
    [source, target] = [target, source];
  }
  return source;
}
