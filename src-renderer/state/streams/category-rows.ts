/** The rows of the tree of streams: categories, and below those that are open their largest streams. Pure. */
import type { StreamCategory, StreamRow } from '../../../src-main/contract/verbs/workbench-contract.ts';

/** The streams of an open category, as far as they are read; null: on their way. */
export type OpenCategories = ReadonlyMap<string, readonly StreamRow[] | null>;

export type TreeRow =
  | { kind: 'category'; id: string; category: StreamCategory; isOpen: boolean }
  | { kind: 'stream'; id: string; category: StreamCategory; stream: StreamRow }
  /** `count`: all of them; `isWaiting`: none is there yet. */
  | { kind: 'more'; id: string; category: StreamCategory; count: number; isWaiting: boolean };

export function treeRows(categories: readonly StreamCategory[], open: OpenCategories): TreeRow[] {
  return categories.flatMap((category): TreeRow[] => {
    const { name, streams: count } = category;
    const streams = open.get(name);
    const isOpen = streams !== undefined;
    const row: TreeRow = { kind: 'category', id: `c ${name}`, category, isOpen };
    if (!isOpen) return [row];
    const below = (streams ?? []).map((stream): TreeRow => ({
      kind: 'stream',
      id: `s ${stream.stream}`,
      category,
      stream
    }));
    const isWaiting = streams === null;
    if (!isWaiting && below.length >= count) return [row, ...below];
    return [row, ...below, { kind: 'more', id: `m ${name}`, category, count, isWaiting }];
  });
}
