/** Which streams of a catalogue are wanted, in which order. */
import type { StreamColumns } from './stream-columns.ts';

export type StreamSort = 'name' | 'bytes' | 'events';

export interface StreamOrder {
  sort: StreamSort;
  descending: boolean;
  isWanted: (name: string) => boolean;
}

/** Indexes of the wanted streams. Names are in the order of their UTF-16 units, the same on every machine. */
export function orderedStreams(
  columns: StreamColumns,
  { sort, descending, isWanted }: StreamOrder
): Uint32Array {
  const wanted = new Uint32Array(columns.count);
  let count = 0;
  for (let at = 0; at < columns.count; at++) {
    if (isWanted(columns.name(at))) wanted[count++] = at;
  }
  const sign = descending ? -1 : 1;
  const byName = (a: number, b: number): number => (columns.name(a) < columns.name(b) ? -1 : 1);
  const compare: Record<StreamSort, (a: number, b: number) => number> = {
    name: (a, b) => sign * byName(a, b),
    bytes: (a, b) => sign * (columns.bytes(a) - columns.bytes(b)) || byName(a, b),
    events: (a, b) => sign * (columns.eventCount(a) - columns.eventCount(b)) || byName(a, b)
  };
  return wanted.subarray(0, count).sort(compare[sort]);
}
