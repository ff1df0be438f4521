/**
 * What was counted, summed up by stream, category, event type or kind of link. Commits and system records are
 * items of their own, and what a limit leaves out is one more, so that the sum of all items is always the total.
 */
import { LargestRows, type NamedRow } from './largest-rows.ts';
import { LINK_KINDS, type ChunkCount, type LogCounts } from './log-counts.ts';
import type { Usage } from './read-usage.ts';
import { Sum, SUM_COUNT, type RecordSum } from './usage-sums.ts';

export type UsageBy = 'stream' | 'category' | 'type' | 'link';

export interface UsageItem {
  name: string;
  records: number;
  bytes: number;
  /** Event entries in the index: one for each event. */
  indexBytes: number;
  discardableRecords: number;
  discardableBytes: number;
  /** Logical chunk numbers; both included. */
  firstChunk: number;
  lastChunk: number;
}

export interface UsageSums {
  total: RecordSum & { indexBytes: number; discardableRecords: number; discardableBytes: number };
  items: UsageItem[];
  /** Items before the limit, those of commits and system records included. */
  itemCount: number;
}

export const COMMITS_ITEM = '(commits)';
export const SYSTEM_ITEM = '(system)';
export const OTHERS_ITEM = '(others)';

/** Of one entry of an index table. */
const ENTRY_BYTES = 24;

/** `top`: at most so many items, the largest; the rest becomes one. */
export async function sumUsage(
  { tables, counts }: Pick<Usage, 'tables' | 'counts'>,
  by: UsageBy,
  top: number
): Promise<UsageSums> {
  let largest = new LargestRows(top);
  switch (by) {
    case 'stream':
      largest = await tables.largestStreams(top);
      break;
    case 'category':
      for await (const table of tables.categories()) largest.addTable(table);
      break;
    case 'type':
      for await (const table of tables.types()) largest.addTable(table);
      break;
    case 'link':
      LINK_KINDS.forEach((name, kind) => largest.add(name, counts.links, kind * SUM_COUNT));
      break;
  }
  const ofRecords = recordItems(counts);
  const items = [...ofRecords];
  largest.forEach((row) => items.push(itemOf(row)));
  items.sort((a, b) => b.bytes - a.bytes || compareText(a.name, b.name));
  const itemCount = largest.count + ofRecords.length;
  const total = totalOf(counts);
  const shown = items.slice(0, top);
  if (shown.length < itemCount) shown.push(restOf(total, shown, counts));
  return { total, items: shown, itemCount };
}

/** The items of commits and of system records, where there are any. */
function recordItems({ chunks }: LogCounts): UsageItem[] {
  const item = (name: string, of: (chunk: ChunkCount) => RecordSum): UsageItem[] => {
    const holding = chunks.filter((chunk) => of(chunk).records > 0);
    if (holding.length === 0) return [];
    return [
      {
        name,
        records: holding.reduce((sum, chunk) => sum + of(chunk).records, 0),
        bytes: holding.reduce((sum, chunk) => sum + of(chunk).bytes, 0),
        indexBytes: 0,
        discardableRecords: 0,
        discardableBytes: 0,
        firstChunk: holding[0]!.startNumber,
        lastChunk: holding.at(-1)!.endNumber
      }
    ];
  };
  return [...item(COMMITS_ITEM, ({ commits }) => commits), ...item(SYSTEM_ITEM, ({ system }) => system)];
}

export function totalOf({ chunks, events }: LogCounts): UsageSums['total'] {
  const sum = (of: (chunk: ChunkCount) => number) => chunks.reduce((all, chunk) => all + of(chunk), 0);
  return {
    records: sum(({ total }) => total.records),
    bytes: sum(({ total }) => total.bytes),
    indexBytes: events * ENTRY_BYTES,
    discardableRecords: sum(({ discardable }) => discardable.records),
    discardableBytes: sum(({ discardable }) => discardable.bytes)
  };
}

function restOf(total: UsageSums['total'], shown: readonly UsageItem[], { chunks }: LogCounts): UsageItem {
  const left = (of: (item: UsageSums['total'] | UsageItem) => number) =>
    shown.reduce((rest, item) => rest - of(item), of(total));
  return {
    name: OTHERS_ITEM,
    records: left(({ records }) => records),
    bytes: left(({ bytes }) => bytes),
    indexBytes: left(({ indexBytes }) => indexBytes),
    discardableRecords: left(({ discardableRecords }) => discardableRecords),
    discardableBytes: left(({ discardableBytes }) => discardableBytes),
    firstChunk: chunks[0]?.startNumber ?? 0,
    lastChunk: chunks.at(-1)?.endNumber ?? 0
  };
}

export function itemOf({ name, values, row }: NamedRow): UsageItem {
  return {
    name,
    records: values[row + Sum.records]!,
    bytes: values[row + Sum.bytes]!,
    indexBytes: values[row + Sum.events]! * ENTRY_BYTES,
    discardableRecords: values[row + Sum.discardableRecords]!,
    discardableBytes: values[row + Sum.discardableBytes]!,
    firstChunk: values[row + Sum.firstChunk]!,
    lastChunk: values[row + Sum.lastChunk]!
  };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
