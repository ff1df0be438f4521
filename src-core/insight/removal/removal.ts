/** What a scavenge removes, summed up in three ways with the same total. Plain values. */
import type { RemovalRule } from '../../units/scavenge-terms.ts';

export interface RemovedSum {
  records: number;
  /** Payload and both length fields: what the records take in the chunk files, without padding and maps. */
  bytes: number;
}

export interface RemovedByRule extends RemovedSum {
  rule: RemovalRule;
}

/** A stream, a category, or the rest of them. */
export interface RemovedItem extends RemovedSum {
  name: string;
  /** From which records are removed. */
  streams: number;
  /** The most bytes first; together those of the item. */
  byRule: RemovedByRule[];
}

export interface RemovedItems {
  /** The most bytes first, what a limit leaves out last and together. */
  items: RemovedItem[];
  /** Before the limit. */
  itemCount: number;
}

export interface Removal extends RemovedSum {
  /** In the order in which the decision asks; only rules that remove something. */
  byRule: (RemovedByRule & { streams: number })[];
  byCategory: RemovedItems;
  byStream: RemovedItems;
}
